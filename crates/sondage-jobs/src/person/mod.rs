//! The data that the account and the files of this library hold about one person: exported, or erased.
//!
//! What the law requires is the user's responsibility. Each source is reported, with what could not be reached and why.

mod erase;
mod erased;
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
pub use erased::ErasedInterviews;
pub use export::{PersonExport, PersonExportPlan};
pub use found::PersonMember;
pub use receipt::EraseReceipt;
pub use source::{PersonSource, SourceOutcome};
pub use steps::{ErasureStep, StepOutcome};

use crate::options::{
    ErasePersonOptions, ExportPersonOptions, PlanErasePersonOptions, PlanExportPersonOptions,
};
use futures_util::future::BoxFuture;
use sondage::Client;
use sondage::error::{Error, Result, Text};
use sondage::internals::runtime;
use sondage::job::{Job, Observer};

/// The error for an invalid argument.
fn refused(what: impl Into<Text>, hint: &'static str) -> Error {
    // Exports and erasures have this error, and every error says whether anything was changed.
    Error::invalid_argument(what).with_hint(hint)
}

macro_rules! jobs {
    ($($Options:ident -> $Report:ident by $work:path;)*) => { $(
        impl Job for $Options {
            type With = ();
            type Progress = ();
            type Report = $Report;

            fn run(self, client: &Client, (): (), _: Option<Observer<()>>) -> BoxFuture<'static, Result<$Report>> {
                let client = client.clone();
                Box::pin(async move { runtime::here($work(client, self)).await })
            }
        }
    )* };
}

jobs! {
    PlanExportPersonOptions -> PersonExportPlan by export::plan;
    ExportPersonOptions -> PersonExport by export::export;
    PlanErasePersonOptions -> ErasePlan by erase::plan;
    ErasePersonOptions -> EraseReceipt by run::erase;
}
