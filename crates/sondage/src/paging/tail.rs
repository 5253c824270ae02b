//! The tail probe: one request whose rows must be the last ones of the list, which the reader has already.
//!
//! After `n` rows on `m` pages it asks for the page after the last with `(n - 1) / m` rows. Its rows are the rows `m * size` to
//! `n - 1` of the list if the first page is where the reader began, if the list ends where it ended, and if no page was cut. A failure
//! cannot imitate that, as it can an empty page.

use super::rows::Rows;
use crate::model::Identity;
use std::collections::VecDeque;

/// What tells a row from others: its id, or its content.
#[derive(Clone, Debug, PartialEq, Eq)]
enum RowMark {
    Number(i64),
    Text(Box<str>),
    Content(u64),
}

impl RowMark {
    fn of(rows: &dyn Rows, row: usize) -> Self {
        match rows.identity(row) {
            Some(Identity::Number(number)) => Self::Number(number),
            Some(Identity::Text(text)) => Self::Text(text.into()),
            None => Self::Content(rows.fingerprint_of(row)),
        }
    }
}

/// A list of more pages is not probed: a call or two more do not count there, and the rows of large lists are not all marked.
const MOST_PAGES: usize = 100;

/// The last rows that arrived: two for each page, because a probe never returns more.
#[derive(Clone, Debug, Default)]
pub(super) struct LastRows {
    pages: usize,
    rows: VecDeque<RowMark>,
}

impl LastRows {
    /// Adds a page.
    pub fn push(&mut self, rows: &dyn Rows) {
        if rows.is_empty() {
            return;
        }
        self.pages += 1;
        if self.pages > MOST_PAGES {
            self.rows = VecDeque::new();
            return;
        }
        let most = 2 * self.pages;
        self.rows.extend((rows.len().saturating_sub(most)..rows.len()).map(|row| RowMark::of(rows, row)));
        let surplus = self.rows.len().saturating_sub(most);
        self.rows.drain(..surplus);
    }

    /// The number of pages with rows.
    pub fn pages(&self) -> i64 {
        i64::try_from(self.pages).unwrap_or(i64::MAX)
    }

    /// Whether these rows are kept, and the last one differs from the one before it: rows without ids may be equal.
    pub fn can_be_compared(&self) -> bool {
        let mut last = self.rows.iter().rev();
        self.pages <= MOST_PAGES && last.next() != last.next()
    }

    fn end_with(&self, rows: &dyn Rows) -> bool {
        let Some(from) = self.rows.len().checked_sub(rows.len()) else { return false };
        self.rows.range(from..).enumerate().all(|(row, mark)| RowMark::of(rows, row) == *mark)
    }
}

/// A request that shows whether a list is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TailProbe {
    /// The page to request.
    pub page: i64,
    /// Its rows.
    pub size: i64,
    /// The number of rows that must come.
    expected: i64,
    /// The count must be this one: the rows alone do not show the end.
    count: Option<i64>,
}

/// What is known before the probe.
#[derive(Clone, Copy)]
pub(super) struct ListSoFar {
    /// The number of the first page.
    pub first: i64,
    /// Rows so far.
    pub rows: i64,
    /// Pages with rows so far.
    pub pages: i64,
    /// The count was `rows` on every page.
    pub is_counted: bool,
    /// Pages of three rows have been seen, and the first page is proven: a page of one or two rows was not cut.
    pub is_small: bool,
}

/// A page of this many rows has room for a list of one or two.
const SMALL: i64 = 3;

impl TailProbe {
    /// The probe of a list. `None`: no request would show its end.
    pub fn of(list: &ListSoFar) -> Option<Self> {
        let ListSoFar { first, rows, pages, is_counted, is_small } = *list;
        match (rows, pages) {
            (1, 1) if is_counted => Some(Self { page: first + 1, size: 2, expected: 0, count: Some(1) }),
            (1, 1) if is_small => Some(Self { page: first, size: 2, expected: 1, count: None }),
            (2, 1) if is_counted => Some(Self { page: first + 1, size: 1, expected: 1, count: Some(2) }),
            (2, 1) if is_small => Some(Self { page: first + 1, size: 1, expected: 1, count: None }),
            (..SMALL, 1) | (_, ..1) => None,
            _ => Self::with_size(list, (rows - 1) / pages),
        }
    }

    /// Another probe of the same list, with another size, for a list whose count is of no use: one damaged page, or rows that moved
    /// between two calls, do not answer both.
    pub fn second(list: &ListSoFar) -> Option<Self> {
        let ListSoFar { first, rows, pages, .. } = *list;
        if rows < SMALL {
            return Some(Self { page: first, size: SMALL, expected: rows, count: None });
        }
        Self::with_size(list, (rows - 1) / pages - 1).or_else(|| Self::of(list))
    }

    fn with_size(list: &ListSoFar, size: i64) -> Option<Self> {
        let ListSoFar { first, rows, pages, .. } = *list;
        let expected = rows - pages * size;
        // A further row would be on this page.
        (size > expected).then_some(Self { page: first + pages, size, expected, count: None })
    }

    /// Whether the response is what it must be.
    pub fn is_answered_by(&self, rows: &dyn Rows, count: Option<i64>, last: &LastRows) -> bool {
        i64::try_from(rows.len()) == Ok(self.expected)
            && last.end_with(rows)
            && self.count.is_none_or(|expected| count == Some(expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(rows: i64, pages: i64) -> Option<(i64, i64, i64)> {
        let list = ListSoFar { first: 1, rows, pages, is_counted: true, is_small: false };
        TailProbe::of(&list).map(|probe| (probe.page, probe.size, probe.expected))
    }

    #[test]
    fn a_probe_has_room_for_a_further_row() {
        assert_eq!(probe(200, 1), Some((2, 199, 1)));
        assert_eq!(probe(3, 1), Some((2, 2, 1)));
        assert_eq!(probe(207, 11), Some((12, 18, 9)));
        assert_eq!(probe(1, 1), Some((2, 2, 0)));
        // Eleven pages of four rows: a page after them would be full of rows that are known.
        assert_eq!(probe(44, 11), None);
        for (rows, pages) in (3..400).flat_map(|rows| (1..20).map(move |pages| (rows, pages))) {
            let list = ListSoFar { first: 1, rows, pages, is_counted: false, is_small: false };
            for probe in
                TailProbe::of(&list).into_iter().flat_map(|probe| [Some(probe), TailProbe::second(&list)])
            {
                let TailProbe { page, size, expected, .. } = probe.unwrap();
                assert_eq!((page - 1) * size + expected, rows);
                assert!(expected <= 2 * pages && expected < size, "{rows} rows on {pages} pages");
            }
        }
    }
}
