//! Work of many calls that can be stopped at any moment and taken up again.

pub mod archive;

pub use archive::{Archive, ArchiveProgress, ArchiveReport, Failed};
