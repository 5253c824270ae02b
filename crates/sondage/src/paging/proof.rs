//! Decides whether the rows read are the whole list.

use super::cursor::ListEnd;
use serde::{Deserialize, Serialize};

/// The observations of one reading of a list.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // independent observations
pub(super) struct ListEvidence {
    /// Rows read, each counted once.
    pub rows: i64,
    /// Rows that were returned twice, not counting rows that were requested twice.
    pub twice: i64,
    /// The service's first and last count, if it sent one. A count of 0 next to rows has been seen, and is ignored.
    first_count: Option<i64>,
    last_count: Option<i64>,
    highest: i64,
    /// The number of rows on the largest page.
    largest: i64,
    /// An empty page was followed by a page with rows.
    empty: bool,
    holes: bool,
    /// The count fell between two pages.
    fell: bool,
    /// Every page with rows had a count, and always the same one.
    unsteady: bool,
    /// The first page was empty, but its first row exists.
    #[serde(default)]
    first_row: bool,
}

/// What follows.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Completeness {
    /// The list is complete.
    Complete,
    /// Possibly incomplete, for this reason. Reading it again may help.
    Doubtful(String),
    /// Incomplete, for this reason, and reading it again will not help.
    Hopeless(String),
}

impl ListEvidence {
    /// Records a page: its rows, and its count if it has rows or is the last page.
    pub fn page(&mut self, count: Option<i64>, rows: i64, repeated: bool) {
        self.largest = self.largest.max(rows);
        self.holes |= self.empty && rows > 0 && !repeated;
        self.empty |= rows == 0;
        let count = count.filter(|count| *count > 0);
        if count.is_none() && rows == 0 {
            return;
        }
        self.fell |= matches!((self.last_count, count), (Some(before), Some(now)) if now < before);
        self.unsteady |= count.is_none() || self.last_count.is_some_and(|before| Some(before) != count);
        self.highest = self.highest.max(count.unwrap_or_default());
        self.first_count = self.first_count.or(count);
        self.last_count = count.or(self.last_count);
    }

    /// The page that was empty has now returned rows.
    pub fn refilled(&mut self) {
        self.empty = false;
    }

    /// The first page was empty, but the request for its first row alone has returned a row.
    pub fn first_row(&mut self) {
        self.empty = false;
        self.first_row = true;
    }

    /// The first row exists, but no page has returned it: its page is not where the reader assumes it, or stays empty.
    pub fn is_contradictory(&self) -> bool {
        self.first_row && self.rows == 0
    }

    /// The service's count equals the number of rows read, on every page. A count that is not larger than a page may be the
    /// count of that page, and proves nothing.
    pub fn counted(&self, rows: i64) -> bool {
        !self.unsteady && self.last_count == Some(rows) && rows > self.largest
    }

    /// Every page with rows had a count, always the same, and it is the number of rows so far: of the list, or of its only page.
    pub fn is_counted(&self) -> bool {
        !self.unsteady && self.last_count == Some(self.rows)
    }

    /// A count was larger than the number of rows so far.
    pub fn counts_more(&self) -> bool {
        self.highest > self.rows
    }

    /// The count of the whole list fell: rows may have moved to pages that had been read.
    pub fn shrank(&self) -> bool {
        self.fell && self.highest >= self.rows
    }

    /// The number of rows on the largest page.
    pub fn largest_page(&self) -> i64 {
        self.largest
    }

    /// The same for the rows of this reading: no rows follow its last page.
    pub fn at_end(&self) -> bool {
        self.counted(self.rows)
    }

    /// `rows` is the number of distinct rows of all readings.
    pub fn verdict(&self, end: ListEnd, rows: i64, verify_total: bool) -> Completeness {
        if self.counted(rows) {
            return Completeness::Complete;
        }
        if end == ListEnd::Stuck {
            return Completeness::Hopeless(
                "the service returns the same page repeatedly: it ignores the page number, or \
                                           paging as a whole"
                    .to_owned(),
            );
        }
        if self.is_contradictory() {
            return Completeness::Doubtful(
                "its pages are empty, but a request for one row returns a row".to_owned(),
            );
        }
        if self.twice > 0 {
            return Completeness::Doubtful(format!(
                "the list changed while it was read: {} rows arrived twice",
                self.twice
            ));
        }
        if self.holes {
            return Completeness::Doubtful("a page without rows was followed by pages with rows".to_owned());
        }
        if !verify_total {
            return Completeness::Complete;
        }
        match (self.first_count, self.last_count) {
            // A count that has been less than the number of rows read does not count the whole list, so it may change
            // freely.
            (Some(first), Some(last)) if self.shrank() => Completeness::Doubtful(format!(
                "the list shrank while it was read, from {first} to {last} rows, so that rows may have moved to \
                     pages that had already been read"
            )),
            (_, Some(count)) if count > rows => {
                Completeness::Doubtful(format!("{} of {count} rows are missing", count - rows))
            }
            _ => Completeness::Complete,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(counts: &[Option<i64>], twice: i64, rows: i64) -> Completeness {
        let mut evidence = ListEvidence { rows, twice, ..ListEvidence::default() };
        for count in counts {
            evidence.page(*count, 10, false);
        }
        evidence.verdict(ListEnd::Reached, rows, true)
    }

    #[test]
    fn a_count_that_is_wrong_or_absent_proves_nothing_and_accuses_nobody() {
        assert_eq!(after(&[None, None], 0, 20), Completeness::Complete);
        assert_eq!(after(&[Some(0), Some(0)], 0, 20), Completeness::Complete);
        assert_eq!(after(&[Some(3), Some(3)], 0, 20), Completeness::Complete);
        assert_eq!(after(&[Some(19), Some(20)], 0, 20), Completeness::Complete);
        // The count is that of the rows of the page only.
        assert_eq!(after(&[Some(15), Some(5)], 0, 20), Completeness::Complete);
    }

    #[test]
    fn what_puts_a_list_in_doubt() {
        for (counts, twice, rows) in [
            (vec![Some(21), Some(21)], 0, 20),
            (vec![Some(21), Some(20)], 0, 20),
            (vec![None, None], 1, 20),
            (vec![Some(20), Some(21)], 1, 21),
        ] {
            assert!(matches!(after(&counts, twice, rows), Completeness::Doubtful(_)), "{counts:?} {twice}");
        }
    }

    #[test]
    fn a_steady_count_outweighs_rows_that_came_twice() {
        assert_eq!(after(&[Some(20), Some(20)], 3, 20), Completeness::Complete);
        // A count that is missing on a page with rows is not the same on every page. The empty page at the end need not
        // have one.
        assert!(matches!(after(&[Some(20), None], 3, 20), Completeness::Doubtful(_)));
        let mut evidence = ListEvidence { rows: 20, twice: 3, ..ListEvidence::default() };
        for (count, rows) in [(Some(20), 10), (Some(20), 10), (None, 0)] {
            evidence.page(count, rows, false);
        }
        assert_eq!(evidence.verdict(ListEnd::Reached, 20, true), Completeness::Complete);
    }

    #[test]
    fn a_page_that_was_empty_only_once_is_no_hole() {
        let mut evidence = ListEvidence::default();
        evidence.page(None, 10, false);
        evidence.page(None, 0, false);
        let mut refilled = evidence.clone();
        refilled.refilled();
        evidence.page(None, 10, false);
        refilled.page(None, 10, false);
        assert!(matches!(evidence.verdict(ListEnd::Reached, 20, true), Completeness::Doubtful(_)));
        assert_eq!(refilled.verdict(ListEnd::Reached, 20, true), Completeness::Complete);
    }
}
