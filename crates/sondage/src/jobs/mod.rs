//! Work of many calls that can be stopped at any moment and taken up again.

pub mod archive;
pub mod update;

pub use archive::{Archive, ArchiveProgress, ArchiveReport, Failed};
pub use update::{Change, Rows, SkipReason, SkippedRow, Update, UpdatePlan, UpdateReport};
