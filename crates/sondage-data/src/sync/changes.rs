//! The changes that make a store equal to a query.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, BooleanArray, RecordBatch};
use arrow_schema::{DataType, FieldRef, SchemaRef};
use arrow_select::filter::filter_record_batch;
use chrono::TimeDelta;
use sondage::reports::{StoreChanges, SyncReport};
use sondage::{Error, Result};

use super::reader::{ChangeReader, disk};
use super::state::SyncState;
use super::{Destination, StoreChange};
use crate::column::row_id::RowId;
use crate::delta::IdSet;
use crate::query::{ID, Interviews, PageObserver};
use crate::spool::PageSpool;
use crate::table::streamed::Streamed;

/// The most ids that are deleted in one step.
const IDS: usize = 1_000;

/// What a caller chooses.
#[derive(Clone)]
pub(crate) struct SyncChoices {
    pub(crate) overlap: TimeDelta,
    pub(crate) evolve: bool,
    pub(crate) watch: PageObserver,
}

/// What a store has.
pub(crate) struct StoreBefore {
    pub(crate) state: String,
    pub(crate) ids: IdSet,
    /// The names of its columns, if somebody else could have changed them.
    pub(crate) columns: Option<Vec<String>>,
}

/// The changes that make a store equal to a query, read completely. Their rows are on disk.
pub struct ChangeSet {
    pub(super) rows: Streamed,
    pub(super) spool: PageSpool,
    pub(super) removed: IdSet,
    /// Whether some of the rows were removed while they were read.
    pub(super) are_gone: bool,
    pub(super) change: StoreChange,
    pub(super) state: SyncState,
    pub(super) report: SyncReport,
}

impl ChangeSet {
    /// Reads the changes since a state. `store`: what the store is called in errors.
    pub(crate) async fn read(
        query: &Interviews,
        store: &str,
        before: Option<StoreBefore>,
        choices: &SyncChoices,
        folder: PathBuf,
    ) -> Result<Self> {
        let query = with_id(query)?;
        let identity = query.identity()?;
        let (before, known, present) = match before {
            Some(StoreBefore { state, ids, columns }) => {
                let state = SyncState::read(&state, store, &identity, &ids)?;
                state.check_columns(store, columns.as_deref())?;
                (state, ids, columns.unwrap_or_default())
            }
            None => (SyncState::new(identity), IdSet::default(), Vec::new()),
        };
        let mut reader = ChangeReader::new(query, choices.clone(), folder, before, known, present);
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
            difference = reader.difference(&settled);
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
            && self.report.columns_relabelled.is_empty()
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
        facts.dropped.clone_from(&self.change.dropped);
        facts.is_empty = self.is_empty();
        facts.number = self.state.number - 1;
        facts.columns.clone_from(&self.change.columns);
        facts.values.clone_from(&self.change.values);
        Ok(facts)
    }

    /// Writes everything to a store.
    pub(super) fn write(self, store: &mut dyn Destination) -> Result<SyncReport> {
        if self.is_empty() {
            return Ok(self.report);
        }
        store.begin(&self.change)?;
        let ids: Vec<String> = self.removed().collect();
        ids.chunks(IDS).try_for_each(|some| store.delete(some))?;
        self.for_each(|rows| store.upsert(&rows))?;
        store.commit(&self.state()?)?;
        Ok(self.report)
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

/// The query with the column that identifies a row.
fn with_id(query: &Interviews) -> Result<Interviews> {
    let is_id = |name: &String| name.eq_ignore_ascii_case(ID);
    let selected = query.request()?.fields_to_download.filter(|fields| !fields.iter().any(is_id));
    Ok(match selected {
        Some(fields) => query.clone().fields([ID.to_owned()].into_iter().chain(fields)),
        None => query.clone(),
    })
}
