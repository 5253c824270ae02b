//! A position in a list that can be saved and resumed by another process.

use super::cursor::{ListEnd, PageCursor};
use super::pager::Progress;
use super::proof::Evidence;
use serde::{Deserialize, Serialize};

/// The position of a [`Pager`](super::Pager), for files: it contains the position and what has been proven, but no rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bookmark {
    pub(super) cursor: PageCursor,
    pub(super) evidence: Evidence,
    /// The service has not refused to sort by id.
    pub(super) ordered: bool,
    /// Whether the position is in the second reading.
    pub(super) again: bool,
    pub(super) anonymous: bool,
    pub(super) fingerprint: Option<u64>,
    pub(super) first_fingerprint: Option<(i64, u64)>,
    pub(super) progress: Progress,
    pub(super) rereads: u32,
    pub(super) ending: Option<ListEnd>,
}

impl Bookmark {
    /// How far the list had been read.
    pub fn progress(&self) -> Progress {
        self.progress
    }
}
