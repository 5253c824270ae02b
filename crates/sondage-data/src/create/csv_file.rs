//! A CSV file as Arrow: every column holds text, so that no digit of a phone number is lost.

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::quotes::Quotes;
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use sondage::{Error, Result};

/// Rows per batch.
const ROWS: usize = 4_096;

/// The rows of a UTF-8 CSV file whose first line names the columns; an empty cell is null.
pub fn csv_rows(path: &Path) -> Result<impl RecordBatchReader + Send + use<>> {
    let failed = |error: &csv::Error| Error::from(UnreadFile::of(path, error));
    let file = File::open(path).map_err(|error| failed(&error.into()))?;
    let mut file = csv::Reader::from_reader(Quotes::of(file));
    let names = file.headers().map_err(|error| failed(&error))?.clone();
    let field = |name: &str| Field::new(name.trim_start_matches('\u{feff}'), DataType::Utf8, true);
    let schema = Arc::new(Schema::new(names.iter().map(field).collect::<Vec<_>>()));
    let mut batches = CsvBatches { path: path.to_owned(), file, schema: Arc::clone(&schema), line: 1 };
    Ok(RecordBatchIterator::new(std::iter::from_fn(move || batches.next().transpose()), schema))
}

/// How to convert another encoding, in the terms of spreadsheet programs.
const SAVE_AS: &str = "Save the file as UTF-8: spreadsheets call it \"CSV UTF-8\".";

/// How to correct another mistake.
const CORRECT: &str = "Correct the file: a value with a comma, a quote or a line break is written in quotes.";

/// Why a file cannot be read, and what to do.
#[derive(Debug)]
pub(crate) struct UnreadFile {
    what: String,
    next: &'static str,
}

impl UnreadFile {
    fn of(path: &Path, error: &csv::Error) -> Self {
        let next = match error.kind() {
            csv::ErrorKind::Io(_) => "Check the path.",
            _ if is_other_text(error) => SAVE_AS,
            _ => CORRECT,
        };
        Self { what: unreadable(path, error), next }
    }

    /// A value swallows the rest of the file.
    fn unclosed(path: &Path, line: u64) -> Self {
        let what = format!(
            "`{}` has a quote that is never closed, in the row that begins in line {line}",
            path.display()
        );
        Self { what, next: CORRECT }
    }
}

impl fmt::Display for UnreadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. {}", self.what, self.next)
    }
}

impl std::error::Error for UnreadFile {}

impl From<UnreadFile> for Error {
    fn from(UnreadFile { what, next }: UnreadFile) -> Self {
        Self::invalid_argument(what).with_hint(next)
    }
}

/// Why a file cannot be read. The text quotes nothing of its content.
fn unreadable(path: &Path, error: &csv::Error) -> String {
    let (path, line) = (path.display(), error.position().map(csv::Position::line));
    match (is_other_text(error), line) {
        (false, _) => match error.kind() {
            csv::ErrorKind::Io(error) => format!("`{path}` cannot be read: {error}"),
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                let place = line.map_or_else(String::new, |line| format!("line {line} of "));
                let values = if *len == 1 { "value" } else { "values" };
                format!("{place}`{path}` has {len} {values}, and its first line names {expected_len} columns")
            }
            _ => format!("`{path}` cannot be read as CSV: {error}"),
        },
        (true, Some(line)) => format!("`{path}` is not text in UTF-8, in line {line}"),
        (true, None) => format!("`{path}` is not text in UTF-8"),
    }
}

fn is_other_text(error: &csv::Error) -> bool {
    matches!(error.kind(), csv::ErrorKind::Utf8 { .. })
}

struct CsvBatches {
    path: PathBuf,
    file: csv::Reader<Quotes<File>>,
    schema: SchemaRef,
    /// The line in which the last row begins.
    line: u64,
}

impl CsvBatches {
    fn next(&mut self) -> std::result::Result<Option<RecordBatch>, ArrowError> {
        let mut columns: Vec<StringBuilder> =
            self.schema.fields().iter().map(|_| StringBuilder::new()).collect();
        let (mut record, mut rows) = (csv::StringRecord::new(), 0);
        while rows < ROWS {
            let more = self.file.read_record(&mut record).map_err(|error| UnreadFile::of(&self.path, &error));
            if !more.map_err(external)? {
                // The reader of the file takes its end for that of the value, so what stood below is lost.
                if self.file.get_ref().are_open() {
                    return Err(external(UnreadFile::unclosed(&self.path, self.line)));
                }
                break;
            }
            self.line = record.position().map_or(self.line, csv::Position::line);
            for (cell, column) in record.iter().zip(&mut columns) {
                column.append_option((!cell.is_empty()).then_some(cell));
            }
            rows += 1;
        }
        if rows == 0 {
            return Ok(None);
        }
        let columns = columns.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).collect();
        RecordBatch::try_new(Arc::clone(&self.schema), columns).map(Some)
    }
}

fn external(error: UnreadFile) -> ArrowError {
    ArrowError::from_external_error(Box::new(error))
}
