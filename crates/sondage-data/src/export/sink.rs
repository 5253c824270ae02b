//! A file that is written completely or not at all.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Schema, SchemaRef};
use sondage::files::{DraftFile, Readers};

use super::csv::Csv;
use super::dta::{self, Dta};
use super::jsonl::JsonLines;
use super::labelled::{self, Labelled, Meanings};
use super::parquet::Parquet;
use super::sav::{self, Sav};
use super::xlsx::Xlsx;
use super::{FileFormat, FileOptions};
use crate::error::Warning;
use crate::table::streamed::{PageSource, Streamed};
use crate::table::unavailable::UnavailableRows;
use crate::table::{Table, metadata};

/// A file that a table was written to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SavedFile {
    /// Its size in bytes.
    pub size: u64,
    /// Warnings: what the format cannot hold, and how it was changed.
    pub warnings: Vec<Warning>,
}

/// Encodes rows in a file format.
pub(crate) trait RowWriter: Send {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()>;

    /// Why answers are missing in the batch that is written next; most formats have no place for it.
    fn note(&mut self, _: &[UnavailableRows<'_>]) {}

    /// Ends the file. Returns what the format cannot hold, and how it was changed.
    fn finish(self: Box<Self>) -> io::Result<Vec<Warning>>;
}

/// The schema to write.
pub(super) trait RowSource {
    fn schema(&self) -> SchemaRef;

    /// What the columns mean, by their place in the schema.
    fn variables(&self) -> Meanings;

    fn rows(&self) -> usize;

    /// The columns that contain only JSON.
    fn json(&self) -> Vec<bool>;

    /// For each column of labels: all labels, in their order.
    fn dictionaries(&self) -> Vec<Option<ArrayRef>>;

    /// Passes on the rows, in batches, with those of each batch whose answers are missing because a choice is not available.
    fn for_each(
        &self,
        take: impl FnMut(RecordBatch, &[UnavailableRows<'_>]) -> io::Result<()>,
    ) -> io::Result<()>;
}

impl<P: PageSource> RowSource for (&Streamed, &P) {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }

    fn variables(&self) -> Meanings {
        self.0.variables()
    }

    fn rows(&self) -> usize {
        self.0.rows
    }

    fn json(&self) -> Vec<bool> {
        self.0.json.clone()
    }

    fn dictionaries(&self) -> Vec<Option<ArrayRef>> {
        self.0.dictionaries()
    }

    fn for_each(
        &self,
        take: impl FnMut(RecordBatch, &[UnavailableRows<'_>]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.0.for_each(self.1, take)
    }
}

impl RowSource for Table {
    fn schema(&self) -> SchemaRef {
        Table::schema(self)
    }

    fn variables(&self) -> Meanings {
        self.shown_variables()
    }

    fn rows(&self) -> usize {
        self.num_rows()
    }

    fn json(&self) -> Vec<bool> {
        self.json_columns()
    }

    fn dictionaries(&self) -> Vec<Option<ArrayRef>> {
        Table::dictionaries(self)
    }

    fn for_each(
        &self,
        mut take: impl FnMut(RecordBatch, &[UnavailableRows<'_>]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut batches = self.batches().iter().cloned().enumerate();
        batches.try_for_each(|(number, batch)| take(batch, &self.unavailable_rows(number)))
    }
}

/// Writes a table to `path`: first to a draft, named `part` if it is given; then it is renamed. Pages that must be buffered on the way are
/// in the file `waiting`, or otherwise in memory.
pub(super) fn write(
    table: &impl RowSource,
    format: FileFormat,
    part: Option<PathBuf>,
    path: &Path,
    waiting: Option<&Path>,
    options: &FileOptions,
) -> io::Result<SavedFile> {
    let readers = if options.shared { Readers::Usual } else { Readers::Owner };
    let mut draft = match part {
        Some(part) => DraftFile::at(part, path, readers)?,
        None => DraftFile::new(path, readers)?,
    };
    let schema = table.schema();
    let to = BufWriter::with_capacity(1 << 16, draft.file().try_clone()?);
    let mut rows: Box<dyn RowWriter> = match format {
        FileFormat::Parquet => Box::new(Parquet::new(to, &schema, table.dictionaries(), waiting)?),
        FileFormat::Csv => Box::new(Csv::new(to, &schema, options)?),
        FileFormat::JsonLines => Box::new(JsonLines::new(to, &schema, table.json())?),
        FileFormat::Xlsx => {
            let folder = waiting.unwrap_or(path).parent().filter(|folder| !folder.as_os_str().is_empty());
            Box::new(Xlsx::new(to, table, folder.unwrap_or(Path::new(".")))?)
        }
        FileFormat::Sav => {
            let mut prepared = labelled::prepared(table, &sav::LIMITS)?;
            let writer = Sav::new(to, &mut prepared, survey(&schema), options.weight.as_deref())?;
            Box::new(Labelled::new(prepared, writer))
        }
        FileFormat::Dta => {
            let mut prepared = labelled::prepared(table, &dta::LIMITS)?;
            let writer = Dta::new(to, &mut prepared, survey(&schema), waiting)?;
            Box::new(Labelled::new(prepared, writer))
        }
    };
    table.for_each(|batch, unavailable| {
        rows.note(unavailable);
        rows.write(&batch)
    })?;
    let warnings = rows.finish()?;
    let size = draft.file().metadata()?.len();
    draft.commit()?;
    Ok(SavedFile { size, warnings })
}

/// A writer of rows for a database, which loads the file. `waiting`: the file for pages of a row group that is not complete.
pub(crate) fn writer(
    format: FileFormat,
    to: BufWriter<File>,
    schema: &Schema,
    waiting: &Path,
) -> io::Result<Box<dyn RowWriter>> {
    let columns = schema.fields().len();
    Ok(match format {
        FileFormat::Csv => Box::new(Csv::new(to, schema, &FileOptions::default())?),
        FileFormat::JsonLines => Box::new(JsonLines::new(to, schema, vec![false; columns])?),
        _ => Box::new(Parquet::new(to, schema, vec![None; columns], Some(waiting))?),
    })
}

/// The name of the survey.
fn survey(schema: &Schema) -> Option<&str> {
    schema.metadata().get(metadata::SURVEY_NAME).map(String::as_str)
}
