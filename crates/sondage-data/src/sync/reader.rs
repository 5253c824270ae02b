//! Reads the changes that make a store equal to a query: what has changed by its time, and what is missing by its id.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use chrono::{DateTime, Utc};
use sondage::internals::clock;
use sondage::paging::Progress;
use sondage::reports::{StoreColumn, StoreValue, SyncReport};
use sondage::{Error, Result, Timestamp, internals::runtime};

use super::StoreChange;
use super::changes::{ChangeSet, SyncChoices};
use super::difference::Difference;
use super::state::{self, StoredColumn, SyncState};
use crate::delta::{IdList, IdSet, TOLERANCE, UPDATED, census};
use crate::query::{ID, Interviews};
use crate::spool::PageSpool;
use crate::table::streamed::Streamed;

/// The number of changes that are remembered before the older ones are forgotten for the first time.
const FORGET: usize = 10_000;
/// Reads the changes.
pub(super) struct ChangeReader {
    query: Interviews,
    choices: SyncChoices,
    folder: PathBuf,
    before: SyncState,
    /// The rows of the store.
    known: IdSet,
    /// The columns of the store, if somebody else could have changed them.
    present: Vec<String>,
    progress: Progress,
    warnings: Vec<String>,
}

/// What was read.
pub(super) struct ReadChanges {
    spool: PageSpool,
    builder: crate::TableBuilder,
    /// The ids of the rows in the spool.
    stored: IdSet,
    /// The rows of the store and of the spool that do not match the query any more.
    gone: IdSet,
    recent: HashMap<String, (DateTime<Utc>, u64)>,
    latest: Option<DateTime<Utc>>,
    begun: DateTime<Utc>,
    pub(super) complete: bool,
    ahead: usize,
    undated: usize,
}

/// The same, with the types of its columns.
pub(super) struct Settled {
    pub(super) read: ReadChanges,
    rows: Streamed,
    columns: Vec<StoredColumn>,
}

impl ChangeReader {
    pub(super) fn new(
        query: Interviews,
        choices: SyncChoices,
        folder: PathBuf,
        before: SyncState,
        known: IdSet,
        present: Vec<String>,
    ) -> Self {
        ChangeReader {
            query,
            choices,
            folder,
            before,
            known,
            present,
            progress: Progress::default(),
            warnings: Vec::new(),
        }
    }

    /// When the changes begin, if the store has rows.
    pub(super) fn since(&mut self) -> Option<DateTime<Utc>> {
        let mark = self.before.watermark.filter(|_| !self.known.is_empty())?;
        let client = self.query.client();
        let now = clock::of_service(client, clock::wall(client));
        if now.checked_add_signed(TOLERANCE).is_some_and(|now| mark > now) {
            self.warnings.push(format!(
                "the state of the store had a watermark ahead of the service's clock ({}): all interviews were read again",
                Timestamp(mark)
            ));
            return None;
        }
        Some(mark.checked_sub_signed(self.choices.overlap).unwrap_or_default())
    }

    /// Reads all interviews instead of their changes.
    pub(super) async fn again(&mut self, instead: ReadChanges) -> Result<ReadChanges> {
        drop(instead);
        self.changes(None).await
    }

    /// Makes tables without the column that only the sync needs.
    fn builder(&self) -> Result<crate::TableBuilder> {
        Ok(self.query.clone().beside(UPDATED).read()?.builder)
    }

    /// Stores the pages of changes on disk: of all interviews if there is no time.
    pub(super) async fn changes(&mut self, since: Option<DateTime<Utc>>) -> Result<ReadChanges> {
        let client = self.query.client().clone();
        let here = clock::wall(&client);
        let spool = PageSpool::temporary(self.folder.clone()).map_err(|error| disk(&self.folder, &error))?;
        let mut read = ReadChanges {
            spool,
            builder: self.builder()?,
            stored: IdSet::default(),
            gone: IdSet::default(),
            recent: if since.is_some() { self.before.recent.clone() } else { HashMap::new() },
            latest: self.before.watermark.filter(|_| since.is_some()),
            begun: DateTime::default(),
            complete: since.is_none(),
            ahead: 0,
            undated: 0,
        };
        read.stored = self.pages(&mut read, since, None).await?;
        read.begun = clock::of_service(&client, here);
        Ok(read)
    }

    /// Reads pages into the spool. `only`: rows with other ids are left out. Returns the ids of the rows.
    async fn pages(
        &mut self,
        read: &mut ReadChanges,
        since: Option<DateTime<Utc>>,
        only: Option<&IdSet>,
    ) -> Result<IdSet> {
        let query = self.query.clone().beside(UPDATED);
        let query = match since {
            // An answer without rows does not move the mark: if it was a failure, the next sync reads the same again.
            Some(since) => query.updated_since(Timestamp(since)).believing_empty_page(),
            None => query,
        };
        let client = query.client().clone();
        let here = clock::wall(&client);
        let mut reading = query.read()?;
        reading.pager.fetch_ahead();
        let mut stored = IdList::default();
        let mut forget = FORGET;
        let mut is_first = only.is_none();
        while let Some(mut page) = reading.pager.next().await? {
            // Times that are not later than when the pages began to arrive.
            let begun = clock::of_service(&client, here);
            let times = page.own_column(UPDATED);
            let mut keep = vec![true; page.rows()];
            let mut read_at = vec![None; page.rows()];
            for (row, (keep, at)) in keep.iter_mut().zip(&mut read_at).enumerate() {
                let id = page.row_id(row).ok_or_else(|| {
                    Error::unexpected_response("the interviews have no ids, so a store cannot hold them")
                })?;
                *keep = only.is_none_or(|only| only.contains_id(id));
                if *keep {
                    *at = times.and_then(|column| page.moment_in(column, row));
                    read.latest = read.latest.max(at.filter(|at| *at <= begun));
                }
            }
            let remembered = self.remembered(read);
            for (row, (keep, at)) in keep.iter_mut().zip(read_at).enumerate() {
                let Some(id) = page.row_id(row).filter(|_| *keep) else { continue };
                let Some(at) = at else {
                    read.undated += 1;
                    stored.insert(id);
                    continue;
                };
                if remembered.is_some_and(|from| at < from) && !read.recent.contains_key(&*id.text()) {
                    // It would be forgotten before anything is compared with it.
                    stored.insert(id);
                    continue;
                }
                let print = page.fingerprint_of(row);
                *keep = read.recent.insert(id.into_text(), (at, print)) != Some((at, print));
                if *keep {
                    stored.insert(id);
                }
                if at > begun.checked_add_signed(TOLERANCE).unwrap_or(begun) && *keep {
                    read.ahead += 1;
                }
            }
            page.retain_rows(&keep);
            if page.rows() > 0 || std::mem::take(&mut is_first) {
                read.spool
                    .append(page, reading.pager.bookmark())
                    .map_err(|error| disk(&self.folder, &error))?;
                is_first = false;
            }
            if read.recent.len() > forget {
                self.forget(read);
                forget = FORGET.max(read.recent.len() * 2);
            }
            let mut told = reading.pager.progress();
            told.calls += self.progress.calls;
            told.bytes += self.progress.bytes;
            reading.watch.tell(&told);
            self.choices.watch.tell(&told);
        }
        if let (true, Some(head)) = (is_first, reading.head.get()) {
            read.spool
                .append(head.head(), reading.pager.bookmark())
                .map_err(|error| disk(&self.folder, &error))?;
        }
        self.count(&reading.pager.progress());
        self.forget(read);
        Ok(stored.into_set())
    }

    fn count(&mut self, progress: &Progress) {
        self.progress.calls += progress.calls;
        self.progress.bytes += progress.bytes;
    }

    /// The time before which changes will not be read again.
    fn remembered(&self, read: &ReadChanges) -> Option<DateTime<Utc>> {
        read.latest.and_then(|latest| latest.checked_sub_signed(self.choices.overlap))
    }

    /// Forgets changes that will not be read again.
    fn forget(&self, read: &mut ReadChanges) {
        let from = self.remembered(read);
        read.recent.retain(|_, (at, _)| from.is_none_or(|from| *at >= from));
    }

    /// Reads all ids. Returns whether the changes are all that the store lacks.
    pub(super) async fn is_whole(&mut self, read: &mut ReadChanges) -> Result<bool> {
        let mut progress = Progress::default();
        let sets = [&self.known, &read.stored];
        let mut found = sets.map(|ids| vec![false; ids.len()]);
        let mut lacking = IdList::default();
        census(self.query.clone(), &mut progress, |id| {
            let places = sets.map(|ids| ids.position_of(id));
            for (place, found) in places.iter().zip(&mut found) {
                if let Some(place) = *place {
                    found[place] = true;
                }
            }
            if places == [None, None] {
                lacking.insert(id);
            }
        })
        .await?;
        let mut gone = IdList::default();
        for (ids, found) in sets.into_iter().zip(found) {
            let missing = found.into_iter().enumerate().filter(|(_, found)| !found).map(|(place, _)| place);
            ids.at(missing).for_each(|id| gone.insert_text(&id));
        }
        read.gone = gone.into_set();
        self.count(&progress);
        let lacking = lacking.into_set();
        if lacking.is_empty() {
            return Ok(true);
        }
        // Most likely they were created while the changes were read.
        let since = read.begun.checked_sub_signed(self.choices.overlap).unwrap_or_default();
        let more = self.pages(read, Some(since), Some(&lacking)).await?;
        read.stored = read.stored.with(&more);
        let is_whole = lacking.without(&more).is_empty();
        if !is_whole {
            self.warnings.push(
                "some interviews match the query although they were not changed since the last sync: all interviews were read again"
                    .to_owned(),
            );
        }
        Ok(is_whole)
    }

    /// Determines the types of the columns.
    pub(super) async fn settled(&self, mut read: ReadChanges) -> Result<Settled> {
        let types = if read.complete && self.choices.evolve { HashMap::new() } else { self.before.types() };
        let (folder, builder) = (self.folder.clone(), self.builder()?);
        let builder = std::mem::replace(&mut read.builder, builder);
        let scanned = runtime::handle().spawn_blocking(move || -> Result<Settled> {
            let rows =
                Streamed::keeping(builder, &read.spool, &types).map_err(|error| disk(&folder, &error))?;
            let columns = state::columns(&rows.schema(), &rows.variables());
            Ok(Settled { read, rows, columns })
        });
        let unread = |error| Error::internal(format!("the changes were not read: {error}"));
        let mut settled = scanned.await.map_err(unread)??;
        let places: HashMap<&str, usize> = self
            .before
            .columns
            .iter()
            .enumerate()
            .map(|(place, column)| (column.name.as_str(), place))
            .collect();
        if settled.read.stored.is_empty() {
            // Without rows, a table has every column that the service may have.
            settled
                .columns
                .retain(|column| column.asked || places.is_empty() || places.contains_key(&*column.name));
        }
        if !settled.read.complete {
            settled.columns.sort_by_key(|column| places.get(&*column.name).copied().unwrap_or(usize::MAX));
        }
        Ok(settled)
    }

    pub(super) fn difference(&self, settled: &Settled) -> Difference {
        if self.before.number == 0 {
            Difference::default()
        } else {
            Difference::of(&self.before.columns, &settled.columns)
        }
    }

    pub(super) fn finish(self, settled: Settled, difference: Difference, store: &str) -> Result<ChangeSet> {
        let Settled { read, rows, columns } = settled;
        let before = self.before;
        let id = columns
            .iter()
            .find(|column| column.name.eq_ignore_ascii_case(ID))
            .map(|column| column.name.clone());
        let id = id.ok_or_else(|| {
            Error::unexpected_response(format!(
                "the interviews have no column `{ID}`, so {store} cannot hold them"
            ))
        })?;
        let mut columns = columns;
        if !read.complete {
            remember(&mut columns, &before.columns);
        }
        before.check_new(store, &self.present, &columns)?;
        let mut read = read;
        if read.complete {
            read.gone = self.known.without(&read.stored);
        }
        let dropped = if read.complete { before.dropped(&columns) } else { Vec::new() };
        let schema = schema(&columns, &rows.schema());
        let mut report = SyncReport::begun();
        let known = &self.known;
        let (mut rows_of_ids, mut ids) = (known.len() as u64, before.ids);
        read.stored.each_without(&[&read.gone, known], |id| {
            report.added += 1;
            ids = state::hash(id).wrapping_add(ids);
        });
        for id in read.gone.list().filter(|id| known.contains(id)) {
            report.removed += 1;
            ids = ids.wrapping_sub(state::hash(&id));
        }
        let are_gone = read.gone.list().filter(|id| read.stored.contains(id)).count();
        report.changed = (read.stored.len() - are_gone) as u64 - report.added;
        rows_of_ids = rows_of_ids + report.added - report.removed;
        report.unchanged = known.len() as u64 - report.changed - report.removed;
        report.rows = rows_of_ids;
        report.complete = read.complete;
        report.columns_added = difference.added;
        report.columns_removed = difference.removed;
        report.columns_changed = difference.changed;
        report.columns_relabelled = difference.relabelled;
        report.calls = self.progress.calls;
        report.bytes = self.progress.bytes;
        report.warnings = rows.warnings.iter().map(ToString::to_string).collect();
        report.warnings.extend(self.warnings);
        report.warnings.extend(about_times(read.ahead, read.undated));
        let mut recent = read.recent;
        recent.retain(|id, _| !read.gone.contains(id));
        let (mut described, mut values) = (Vec::new(), Vec::new());
        for column in &columns {
            described.push(StoreColumn::new(column.name.clone(), column.kind.clone(), column.label.clone()));
            for (place, (code, label)) in (0..).zip(&column.values) {
                values.push(StoreValue::new(column.name.clone(), code.clone(), label.clone(), place));
            }
        }
        let change = StoreChange {
            schema,
            columns: described,
            values,
            id,
            complete: read.complete,
            is_new: before.number == 0 && known.is_empty() && rows.rows == read.stored.len(),
            dropped,
            replaced: Arc::new(if read.complete { IdSet::default() } else { read.stored.with(&read.gone) }),
        };
        let state = SyncState {
            number: before.number + 1,
            columns,
            watermark: read.latest,
            recent,
            rows: report.rows,
            ids,
            ..before
        };
        let are_gone = are_gone > 0;
        Ok(ChangeSet { rows, spool: read.spool, removed: read.gone, are_gone, change, state, report })
    }
}

fn about_times(ahead: usize, undated: usize) -> Vec<String> {
    let interviews = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 interview {one}"),
        _ => format!("{count} interviews {many}"),
    };
    let mut warnings = Vec::new();
    if ahead > 0 {
        let what = interviews(ahead, "has", "have");
        warnings.push(format!(
            "{what} an `{UPDATED}` that is ahead of the service's clock: each sync reads them again"
        ));
    }
    if undated > 0 {
        let what = interviews(undated, "has", "have");
        warnings.push(format!("{what} no `{UPDATED}`: a later sync may not see their changes"));
    }
    warnings
}

/// The columns of the store, with the metadata of the rows that were read.
fn schema(columns: &[StoredColumn], rows: &Schema) -> SchemaRef {
    let field = |column: &StoredColumn| match rows.field_with_name(&column.name) {
        Ok(field) => Arc::new(field.clone().with_data_type(column.data_type())),
        Err(_) => Arc::new(Field::new(&column.name, column.data_type(), true)),
    };
    let fields: Vec<FieldRef> = columns.iter().map(field).collect();
    Arc::new(Schema::new_with_metadata(fields, rows.metadata().clone()))
}

/// Adds the columns of the store that the new rows do not have, and types that they do not show.
fn remember(columns: &mut Vec<StoredColumn>, before: &[StoredColumn]) {
    for old in before {
        match columns.iter_mut().find(|column| column.name == old.name) {
            None => columns.push(old.clone()),
            Some(column) if column.data_type() == DataType::Null => column.kind.clone_from(&old.kind),
            Some(_) => {}
        }
    }
}

/// An error of the file system while changes are read.
pub(super) fn disk(path: &Path, error: &io::Error) -> Error {
    let what =
        format!("the changes could not be stored in `{}`, so nothing was changed: {error}", path.display());
    Error::invalid_argument(what).with_safe_to_retry(true).caused_by(error)
}
