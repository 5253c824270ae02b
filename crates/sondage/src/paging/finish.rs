//! The end of a list: whether it is whole, and what is requested to find out.

use super::cursor::ListEnd;
use super::pager::{ListReader, Page, Route};
use super::proof::{Completeness, ListEvidence};
use super::refusal::is_refused;
use super::rows::{AnyRows, Rows};
use super::seen::SeenIds;
use crate::error::{Delivery, Error, Result};
use crate::facts::Evidence;
use crate::text;
use crate::trace::CallPurpose;

/// What the request for the page before the first has shown.
#[derive(Clone, Copy, PartialEq)]
enum PageBefore {
    /// There are no further rows.
    Nothing,
    /// There are rows on the page of this number.
    Rows(i64),
    /// The first page is not the one that was read as the first.
    Renumbered,
}

impl ListReader {
    /// The last page has been returned: checks whether the list is complete.
    pub(super) async fn finish(&mut self, end: ListEnd) -> Result<()> {
        if end == ListEnd::Proven {
            self.is_complete().await;
            return Ok(());
        }
        let rows = self.progress.rows;
        let facts = &self.settings.facts;
        if self.evidence.counted(rows) {
            facts.prove_whole(self.cursor.first, true, self.evidence.largest_page(), Evidence::Pages);
        }
        let before = if self.evidence.counted(rows) || !self.is_first_page_in_doubt() {
            PageBefore::Nothing
        } else {
            self.page_before().await?
        };
        if let PageBefore::Rows(number) = before {
            if self.anonymous {
                return Err(self.incomplete(&format!("its first page is {number}, not {}", self.cursor.first)).with_hint(
                    text!("Set `first_page` to {number}, or ask for the rows' ids, so that the list can be read again."),
                ));
            }
            self.cursor.first = number;
            self.read_again();
            return Ok(());
        }
        let mut verdict = self.evidence.verdict(end, rows, self.settings.verify_total);
        if verdict == Completeness::Complete && before == PageBefore::Renumbered {
            verdict = Completeness::Doubtful("the service has renumbered its pages meanwhile".to_owned());
        }
        if verdict == Completeness::Complete && self.lacks_a_witness()? {
            verdict =
                Completeness::Doubtful("a row that a request returned is on none of its pages".to_owned());
        }
        match verdict {
            Completeness::Complete => self.is_complete().await,
            Completeness::Doubtful(why) if self.rereads == 0 && !self.anonymous => {
                log::warn!("{}: {why}; reading the list again", self.settings.operation);
                self.rereads += 1;
                self.read_again();
            }
            Completeness::Doubtful(why) | Completeness::Hopeless(why) => return Err(self.incomplete(&why)),
        }
        Ok(())
    }

    /// Whether the tail probe has returned a row that no page has. A second reading is later than the probe.
    fn lacks_a_witness(&mut self) -> Result<bool> {
        let Some(rows) = self.witness.take() else { return Ok(false) };
        for row in 0..rows.len() {
            if let Some(id) = rows.identity(row)
                && !self.seen.contains(id)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The list is whole: keeps what it has shown.
    async fn is_complete(&mut self) {
        self.done = true;
        let facts = &self.settings.facts;
        if let Some(cap) = self.cursor.cap {
            facts.prove_cap(cap);
        }
        if self.probe_failed == Some(self.progress.rows) {
            facts.probe_failed();
        }
        facts.save().await;
    }

    /// Whether there may be a page before the first. Of a list without rows, only a count shows that there is none.
    fn is_first_page_in_doubt(&self) -> bool {
        let facts = &self.settings.facts;
        if facts.is_in_use() {
            // What another process has learned is used only where the answers of this list agree with it.
            let is_empty = self.progress.rows == 0 && self.progress.count == Some(0);
            return !(is_empty && facts.is_proven_empty(self.cursor.first));
        }
        facts.proven().is_none() || self.evidence.is_contradictory()
    }

    /// Asks for the page before the first one.
    async fn page_before(&mut self) -> Result<PageBefore> {
        let (first, empty) = (self.cursor.first, self.progress.rows == 0);
        let number = match first {
            // No page precedes page 0; but if page 0 is empty, it may not exist, and the first page may be 1.
            0 if empty && !self.evidence.is_contradictory() => 1,
            0 => return Ok(PageBefore::Nothing),
            _ => first - 1,
        };
        let size = self.first_fingerprint.map_or(1, |(size, _)| size);
        let (refused, has_rows, has_unseen) = match self.call(number, size, CallPurpose::CheckOfEnd).await {
            Ok(Page { rows, .. }) => (false, !rows.is_empty(), !rows.is_empty() && self.has_unseen(&rows)?),
            Err(error) if is_refused(&error) => (true, false, false),
            Err(error) => return Err(error),
        };
        // A count that is that of a page cannot be told from a right one here. If the first page has two numbers, it is asked in any case.
        let may_be_renumbered =
            !has_unseen && !empty && number < first && (has_rows || !self.evidence.is_counted());
        let is_renumbered = may_be_renumbered && self.is_renumbered().await?;
        let facts = &self.settings.facts;
        if has_unseen || has_rows && is_renumbered {
            if facts.proven().is_some() {
                facts.forget();
            }
            facts.prove(number, Evidence::Pages);
            return Ok(PageBefore::Rows(number));
        }
        if is_renumbered {
            return Ok(PageBefore::Renumbered);
        }
        if refused || !empty {
            facts.prove(first, if refused { Evidence::Refusal } else { Evidence::EmptyPage });
        }
        Ok(PageBefore::Nothing)
    }

    fn has_unseen(&mut self, rows: &AnyRows) -> Result<bool> {
        if self.anonymous {
            let first = self.first_fingerprint.map(|(_, fingerprint)| fingerprint);
            return Ok(Some(rows.fingerprint()) != first);
        }
        for row in 0..rows.len() {
            let Some(id) = rows.identity(row) else { return Ok(true) };
            if !self.seen.contains(id)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the first page does not begin with the list's first row any more: the service has renumbered its pages while the list
    /// was read, and one of them may have been left out.
    async fn is_renumbered(&mut self) -> Result<bool> {
        let Some(first_row) = self.first_row else { return Ok(false) };
        match self.call(self.cursor.first, 1, CallPurpose::CheckOfEnd).await {
            Ok(Page { rows, .. }) => Ok(rows.is_empty() || rows.fingerprint_of(0) != first_row),
            Err(error) if is_refused(&error) => Ok(true),
            Err(error) => Err(error),
        }
    }

    pub(super) fn read_again(&mut self) {
        self.cursor.restart();
        self.again = Some(SeenIds::default());
        self.evidence = ListEvidence::default();
        self.ending = None;
        self.route = Route::Cautious;
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
