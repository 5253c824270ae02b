//! Id ranges of pages that are stored elsewhere and can be read again: only the first and the last id of each page are
//! kept in memory.

use super::rows::{AnyRows, Rows};
use crate::error::Result;
use crate::model::Identity;
use std::cmp::Ordering;

pub(super) type ReadRange = Box<dyn FnMut(u64) -> Result<AnyRows> + Send>;

/// A page with ascending ids, all of them greater than those of the previous page.
struct IdRange {
    page: u64,
    first: Box<str>,
    last: Box<str>,
}

/// The pages, in the order of their ids.
pub(super) struct IdRanges {
    read: ReadRange,
    pages: Vec<IdRange>,
    /// The page that was read last: the next lookup is often for the same page.
    open: Option<(u64, AnyRows)>,
}

impl IdRanges {
    pub fn new(read: ReadRange) -> Self {
        Self { read, pages: Vec::new(), open: None }
    }

    /// Adds a page whose [`ends`] are these, and are greater than those of all earlier pages.
    pub fn push(&mut self, page: u64, [first, last]: [&str; 2]) {
        self.pages.push(IdRange { page, first: first.into(), last: last.into() });
        self.open = None;
    }

    /// Whether a text is among the ids. Reads the page on which it may be.
    pub fn contains(&mut self, text: &str) -> Result<bool> {
        let after = self.pages.partition_point(|span| *span.last < *text);
        let Some(page) = self.pages.get(after).filter(|span| *span.first <= *text).map(|span| span.page)
        else {
            return Ok(false);
        };
        if self.open.as_ref().is_none_or(|(open, _)| *open != page) {
            // The previous page is dropped first, so that only one page is in memory.
            self.open = None;
            self.open = Some((page, (self.read)(page)?));
        }
        Ok(self.open.as_ref().is_some_and(|(_, rows)| stands_in(rows, text)))
    }
}

/// The first and the last id of a page on which every row has a text id, in ascending order.
pub(super) fn ends(rows: &dyn Rows) -> Option<[&str; 2]> {
    let text = |row| match rows.identity(row) {
        Some(Identity::Text(text)) => Some(text),
        _ => None,
    };
    let first = text(0)?;
    let mut last = first;
    for row in 1..rows.len() {
        last = text(row).filter(|text| *text > last)?;
    }
    Some([first, last])
}

/// A binary search.
fn stands_in(rows: &dyn Rows, text: &str) -> bool {
    let (mut from, mut to) = (0, rows.len());
    while from < to {
        let middle = from.midpoint(to);
        match rows.identity(middle) {
            Some(Identity::Text(found)) => match found.cmp(text) {
                Ordering::Less => from = middle + 1,
                Ordering::Greater => to = middle,
                Ordering::Equal => return true,
            },
            _ => return false,
        }
    }
    false
}
