//! Keeps a store equal to a query: rows, removals and the state of the store change together, or not at all.

mod changes;
mod difference;
mod erase;
mod file;
mod folder;
mod parquet;
mod reader;
mod state;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use chrono::TimeDelta;
use sondage::paging::Progress;
use sondage::reports::{StoreColumn, StoreValue, SyncReport};
use sondage::{Error, Result, internals::runtime};

use crate::column::row_id::RowId;
use crate::delta::{IdList, OVERLAP};
use crate::query::{Interviews, PageObserver};
pub use changes::ChangeSet;
use changes::StoreBefore;
pub(crate) use changes::SyncChoices;
pub use erase::{erase_from_store, erased_rows};
pub use file::ChangesFile;
pub use folder::ParquetFolder;
pub use parquet::ParquetFile;

/// A store that a sync keeps equal to a query.
///
/// A sync calls [`state`](Self::state), reads the changes from the service, and then calls the other functions in the order in which they
/// are listed here. Whatever happens between two of them, the store must have the rows and the state of before until
/// [`commit`](Self::commit) has succeeded.
pub trait Destination: Send {
    /// What the store is called in errors: `` `survey.parquet` ``.
    fn name(&self) -> String;

    /// The state that was committed last; `None` if the store is new. It excludes other syncs until it is dropped.
    fn state(&mut self) -> Result<Option<String>>;

    /// Passes on the ids of all of its rows, as text, if it has a state.
    fn ids(&mut self, take: &mut dyn FnMut(&str)) -> Result<()>;

    /// The names of the columns that it has, if somebody else could have changed them: a column that is missing stops the sync, and so
    /// does one that a new column would overwrite. Columns without any value may be left out.
    fn columns(&mut self) -> Result<Option<Vec<String>>> {
        Ok(None)
    }

    /// A folder for the pages that are read, with the permissions of its owner only; it is emptied at the end.
    fn folder(&self) -> Result<PathBuf>;

    /// Begins the transaction.
    fn begin(&mut self, change: &StoreChange) -> Result<()>;

    /// Removes rows.
    fn delete(&mut self, ids: &[String]) -> Result<()>;

    /// Adds rows, or replaces those with the same ids.
    fn upsert(&mut self, rows: &RecordBatch) -> Result<()>;

    /// Stores the state, and ends the transaction.
    fn commit(&mut self, state: &str) -> Result<()>;

    /// Removes rows and stores the state in a transaction of its own, without the functions above: of people who were erased, so nothing
    /// of the rows should be left in the store.
    fn erase(&mut self, ids: &[String], state: &str) -> Result<()>;
}

/// What a transaction does to a store.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoreChange {
    /// The columns that the store has afterwards; those of questions have their labels in their metadata.
    pub schema: SchemaRef,
    /// The name of the column that identifies a row.
    pub id: String,
    /// The columns, with their types and questions.
    pub columns: Vec<StoreColumn>,
    /// The codes and labels of the columns.
    pub values: Vec<StoreValue>,
    /// Whether the store is new, or all of its rows are replaced or removed.
    pub complete: bool,
    /// Whether the store has no rows yet, and no two of those that come have the same id: none of them has to be looked for.
    pub is_new: bool,
    /// The columns that are removed first: the rows do not have them any more, or with another type. Only if it is `complete`. Columns
    /// that no sync has made are never among them.
    pub dropped: Vec<String>,
    /// The rows that are replaced or removed.
    replaced: Arc<crate::delta::IdSet>,
}

impl StoreChange {
    /// The removal of rows.
    pub(crate) fn without(schema: SchemaRef, id: String, ids: &[String]) -> Self {
        let mut replaced = IdList::default();
        for id in ids {
            replaced.insert_text(id);
        }
        let (columns, values, dropped) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            schema,
            id,
            columns,
            values,
            complete: false,
            is_new: false,
            dropped,
            replaced: Arc::new(replaced.into_set()),
        }
    }

    /// Whether a row of the store is replaced or removed.
    pub fn replaces(&self, id: RowId<'_>) -> bool {
        self.complete || self.replaced.contains_id(id)
    }

    /// The same with an id as text.
    pub(crate) fn replaces_text(&self, id: &str) -> bool {
        self.complete || self.replaced.contains(id)
    }
}

/// The store at a path: a file if it ends in `.parquet` or is one, and otherwise a folder.
pub fn store_at(path: impl Into<PathBuf>, shared: bool) -> Box<dyn Destination> {
    let path = path.into();
    let ends = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"));
    if ends && !path.is_dir() || path.is_file() {
        return Box::new(ParquetFile::new(path).shared(shared));
    }
    Box::new(ParquetFolder::new(path).shared(shared))
}

/// Keeps a store equal to a query.
///
/// ```no_run
/// # async fn example(client: sondage::Client) -> sondage::Result<()> {
/// use sondage_data::{ParquetFile, Tables};
/// let report = client.interviews(7).sync(ParquetFile::new("s7.parquet")).run().await?;
/// println!("{} added, {} changed, {} removed", report.added, report.changed, report.removed);
/// # Ok(())
/// # }
/// ```
#[must_use = "a sync begins with `run`"]
pub struct StoreSync {
    query: Interviews,
    store: Box<dyn Destination>,
    choices: SyncChoices,
}

impl Interviews {
    /// Keeps a store equal to this query.
    pub fn sync(&self, store: impl Destination + 'static) -> StoreSync {
        self.sync_to(Box::new(store))
    }

    /// The same with a store that is known only when the program runs.
    pub fn sync_to(&self, store: Box<dyn Destination>) -> StoreSync {
        StoreSync { query: self.clone(), store, choices: SyncChoices::default() }
    }
}

impl Default for SyncChoices {
    fn default() -> Self {
        SyncChoices { overlap: OVERLAP, evolve: false, watch: PageObserver::default() }
    }
}

impl StoreSync {
    /// Whether columns that are new, gone or of another type change the store. Default: they are an error, and nothing is changed.
    pub fn evolve(mut self, evolve: bool) -> Self {
        self.choices.evolve = evolve;
        self
    }

    /// How far before the last stored change a sync starts to read, because rows may be written late. Default: five minutes.
    pub fn overlap(mut self, overlap: Duration) -> Self {
        self.choices.overlap = TimeDelta::from_std(overlap).unwrap_or(TimeDelta::MAX);
        self
    }

    /// Calls `watch` after each page.
    pub fn on_progress(mut self, watch: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.choices.watch = PageObserver::new(watch);
        self
    }

    /// Reads the changes, and stores them.
    pub async fn run(mut self) -> Result<SyncReport> {
        let begun = Instant::now();
        let mut before = None;
        if let Some(state) = self.store.state()? {
            let mut ids = IdList::default();
            self.store.ids(&mut |id| ids.insert_text(id))?;
            before = Some(StoreBefore { state, ids: ids.into_set(), columns: self.store.columns()? });
        }
        let (name, folder) = (self.store.name(), self.store.folder()?);
        let changes = ChangeSet::read(&self.query, &name, before, &self.choices, folder).await?;
        let written = runtime::handle().spawn_blocking(move || changes.write(&mut *self.store));
        let mut report = match written.await {
            Ok(report) => report?,
            Err(error) => return Err(Error::internal(format!("the store was not written: {error}"))),
        };
        report.took = begun.elapsed();
        Ok(report)
    }
}
