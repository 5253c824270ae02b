//! Reads a list to its proven end.

use super::ahead::{self, Fetch};
use super::bookmark::Bookmark;
use super::proof::{Evidence, Verdict};
use super::rows::Rows;
use super::seen::Seen;
use super::settings::{Order, PagerSettings};
use super::walk::{End, Next, Turn, Walk};
use crate::error::{Delivery, Error, ErrorKind, Result};
use crate::model::{OrderDirection, Paging};
use crate::text;
use futures_util::stream::{self, Stream};
use serde::{Deserialize, Serialize};
use std::future::Future;

/// One page as it came.
#[derive(Clone, Debug)]
pub struct Page<R> {
    /// Its rows.
    pub rows: R,
    /// What the service says that the whole list counts.
    pub count: Option<i64>,
    /// The size of the answer in bytes, after decompression.
    pub bytes: u64,
}

/// How far a list has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Rows that have been handed out.
    pub rows: i64,
    /// Calls that have been made. (Repeats after a failure of the network count once.)
    pub calls: u64,
    /// Bytes of the answers, after decompression: no less than went over the wire.
    pub bytes: u64,
    /// How many rows there are, as the service counts: information, not a promise.
    pub count: Option<i64>,
}

/// Reads a list page by page, each row once, until it is proven that nothing is missing (see the [module](super)).
///
/// After an error of the network it can be asked again, and goes on from the same row.
pub struct Pager<R: Rows> {
    fetch: Fetch<R>,
    settings: PagerSettings,
    order: Option<(String, OrderDirection)>,
    walk: Walk,
    /// Every row that was handed out.
    seen: Seen<R>,
    /// The rows of the second reading.
    again: Option<Seen<R>>,
    /// Pages that were handed out.
    pages: u64,
    evidence: Evidence,
    /// Rows have come without ids: these are the page before, and the first one with its size.
    anonymous: bool,
    print: Option<u64>,
    first_print: Option<(i64, u64)>,
    progress: Progress,
    rereads: u32,
    /// The last page has come, for this reason; what is left is the proof.
    ending: Option<End>,
    done: bool,
}

impl<R: Rows> Pager<R> {
    /// A reader of the list whose pages `read` fetches.
    pub fn new<F>(settings: PagerSettings, mut read: impl FnMut(Paging) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Result<Page<R>>> + Send + 'static,
    {
        Self {
            fetch: Fetch::new(Box::new(move |paging| Box::pin(read(paging)))),
            order: ahead::order_of(&settings.order),
            walk: Walk::new(settings.first_page.number(), settings.page_size),
            settings,
            seen: Seen::default(),
            again: None,
            pages: 0,
            evidence: Evidence::default(),
            anonymous: false,
            print: None,
            first_print: None,
            progress: Progress::default(),
            rereads: 0,
            ending: None,
            done: false,
        }
    }

    /// From now on fetches the next page while the caller works on the last one. There is one page more in memory, and for
    /// who reads to the end no call more. Dropping the pager, or a call of [`next`](Self::next) that waits, ends what is under way.
    pub fn fetch_ahead(&mut self) {
        self.fetch.ahead();
    }

    /// For who keeps the pages where they can be read again: `read` gives the page of this number, counted from 0, as it was
    /// handed out or shown by [`Pager::had`]. It is asked where a row may have come before, and memory need not
    /// hold all ids as long as they are texts that ascend. To be said before the first page.
    pub fn look_back(&mut self, read: impl FnMut(u64) -> Result<R> + Send + 'static) {
        self.seen.look_back(read);
    }

    /// How far it is. A page that is fetched ahead counts when it is handed out.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The next rows; `None` when the list is complete. A list that cannot be proven complete ends with the error
    /// `Incomplete`, after all rows that could be read.
    pub async fn next(&mut self) -> Result<Option<R>> {
        while !self.done {
            let rows =
                self.step().await.map_err(|error| error.in_operation(self.settings.operation.to_owned()))?;
            if let Some(rows) = rows.filter(|rows| !rows.is_empty()) {
                self.progress.rows += length(&rows);
                self.pages += 1;
                return Ok(Some(rows));
            }
        }
        Ok(None)
    }

    /// Where it is, to go on from there in another process. What has been handed out so far is the caller's to keep.
    pub fn bookmark(&self) -> Bookmark {
        Bookmark {
            walk: self.walk.clone(),
            evidence: self.evidence.clone(),
            ordered: self.order.is_some(),
            again: self.again.is_some(),
            anonymous: self.anonymous,
            print: self.print,
            first_print: self.first_print,
            progress: self.progress,
            rereads: self.rereads,
            ending: self.ending,
        }
    }

    /// Goes on from a bookmark. Every page that was handed out before it has to be shown by [`Pager::had`].
    pub fn resume(&mut self, from: Bookmark) {
        self.walk = from.walk;
        self.evidence = from.evidence;
        self.order = self.order.take().filter(|_| from.ordered);
        self.anonymous = from.anonymous;
        (self.print, self.first_print) = (from.print, from.first_print);
        self.progress = from.progress;
        self.rereads = from.rereads;
        self.ending = from.ending;
        if from.again {
            // What the second reading had seen was not kept: it begins anew.
            self.read_again();
        }
    }

    /// A page that was handed out before the bookmark; to be shown in the order in which they were.
    pub fn had(&mut self, rows: &R) -> Result<()> {
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

    /// The pages as a stream, which ends at the first error.
    pub fn into_stream(self) -> impl Stream<Item = Result<R>> + Send {
        stream::try_unfold(self, |mut pager| async move { Ok(pager.next().await?.map(|rows| (rows, pager))) })
    }

    async fn step(&mut self) -> Result<Option<R>> {
        if let Some(end) = self.ending {
            self.finish(end).await?;
            return Ok(None);
        }
        let Page { rows, count, .. } = self.page().await?;
        let (_, overlap) = self.walk.page();
        let overlap = usize::try_from(overlap).unwrap_or_default();
        let (at_start, size, first) = (self.walk.at_start(), self.walk.size, self.walk.first);
        let Glance { print, repeated, had } = self.compare(&rows, overlap)?;
        let next = self.walk.take(Turn { got: length(&rows), repeated });
        if self.walk.first != first {
            self.settings.first_page.prove(self.walk.first);
        }
        self.evidence.count(count, length(&rows));
        self.progress.count = count.or(self.progress.count);
        if next == Next::Leave {
            return Ok(None);
        }
        self.print = print;
        if at_start {
            self.first_print = print.map(|print| (size, print));
        }
        match next {
            Next::End(end) => self.ending = Some(end),
            _ => self.fetch.expect(self.paging(self.walk.page().0, self.walk.size)),
        }
        Ok(Some(self.keep(rows, &had, overlap, repeated)))
    }

    /// What on a page is new. Rows without ids are compared with the page before, as a whole.
    fn compare(&mut self, rows: &R, overlap: usize) -> Result<Glance> {
        let mut had = Vec::with_capacity(rows.len());
        let (mut new, mut anonymous) = (false, false);
        for row in 0..rows.len() {
            let Some(id) = rows.identity(row) else {
                anonymous = true;
                had.push(false);
                continue;
            };
            let before = self.seen.contains(id)?;
            new |= match &mut self.again {
                Some(again) => !again.contains(id)?,
                None => !before,
            };
            had.push(before);
        }
        self.anonymous |= anonymous;
        if anonymous {
            let print = Some(rows.fingerprint());
            return Ok(Glance { print, repeated: print == self.print, had });
        }
        Ok(Glance { print: None, repeated: rows.len() > overlap && !new, had })
    }

    /// Leaves out the rows that have come before.
    fn keep(&mut self, mut rows: R, had: &[bool], overlap: usize, repeated: bool) -> R {
        if self.again.is_none() && self.seen.take(self.pages, &rows) {
            self.evidence.rows += length(&rows);
            return rows;
        }
        let mut marks = Vec::with_capacity(rows.len());
        for (row, had) in had.iter().enumerate() {
            let asked_twice = row < overlap || repeated;
            // Without an id, every row that was not asked for twice counts as new.
            let (fresh, first_time) = rows.identity(row).map_or((!asked_twice, !asked_twice), |id| {
                let fresh = !had && self.seen.insert(id);
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

    /// The page that is due, smaller if it has to be.
    async fn page(&mut self) -> Result<Page<R>> {
        let mut refusal = None;
        loop {
            let (number, _) = self.walk.page();
            let error = match self.call(number, self.walk.size).await {
                Ok(page) => return Ok(page),
                Err(error) => error,
            };
            if takes_too_long(&error) && self.walk.halve() {
                log::warn!(
                    "{}: a page failed, going on with {} rows each",
                    self.settings.operation,
                    self.walk.size
                );
            } else if error.kind() == ErrorKind::Api && self.progress.calls == 1 && self.may_drop_order() {
                // That the service can order by the id is an assumption of ours, and no reason to fail.
                self.order = None;
                refusal = Some(error);
            } else if error.kind() == ErrorKind::Api {
                return Err(refusal.unwrap_or(error));
            } else {
                return Err(error);
            }
        }
    }

    fn may_drop_order(&self) -> bool {
        self.order.is_some() && matches!(self.settings.order, Order::ById(_))
    }

    async fn call(&mut self, number: i64, size: i64) -> Result<Page<R>> {
        self.progress.calls += 1;
        let page = self.fetch.page(self.paging(number, size)).await?;
        self.progress.bytes += page.bytes;
        Ok(page)
    }

    fn paging(&self, number: i64, size: i64) -> Paging {
        ahead::paging(number, size, self.order.as_ref())
    }

    /// The last page has been handed out: is the list whole?
    async fn finish(&mut self, end: End) -> Result<()> {
        let rows = self.progress.rows;
        let first_page = &self.settings.first_page;
        if rows > 0 && self.evidence.counted(rows) {
            first_page.prove(self.walk.first);
        } else if first_page.proven().is_none()
            && let Some(number) = self.page_before().await?
        {
            if self.anonymous && rows > 0 {
                return Err(self.incomplete(&format!("its first page is {number}, not {}", self.walk.first)).with_hint(
                    text!("Set `first_page` to {number}, or ask for the rows' ids, so that the list can be read again."),
                ));
            }
            self.walk.first = number;
            self.read_again();
            return Ok(());
        }
        match self.evidence.verdict(end, rows, self.settings.check_count) {
            Verdict::Complete => self.done = true,
            Verdict::Doubtful(why) if self.rereads == 0 && !self.anonymous => {
                log::warn!("{}: {why}; reading the list again", self.settings.operation);
                self.rereads += 1;
                self.read_again();
            }
            Verdict::Doubtful(why) | Verdict::Hopeless(why) => return Err(self.incomplete(&why)),
        }
        Ok(())
    }

    /// The number of a page with rows that have not been seen, before the first one.
    async fn page_before(&mut self) -> Result<Option<i64>> {
        let (first, empty) = (self.walk.first, self.progress.rows == 0);
        let number = match first {
            // Nothing can come before page 0; but if there is nothing on it, the first page may be 1.
            0 if empty => 1,
            0 => return Ok(None),
            _ => first - 1,
        };
        let size = self.first_print.map_or(1, |(size, _)| size);
        let (refused, found) = match self.call(number, size).await {
            Ok(Page { rows, .. }) if self.anonymous => {
                let print = Some(rows.fingerprint());
                (false, !rows.is_empty() && print != self.first_print.map(|(_, print)| print))
            }
            Ok(Page { rows, .. }) => {
                let mut unseen = false;
                for row in 0..rows.len() {
                    unseen = unseen
                        || rows
                            .identity(row)
                            .map_or(Ok(true), |id| self.seen.contains(id).map(|had| !had))?;
                }
                (false, unseen)
            }
            Err(error) if error.kind() == ErrorKind::Api || error.status() == Some(500) => (true, false),
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
        self.walk.restart();
        self.again = Some(Seen::default());
        self.evidence = Evidence::default();
        self.ending = None;
    }

    fn incomplete(&mut self, why: &str) -> Error {
        self.done = true;
        let readings = if self.rereads > 0 { " in two readings" } else { "" };
        Error::incomplete(format!("the list is not complete: {why}; {} rows were read{readings}", self.progress.rows))
            .with_hint("Read it again when fewer changes are made to it. If the service's `totalCount` is known to be wrong, switch `check_count` off.")
            .with_delivery(Delivery::Answered)
            .with_safe_to_repeat(true)
    }
}

/// What a page looks like beside those before.
struct Glance {
    /// Of a page whose rows carry no ids.
    print: Option<u64>,
    /// Nothing on it is new to this reading.
    repeated: bool,
    /// The rows that came before, in any reading.
    had: Vec<bool>,
}

fn length<R: Rows>(rows: &R) -> i64 {
    i64::try_from(rows.len()).unwrap_or(i64::MAX)
}

/// A smaller page may succeed where this one failed. A service that is down (503) fails for other reasons.
fn takes_too_long(error: &Error) -> bool {
    let cut = error.kind() == ErrorKind::Network && error.delivery() != Delivery::No;
    cut && error.status() != Some(503) || error.is_too_large()
}
