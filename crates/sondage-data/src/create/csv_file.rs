//! A CSV file as Arrow: every column holds text, so that no digit of a phone number is lost.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::guard;
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use sondage::internals::csv_text::{self, CsvText, LineCount};
use sondage::{Error, Result};
use sondage_jobs::RowsFormat;
use sondage_jobs::import::RowLines;

/// Rows per batch.
const ROWS: usize = 4_096;

/// Where a schema says how the file was read.
const SEPARATOR: &str = "sondage.csv.separator";
const ENCODING: &str = "sondage.csv.encoding";
pub(super) const DECIMAL: &str = "sondage.csv.decimal";
pub(super) const SHEET: &str = "sondage.sheet";
/// Where the schema of a batch says in which lines its rows begin.
const LINES: &str = "sondage.lines";

/// How a CSV file is to be read. What is not named is recognised, or the file is refused with what it may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Csv {
    /// What separates the columns: a sign such as `;`, or `tab`.
    pub separator: Option<String>,
    /// The encoding: a name of the WHATWG Encoding Standard such as `windows-1252`, also as Python writes it.
    pub encoding: Option<String>,
    /// What separates the decimals of numbers: `.` or `,`.
    pub decimal: Option<String>,
    /// Whether texts have the sign `'` before them that a file for spreadsheets has ([`FileOptions::spreadsheet`](crate::FileOptions::spreadsheet)): it is
    /// removed, or belongs to the text.
    pub guarded: Option<bool>,
}

impl Csv {
    /// Everything is recognised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Names the separator of the columns.
    #[must_use]
    pub fn separator(self, sign: impl Into<String>) -> Self {
        Self { separator: Some(sign.into()), ..self }
    }

    /// Names the encoding.
    #[must_use]
    pub fn encoding(self, name: impl Into<String>) -> Self {
        Self { encoding: Some(name.into()), ..self }
    }

    /// Names the sign before the decimals of numbers.
    #[must_use]
    pub fn decimal(self, sign: impl Into<String>) -> Self {
        Self { decimal: Some(sign.into()), ..self }
    }

    /// Says whether texts have the sign `'` before them that a file for spreadsheets has.
    #[must_use]
    pub fn guarded(self, is_guarded: bool) -> Self {
        Self { guarded: Some(is_guarded), ..self }
    }
}

/// The rows of a CSV file whose first line names the columns; an empty cell is null. A row without a value is ignored. The separator and the encoding are
/// recognised.
pub fn csv_rows(path: &Path) -> Result<impl RecordBatchReader + Send + use<>> {
    csv_rows_as(path, &Csv::new())
}

/// The same; what is named overrides what is recognised.
pub fn csv_rows_as(path: &Path, csv: &Csv) -> Result<impl RecordBatchReader + Send + use<>> {
    let text = csv_text::open(path, csv.separator.as_deref(), csv.encoding.as_deref())?;
    let format = text.format();
    let format = RowsFormat::csv(format.separator, format.encoding, csv.decimal.as_deref())?;
    let mut reader = csv::ReaderBuilder::new();
    // The lengths of rows are checked here, where the line of each is known.
    reader.delimiter(text.separator()).has_headers(false).flexible(true);
    let lines = text.line_count();
    let guarded = csv.guarded;
    let mut file = CsvFile { path: path.to_owned(), line: 0, lines, guarded, file: reader.from_reader(text) };
    let mut names = csv::StringRecord::new();
    if !file.read(&mut names)? {
        let what = format!("`{}` is empty", path.display());
        return Err(UnreadFile { what, next: NAME_COLUMNS }.into());
    }
    // Spreadsheets write columns that were used once: without a name, below which there must be no value.
    let width = names.iter().enumerate().filter(|(_, name)| !name.trim().is_empty()).last();
    let Some(width) = width.map(|(last, _)| last + 1) else {
        let what = format!("the first line of `{}` names no column", path.display());
        return Err(UnreadFile { what, next: NAME_COLUMNS }.into());
    };
    // Whoever forgets the line with the names would see a person in the words about unknown fields.
    if let Some(place) = names.iter().position(|name| name.contains('@')) {
        let (path, place) = (path.display(), place + 1);
        let what = format!(
            "the first line of `{path}` does not name the columns: its value {place} is an e-mail address"
        );
        return Err(UnreadFile { what, next: NAME_COLUMNS }.into());
    }
    let field = |name| Ok(Field::new(file.text(name)?.trim(), DataType::Utf8, true));
    let fields = names.iter().take(width).map(field).collect::<Result<Vec<_>>>()?;
    let schema = Arc::new(Schema::new_with_metadata(fields, metadata_of(format)));
    let mut batches = CsvBatches { file, schema: Arc::clone(&schema), width: names.len() };
    Ok(RecordBatchIterator::new(std::iter::from_fn(move || batches.next().transpose()), schema))
}

fn metadata_of(format: RowsFormat) -> HashMap<String, String> {
    let parts = [(SEPARATOR, format.separator), (ENCODING, format.encoding), (DECIMAL, format.decimal)];
    parts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// How the file was read from which these rows are.
pub(crate) fn rows_format(schema: &Schema) -> Option<RowsFormat> {
    let value = |name| schema.metadata().get(name);
    if let Some(sheet) = value(SHEET) {
        return RowsFormat::workbook(sheet, value(DECIMAL).map(String::as_str)).ok();
    }
    RowsFormat::csv(value(SEPARATOR)?, value(ENCODING)?, value(DECIMAL).map(String::as_str)).ok()
}

/// The rows of a batch, with the lines in which they begin.
pub(super) fn batch_of(
    schema: &Schema,
    columns: Vec<ArrayRef>,
    lines: &RowLines,
) -> std::result::Result<RecordBatch, ArrowError> {
    let mut metadata = schema.metadata().clone();
    metadata.insert(LINES.to_owned(), lines.to_text());
    RecordBatch::try_new(Arc::new(Schema::new_with_metadata(schema.fields().clone(), metadata)), columns)
}

/// The lines of the rows of a batch, and which of its cells are numbers.
pub(crate) fn lines_of(batch: &RecordBatch) -> RowLines {
    let mut lines = RowLines::default();
    let text = batch.schema_ref().metadata().get(LINES);
    lines.append(batch.num_rows(), text.map(String::as_str));
    lines
}

/// Adds the lines of the rows of a batch.
pub(crate) fn add_lines(format: &mut Option<RowsFormat>, batch: &RecordBatch) {
    if let Some(format) = format {
        let lines = batch.schema_ref().metadata().get(LINES);
        format.lines_mut().append(batch.num_rows(), lines.map(String::as_str));
    }
}

/// What to do about a file without the names of its columns.
pub(super) const NAME_COLUMNS: &str = "Name the columns in its first line.";

/// How to correct a mistake.
const CORRECT: &str =
    "Correct the file: a value with a separator, a quote or a line break is written in quotes.";

const SAY_WHETHER_GUARDED: &str = "Say whether it is to be removed, as `guarded`: true, if sondage wrote the file with `spreadsheet`, or false.";

const DOUBLE_QUOTES: &str =
    "Correct the file: a quote in a value is written twice (\"an \"\"n\"\" x\"), not with a backslash.";

/// Why a file cannot be read, and what to do. The text quotes nothing of its content.
#[derive(Debug)]
pub(crate) struct UnreadFile {
    pub(super) what: String,
    pub(super) next: &'static str,
}

impl UnreadFile {
    /// An error of the operating system.
    pub(super) fn of_system(path: &Path, error: &std::io::Error) -> Self {
        Self { what: format!("`{}` cannot be read: {error}", path.display()), next: "Check the path." }
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
        Self::invalid_argument(what).with_hint(sondage::error::Text::from(next))
    }
}

/// A file, and the line in which its last row begins.
struct CsvFile {
    path: PathBuf,
    file: csv::Reader<CsvText>,
    line: u64,
    lines: LineCount,
    guarded: Option<bool>,
}

impl CsvFile {
    /// The text of a cell without the sign of a file for spreadsheets. No file says whether it is one, and a text may begin with the sign.
    fn text<'a>(&self, cell: &'a str) -> std::result::Result<&'a str, UnreadFile> {
        match (guard::without(cell), self.guarded) {
            (None, _) | (_, Some(false)) => Ok(cell),
            (Some(text), Some(true)) => Ok(text),
            (Some(_), None) => {
                let (line, path) = (self.line, self.path.display());
                let what = format!(
                    "a value in line {line} of `{path}` begins with `'`, which files for spreadsheets have before such values"
                );
                Err(UnreadFile { what, next: SAY_WHETHER_GUARDED })
            }
        }
    }

    /// Reads a row. `false`: there is none.
    fn read(&mut self, row: &mut csv::StringRecord) -> std::result::Result<bool, UnreadFile> {
        let read = self.file.read_record(row);
        let (path, end, text) = (self.path.display(), self.file.position(), self.file.get_ref());
        let line = self.lines.line(end.line());
        let more = read.map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(_) if text.is_misquoted() => UnreadFile {
                what: format!("`{path}` has text behind a closing quote in line {line}"),
                next: DOUBLE_QUOTES,
            },
            csv::ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => UnreadFile {
                what: format!("`{path}` is not text in {}, in line {line}", text.format().encoding),
                next: "Correct that line, or name another encoding as `encoding`.",
            },
            csv::ErrorKind::Io(error) => UnreadFile::of_system(&self.path, &error),
            kind => UnreadFile { what: format!("`{path}` cannot be read as CSV: {kind:?}"), next: CORRECT },
        })?;
        if !more {
            return Ok(false);
        }
        // The reader takes the end of the file for that of the value, so what stood below is lost.
        let is_open = text.is_open_at(end.byte());
        self.line = self.lines.start_of(row.as_slice(), end.line(), is_open);
        if is_open {
            let what = format!(
                "`{path}` has a quote that is never closed, in the row that begins in line {}",
                self.line
            );
            return Err(UnreadFile { what, next: CORRECT });
        }
        Ok(true)
    }
}

struct CsvBatches {
    file: CsvFile,
    schema: SchemaRef,
    /// How many values the first line has, which may end with columns without a name.
    width: usize,
}

impl CsvBatches {
    fn next(&mut self) -> std::result::Result<Option<RecordBatch>, ArrowError> {
        let named = self.schema.fields().len();
        let mut columns: Vec<StringBuilder> = (0..named).map(|_| StringBuilder::new()).collect();
        let (mut record, mut rows, mut lines) = (csv::StringRecord::new(), 0, RowLines::default());
        while rows < ROWS && self.file.read(&mut record).map_err(external)? {
            // Spreadsheets write rows that were used once.
            if record.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            let nameless = record.iter().skip(named).any(|cell| !cell.trim().is_empty());
            if record.len() < self.width || nameless {
                return Err(external(self.misfit(record.len(), nameless)));
            }
            for (cell, column) in record.iter().zip(&mut columns) {
                let cell = self.file.text(cell).map_err(external)?;
                column.append_option((!cell.is_empty()).then_some(cell));
            }
            lines.push(self.file.line);
            rows += 1;
        }
        if rows == 0 {
            return Ok(None);
        }
        let columns = columns.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).collect();
        batch_of(&self.schema, columns, &lines).map(Some)
    }

    /// A row that has not the columns of the first line.
    fn misfit(&self, count: usize, nameless: bool) -> UnreadFile {
        let (line, path, named) = (self.file.line, self.file.path.display(), self.schema.fields().len());
        let what = if nameless && count <= self.width {
            format!("line {line} of `{path}` has a value in a column without a name")
        } else {
            let values = if count == 1 { "value" } else { "values" };
            format!("line {line} of `{path}` has {count} {values}, and its first line names {named} columns")
        };
        UnreadFile { what, next: CORRECT }
    }
}

pub(super) fn external(error: UnreadFile) -> ArrowError {
    ArrowError::from_external_error(Box::new(error))
}
