//! The data that the account and the files of this library hold about one person: exported, or erased.
//!
//! What the law requires is the user's responsibility. Each source is reported, with what could not be reached and why.

mod erase;
mod export;
mod export_folder;
mod files;
mod found;
mod lists;
mod look;
mod receipt;
mod run;
mod source;
mod steps;

pub use erase::ErasePlan;
pub use export::{PersonExport, PersonExportPlan};
pub use found::PersonMember;
pub use receipt::EraseReceipt;
pub use source::{PersonSource, SourceOutcome};
pub use steps::{ErasureStep, StepOutcome};

use super::{Job, Observer};
use crate::arguments::{
    ErasePersonOptions, ExportPersonOptions, PlanErasePersonOptions, PlanExportPersonOptions,
};
use crate::error::{Error, Result, Text};
use crate::{Client, runtime};
use futures_util::future::BoxFuture;

/// The error for an invalid argument.
fn refused(what: impl Into<Text>, hint: &'static str) -> Error {
    // Exports and erasures have this error, and every error says whether anything was changed.
    Error::invalid_argument(what).with_hint(hint)
}

macro_rules! jobs {
    ($($Options:ident => $method:ident -> $Report:ident by $work:path: $doc:literal;)*) => { $(
        impl Job for $Options {
            type With = ();
            type Progress = ();
            type Report = $Report;

            fn run(self, client: &Client, (): (), _: Option<Observer<()>>) -> BoxFuture<'static, Result<$Report>> {
                let client = client.clone();
                Box::pin(async move { runtime::here($work(client, self)).await })
            }
        }

        impl Client {
            #[doc = $doc]
            pub async fn $method(&self, options: $Options) -> Result<$Report> {
                options.run(self, (), None).await
            }
        }

        #[cfg(feature = "blocking")]
        impl crate::blocking::Client {
            #[doc = $doc]
            pub fn $method(&self, options: $Options) -> Result<$Report> {
                runtime::block_on(options.run(self.as_async(), (), None))
            }
        }
    )* };
}

jobs! {
    PlanExportPersonOptions => plan_export_person -> PersonExportPlan by export::plan:
        "Says what is held of a person, source by source, and how many calls reading it makes. Nothing is written.";
    ExportPersonOptions => export_person -> PersonExport by export::export:
        "Reads everything that the account and the named files of this library hold of a person, and writes it into a folder.";
    PlanErasePersonOptions => plan_erase_person -> ErasePlan by erase::plan:
        "Says what would be erased of a person, what would be left and why, and the token that confirms it. Nothing is erased.";
    ErasePersonOptions => erase_person -> EraseReceipt by run::erase:
        "Erases a person as a plan has said, and writes a receipt that holds nothing of what was erased.";
}
