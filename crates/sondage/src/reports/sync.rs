//! What a sync did to a store.

use sondage_macros::report;
use std::time::Duration;

/// What a sync did to a store, which is now equal to the query: all of it is stored, or nothing.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SyncReport {
    /// How many interviews the store has now.
    pub rows: u64,
    /// How many of them are new.
    pub added: u64,
    /// How many were in the store with other values. If all interviews were read again: all that were in the store before.
    pub changed: u64,
    /// How many were removed from the store: they were deleted, or no longer match the query.
    pub removed: u64,
    /// How many were left as they were.
    pub unchanged: u64,
    /// Whether all interviews were read: at the first sync, and when their changes alone would not have been enough.
    pub complete: bool,
    /// The columns that are new in the store.
    pub columns_added: Vec<String>,
    /// The columns that were removed from the store.
    pub columns_removed: Vec<String>,
    /// The columns that have another type or other codes now.
    pub columns_changed: Vec<String>,
    /// The columns whose question, labels or codes differ from those of the store, without another meaning of an answer that it has.
    pub columns_relabelled: Vec<String>,
    /// How many calls it made, not counting retries after a network failure.
    pub calls: u64,
    /// The bytes of the responses, after decompression.
    pub bytes: u64,
    /// How long it took.
    pub took: Duration,
    /// What should be known about the data: values that differ from the code plan, and times of change that cannot be relied on.
    pub warnings: Vec<String>,
}

impl SyncReport {
    /// A report of a sync that has not begun.
    #[doc(hidden)] // for sondage-data
    #[must_use]
    pub fn begun() -> Self {
        Self {
            rows: 0,
            added: 0,
            changed: 0,
            removed: 0,
            unchanged: 0,
            complete: false,
            columns_added: Vec::new(),
            columns_removed: Vec::new(),
            columns_changed: Vec::new(),
            columns_relabelled: Vec::new(),
            calls: 0,
            bytes: 0,
            took: Duration::ZERO,
            warnings: Vec::new(),
        }
    }
}
