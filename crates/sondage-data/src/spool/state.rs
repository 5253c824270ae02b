//! The state file of a folder of pages.

use std::io::{self, Read as _};
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sondage::files;
use sondage::paging::Bookmark;

const FILE: &str = "state.json";
/// Older pages are requested again: too much may have changed since.
const KEPT_FOR: TimeDelta = TimeDelta::hours(24);

/// How far a download has come.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SpoolState {
    version: u32,
    /// The query: another query starts over.
    query: String,
    begun: DateTime<Utc>,
    pub(super) pages: u64,
    pub(super) bookmark: Option<Bookmark>,
    pub(super) complete: bool,
}

impl SpoolState {
    pub(super) fn new(query: &str) -> Self {
        SpoolState {
            version: 1,
            query: query.to_owned(),
            begun: Utc::now(),
            pages: 0,
            bookmark: None,
            complete: false,
        }
    }

    /// The state of a folder, if there is a readable one.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let mut text = String::new();
        files::open_to_read(&folder.join(FILE), false).ok()?.read_to_string(&mut text).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Whether a download for `query` may continue from here.
    pub(super) fn continues(&self, query: &str) -> bool {
        let age = Utc::now() - self.begun;
        self.version == 1
            && self.query == query
            && (self.bookmark.is_some() || self.complete)
            && age < KEPT_FOR
            && age > -KEPT_FOR
    }

    /// Replaces the state atomically: after an error the previous one is unchanged.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        files::replace(&folder.join(FILE), serde_json::to_string(self)?.as_bytes())
    }
}
