//! A position in a list that can be saved and resumed by another process.

use super::cursor::{ListEnd, PageCursor, PageVerdict};
use super::pager::{ListReader, Progress, Route};
use super::proof::ListEvidence;
use serde::{Deserialize, Serialize};

/// The position of a [`Pager`](super::Pager), for files: it contains the position and what has been proven, but no rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bookmark {
    pub(super) cursor: PageCursor,
    pub(super) evidence: ListEvidence,
    /// The service has not refused to sort by id.
    pub(super) ordered: bool,
    /// Whether the position is in the second reading.
    pub(super) again: bool,
    pub(super) anonymous: bool,
    pub(super) fingerprint: Option<u64>,
    pub(super) first_fingerprint: Option<(i64, u64)>,
    #[serde(default)]
    pub(super) first_row: Option<u64>,
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

impl ListReader {
    pub fn bookmark(&self) -> Bookmark {
        let (mut cursor, mut ending) = (self.cursor.clone(), self.ending);
        if let Route::Probe { after: PageVerdict::End(end), .. } = self.route {
            // Another process confirms the end by the pages.
            ending = (!cursor.look_beyond()).then_some(end);
        }
        Bookmark {
            cursor,
            evidence: self.evidence.clone(),
            ordered: self.order.is_some(),
            again: self.again.is_some(),
            anonymous: self.anonymous,
            fingerprint: self.fingerprint,
            first_fingerprint: self.first_fingerprint,
            first_row: self.first_row,
            progress: self.progress,
            rereads: self.rereads,
            ending,
        }
    }

    pub fn resume(&mut self, from: Bookmark) {
        self.cursor = from.cursor;
        self.evidence = from.evidence;
        self.order = self.order.take().filter(|_| from.ordered);
        self.anonymous = from.anonymous;
        (self.fingerprint, self.first_fingerprint) = (from.fingerprint, from.first_fingerprint);
        self.first_row = from.first_row;
        self.progress = from.progress;
        self.rereads = from.rereads;
        self.ending = from.ending;
        if from.progress.calls > 0 {
            self.route = Route::Cautious;
        }
        if from.again {
            // The rows of the second reading were not saved: it starts over.
            self.read_again();
        }
    }
}
