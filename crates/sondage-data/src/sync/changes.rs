//! The changes that make a store equal to a query.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, BooleanArray, RecordBatch};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use chrono::{DateTime, TimeDelta, Utc};
use sondage::internals::clock;
use sondage::paging::Progress;
use sondage::reports::{StoreChanges, StoreColumn, StoreValue, SyncReport};
use sondage::{Error, Result, Timestamp, internals::runtime};

use super::difference::Difference;
use super::state::{self, StoredColumn, SyncState};
use super::{Destination, StoreChange};
use crate::column::row_id::RowId;
use crate::delta::{IdList, IdSet, TOLERANCE, UPDATED, census, moment};
use crate::query::{ID, Interviews, PageObserver};
use crate::spool::PageSpool;
use crate::table::metadata;
use crate::table::streamed::Streamed;

/// The number of changes that are remembered before the older ones are forgotten for the first time.
const FORGET: usize = 10_000;
/// The most ids that are deleted in one step.
const IDS: usize = 1_000;

/// What a caller chooses.
#[derive(Clone)]
pub(crate) struct SyncChoices {
    pub(crate) overlap: TimeDelta,
    pub(crate) evolve: bool,
    pub(crate) watch: PageObserver,
}

/// The changes that make a store equal to a query, read completely. Their rows are on disk.
pub struct ChangeSet {
    rows: Streamed,
    spool: PageSpool,
    removed: IdSet,
    /// Whether some of the rows were removed while they were read.
    are_gone: bool,
    change: StoreChange,
    state: SyncState,
    report: SyncReport,
}

impl ChangeSet {
    /// Reads the changes since a state. `store`: what the store is called in errors.
    pub(crate) async fn read(
        query: &Interviews,
        store: &str,
        before: Option<(String, IdSet)>,
        choices: &SyncChoices,
        folder: PathBuf,
    ) -> Result<Self> {
        let query = query.clone().with_id();
        let identity = query.identity()?;
        let (before, known) = match before {
            Some((text, known)) => (SyncState::read(&text, store, &identity, &known)?, known),
            None => (SyncState::new(identity), IdSet::default()),
        };
        let mut reader = ChangeReader {
            query,
            choices: choices.clone(),
            folder,
            before,
            known,
            progress: Progress::default(),
            warnings: Vec::new(),
        };
        let since = reader.since();
        let mut read = reader.changes(since).await?;
        if since.is_some() && !reader.is_whole(&mut read).await? {
            read = reader.again(read).await?;
        }
        let mut settled = reader.settled(read).await?;
        let mut difference = reader.difference(&settled);
        if !choices.evolve {
            difference.check(store)?;
        }
        if !settled.read.complete && !difference.needs_no_rows() {
            let read = reader.again(settled.read).await?;
            settled = reader.settled(read).await?;
            let now = reader.difference(&settled);
            // What is gone for all rows is not in the store any more.
            difference = Difference { added: now.added, ..difference };
        }
        reader.finish(settled, difference, store)
    }

    /// What the transaction does to the store.
    pub fn change(&self) -> &StoreChange {
        &self.change
    }

    /// The ids of rows that are removed.
    pub fn removed(&self) -> impl Iterator<Item = String> {
        self.removed.list()
    }

    /// The state that the store has afterwards.
    pub fn state(&self) -> Result<String> {
        self.state.to_text()
    }

    /// What is done to the store.
    pub fn report(&self) -> &SyncReport {
        &self.report
    }

    /// Whether the store has the rows of the query already. Its state may be newer nevertheless.
    pub fn is_empty(&self) -> bool {
        !self.change.complete
            && self.report.added == 0
            && self.report.changed == 0
            && self.removed.is_empty()
            && self.report.columns_added.is_empty()
    }

    /// Passes on the rows that are added or replaced, in batches of at most 16,384.
    pub fn for_each(&self, mut take: impl FnMut(RecordBatch) -> Result<()>) -> Result<()> {
        let mut failed = None;
        let passed = self.rows.for_each(&self.spool, |batch, _| {
            let mut rows = aligned(&batch, &self.change.schema)?;
            if self.are_gone {
                let stays = staying(&rows, &self.change.id, |id| !self.removed.contains_id(id))?;
                rows = filter_record_batch(&rows, &stays).map_err(io::Error::other)?;
            }
            take(rows).map_err(|error| {
                failed = Some(error);
                io::Error::other("the store refused rows")
            })
        });
        match failed {
            Some(error) => Err(error),
            None => passed.map_err(|error| disk(self.spool.folder(), &error)),
        }
    }

    /// What is known about the changes whose rows are in a file.
    pub(super) fn facts(&self, file: PathBuf) -> Result<StoreChanges> {
        let mut facts = StoreChanges::new(file, self.change.id.clone(), self.state()?, self.report.clone());
        facts.removed = self.removed().collect();
        facts.complete = self.change.complete;
        facts.number = self.state.number - 1;
        facts.columns.clone_from(&self.change.columns);
        facts.values.clone_from(&self.change.values);
        Ok(facts)
    }

    /// Writes everything to a store.
    pub(super) fn write(self, store: &mut dyn Destination) -> Result<SyncReport> {
        store.begin(&self.change)?;
        let ids: Vec<String> = self.removed().collect();
        ids.chunks(IDS).try_for_each(|some| store.delete(some))?;
        self.for_each(|rows| store.upsert(&rows))?;
        store.commit(&self.state()?)?;
        Ok(self.report)
    }
}

/// Reads the changes.
struct ChangeReader {
    query: Interviews,
    choices: SyncChoices,
    folder: PathBuf,
    before: SyncState,
    /// The rows of the store.
    known: IdSet,
    progress: Progress,
    warnings: Vec<String>,
}

/// What was read.
struct ReadChanges {
    spool: PageSpool,
    builder: crate::TableBuilder,
    /// The ids of the rows in the spool.
    stored: IdSet,
    /// The rows of the store and of the spool that do not match the query any more.
    gone: IdSet,
    recent: HashMap<String, (DateTime<Utc>, u64)>,
    latest: Option<DateTime<Utc>>,
    begun: DateTime<Utc>,
    complete: bool,
    ahead: usize,
    undated: usize,
}

/// The same, with the types of its columns.
struct Settled {
    read: ReadChanges,
    rows: Streamed,
    columns: Vec<StoredColumn>,
}

impl ChangeReader {
    /// When the changes begin, if the store has rows.
    fn since(&mut self) -> Option<DateTime<Utc>> {
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
    async fn again(&mut self, instead: ReadChanges) -> Result<ReadChanges> {
        drop(instead);
        self.changes(None).await
    }

    /// Stores the pages of changes on disk: of all interviews if there is no time.
    async fn changes(&mut self, since: Option<DateTime<Utc>>) -> Result<ReadChanges> {
        let client = self.query.client().clone();
        let here = clock::wall(&client);
        let spool = PageSpool::temporary(self.folder.clone()).map_err(|error| disk(&self.folder, &error))?;
        let mut read = ReadChanges {
            spool,
            builder: self.query.read()?.builder,
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
            for (row, keep) in keep.iter_mut().enumerate() {
                let id = page.row_id(row).ok_or_else(|| {
                    Error::unexpected_response("the interviews have no ids, so a store cannot hold them")
                })?;
                if only.is_some_and(|only| !only.contains_id(id)) {
                    *keep = false;
                    continue;
                }
                let at = times.and_then(|column| page.text_in(column, row)).as_deref().and_then(moment);
                let Some(at) = at else {
                    read.undated += 1;
                    stored.insert(id);
                    continue;
                };
                let print = page.fingerprint_of(row);
                let name = id.into_text();
                *keep = read.recent.insert(name.clone(), (at, print)) != Some((at, print));
                if *keep {
                    stored.insert(id);
                }
                if at <= begun {
                    read.latest = read.latest.max(Some(at));
                } else if at > begun.checked_add_signed(TOLERANCE).unwrap_or(begun) && *keep {
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

    /// Forgets changes that will not be read again.
    fn forget(&self, read: &mut ReadChanges) {
        let from = read.latest.and_then(|latest| latest.checked_sub_signed(self.choices.overlap));
        read.recent.retain(|_, (at, _)| from.is_none_or(|from| *at >= from));
    }

    /// Reads all ids. Returns whether the changes are all that the store lacks.
    async fn is_whole(&mut self, read: &mut ReadChanges) -> Result<bool> {
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
    async fn settled(&self, mut read: ReadChanges) -> Result<Settled> {
        let types = if read.complete && self.choices.evolve { HashMap::new() } else { self.before.types() };
        let (folder, builder) = (self.folder.clone(), self.query.read()?.builder);
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

    fn difference(&self, settled: &Settled) -> Difference {
        if self.before.number == 0 {
            Difference::default()
        } else {
            Difference::of(&self.before.columns, &settled.columns)
        }
    }

    fn finish(self, settled: Settled, difference: Difference, store: &str) -> Result<ChangeSet> {
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
        let schema = schema(&columns, &rows.schema());
        let mut report = SyncReport::begun();
        let known = &self.known;
        let (mut rows_of_ids, mut ids) =
            if read.complete { (0, 0) } else { (known.len() as u64, before.ids) };
        for id in read.stored.list().filter(|id| !read.gone.contains(id)) {
            let is_known = known.contains(&id);
            *(if is_known { &mut report.changed } else { &mut report.added }) += 1;
            if read.complete || !is_known {
                rows_of_ids += 1;
                ids = state::hash(&id).wrapping_add(ids);
            }
        }
        if read.complete {
            report.removed = known.len() as u64 - report.changed;
        } else {
            for id in read.gone.list().filter(|id| known.contains(id)) {
                report.removed += 1;
                rows_of_ids -= 1;
                ids = ids.wrapping_sub(state::hash(&id));
            }
            report.unchanged = known.len() as u64 - report.changed - report.removed;
        }
        report.rows = rows_of_ids;
        report.complete = read.complete;
        report.columns_added = difference.added;
        report.columns_removed = difference.removed;
        report.columns_changed = difference.changed;
        report.calls = self.progress.calls;
        report.bytes = self.progress.bytes;
        report.warnings = rows.warnings.iter().map(ToString::to_string).collect();
        report.warnings.extend(self.warnings);
        report.warnings.extend(about_times(read.ahead, read.undated));
        let mut recent = read.recent;
        recent.retain(|id, _| !read.gone.contains(id));
        let (mut described, mut values) = (Vec::new(), Vec::new());
        for column in &columns {
            let field = schema.field_with_name(&column.name).ok();
            let label = field.and_then(|field| field.metadata().get(metadata::LABEL).cloned());
            described.push(StoreColumn::new(column.name.clone(), column.kind.clone(), label));
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
        let are_gone = read.stored.list().any(|id| read.gone.contains(&id));
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
        Ok(field) if *field.data_type() == column.data_type() => Arc::new(field.clone()),
        _ => Arc::new(Field::new(&column.name, column.data_type(), true)),
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

/// The rows with all columns of the store.
pub(super) fn aligned(batch: &RecordBatch, schema: &SchemaRef) -> io::Result<RecordBatch> {
    let column = |field: &FieldRef| match batch.column_by_name(field.name()) {
        Some(array) if array.data_type() == field.data_type() => Arc::clone(array),
        _ => arrow_array::new_null_array(field.data_type(), batch.num_rows()),
    };
    let columns = schema.fields().iter().map(column).collect();
    let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options).map_err(io::Error::other)
}

/// An error of the file system while changes are read.
fn disk(path: &Path, error: &io::Error) -> Error {
    let what =
        format!("the changes could not be stored in `{}`, so nothing was changed: {error}", path.display());
    Error::invalid_argument(what).with_safe_to_retry(true).caused_by(error)
}

/// Which rows stay, by their ids.
pub(super) fn staying(
    batch: &RecordBatch,
    id: &str,
    stays: impl Fn(RowId<'_>) -> bool,
) -> io::Result<BooleanArray> {
    let ids = batch.column_by_name(id).ok_or_else(|| io::Error::other(without_ids("the store")))?;
    let stays = |row: usize| match ids.data_type() {
        DataType::Int64 => stays(RowId::Number(ids.as_primitive::<Int64Type>().value(row))),
        DataType::Utf8 => stays(RowId::Text(ids.as_string::<i32>().value(row))),
        _ => true,
    };
    Ok((0..batch.num_rows()).map(|row| Some(ids.is_valid(row) && stays(row))).collect())
}

pub(super) fn without_ids(store: &str) -> Error {
    Error::invalid_argument(format!(
        "{store} has no column of ids: somebody has altered it, and it was not changed"
    ))
    .with_hint("Restore it, or remove it and sync again.")
}
