//! Reads a list to its proven end, whatever its rows are.

use super::ahead::{self, Fetch, ReadPage};
use super::cursor::{ListEnd, PageCursor, PageStep, PageVerdict};
use super::proof::ListEvidence;
use super::refusal::{is_refused, takes_too_long};
use super::rows::{AnyRows, PageComparison, Rows};
use super::seen::SeenIds;
use super::settings::{Order, PagerSettings};
use super::spans::ReadRange;
use super::tail::{LastRows, TailProbe};
use crate::error::{Delivery, Error, ErrorKind, Result};
use crate::facts::Evidence;
use crate::model::{OrderDirection, Paging};
use crate::runtime;
use crate::trace::CallPurpose;
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

/// What is requested next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// The next page, and nothing that only confirms what is known.
    Direct,
    /// The tail probe.
    Probe {
        /// The request.
        probe: TailProbe,
        /// Whether it confirms another one.
        is_second: bool,
        /// What follows from the pages.
        after: PageVerdict,
    },
    /// The pages, and requests beyond both ends of the list.
    Cautious,
}

/// The part of a [`Pager`](super::Pager) that does not depend on the type of the rows, so that its code is compiled once for
/// all lists.
pub(super) struct ListReader {
    fetch: Fetch,
    pub(super) route: Route,
    /// The last rows, for the tail probe.
    pub(super) last_rows: LastRows,
    /// The rows of the list when the tail probe failed.
    pub(super) probe_failed: Option<i64>,
    /// The rows that it returned then: they are rows of the list.
    pub(super) witness: Option<AnyRows>,
    pub(super) settings: PagerSettings,
    pub(super) order: Option<(String, OrderDirection)>,
    pub(super) cursor: PageCursor,
    /// Every row that was returned.
    pub(super) seen: SeenIds,
    /// The rows of the second reading.
    pub(super) again: Option<SeenIds>,
    /// The number of pages returned.
    pages: u64,
    pub(super) evidence: ListEvidence,
    /// Rows without ids have arrived: these are the previous page, and the first page with its size.
    pub(super) anonymous: bool,
    pub(super) fingerprint: Option<u64>,
    pub(super) first_fingerprint: Option<(i64, u64)>,
    /// The first row of the list.
    pub(super) first_row: Option<u64>,
    pub(super) progress: Progress,
    pub(super) rereads: u32,
    /// Why the page that arrived is the last one. The list is not yet proven complete.
    pub(super) ending: Option<ListEnd>,
    pub(super) done: bool,
}

impl ListReader {
    pub fn new(settings: PagerSettings, read: ReadPage) -> Self {
        Self {
            fetch: Fetch::new(read),
            route: if settings.facts.is_in_use() { Route::Direct } else { Route::Cautious },
            last_rows: LastRows::default(),
            probe_failed: None,
            witness: None,
            order: ahead::order_of(&settings.order),
            cursor: PageCursor::new(settings.facts.first_page(), settings.page_size),
            settings,
            seen: SeenIds::default(),
            again: None,
            pages: 0,
            evidence: ListEvidence::default(),
            anonymous: false,
            fingerprint: None,
            first_fingerprint: None,
            first_row: None,
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
        if let Route::Probe { probe, is_second, after } = self.route {
            self.probe(probe, is_second, after).await?;
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
            self.settings.facts.prove(self.cursor.first, Evidence::EmptyPage);
        }
        if again && !rows.is_empty() {
            self.evidence.refilled();
        }
        self.evidence.page(count, length(&rows), repeated);
        self.progress.count = count.or(self.progress.count);
        if next == PageVerdict::Leave {
            self.route = Route::Cautious;
            return Ok(None);
        }
        self.fingerprint = fingerprint;
        if at_start {
            self.first_row = (!rows.is_empty()).then(|| rows.fingerprint_of(0));
            self.first_fingerprint = fingerprint.map(|fingerprint| (size, fingerprint));
        }
        if repeated {
            self.route = Route::Cautious;
        } else if self.route == Route::Direct {
            self.last_rows.push(&rows);
        }
        let received = length(&rows);
        let rows = self.keep(rows, &already_seen, overlap, repeated);
        if self.route == Route::Direct {
            self.conclude(received, at_start, next);
        }
        if self.ending.is_none() && !matches!(self.route, Route::Probe { .. }) {
            self.go_on(next);
        }
        Ok(Some(rows))
    }

    /// Requests what is due after a page.
    pub(super) fn go_on(&mut self, next: PageVerdict) {
        match next {
            PageVerdict::End(ListEnd::Reached) if !self.evidence.at_end() && self.cursor.look_beyond() => {
                self.expect();
            }
            PageVerdict::End(end) => self.ending = Some(end),
            PageVerdict::Go => self.expect(),
            PageVerdict::Leave => {}
        }
    }

    /// Starts to fetch the page that is due.
    fn expect(&mut self) {
        let paging = self.paging(self.cursor.page().0, self.cursor.rows_to_request());
        self.fetch.expect(paging, self.cursor.purpose());
    }

    /// The response to the request for the first row alone: shows whether the empty first page was a failure. `None`: it
    /// was refused.
    fn take_first_row(&mut self, page: Option<Page<AnyRows>>) {
        let exists = page.as_ref().map(|page| !page.rows.is_empty());
        self.route = Route::Cautious;
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
        let (mut refusal, known_first) = (None, self.cursor.first);
        let end = self.settings.deadline.map(runtime::after);
        loop {
            let (number, _) = self.cursor.page();
            let until = end.map(|end| share(Instant::now(), end, self.cursor.can_be_halved()));
            let (rows, purpose) = (self.cursor.rows_to_request(), self.cursor.purpose());
            let (error, late) = match self.call_until(number, rows, purpose, until).await {
                Some(Ok(page)) => {
                    if self.cursor.first != known_first {
                        self.settings.facts.forget();
                    }
                    return Ok(Some(page));
                }
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
            } else if error.kind() == ErrorKind::Api
                && self.pages == 0
                && self.cursor.at_start()
                && let Some(first) = self.settings.facts.other_first_page(self.cursor.first)
            {
                self.cursor.first = first;
                refusal = Some(error);
            } else if error.kind() == ErrorKind::Api
                && self.pages == 0
                && self.cursor.at_start()
                && self.may_drop_order()
            {
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
    pub(super) async fn call_until(
        &mut self,
        number: i64,
        size: i64,
        purpose: CallPurpose,
        until: Option<Instant>,
    ) -> Option<Result<Page<AnyRows>>> {
        match until {
            Some(until) => runtime::timeout_at(until, self.call(number, size, purpose)).await,
            None => Some(self.call(number, size, purpose).await),
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

    pub(super) async fn call(
        &mut self,
        number: i64,
        size: i64,
        purpose: CallPurpose,
    ) -> Result<Page<AnyRows>> {
        self.progress.calls += 1;
        let page = self.fetch.page(self.paging(number, size), purpose).await?;
        self.progress.bytes += page.bytes;
        Ok(page)
    }

    fn paging(&self, number: i64, size: i64) -> Paging {
        ahead::paging(number, size, self.order.as_ref())
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

pub(super) fn length(rows: &AnyRows) -> i64 {
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
