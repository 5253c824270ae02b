//! Runs an import from its first call to its report.

use super::ahead::{ImportAhead, Readings};
use super::check::Checked;
use super::columns::ImportColumns;
use super::compared::ComparedPrints;
use super::match_members::SeenMembers;
use super::prints::RowPrints;
use super::report::{Attribution, ImportReport, RowResult, RowStatus};
use super::resume::{self, OpenChunk, Past};
use super::source::RowStream;
use super::{Existing, ImportSettings};
use crate::journal::new_salt;
use crate::journal::{ChunkKind, Journal, JournalStore, Record, unfold};
use crate::timing::now;
use sondage::budget::Cost;
use sondage::error::{Error, Result, Text};
use sondage::internals::runtime::blocking;
use sondage::text;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Rows that are written to the journal at once: more would take memory, fewer time.
const PART: usize = 64 * resume::ROWS;

/// An import in progress.
pub(super) struct Run {
    pub import: ImportSettings,
    pub columns: ImportColumns,
    pub prints: RowPrints,
    pub checked: Checked,
    pub journal: Journal,
    /// The number of the next chunk.
    pub chunks: u64,
    /// Chunks whose outcome is not completely known.
    pub open: BTreeMap<u64, OpenChunk>,
    pub stopped: Option<Error>,
    /// The rows of the chunk that the service refused as a whole, which stopped the run, and why. The next run sends them
    /// again, so they are not decided.
    pub refused_chunk: Option<(Vec<u32>, Arc<str>)>,
    /// Where to continue the search for rows to create, and to change.
    pub next: [usize; 2],
    /// The size of the last body, as an estimate for the next.
    pub size: usize,
    salt: String,
    /// Whether the journal already identifies the job.
    begun: bool,
    resumed: bool,
    /// What was read, and in a dry run what would be sent.
    pub read: Readings,
    ahead: Option<ImportAhead>,
}

/// Imports rows. `own`: the journal has the default name, so it is emptied at the end of the job.
pub(super) async fn import(
    import: ImportSettings,
    store: Box<dyn JournalStore>,
    own: bool,
    mut rows: Box<dyn RowStream>,
) -> Result<ImportReport> {
    let begun = Instant::now();
    let columns = ImportColumns::read(&import, rows.names()).await?;
    let (journal, mut past) = Journal::open(store, Past::replay).await?;
    let name = journal.name();
    past.is_of(&import, &name)?;
    if past.is_not_begun() {
        // The import was interrupted while it recorded its rows: nothing was sent.
        if !import.dry_run {
            journal.clear().await?;
        }
        past = Past::default();
    }
    let salt = past.head.as_ref().map_or_else(new_salt, |head| Ok(head.salt.clone()))?;
    let prints = columns.prints(&salt);
    let earlier = ComparedPrints::with(std::mem::take(&mut past.prints));
    let rules = import.rules;
    let (columns, prints, checked) = blocking(move || {
        let checked = Checked::read(&columns, &prints, earlier, rows.as_mut(), rules)?;
        Ok((columns, prints, checked))
    })
    .await?;
    columns.check(checked.kept.len())?;
    if own && past.ended && past.fits(&import, &name, &checked).is_err() {
        // An earlier import has finished without its report being read. It does not affect this one.
        if !import.dry_run {
            journal.clear().await?;
        }
        past = Past::default();
    }
    past.fits(&import, &name, &checked)?;
    if checked.is_invalid() && !checked.kept.is_empty() {
        return Err(none_valid(&checked));
    }
    let mut run = Run {
        import,
        columns,
        prints,
        checked,
        journal,
        chunks: past.chunks,
        open: std::mem::take(&mut past.open),
        stopped: None,
        refused_chunk: None,
        next: [0; 2],
        size: 0,
        salt,
        begun: past.head.is_some(),
        resumed: past.head.is_some(),
        read: Readings { begun, calls: 1, bytes: 0 },
        ahead: None,
    };
    past.apply_to(&mut run.checked);
    if run.checked.kept.is_empty() {
        // There is nothing to do, so the members need not be read.
        let nothing = ImportAhead { create: 0, update: 0, cost: Cost::default() };
        run.ahead = run.import.dry_run.then_some(nothing);
        if own && !run.import.dry_run && past.head.is_some() {
            run.journal.clear().await?;
        }
    } else if run.import.dry_run {
        run.look_ahead(past.ended).await?;
    } else if !past.ended {
        run.go().await?;
        run.end(own).await;
    } else if own {
        run.journal.clear().await?;
    }
    Ok(run.report(own))
}

impl Run {
    /// The dry run: reports what [`Run::go`] would send. `ended`: an earlier run has sent everything.
    async fn look_ahead(&mut self, ended: bool) -> Result<()> {
        if !ended {
            let updates = self.open.values().any(|open| open.what == ChunkKind::Update);
            let members = self.look(updates || self.import.existing == Existing::Update).await?;
            self.judge(&members)?;
        }
        self.ahead = Some(self.ahead()?);
        Ok(())
    }

    /// Sends everything. An error means that this run sent nothing.
    async fn go(&mut self) -> Result<()> {
        if let Some(left) =
            self.open.values().filter(|open| open.ids.is_none()).map(|open| self.left(open.at)).max()
        {
            tokio::time::sleep(left).await;
            self.wait_for_writes().await?;
        }
        let updates = self.open.values().any(|open| open.what == ChunkKind::Update);
        let members = self.look(updates || self.import.existing == Existing::Update).await?;
        self.judge(&members)?;
        let due = self.checked.kept.iter().any(|kept| kept.status == RowStatus::NotSent);
        let sent = match self.begin(due).await {
            Ok(()) => self.settle(&members).await,
            // Nothing was sent yet: fail before the first call.
            Err(error) => return Err(error),
        };
        if let Err(error) = sent {
            self.stopped = Some(error);
            return Ok(());
        }
        if let Err(error) = self.send_all().await {
            self.stopped.get_or_insert(error);
        }
        Ok(())
    }

    /// Chunks that this process has sent without a response yet: the caller has given up, but the call continues.
    async fn wait_for_writes(&self) -> Result<()> {
        let until = Instant::now() + self.import.quiet;
        while self.is_writing() {
            if Instant::now() >= until {
                let what = "a call of an earlier run of this import is still under way";
                return Err(Error::network(what)
                    .with_hint("Nothing more was sent. Run the same import again in a while."));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// Whether a call that creates members is in progress in this process.
    pub fn is_writing(&self) -> bool {
        self.import.client.pending_writes().iter().any(|write| write.operation == "CreateMembers")
    }

    /// The remaining quiet time after an instant.
    fn left(&self, at: u64) -> Duration {
        left(self.import.quiet, at, now())
    }

    /// Decides what to do with each row, now that the existing members are known.
    fn judge(&mut self, seen: &SeenMembers) -> Result<()> {
        let ours: std::collections::HashSet<u32> =
            self.open.values().flat_map(|open| unfold(&open.rows)).collect();
        let missing = self.columns.lack();
        let mut existing = Vec::new();
        for row in 0..u32::try_from(self.checked.kept.len()).unwrap_or(u32::MAX) {
            if self.checked.kept[row as usize].status != RowStatus::NotSent || ours.contains(&row) {
                continue;
            }
            let result = |status, id| RowResult { status, how: Attribution::None, id };
            if let Some(id) = seen.id(row) {
                self.checked.kept[row as usize] = match self.import.existing {
                    Existing::Error => {
                        existing.push(row);
                        continue;
                    }
                    Existing::Skip => result(RowStatus::Exists, id),
                    Existing::Update if seen.is_same(row) => result(RowStatus::Unchanged, id),
                    Existing::Update if seen.is_ambiguous(row) => {
                        self.checked.refuse(row, "several members have its key".into());
                        continue;
                    }
                    Existing::Update => result(RowStatus::NotSent, id),
                };
            } else if let Some((id, difference)) = seen.near(row) {
                let reason = format!("the member {id} has the same key, except for {difference}");
                self.checked.refuse(row, reason.into());
            } else if let Some(reason) = self.checked.lacking.get(&row).or(missing.as_ref()) {
                let reason = Arc::clone(reason);
                self.checked.refuse(row, reason);
            }
        }
        let Some(first) = existing.first() else { return Ok(()) };
        let first = self.checked.named(*first);
        let (count, nothing) = (existing.len(), Text::from(if self.resumed { "more " } else { "" }));
        let from = self.checked.rules.first_row;
        let what = text!("{count} of the rows have a member with their key already ({first} is the first)");
        Err(Error::invalid_argument(what).with_hint(text!(
            "Nothing {nothing}was sent. Rows are counted from {from}. Leave existing members unchanged with `existing` \
             \"skip\", or give them the values of the rows with \"update\"."
        )))
    }

    /// Records the identity of the job. `due`: something is to be sent.
    async fn begin(&mut self, due: bool) -> Result<()> {
        if self.begun || !due {
            return Ok(());
        }
        self.head().await
    }

    async fn head(&mut self) -> Result<()> {
        let head = self.import.head(self.checked.kept.len(), self.salt.clone());
        self.journal.write(vec![Record::Job(head)]).await?;
        self.begun = true;
        let prints = self.checked.prints.now();
        for rows in 0..prints.len().div_ceil(PART) {
            let part = part(rows, prints.len());
            let records = resume::digests(part.start, &prints[part]).collect();
            self.journal.write(records).await?;
        }
        Ok(())
    }

    /// After the last call: uncertain chunks are read back once more, and the journal is closed.
    async fn end(&mut self, own: bool) {
        if !self.open.is_empty()
            && let Err(error) = self.read_back().await
        {
            self.stopped.get_or_insert(error);
        }
        for open in self.open.values() {
            for row in unfold(&open.rows) {
                let result = &mut self.checked.kept[row as usize];
                if result.status == RowStatus::NotSent {
                    result.status = RowStatus::Unknown;
                    self.checked.reasons.entry(row).or_insert_with(|| match open.ids {
                        None => "the service did not answer".into(),
                        Some(_) => "the service accepted some rows of its chunk and did not say which".into(),
                    });
                }
            }
        }
        if self.is_over()
            && let Err(error) = self.close(own).await
        {
            self.stopped.get_or_insert(error);
        }
    }

    fn is_over(&self) -> bool {
        let open = |kept: &RowResult| matches!(kept.status, RowStatus::NotSent | RowStatus::Unknown);
        self.stopped.is_none() && !self.checked.kept.iter().any(open)
    }

    async fn close(&mut self, own: bool) -> Result<()> {
        if own {
            return if self.begun { self.journal.clear().await } else { Ok(()) };
        }
        if !self.begun {
            self.head().await?;
        }
        for rows in 0..self.checked.kept.len().div_ceil(PART) {
            let part = part(rows, self.checked.kept.len());
            let records = resume::last(part.start, &self.checked.kept[part]).collect();
            self.journal.write(records).await?;
        }
        self.journal.write(vec![Record::End { at: now() }]).await
    }

    fn report(mut self, own: bool) -> ImportReport {
        let over = self.is_over();
        let refused = self.refused_chunk.take();
        let chunk_refused = refused.is_some();
        if let Some((rows, reason)) = refused {
            for row in rows {
                self.checked.kept[row as usize].status = RowStatus::Refused;
                self.checked.reasons.insert(row, Arc::clone(&reason));
            }
        }
        ImportReport {
            panel_id: self.import.panel_id,
            journal: (!over || !own).then(|| self.journal.name()),
            stopped: self.stopped.map(Error::in_report),
            resumed: self.resumed,
            kept: self.checked.kept,
            reasons: self.checked.reasons,
            first_row: self.checked.rules.first_row,
            unattributed: Vec::new(),
            format: self.checked.format,
            columns: self.columns.fields.iter().map(|(_, field)| field.clone()).collect(),
            note: self.columns.note(),
            again: true,
            chunk_refused,
            ahead: self.ahead,
        }
    }
}

/// The rows of a part.
fn part(number: usize, rows: usize) -> Range<usize> {
    number * PART..rows.min((number + 1) * PART)
}

fn none_valid(checked: &Checked) -> Error {
    let rows = checked.kept.len();
    let is_refused = |row: u32| checked.kept[row as usize].status == RowStatus::Refused;
    let mut refused = checked.reasons.iter().filter(|(row, _)| is_refused(**row));
    let from = checked.rules.first_row;
    let first =
        refused.next().map_or_else(String::new, |(row, why)| format!(" ({}: {why})", checked.named(*row)));
    let none = if rows == 1 { text!("the only row cannot") } else { text!("none of the {rows} rows can") };
    let what = text!("{none} be imported{first}");
    Error::invalid_argument(what).with_hint(text!(
        "Nothing was sent. Correct the rows, which are counted from {from}, and run the import again."
    ))
}

/// The rest of a waiting time at `now`, both in milliseconds since 1970. If the clock was set back since, the whole time is
/// left, never less.
fn left(quiet: Duration, at: u64, now: u64) -> Duration {
    quiet.saturating_sub(Duration::from_millis(now.saturating_sub(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_set_back_does_not_shorten_the_quiet_time() {
        let quiet = Duration::from_secs(180);
        assert_eq!(left(quiet, 1_000_000, 1_060_000), Duration::from_secs(120));
        assert_eq!(left(quiet, 1_000_000, 1_180_000), Duration::ZERO);
        assert_eq!(left(quiet, 1_000_000, 999_000), quiet, "now is a second before it was sent");
        assert_eq!(left(quiet, u64::MAX, 0), quiet);
    }
}
