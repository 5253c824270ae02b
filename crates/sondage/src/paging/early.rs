//! Ends a list as soon as it is proven whole: by what is known about the service, or by the tail probe.

use super::cursor::{ListEnd, PageVerdict};
use super::pager::{ListReader, Page, Route};
use super::refusal::{is_refused, takes_too_long};
use super::rows::AnyRows;
use super::tail::{ListSoFar, TailProbe};
use crate::error::Result;
use crate::facts::Evidence;
use crate::runtime;
use crate::trace::CallPurpose;

impl ListReader {
    /// Decides after a page with `received` rows whether the list is whole, or which request would show it. `next`: what follows
    /// from the page otherwise.
    pub(super) fn conclude(&mut self, received: i64, is_first: bool, next: PageVerdict) {
        let is_counted = self.evidence.is_counted();
        let is_last = received < self.settings.page_size;
        if received == 0 && is_first {
            if self.believes_empty_list() {
                self.end_whole();
            }
            return;
        }
        let is_as_requested = self.cursor.size == self.settings.page_size && self.evidence.twice == 0;
        if !is_as_requested || !is_last && !is_counted || next != PageVerdict::Go && self.evidence.at_end() {
            return;
        }
        if is_last && (self.evidence.counts_more() || self.evidence.shrank()) {
            self.contradicted();
        } else if is_first && is_last && is_counted && self.is_known(received) {
            self.end_whole();
        } else {
            let probe = TailProbe::of(&self.so_far()).filter(|_| self.can_probe());
            self.route =
                probe.map_or(Route::Cautious, |probe| Route::Probe { probe, is_second: false, after: next });
        }
    }

    /// Sends the tail probe. `after`: what follows from the pages if it fails.
    pub(super) async fn probe(
        &mut self,
        probe: TailProbe,
        is_second: bool,
        after: PageVerdict,
    ) -> Result<()> {
        let until = self.settings.deadline.map(runtime::after);
        let page = match self.call_until(probe.page, probe.size, CallPurpose::CheckOfEnd, until).await {
            Some(Ok(page)) => Some(page),
            Some(Err(error)) if is_refused(&error) || takes_too_long(&error) => None,
            Some(Err(error)) => return Err(error),
            None => None,
        };
        let rows = self.evidence.rows;
        let is_answer = |page: &Page<AnyRows>| {
            page.count.is_none_or(|count| count <= rows)
                && probe.is_answered_by(&page.rows, page.count, &self.last_rows)
        };
        if !page.as_ref().is_some_and(is_answer) {
            self.probe_failed = Some(self.progress.rows);
            self.witness = page.map(|page| page.rows);
            self.contradicted();
            self.go_on(after);
            return Ok(());
        }
        let is_counted = self.evidence.is_counted() && page.and_then(|page| page.count) == Some(rows);
        if !is_counted
            && !is_second
            && let Some(probe) = TailProbe::second(&self.so_far())
        {
            self.route = Route::Probe { probe, is_second: true, after };
            return Ok(());
        }
        let longest = self.evidence.largest_page();
        self.settings.facts.prove_whole(self.cursor.first, is_counted, longest, Evidence::TailProbe);
        self.end_whole();
        Ok(())
    }

    fn end_whole(&mut self) {
        self.ending = Some(ListEnd::Proven);
    }

    /// A response contradicts what was known: everything is confirmed from here on.
    fn contradicted(&mut self) {
        self.route = Route::Cautious;
        if self.settings.facts.proven().is_some() {
            self.settings.facts.forget();
        }
    }

    fn so_far(&self) -> ListSoFar {
        let facts = &self.settings.facts;
        ListSoFar {
            first: self.cursor.first,
            rows: self.evidence.rows,
            pages: self.last_rows.pages(),
            is_counted: self.evidence.is_counted(),
            is_small: facts.longest() > 2 && facts.proven() == Some(self.cursor.first),
        }
    }

    fn can_probe(&self) -> bool {
        self.settings.facts.can_probe() && self.last_rows.can_be_compared()
    }

    /// Whether the facts prove a list of this many rows on one page.
    fn is_known(&self, rows: i64) -> bool {
        let facts = &self.settings.facts;
        !self.settings.demands_probe()
            && facts.is_proven(self.cursor.first)
            && !facts.is_suspect(rows)
            && !facts.is_sampled()
    }

    /// Whether an empty first page is believed at once: the caller loses nothing if it was a failure.
    fn believes_empty_list(&self) -> bool {
        let settings = &self.settings;
        settings.believes_empty_page
            && self.progress.rows == 0
            && self.progress.count == Some(0)
            && settings.facts.is_proven_empty(self.cursor.first)
    }
}
