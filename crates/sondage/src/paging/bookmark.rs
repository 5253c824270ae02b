//! A place in a list that outlives the process.

use super::pager::Progress;
use super::proof::Evidence;
use super::walk::{End, Walk};
use serde::{Deserialize, Serialize};

/// Where a [`Pager`](super::Pager) was, for files: what is kept is the place and what has been proven, no row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bookmark {
    pub(super) walk: Walk,
    pub(super) evidence: Evidence,
    /// The service has not refused the order by id.
    pub(super) ordered: bool,
    /// In the second reading.
    pub(super) again: bool,
    pub(super) anonymous: bool,
    pub(super) print: Option<u64>,
    pub(super) first_print: Option<(i64, u64)>,
    pub(super) progress: Progress,
    pub(super) rereads: u32,
    pub(super) ending: Option<End>,
}

impl Bookmark {
    /// How far the list had been read.
    pub fn progress(&self) -> Progress {
        self.progress
    }
}
