//! A Parquet file as a store, with its state in its metadata: the file and the state are replaced together.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema};
use arrow_select::filter::filter_record_batch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use sondage::files::{self, DraftFile, FileLock, Readers};
use sondage::{Error, Result};

use super::changes::{aligned, staying, without_ids};
use super::{Destination, StoreChange};
use crate::export::{ParquetWriter, RowWriter as _};
use crate::place::{check_name, check_place};
use crate::query::ID;

/// The metadata of the file in which its state is.
const STATE: &str = "sondage.sync";
/// Rows that are read at once.
pub(super) const ROWS: usize = 8_192;

/// A Parquet file that is kept equal to a query. It is replaced as a whole: readers see the file of before or the new one.
pub struct ParquetFile {
    path: PathBuf,
    readers: Readers,
    lock: Option<FileLock>,
    draft: Option<Draft>,
}

/// The new file.
struct Draft {
    file: DraftFile,
    rows: ParquetWriter<BufWriter<File>>,
    change: StoreChange,
    waiting: PathBuf,
}

impl ParquetFile {
    /// A file, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), readers: Readers::Owner, lock: None, draft: None }
    }

    /// Whether the file gets the process's usual permissions. Otherwise only its owner can read it.
    #[must_use]
    pub fn shared(mut self, shared: bool) -> Self {
        self.readers = if shared { Readers::Usual } else { Readers::Owner };
        self
    }

    fn failed(&self, error: &io::Error) -> Error {
        unwritable(&self.name(), error)
    }

    /// Its rows, if it exists.
    fn reader(&self) -> Result<Option<ParquetRecordBatchReaderBuilder<File>>> {
        let file = match files::open_to_read(&self.path, true) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.unreadable(&error)),
        };
        ParquetRecordBatchReaderBuilder::try_new(file).map(Some).map_err(|error| self.unreadable(&error))
    }

    fn unreadable(&self, error: &dyn std::error::Error) -> Error {
        unreadable(&self.name(), error)
    }

    /// Copies the rows that stay.
    fn copy(&self, reader: ParquetRecordBatchReader, draft: &mut Draft) -> Result<()> {
        for batch in reader {
            let batch = batch.map_err(|error| self.unreadable(&error))?;
            let change = &draft.change;
            let stays = staying(&batch, &change.id, |id| !change.replaces(id))
                .map_err(|error| self.failed(&error))?;
            let stays = filter_record_batch(&batch, &stays).map_err(|error| self.unreadable(&error))?;
            let rows = aligned(&stays, &draft.change.schema).map_err(|error| self.failed(&error))?;
            draft.rows.write(&rows).map_err(|error| self.failed(&error))?;
        }
        Ok(())
    }
}

pub(super) fn unwritable(store: &str, error: &io::Error) -> Error {
    crate::place::refused(error).unwrap_or_else(|| {
        Error::invalid_argument(format!("{store} could not be written, and is as it was: {error}"))
            .with_safe_to_retry(true)
            .caused_by(error)
    })
}

pub(super) fn unreadable(store: &str, error: &dyn std::error::Error) -> Error {
    Error::invalid_argument(format!(
        "{store} cannot be read as a Parquet file, so nothing was changed: {error}"
    ))
    .with_hint("Give the path of a file that a sync has written, or one at which there is no file yet.")
}

pub(super) fn locked_by_another(store: &str) -> Error {
    Error::invalid_argument(format!("another sync is writing {store}; this one has changed nothing"))
        .with_hint("Wait until it has ended.")
        .with_safe_to_retry(true)
}

/// Passes on the ids of a file's rows.
pub(super) fn pass_ids(
    reader: ParquetRecordBatchReaderBuilder<File>,
    store: &str,
    take: &mut dyn FnMut(&str),
) -> Result<()> {
    let column = reader.schema().fields().iter().position(|field| field.name().eq_ignore_ascii_case(ID));
    let Some(column) = column else { return Err(without_ids(store)) };
    let mask = ProjectionMask::roots(reader.parquet_schema(), [column]);
    let batches = reader.with_projection(mask).with_batch_size(ROWS).build();
    for batch in batches.map_err(|error| unreadable(store, &error))? {
        let batch = batch.map_err(|error| unreadable(store, &error))?;
        let ids = batch.column(0);
        for row in (0..batch.num_rows()).filter(|row| ids.is_valid(*row)) {
            match ids.data_type() {
                DataType::Int64 => take(&ids.as_primitive::<Int64Type>().value(row).to_string()),
                DataType::Utf8 => take(ids.as_string::<i32>().value(row)),
                _ => return Err(without_ids(store)),
            }
        }
    }
    Ok(())
}

impl Destination for ParquetFile {
    fn name(&self) -> String {
        format!("`{}`", self.path.display())
    }

    fn state(&mut self) -> Result<Option<String>> {
        check_name(&self.path, "Parquet", &["parquet"])?;
        check_place(&self.path)?;
        let lock = FileLock::beside(&self.path).map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => locked_by_another(&self.name()),
            _ => self.failed(&error),
        })?;
        files::sweep(&self.path).map_err(|error| self.failed(&error))?;
        self.lock = Some(lock);
        let Some(reader) = self.reader()? else { return Ok(None) };
        let metadata = reader.metadata().file_metadata().key_value_metadata();
        let state =
            metadata.into_iter().flatten().find(|pair| pair.key == STATE).and_then(|pair| pair.value.clone());
        state.map(Some).ok_or_else(|| {
            Error::invalid_argument(format!("{} was not made by a sync; it was not changed", self.name()))
                .with_hint("Give a path at which there is no file yet.")
        })
    }

    fn ids(&mut self, take: &mut dyn FnMut(&str)) -> Result<()> {
        let Some(reader) = self.reader()? else { return Ok(()) };
        pass_ids(reader, &self.name(), take)
    }

    fn columns(&mut self) -> Result<Option<Vec<String>>> {
        let Some(reader) = self.reader()? else { return Ok(None) };
        let typed = reader.schema().fields().iter().filter(|field| *field.data_type() != DataType::Null);
        Ok(Some(typed.map(|field| field.name().clone()).collect()))
    }

    fn folder(&self) -> Result<PathBuf> {
        Ok(files::with_ending(&self.path, ".part"))
    }

    fn begin(&mut self, change: &StoreChange) -> Result<()> {
        let waiting = files::with_ending(&self.path, ".part").join("waiting.new");
        let started = || {
            let mut file = DraftFile::new(&self.path, self.readers)?;
            let to = BufWriter::with_capacity(1 << 16, file.file().try_clone()?);
            let columns = change.schema.fields().len();
            let rows = ParquetWriter::new(to, &change.schema, vec![None; columns], Some(&waiting))?;
            Ok(Draft { file, rows, change: change.clone(), waiting: waiting.clone() })
        };
        let mut draft = started().map_err(|error| self.failed(&error))?;
        if !change.complete {
            let reader = self.reader()?.ok_or_else(|| {
                Error::invalid_argument(format!("{} was removed during the sync", self.name()))
                    .with_safe_to_retry(true)
            })?;
            let reader = reader.with_batch_size(ROWS).build().map_err(|error| self.unreadable(&error))?;
            self.copy(reader, &mut draft)?;
        }
        self.draft = Some(draft);
        Ok(())
    }

    fn delete(&mut self, _: &[String]) -> Result<()> {
        // They were not copied.
        Ok(())
    }

    fn upsert(&mut self, rows: &RecordBatch) -> Result<()> {
        match &mut self.draft {
            Some(draft) => draft.rows.write(rows).map_err(|error| self.failed(&error)),
            None => Err(Error::internal("rows without a transaction")),
        }
    }

    fn commit(&mut self, state: &str) -> Result<()> {
        let mut draft = self.draft.take().ok_or_else(|| Error::internal("a state without a transaction"))?;
        draft.rows.describe(STATE, state.to_owned());
        if let Some(lock) = &self.lock {
            lock.check().map_err(|error| self.failed(&error))?;
        }
        let finished = Box::new(draft.rows).finish().and_then(|_| draft.file.commit());
        let _ = std::fs::remove_file(&draft.waiting);
        finished.map_err(|error| self.failed(&error))
    }

    fn erase(&mut self, ids: &[String], state: &str) -> Result<()> {
        let reader = self.reader()?.ok_or_else(|| without_ids(&self.name()))?;
        let mut metadata = reader.schema().metadata().clone();
        metadata.remove(STATE);
        let schema = Schema::new_with_metadata(reader.schema().fields().clone(), metadata);
        let id = schema.fields().iter().find(|field| field.name().eq_ignore_ascii_case(ID));
        let id = id.ok_or_else(|| without_ids(&self.name()))?.name().clone();
        let folder = self.folder()?;
        files::private_folder(&folder).map_err(|error| self.failed(&error))?;
        let begun = self.begin(&StoreChange::without(Arc::new(schema), id, ids));
        let done = begun.and_then(|()| self.commit(state));
        // If this fails, the next sync removes it.
        let _ = std::fs::remove_dir_all(folder);
        done
    }
}

impl std::fmt::Debug for ParquetFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetFile").field("path", &self.path).finish_non_exhaustive()
    }
}
