//! The reader's position in the list: which page to request, and what a page implies about the next one.

use crate::trace::CallPurpose;
use serde::{Deserialize, Serialize};

/// How often a page is halved before the list is given up as unreadable: 1000, 500, 250, 125, 62, 31.
const HALVINGS: u32 = 5;

/// The reader's position. It counts rows of the list, so that the page size may change on the way.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent observations of one list")]
pub(super) struct PageCursor {
    pub first: i64,
    pub size: i64,
    position: i64,
    /// The largest page size that has been seen full: a shorter page ends the list.
    filled: i64,
    /// The number of rows on the first page, if it was short: perhaps the service's own page size.
    capped: Option<i64>,
    halvings: u32,
    /// The service returned more rows than requested.
    oversized: bool,
    asked_again: bool,
    /// The last page had rows, but none of them was new.
    #[serde(default)]
    stale: bool,
    /// The state after the last page with rows.
    last: Fill,
    /// Why the next page is requested, when the list may have ended.
    look: Look,
    /// What is still to be requested to confirm the end.
    doubt: Option<Look>,
    /// The first row was requested alone, because the first page was empty.
    #[serde(default)]
    first_row_asked: bool,
    /// The service's own largest page, if rows followed a shorter page than requested.
    #[serde(default)]
    pub cap: Option<i64>,
}

/// What the cursor needs to know about a page.
#[derive(Clone, Copy)]
pub(super) struct PageStep {
    /// The number of rows on it.
    pub got: i64,
    /// No row of the page was new, although some should have been.
    pub repeated: bool,
}

/// What to do with a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageVerdict {
    /// Keep the rows and continue.
    Go,
    /// Discard the rows and request the page that is now due.
    Leave,
    /// Keep the rows: this was the last page.
    End(ListEnd),
}

/// The number of rows on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Fill {
    Nothing,
    Part,
    Whole,
}

/// The requests that confirm the end of the list. An empty page may have been a failure, or pages may follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Look {
    No,
    /// The empty page, again.
    Again,
    /// The page after the last.
    After,
    /// The first row alone, after an empty first page.
    FirstRow,
}

/// Why a list ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ListEnd {
    /// No rows follow.
    Reached,
    /// The facts or the tail probe prove that it is whole.
    Proven,
    /// The service ignores paging and has returned everything.
    Unpaged,
    /// The service returns the same page for every page number.
    Stuck,
}

impl PageCursor {
    pub fn new(first: i64, size: i64) -> Self {
        Self {
            first,
            size: size.max(1),
            position: 0,
            filled: 0,
            capped: None,
            halvings: 0,
            oversized: false,
            asked_again: false,
            stale: false,
            last: Fill::Nothing,
            look: Look::No,
            doubt: None,
            first_row_asked: false,
            cap: None,
        }
    }

    /// Starts the list again, keeping what has been learned about page sizes.
    pub fn restart(&mut self) {
        self.position = 0;
        self.capped = None;
        self.asked_again = false;
        self.stale = false;
        self.last = Fill::Nothing;
        self.look = Look::No;
        self.doubt = None;
        self.first_row_asked = false;
    }

    pub fn at_start(&self) -> bool {
        self.position == 0
    }

    /// The number of the page to request, and how many of its rows lie before the reader's position.
    pub fn page(&self) -> (i64, i64) {
        (self.first + self.position / self.size, self.position % self.size)
    }

    /// The number of rows to request.
    pub fn rows_to_request(&self) -> i64 {
        if self.look == Look::FirstRow { 1 } else { self.size }
    }

    pub fn can_be_halved(&self) -> bool {
        self.rows_to_request() > 1 && self.halvings < HALVINGS
    }

    /// Halves the page size, unless that has been done too often.
    pub fn halve(&mut self) -> bool {
        if !self.can_be_halved() {
            return false;
        }
        self.halvings += 1;
        if let Some(rows) = self.capped.take() {
            self.position = rows;
        }
        self.size /= 2;
        true
    }

    /// Whether a page of this many rows, all of them known, shows that rows have moved. A short page should have new rows,
    /// unless the service ignores paging or repeats pages beyond the end. If two pages in a row had no new rows, the service
    /// returns the same rows for every page.
    pub fn has_moved(&mut self, got: i64) -> bool {
        let moved = self.look == Look::No && got < self.size && self.capped != Some(got);
        moved && !std::mem::replace(&mut self.stale, true)
    }

    /// Notes a page with new rows.
    pub fn is_moving(&mut self) {
        self.stale = false;
    }

    /// Requests one more page, to confirm the end. `false` when that has been done.
    pub fn look_beyond(&mut self) -> bool {
        let Some(look) = self.doubt.take() else { return false };
        if look == Look::After {
            self.position = self.position - self.position % self.size + self.size;
        }
        self.look = look;
        true
    }

    /// Whether the page that is due should be empty: a service may refuse such a request.
    pub fn is_beyond(&self) -> bool {
        self.look != Look::No
    }

    /// What the request for the page that is due is for: after a short first page, rows are not expected.
    pub fn purpose(&self) -> CallPurpose {
        if self.is_beyond() || self.capped.is_some() { CallPurpose::CheckOfEnd } else { CallPurpose::Result }
    }

    /// Whether the page that is due was empty before.
    pub fn is_again(&self) -> bool {
        self.look == Look::Again
    }

    /// Whether the request that is due is the one for the first row alone.
    pub fn is_first_row(&self) -> bool {
        self.look == Look::FirstRow
    }

    /// The response to the request for the first row alone. `None`: the service refuses it, and the whole page is requested
    /// again instead. If there is a row, the empty first page was a failure, and the list is read from there.
    pub fn take_first_row(&mut self, exists: Option<bool>) -> PageVerdict {
        self.look = if exists.is_none() { Look::Again } else { Look::No };
        if exists == Some(false) { PageVerdict::End(ListEnd::Reached) } else { PageVerdict::Leave }
    }

    pub fn take(&mut self, step: PageStep) -> PageVerdict {
        let start = self.position - self.position % self.size;
        let PageStep { got, repeated } = step;
        let lookahead = std::mem::replace(&mut self.look, Look::No);
        // Beyond the end some services return their first or their last page again.
        if got == 0 || (lookahead != Look::No && repeated) {
            self.doubt = match (lookahead, self.last) {
                (Look::No, Fill::Nothing) => {
                    (!std::mem::replace(&mut self.first_row_asked, true)).then_some(Look::FirstRow)
                }
                (Look::Again, Fill::Whole) => Some(Look::After),
                (Look::No, _) => Some(Look::Again),
                (Look::Again | Look::After | Look::FirstRow, _) => None,
            };
            return PageVerdict::End(ListEnd::Reached);
        }
        self.last = if got < self.size { Fill::Part } else { Fill::Whole };
        if repeated && self.stale {
            return PageVerdict::End(ListEnd::Stuck);
        }
        if repeated && (got >= self.size || self.capped == Some(got)) {
            return self.repeated(start, got);
        }
        self.asked_again = false;
        if got > self.size {
            // The service's pages are larger than requested. The next page shows whether it ignores paging.
            (self.size, self.filled, self.position) = (got, got, start + got);
            self.oversized = true;
            return PageVerdict::Go;
        }
        if got == self.size {
            self.filled = self.filled.max(got);
            self.position = start + got;
            return PageVerdict::Go;
        }
        if self.filled >= self.size {
            self.doubt = Some(Look::After);
            return PageVerdict::End(ListEnd::Reached);
        }
        match self.capped.take() {
            None if start == 0 => {
                self.capped = Some(got);
                self.position = self.size;
                PageVerdict::Go
            }
            // Rows followed a short first page: the service's pages are smaller than requested, so the position of this
            // page is unknown. Continue after the end of the first page.
            Some(rows) => {
                (self.size, self.position) = (rows, rows);
                self.cap = Some(rows);
                PageVerdict::Leave
            }
            None => {
                self.position = start + self.size;
                PageVerdict::Go
            }
        }
    }

    /// A page with nothing new, where new rows were expected.
    fn repeated(&mut self, start: i64, got: i64) -> PageVerdict {
        if self.first == 0 && start == self.size && !self.oversized {
            // Page 0 was an alias of page 1: continue with page 2.
            self.first = 1;
            return PageVerdict::Leave;
        }
        if self.oversized || got != self.size {
            return PageVerdict::End(ListEnd::Unpaged);
        }
        if std::mem::replace(&mut self.asked_again, true) {
            PageVerdict::End(ListEnd::Stuck)
        } else {
            PageVerdict::Leave
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A service with `rows` rows, whose first page is `base` and whose pages hold at most `cap` rows.
    fn serve(rows: i64, base: i64, cap: i64, number: i64, size: i64) -> std::ops::Range<i64> {
        let size = size.min(cap);
        let from = ((number - base) * size).clamp(0, rows);
        from..(from + size).min(rows)
    }

    fn read(rows: i64, cap: i64, size: i64, fails: impl Fn(i64) -> bool) -> (Vec<i64>, u32) {
        let (mut cursor, mut seen, mut calls) = (PageCursor::new(1, size), Vec::new(), 0);
        loop {
            let (number, _) = cursor.page();
            calls += 1;
            if fails(cursor.size) {
                assert!(cursor.halve());
                continue;
            }
            let page: Vec<i64> = serve(rows, 1, cap, number, cursor.size).collect();
            let repeated = !page.is_empty() && page.iter().all(|row| seen.contains(row));
            let next = cursor.take(PageStep { got: i64::try_from(page.len()).unwrap(), repeated });
            if next != PageVerdict::Leave {
                seen.extend(page.into_iter().filter(|row| !seen.contains(row)).collect::<Vec<_>>());
            }
            if let PageVerdict::End(end) = next {
                assert_eq!(end, ListEnd::Reached);
                return (seen, calls);
            }
        }
    }

    #[test]
    fn every_length_is_read_whole_and_in_order() {
        for rows in 0..60 {
            for size in [1, 2, 7, 10, 64] {
                for cap in [3, 10, 1000] {
                    let (seen, _) = read(rows, cap, size, |_| false);
                    assert_eq!(
                        seen,
                        (0..rows).collect::<Vec<_>>(),
                        "{rows} rows, pages of {size}, at most {cap}"
                    );
                }
            }
        }
    }

    #[test]
    fn calls_are_not_wasted() {
        assert_eq!(read(0, 1000, 10, |_| false).1, 1);
        assert_eq!(read(1, 1000, 10, |_| false).1, 2);
        assert_eq!(read(10, 1000, 10, |_| false).1, 2);
        assert_eq!(read(25, 1000, 10, |_| false).1, 3);
        // Five full pages, the empty one, and once the page whose position is unknown.
        assert_eq!(read(25, 5, 10, |_| false).1, 7);
    }

    #[test]
    fn a_page_that_is_too_large_is_halved_and_read_from_the_same_row() {
        for rows in [0, 1, 30, 99, 100, 101] {
            for size in [100, 99, 64, 7] {
                let (seen, _) = read(rows, 1000, size, |asked| asked > 5);
                assert_eq!(seen, (0..rows).collect::<Vec<_>>(), "{rows} rows, pages of {size}");
            }
        }
        let mut cursor = PageCursor::new(1, 1000);
        assert_eq!((0..10).take_while(|_| cursor.halve()).count(), 5);
    }

    #[test]
    fn the_place_is_kept_when_a_page_is_halved_later() {
        let mut cursor = PageCursor::new(1, 100);
        assert_eq!(cursor.take(PageStep { got: 100, repeated: false }), PageVerdict::Go);
        assert_eq!(cursor.page(), (2, 0));
        cursor.halve();
        assert_eq!(cursor.page(), (3, 0));
        cursor.halve();
        assert_eq!(cursor.page(), (5, 0));
        // 12 does not divide 100: the page starts 4 rows early.
        cursor.halve();
        assert_eq!(cursor.page(), (9, 4));
    }

    #[test]
    fn a_page_that_repeats_is_asked_for_once_more() {
        let mut cursor = PageCursor::new(1, 10);
        assert_eq!(cursor.take(PageStep { got: 10, repeated: false }), PageVerdict::Go);
        assert_eq!(cursor.take(PageStep { got: 10, repeated: true }), PageVerdict::Leave);
        assert_eq!(cursor.page(), (2, 0));
        assert_eq!(cursor.take(PageStep { got: 10, repeated: true }), PageVerdict::End(ListEnd::Stuck));
    }

    #[test]
    fn a_service_that_ignores_paging_has_given_everything() {
        let mut all = PageCursor::new(1, 10);
        assert_eq!(all.take(PageStep { got: 25, repeated: false }), PageVerdict::Go);
        assert_eq!(all.take(PageStep { got: 25, repeated: true }), PageVerdict::End(ListEnd::Unpaged));
        let mut few = PageCursor::new(1, 10);
        assert_eq!(few.take(PageStep { got: 3, repeated: false }), PageVerdict::Go);
        assert_eq!(few.take(PageStep { got: 3, repeated: true }), PageVerdict::End(ListEnd::Unpaged));
    }

    #[test]
    fn a_page_0_that_is_a_name_of_page_1_is_noticed() {
        let mut cursor = PageCursor::new(0, 10);
        assert_eq!(cursor.take(PageStep { got: 10, repeated: false }), PageVerdict::Go);
        assert_eq!(cursor.take(PageStep { got: 10, repeated: true }), PageVerdict::Leave);
        assert_eq!((cursor.page(), cursor.first), ((2, 0), 1));
    }
}
