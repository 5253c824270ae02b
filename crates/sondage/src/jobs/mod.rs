//! Work of many calls that can be stopped at any moment and taken up again.

pub mod archive;
mod job;
pub mod update;

pub use archive::{Archive, ArchiveProgress, ArchiveReport, Failed};
pub use job::{Job, Observer};
pub use update::{Change, Rows, SkipReason, SkippedRow, Update, UpdatePlan, UpdateReport};
