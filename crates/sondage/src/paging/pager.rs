//! Reads a list to its proven end, whatever its rows are.

use super::ahead::{self, Fetch, ReadPage};
use super::bookmark::Bookmark;
use super::cursor::{ListEnd, PageCursor, PageStep, PageVerdict};
use super::proof::{Completeness, Evidence};
use super::refusal::{is_refused, takes_too_long};
use super::rows::{AnyRows, PageComparison, Rows};
use super::seen::SeenIds;
use super::settings::{Order, PagerSettings};
use super::shape::ListShape;
use super::spans::ReadRange;
use crate::error::{Delivery, Error, ErrorKind, Result};
use crate::model::{OrderDirection, Paging};
use crate::{runtime, text};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// One page as received.
#[derive(Clone, Debug)]
pub struct Page<R> {
    /// Its rows.
    pub rows: R,
    /// The service's count of the whole list.
    pub count: Option<i64>,
    /// The size of the response in bytes, after decompression.
    pub bytes: u64,
}

/// How far a list has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Progress {
    /// The number of rows returned so far.
    pub rows: i64,
    /// The number of calls made, not counting retries after a network failure.
    pub calls: u64,
    /// Bytes of the responses, after decompression: at least as much as was transferred.
    pub bytes: u64,
    /// The service's count of rows, which may be wrong.
    pub count: Option<i64>,
}

/// The part of a [`Pager`](super::Pager) that does not depend on the type of the rows, so that its code is compiled once for
/// all lists.
pub(super) struct ListReader {
    fetch: Fetch,
    settings: PagerSettings,
    order: Option<(String, OrderDirection)>,
    cursor: PageCursor,
    /// Every row that was returned.
    seen: SeenIds,
    /// The rows of the second reading.
    again: Option<SeenIds>,
    /// The number of pages returned.
    pages: u64,
    evidence: Evidence,
    /// Rows without ids have arrived: these are the previous page, and the first page with its size.
    anonymous: bool,
    fingerprint: Option<u64>,
    first_fingerprint: Option<(i64, u64)>,
    progress: Progress,
    rereads: u32,
    /// Why the page that arrived is the last one. The list is not yet proven complete.
    ending: Option<ListEnd>,
    done: bool,
}

impl ListReader {
    pub fn new(settings: PagerSettings, read: ReadPage) -> Self {
        Self {
            fetch: Fetch::new(read),
            order: ahead::order_of(&settings.order),
            cursor: PageCursor::new(settings.first_page.number(), settings.page_size),
            settings,
            seen: SeenIds::default(),
            again: None,
            pages: 0,
            evidence: Evidence::default(),
            anonymous: false,
            fingerprint: None,
            first_fingerprint: None,
            progress: Progress::default(),
            rereads: 0,
            ending: None,
            done: false,
        }
    }

    pub fn fetch_ahead(&mut self) {
        self.fetch.ahead();
    }

    pub fn verify_with(&mut self, read: ReadRange) {
        self.seen.verify_with(read);
    }

    pub fn progress(&self) -> Progress {
        self.progress
    }

    pub fn calls_for(&self, rows: i64, page_size: i64) -> i64 {
        ListShape { counted: self.progress.count == Some(rows), ..self.shape() }.calls(rows, page_size)
    }

    /// What the number of calls for the list depends on, besides its rows.
    pub fn shape(&self) -> ListShape {
        let first_page = &self.settings.first_page;
        ListShape {
            rows: self.progress.rows,
            counted: self.progress.count == Some(self.progress.rows),
            first: first_page.number(),
            proven: first_page.proven().is_some(),
        }
    }

    pub async fn next(&mut self) -> Result<Option<AnyRows>> {
        while !self.done {
            let begun = Instant::now();
            let rows = self.step().await.map_err(|error| error.in_operation(self.settings.operation))?;
            if let Some(rows) = rows.filter(|rows| !rows.is_empty()) {
                self.progress.rows += length(&rows);
                self.settings.read(length(&rows), begun);
                self.pages += 1;
                return Ok(Some(rows));
            }
        }
        Ok(None)
    }

    pub fn bookmark(&self) -> Bookmark {
        Bookmark {
            cursor: self.cursor.clone(),
            evidence: self.evidence.clone(),
            ordered: self.order.is_some(),
            again: self.again.is_some(),
            anonymous: self.anonymous,
            fingerprint: self.fingerprint,
            first_fingerprint: self.first_fingerprint,
            progress: self.progress,
            rereads: self.rereads,
            ending: self.ending,
        }
    }

    pub fn resume(&mut self, from: Bookmark) {
        self.cursor = from.cursor;
        self.evidence = from.evidence;
        self.order = self.order.take().filter(|_| from.ordered);
        self.anonymous = from.anonymous;
        (self.fingerprint, self.first_fingerprint) = (from.fingerprint, from.first_fingerprint);
        self.progress = from.progress;
        self.rereads = from.rereads;
        self.ending = from.ending;
        if from.again {
            // The rows of the second reading were not saved: it starts over.
            self.read_again();
        }
    }

    pub fn already_seen(&mut self, rows: &dyn Rows) -> Result<()> {
        if !self.seen.take(self.pages, rows) {
            for id in (0..rows.len()).filter_map(|row| rows.identity(row)) {
                if !self.seen.contains(id)? {
                    self.seen.insert(id);
                }
            }
        }
        self.pages += 1;
        Ok(())
    }

    async fn step(&mut self) -> Result<Option<AnyRows>> {
        if let Some(end) = self.ending {
            self.finish(end).await?;
            return Ok(None);
        }
        let page = self.page().await?;
        if self.cursor.is_first_row() {
            self.take_first_row(page);
            return Ok(None);
        }
        let Some(Page { rows, count, .. }) = page else {
            self.ending = Some(ListEnd::Reached);
            return Ok(None);
        };
        let (_, overlap) = self.cursor.page();
        let overlap = usize::try_from(overlap).unwrap_or_default();
        let (at_start, size, first) = (self.cursor.at_start(), self.cursor.size, self.cursor.first);
        let again = self.cursor.is_again();
        let PageComparison { fingerprint, repeated, already_seen } = self.compare(&rows, overlap)?;
        let repeated = if repeated {
            !self.cursor.has_moved(length(&rows))
        } else {
            self.cursor.is_moving();
            false
        };
        let next = self.cursor.take(PageStep { got: length(&rows), repeated });
        if self.cursor.first != first {
            self.settings.first_page.prove(self.cursor.first);
        }
        if again && !rows.is_empty() {
            self.evidence.refilled();
        }
        self.evidence.page(count, length(&rows), repeated);
        self.progress.count = count.or(self.progress.count);
        if next == PageVerdict::Leave {
            return Ok(None);
        }
        self.fingerprint = fingerprint;
        if at_start {
            self.first_fingerprint = fingerprint.map(|fingerprint| (size, fingerprint));
        }
        if next == PageVerdict::Go {
            self.expect();
        }
        let rows = self.keep(rows, &already_seen, overlap, repeated);
        match next {
            PageVerdict::End(ListEnd::Reached) if !self.evidence.at_end() && self.cursor.look_beyond() => {
                self.expect();
            }
            PageVerdict::End(end) => self.ending = Some(end),
            PageVerdict::Go | PageVerdict::Leave => {}
        }
        Ok(Some(rows))
    }

    /// Starts to fetch the page that is due.
    fn expect(&mut self) {
        self.fetch.expect(self.paging(self.cursor.page().0, self.cursor.rows_to_request()));
    }

    /// The response to the request for the first row alone: shows whether the empty first page was a failure. `None`: it
    /// was refused.
    fn take_first_row(&mut self, page: Option<Page<AnyRows>>) {
        let exists = page.as_ref().map(|page| !page.rows.is_empty());
        if exists == Some(true) {
            self.evidence.first_row();
        } else if let Some(page) = page {
            self.evidence.page(page.count, 0, false);
        }
        match self.cursor.take_first_row(exists) {
            PageVerdict::End(end) => self.ending = Some(end),
            PageVerdict::Go | PageVerdict::Leave => self.expect(),
        }
    }

    /// Returns what is new on a page. A page without ids is compared with the previous page as a whole.
    fn compare(&mut self, rows: &AnyRows, overlap: usize) -> Result<PageComparison> {
        let mut already_seen = Vec::with_capacity(rows.len());
        let (mut new, mut anonymous) = (false, false);
        for row in 0..rows.len() {
            let Some(id) = rows.identity(row) else {
                anonymous = true;
                already_seen.push(false);
                continue;
            };
            let before = self.seen.contains(id)?;
            new |= match &mut self.again {
                Some(again) => !again.contains(id)?,
                None => !before,
            };
            already_seen.push(before);
        }
        self.anonymous |= anonymous;
        if anonymous {
            let fingerprint = Some(rows.fingerprint());
            let first = || {
                self.cursor.is_beyond()
                    && fingerprint == self.first_fingerprint.map(|(_, fingerprint)| fingerprint)
            };
            return Ok(PageComparison {
                fingerprint,
                repeated: fingerprint == self.fingerprint || first(),
                already_seen,
            });
        }
        Ok(PageComparison { fingerprint: None, repeated: rows.len() > overlap && !new, already_seen })
    }

    /// Removes rows that have been returned before.
    fn keep(&mut self, mut rows: AnyRows, already_seen: &[bool], overlap: usize, repeated: bool) -> AnyRows {
        if self.again.is_none() && self.seen.take(self.pages, &rows) {
            self.evidence.rows += length(&rows);
            return rows;
        }
        let mut marks = Vec::with_capacity(rows.len());
        for (row, already_seen) in already_seen.iter().enumerate() {
            let asked_twice = row < overlap || repeated;
            // Without an id, every row counts as new, except rows that were requested twice.
            let (fresh, first_time) = rows.identity(row).map_or((!asked_twice, !asked_twice), |id| {
                let fresh = !already_seen && self.seen.insert(id);
                (fresh, self.again.as_mut().map_or(fresh, |again| again.insert(id)))
            });
            self.evidence.rows += i64::from(first_time);
            self.evidence.twice += i64::from(!first_time && !asked_twice);
            marks.push(fresh);
        }
        if marks.contains(&false) {
            rows.keep(&marks);
        }
        rows
    }

    /// Fetches the page that is due, smaller if necessary. `None`: the service has no such page.
    async fn page(&mut self) -> Result<Option<Page<AnyRows>>> {
        let mut refusal = None;
        let end = self.settings.deadline.map(runtime::after);
        loop {
            let (number, _) = self.cursor.page();
            let until = end.map(|end| share(Instant::now(), end, self.cursor.can_be_halved()));
            let (error, late) = match self.call_until(number, self.cursor.rows_to_request(), until).await {
                Some(Ok(page)) => return Ok(Some(page)),
                Some(Err(error)) if self.cursor.is_beyond() && is_refused(&error) => return Ok(None),
                Some(Err(error)) => (error, false),
                None => (self.too_late(), true),
            };
            if late && until == end {
                return Err(error);
            }
            if takes_too_long(&error) && self.cursor.halve() {
                log::warn!(
                    "{}: a page failed, going on with {} rows each",
                    self.settings.operation,
                    self.cursor.size
                );
            } else if error.kind() == ErrorKind::Api && self.progress.calls == 1 && self.may_drop_order() {
                // Sorting by id is our assumption: the list must not fail if the service does not support it.
                self.order = None;
                refusal = Some(error);
            } else if error.kind() == ErrorKind::Api {
                return Err(refusal.unwrap_or(error));
            } else {
                return Err(error);
            }
        }
    }

    /// `None`: the deadline has passed, and the call is cancelled.
    async fn call_until(
        &mut self,
        number: i64,
        size: i64,
        until: Option<Instant>,
    ) -> Option<Result<Page<AnyRows>>> {
        match until {
            Some(until) => runtime::timeout_at(until, self.call(number, size)).await,
            None => Some(self.call(number, size).await),
        }
    }

    fn too_late(&self) -> Error {
        let deadline = self.settings.deadline.unwrap_or_default();
        Error::network(format!("a page of the list did not arrive within the deadline of {deadline:?}"))
            .with_delivery(Delivery::Unknown)
            .with_safe_to_retry(true)
            .with_hint(
                "Ask for smaller pages with `page_size`, or raise `deadline`, which applies to each page.",
            )
    }

    fn may_drop_order(&self) -> bool {
        self.order.is_some() && matches!(self.settings.order, Order::ById(_))
    }

    async fn call(&mut self, number: i64, size: i64) -> Result<Page<AnyRows>> {
        self.progress.calls += 1;
        let page = self.fetch.page(self.paging(number, size)).await?;
        self.progress.bytes += page.bytes;
        Ok(page)
    }

    fn paging(&self, number: i64, size: i64) -> Paging {
        ahead::paging(number, size, self.order.as_ref())
    }

    /// The last page has been returned: checks whether the list is complete.
    async fn finish(&mut self, end: ListEnd) -> Result<()> {
        let rows = self.progress.rows;
        let first_page = &self.settings.first_page;
        if self.evidence.counted(rows) {
            first_page.prove(self.cursor.first);
        } else if (first_page.proven().is_none() || self.evidence.is_contradictory())
            && let Some(number) = self.page_before().await?
        {
            if self.anonymous {
                return Err(self.incomplete(&format!("its first page is {number}, not {}", self.cursor.first)).with_hint(
                    text!("Set `first_page` to {number}, or ask for the rows' ids, so that the list can be read again."),
                ));
            }
            self.cursor.first = number;
            self.read_again();
            return Ok(());
        }
        match self.evidence.verdict(end, rows, self.settings.verify_total) {
            Completeness::Complete => self.done = true,
            Completeness::Doubtful(why) if self.rereads == 0 && !self.anonymous => {
                log::warn!("{}: {why}; reading the list again", self.settings.operation);
                self.rereads += 1;
                self.read_again();
            }
            Completeness::Doubtful(why) | Completeness::Hopeless(why) => return Err(self.incomplete(&why)),
        }
        Ok(())
    }

    /// The number of a page before the first one that has unseen rows.
    async fn page_before(&mut self) -> Result<Option<i64>> {
        let (first, empty) = (self.cursor.first, self.progress.rows == 0);
        let number = match first {
            // No page precedes page 0; but if page 0 is empty, it may not exist, and the first page may be 1.
            0 if empty && !self.evidence.is_contradictory() => 1,
            0 => return Ok(None),
            _ => first - 1,
        };
        let size = self.first_fingerprint.map_or(1, |(size, _)| size);
        let (refused, found) = match self.call(number, size).await {
            Ok(Page { rows, .. }) if self.anonymous => {
                let fingerprint = Some(rows.fingerprint());
                (
                    false,
                    !rows.is_empty()
                        && fingerprint != self.first_fingerprint.map(|(_, fingerprint)| fingerprint),
                )
            }
            Ok(Page { rows, .. }) => {
                let mut unseen = false;
                for row in 0..rows.len() {
                    unseen = unseen
                        || rows.identity(row).map_or(Ok(true), |id| {
                            self.seen.contains(id).map(|already_seen| !already_seen)
                        })?;
                }
                (false, unseen)
            }
            Err(error) if is_refused(&error) => (true, false),
            Err(error) => return Err(error),
        };
        if found {
            self.settings.first_page.prove(number);
            return Ok(Some(number));
        }
        if refused || !empty {
            self.settings.first_page.prove(first);
        }
        Ok(None)
    }

    fn read_again(&mut self) {
        self.cursor.restart();
        self.again = Some(SeenIds::default());
        self.evidence = Evidence::default();
        self.ending = None;
    }

    fn incomplete(&mut self, why: &str) -> Error {
        self.done = true;
        let readings = if self.rereads > 0 { " in two readings" } else { "" };
        Error::incomplete(format!("the list is not complete: {why}; {} rows were read{readings}", self.progress.rows))
            .with_hint("Read it again when fewer changes are made to it. If the service's `totalCount` is known to be wrong, switch `verify_total` off.")
            .with_delivery(Delivery::Answered)
            .with_safe_to_retry(true)
    }
}

/// The service computes up to 180 s.
// API 15.2, published
const LONGEST: Duration = Duration::from_secs(200);

/// How long a call may take within the deadline of its page. If a smaller page could be tried and there is time for two calls,
/// half of it: retries of the large page must not use up the time for the smaller one.
fn share(now: Instant, end: Instant, can_be_halved: bool) -> Instant {
    let remaining = end.saturating_duration_since(now);
    if can_be_halved && remaining >= 2 * LONGEST { now + remaining / 2 } else { end }
}

fn length(rows: &AnyRows) -> i64 {
    i64::try_from(rows.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_page_gets_a_share_of_a_long_deadline_and_none_of_a_short_one() {
        let now = Instant::now();
        let after = |seconds| now + Duration::from_secs(seconds);
        assert_eq!(share(now, after(600), true), after(300));
        assert_eq!(share(now, after(600), false), after(600));
        assert_eq!(share(now, after(300), true), after(300));
        assert_eq!(share(now, now, true), now);
    }
}
