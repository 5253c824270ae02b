//! A place in a list that outlives the process.

use super::cursor::{ListEnd, PageCursor};
use super::pager::Progress;
use super::proof::Evidence;
use serde::{Deserialize, Serialize};

/// Where a [`Pager`](super::Pager) was, for files: what is kept is the place and what has been proven, no row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bookmark {
    pub(super) cursor: PageCursor,
    pub(super) evidence: Evidence,
    /// The service has not refused the order by id.
    pub(super) ordered: bool,
    /// In the second reading.
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
