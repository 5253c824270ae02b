//! The number of calls for a list, before it is read.

use super::pager::{ListReader, Route};
use crate::facts::ListFacts;

/// What the number of calls for a list depends on, when it was read to its end.
#[derive(Clone, Debug)]
pub struct ListShape {
    /// Rows of the list.
    pub rows: i64,
    /// Whether the service's count is right, so that it proves the end.
    pub counted: bool,
    facts: ListFacts,
    /// Whether the facts are used for this list.
    facts_used: bool,
    /// Whether a list of one page is proven by a request of its own, whatever is known.
    is_probed: bool,
}

impl ListShape {
    /// The number of calls for the list if it had this many rows.
    pub fn calls(&self, rows: i64, page_size: i64) -> i64 {
        let size = page_size.max(1);
        let pages = rows / size + 1;
        let first = self.facts.first_page();
        if self.counted && rows > size {
            return pages;
        }
        if self.facts_used {
            let is_known = self.facts.is_proven(first) && !self.is_probed && !self.facts.is_suspect(rows);
            return match rows {
                0 => 2 + i64::from(!self.facts.is_proven_empty(first)),
                // Without a count, the tail probe is confirmed by another one.
                _ if rows < size => 1 + i64::from(!is_known) + i64::from(!self.counted),
                _ => pages + 2 * i64::from(!self.counted),
            };
        }
        // A list that ends with an empty page requests that page again, to confirm it; an empty list requests its first row.
        let ends_empty = rows > 0 && (rows < size || rows % size == 0);
        // The page before the first, or page 1 if page 0 is empty.
        let other_page = self.facts.proven().is_none() && (first > 0 || rows == 0);
        // Without a right count, the first page is asked for again then.
        let first_again = other_page && rows > 0 && !self.counted;
        pages + 1 + i64::from(ends_empty) + i64::from(other_page) + i64::from(first_again)
    }
}

impl ListReader {
    pub fn calls_for(&self, rows: i64, page_size: i64) -> i64 {
        ListShape { counted: self.progress.count == Some(rows), ..self.shape() }.calls(rows, page_size)
    }

    /// What the number of calls for the list depends on, besides its rows.
    pub fn shape(&self) -> ListShape {
        let facts = self.settings.facts.clone();
        ListShape {
            rows: self.progress.rows,
            // A count of one page equals the rows of a list that has no other.
            counted: self.progress.count == Some(self.progress.rows) && !facts.counts_pages(),
            facts_used: facts.is_in_use() && (facts.can_probe() || self.route != Route::Cautious),
            is_probed: self.settings.demands_probe(),
            facts,
        }
    }
}
