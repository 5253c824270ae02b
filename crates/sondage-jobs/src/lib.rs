//! Jobs of [`sondage`]: many calls that can be interrupted at any moment and resumed.
//!
//! The methods are those of the trait [`Jobs`] on a [`sondage::Client`], and of [`blocking::Jobs`] on a blocking client. Each takes one
//! struct of options; see [`options`].
//!
//! ```no_run
//! # async fn example(client: sondage::Client) -> sondage::Result<()> {
//! use sondage_jobs::options::InviteOptions;
//! use sondage_jobs::Jobs;
//!
//! let plan = client.plan_invite(InviteOptions::new(7, 123, 9)).await?;
//! println!("{plan}");
//! println!("{}", plan.run(plan.token()).await?);
//! # Ok(())
//! # }
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(missing_debug_implementations)]

pub mod archive;
#[cfg(feature = "blocking")]
pub mod blocking;
mod client;
mod column_names;
mod debug;
mod distribution;
mod field;
mod field_groups;
pub mod import;
pub mod journal;
mod message;
mod methods;
mod once;
pub mod options;
pub mod person;
pub mod plan;
pub mod reconcile;
mod redeem;
#[doc(hidden)]
pub mod reports;
mod row_lines;
mod timing;
mod transition;
pub mod update;

pub use archive::{Archive, ArchiveProgress, ArchiveReport, FailedDocument};
pub use client::{Jobs, options_of_all_crates};
#[doc(hidden)]
pub use distribution::DistributionTally;
pub use distribution::{CompletedOnDay, Distribution};
pub use field::{FieldReport, FieldReportGroup};
pub use import::{
    Attribution, Import, ImportFacts, ImportReport, ImportRow, RowStatus, RowStream, RowValue, RowsFormat,
    TakeRow,
};
pub use journal::{FileJournal, JournalStore, JournalSummary};
pub use options::{Duplicates, Existing};
pub use person::{
    ErasePlan, EraseReceipt, ErasedInterviews, ErasureStep, PersonExport, PersonExportPlan, PersonMember,
    PersonSource, SourceOutcome, StepOutcome,
};
pub use plan::{
    LeftOut, LeftOutReason, LeftOutRow, SendPlan, SendPlanFacts, SendReport, SendRow, SendStatus,
};
pub use reconcile::{Reconciled, Verdict};
pub use update::{Change, PlanFacts, Rows, SkipReason, SkippedRow, Update, UpdatePlan, UpdateReport};

/// The example programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
