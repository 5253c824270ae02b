//! Jobs: many calls that can be interrupted at any moment and resumed.

pub mod archive;
mod column_names;
mod field;
pub mod import;
mod job;
pub mod journal;
mod message;
mod once;
pub mod person;
pub mod plan;
pub mod reconcile;
mod redeem;
mod trace;
mod transition;
pub mod update;

pub use archive::{Archive, ArchiveProgress, ArchiveReport, FailedDocument};
pub use field::FieldReport;
pub use import::{
    Attribution, CsvFormat, Existing, Import, ImportFacts, ImportReport, ImportRow, RowStatus, RowStream,
    RowValue, TakeRow,
};
pub use job::{Job, Observer};
pub use journal::{FileJournal, JournalStore, JournalSummary};
pub use person::{
    ErasePlan, EraseReceipt, ErasureStep, PersonExport, PersonExportPlan, PersonMember, PersonSource,
    SourceOutcome, StepOutcome,
};
pub use plan::{
    LeftOut, LeftOutReason, LeftOutRow, Order, SendPlan, SendPlanFacts, SendReport, SendRow, SendStatus,
};
pub use reconcile::{Reconciled, Verdict};
pub use update::{Change, PlanFacts, Rows, SkipReason, SkippedRow, Update, UpdatePlan, UpdateReport};
