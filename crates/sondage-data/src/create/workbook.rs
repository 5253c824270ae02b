//! A sheet of a workbook (.xlsx) as Arrow: every column holds text, like those of a CSV file, so that a number is typed by the field
//! it belongs to.

mod cell;
mod code_format;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use calamine::{DataRef, Reader as _, SheetType, SheetVisible, Xlsx, XlsxError};
use sondage::error::Text;
use sondage::{Error, Result, text};

use sondage_jobs::RowsFormat;
use sondage_jobs::import::RowLines;

use self::code_format::CodeFormat;
use super::csv_file::{Csv, DECIMAL, NAME_COLUMNS, SHEET, UnreadFile, batch_of, csv_rows_as, external};

/// Rows per batch.
const ROWS: usize = 4_096;

/// The rows of a CSV file as [`csv_rows_as`] reads them, or those of a workbook as [`workbook_rows`] does: the content decides. A file
/// that is named .xlsx and is no workbook is an error.
pub fn file_rows(path: &Path, csv: &Csv, sheet: Option<&str>) -> Result<Box<dyn RecordBatchReader + Send>> {
    let refused = |what: Text| Err(Error::invalid_argument(what).with_hint("Nothing was sent."));
    if !is_workbook(path)? {
        return match sheet {
            None if is_named_workbook(path) => {
                let what = text!(
                    "`{}` is no workbook (.xlsx): its content is text or of another kind",
                    path.display()
                );
                let hint = "Nothing was sent. Save it as a workbook, or name it .csv if it is a CSV file.";
                Err(Error::invalid_argument(what).with_hint(hint))
            }
            None => Ok(Box::new(csv_rows_as(path, csv)?)),
            Some(_) => refused(text!("`sheet` is for workbooks (.xlsx), and `{}` is none", path.display())),
        };
    }
    if csv.separator.is_some() || csv.encoding.is_some() || csv.guarded.is_some() {
        return refused(text!(
            "`separator`, `encoding` and `guarded` are for CSV files, and `{}` is a workbook",
            path.display()
        ));
    }
    Ok(Box::new(workbook_rows_as(path, sheet, csv.decimal.as_deref())?))
}

/// The rows of a sheet of a workbook (.xlsx), whose first row with a value names the columns; an empty cell is null, and a row without
/// a value is ignored. Default: the first sheet that is shown.
///
/// Numbers become texts without a needless decimal point (`123`), dates `2024-05-01`, times `2024-05-01 14:30:00`. A cell with an
/// error, with a formula whose result is not stored, or with an integer of more than 15 digits is an error.
pub fn workbook_rows(path: &Path, sheet: Option<&str>) -> Result<impl RecordBatchReader + Send + use<>> {
    workbook_rows_as(path, sheet, None)
}

/// The same; `decimal` is what separates the decimals of numbers in cells of text, `.` or `,`. Default: it is recognised, or the rows are
/// refused.
pub fn workbook_rows_as(
    path: &Path,
    sheet: Option<&str>,
    decimal: Option<&str>,
) -> Result<impl RecordBatchReader + Send + use<>> {
    RowsFormat::workbook("", decimal)?;
    let mut sheet = Sheet::open(path, sheet)?;
    let names = sheet.read_names()?;
    let fields: Vec<Field> = names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
    let sign = decimal.map(|sign| (DECIMAL.to_owned(), sign.to_owned()));
    let metadata: HashMap<_, _> = [(SHEET.to_owned(), sheet.name.clone())].into_iter().chain(sign).collect();
    let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
    let (mut sheet, read_schema) = (Some(sheet), Arc::clone(&schema));
    let mut batches = Vec::new().into_iter();
    // The rows are read with the first batch, which is not requested on the thread of an event loop.
    let next = move || {
        if let Some(mut sheet) = sheet.take() {
            match sheet.read_rows(&read_schema) {
                Ok(read) => batches = read.into_iter(),
                Err(error) => return Some(Err(external(error))),
            }
        }
        batches.next().map(Ok::<RecordBatch, ArrowError>)
    };
    Ok(RecordBatchIterator::new(std::iter::from_fn(next), schema))
}

/// Whether a file that exists has the name of a workbook. One that cannot be read is reported by the reader of CSV files.
fn is_named_workbook(path: &Path) -> bool {
    let ending = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xlsx"));
    ending && File::open(path).is_ok()
}

/// Whether a file is a workbook, by its first bytes. A pipe is not: it could not be read again. Nor is a file that cannot be read,
/// which the reader of CSV files reports.
fn is_workbook(path: &Path) -> Result<bool> {
    let head = || -> std::io::Result<Vec<u8>> {
        let (file, mut head) = (File::open(path)?, Vec::new());
        if file.metadata()?.is_file() {
            file.take(8).read_to_end(&mut head)?;
        }
        Ok(head)
    };
    let head = head().unwrap_or_default();
    if head == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" {
        let what = format!(
            "`{}` is a workbook that is protected by a password, or of the old form (.xls)",
            path.display()
        );
        return Err(UnreadFile { what, next: "Save it as .xlsx without a password, or as CSV." }.into());
    }
    if head.starts_with(b"PAR1") {
        let what = format!("`{}` is a Parquet file", path.display());
        let next = "Read it first, for example with `pyarrow.parquet.read_table(path)`, and hand over the table; or save it as CSV or .xlsx.";
        return Err(UnreadFile { what, next }.into());
    }
    Ok(head.starts_with(b"PK\x03\x04"))
}

/// A sheet.
struct Sheet {
    book: Xlsx<BufReader<File>>,
    path: PathBuf,
    name: String,
    /// The row with the names of the columns.
    first: u32,
    /// For each column of the sheet the index of its name; nothing if it has none.
    columns: Vec<Option<usize>>,
}

impl Sheet {
    fn open(path: &Path, name: Option<&str>) -> std::result::Result<Self, UnreadFile> {
        let file = File::open(path).map_err(|error| UnreadFile::of_system(path, &error))?;
        let book = Xlsx::new(BufReader::new(file)).map_err(|error| unreadable(path, &error))?;
        let all = book.sheets_metadata();
        let sheets = || all.iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
        let shown = || sheets().find(|sheet| sheet.visible == SheetVisible::Visible);
        let chosen = match name {
            Some(name) => sheets().find(|sheet| sheet.name == name),
            None => shown().or_else(|| sheets().next()),
        };
        let Some(chosen) = chosen.map(|sheet| sheet.name.clone()) else {
            let names: Vec<String> = sheets().map(|sheet| format!("{:?}", sheet.name)).collect();
            let what =
                format!("`{}` has no such sheet; it has {}", path.display(), or_none(&names.join(", ")));
            return Err(UnreadFile { what, next: "Name one of its sheets as `sheet`." });
        };
        Ok(Self { book, path: path.to_owned(), name: chosen, first: 0, columns: Vec::new() })
    }

    /// The sheet, for errors.
    fn place(&self) -> String {
        format!("the sheet {:?} of `{}`", self.name, self.path.display())
    }

    /// Reads the names of the columns from the first row with a value.
    fn read_names(&mut self) -> std::result::Result<Vec<String>, UnreadFile> {
        let (path, place) = (self.path.clone(), self.place());
        let unread = |error: XlsxError| unreadable(&path, &error);
        let mut cells = self.book.worksheet_cells_reader(&self.name).map_err(unread)?;
        let (mut names, mut columns, mut first) = (Vec::new(), Vec::new(), None);
        while let Some(cell) = cells.next_cell().map_err(unread)? {
            let ((row, column), text) = (cell.get_position(), cell::text(cell.get_value(), None));
            let name = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
            let Some(name) = name else { continue };
            if *first.get_or_insert(row) != row {
                break;
            }
            let column = column as usize;
            columns.resize(columns.len().max(column + 1), None);
            columns[column] = Some(names.len());
            names.push(name);
        }
        let Some(first) = first else {
            return Err(UnreadFile { what: format!("{place} is empty"), next: NAME_SHEET });
        };
        // Whoever forgets the row with the names would see a person in the words about unknown fields.
        if let Some(at) = names.iter().position(|name| name.contains('@')) {
            let column = columns.iter().position(|index| *index == Some(at)).unwrap_or_default();
            let what = format!(
                "the first row of {place} does not name the columns: the cell {} is an e-mail address",
                cell::name((first, u32::try_from(column).unwrap_or_default()))
            );
            return Err(UnreadFile { what, next: NAME_COLUMNS });
        }
        (self.first, self.columns) = (first, columns);
        Ok(names)
    }

    /// Reads the rows below the names.
    fn read_rows(&mut self, schema: &SchemaRef) -> std::result::Result<Vec<RecordBatch>, UnreadFile> {
        let place = self.place();
        let formats = self.read_formats()?;
        let unread = |error: XlsxError| unreadable(&self.path, &error);
        let mut rows = Rows::new(schema);
        let mut cells = self.book.worksheet_cells_reader(&self.name).map_err(unread)?;
        while let Some(cell) = cells.next_cell_with_formula_metadata().map_err(unread)? {
            let (row, column) = cell.pos;
            if row <= self.first {
                continue;
            }
            let at = || cell::name((row, column));
            let Some(index) = self.columns.get(column as usize).copied().flatten() else {
                if cell::text(&cell.value, None).is_some_and(|text| !text.trim().is_empty()) {
                    let what = format!("the cell {} of {place} is in a column without a name", at());
                    return Err(UnreadFile { what, next: "Name the column, or remove the cell." });
                }
                continue;
            };
            if let DataRef::Error(error) = &cell.value {
                let what = format!("the cell {} of {place} has an error in place of a value ({error})", at());
                return Err(UnreadFile { what, next: "Correct the cell." });
            }
            if cell.formula.is_some() && cell.value == DataRef::Empty {
                let what = format!("the cell {} of {place} has a formula whose result is not stored", at());
                let next = "Open the file in a spreadsheet program, and save it.";
                return Err(UnreadFile { what, next });
            }
            if cell::is_rounded(&cell.value) {
                let what = format!(
                    "the cell {} of {place} has a number of more than 15 digits, which a spreadsheet rounds",
                    at()
                );
                return Err(UnreadFile { what, next: LONG_NUMBER });
            }
            let format = formats.get(&(row, column)).map(AsRef::as_ref);
            if format.is_some_and(|format| format.hides(&cell.value)) {
                let what =
                    format!("the number of the cell {} of {place} is shown as a code by its format", at());
                return Err(UnreadFile { what, next: CODE_FORMAT });
            }
            rows.put(row, index, cell::text(&cell.value, format));
            if cell::is_ambiguous(&cell.value, format) {
                rows.numbers.push(index);
            }
        }
        rows.finish();
        Ok(rows.batches)
    }

    /// The formats that show numbers with more zeros than they have: `00000` for `01234`.
    fn read_formats(&mut self) -> std::result::Result<HashMap<(u32, u32), Arc<CodeFormat>>, UnreadFile> {
        let unread = |error: XlsxError| unreadable(&self.path, &error);
        let mut cells = self.book.worksheet_cells_reader(&self.name).map_err(unread)?;
        let formats: Vec<Option<Arc<CodeFormat>>> =
            cells.styles().iter().map(|style| CodeFormat::of(style).map(Arc::new)).collect();
        let mut padded_cells = HashMap::new();
        if formats.iter().all(Option::is_none) {
            return Ok(padded_cells);
        }
        while let Some((row, column, style)) = cells.next_style_id().map_err(unread)? {
            if let Some(format) = formats.get(style).cloned().flatten() {
                padded_cells.insert((row, column), format);
            }
        }
        Ok(padded_cells)
    }
}

/// Collects cells to rows, and rows to batches.
struct Rows<'a> {
    schema: &'a SchemaRef,
    row: u32,
    values: Vec<Option<String>>,
    /// The columns in which the row has a number that would be ambiguous as a text.
    numbers: Vec<usize>,
    columns: Vec<StringBuilder>,
    count: usize,
    lines: RowLines,
    batches: Vec<RecordBatch>,
}

impl<'a> Rows<'a> {
    fn new(schema: &'a SchemaRef) -> Self {
        let width = schema.fields().len();
        let columns = (0..width).map(|_| StringBuilder::new()).collect();
        Self {
            schema,
            row: 0,
            values: vec![None; width],
            numbers: Vec::new(),
            columns,
            count: 0,
            lines: RowLines::default(),
            batches: Vec::new(),
        }
    }

    fn put(&mut self, row: u32, column: usize, value: Option<String>) {
        if row != self.row {
            self.end_row();
            self.row = row;
        }
        self.values[column] = value.filter(|text| !text.is_empty());
    }

    fn end_row(&mut self) {
        // Spreadsheets keep rows that were used once.
        let is_blank = |value: &Option<String>| value.as_ref().is_none_or(|text| text.trim().is_empty());
        if self.values.iter().all(is_blank) {
            self.values.fill(None);
            self.numbers.clear();
            return;
        }
        for column in self.numbers.drain(..) {
            self.lines.mark_number(self.schema.field(column).name());
        }
        for (column, value) in self.columns.iter_mut().zip(&mut self.values) {
            column.append_option(value.take());
        }
        self.lines.push(u64::from(self.row) + 1);
        self.count += 1;
        if self.count == ROWS {
            self.end_batch();
        }
    }

    fn end_batch(&mut self) {
        let columns: Vec<ArrayRef> =
            self.columns.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).collect();
        self.batches.extend(batch_of(self.schema, columns, &std::mem::take(&mut self.lines)));
        self.count = 0;
    }

    fn finish(&mut self) {
        self.end_row();
        if self.count > 0 {
            self.end_batch();
        }
    }
}

const LONG_NUMBER: &str =
    "Give the column the format of text, and enter the value again with all its digits.";
const CODE_FORMAT: &str =
    "Give the column a format of zeros alone such as `0000`, or that of text, and enter the values as texts.";
const NAME_SHEET: &str = "Name the columns in its first row, or name another sheet as `sheet`.";

fn or_none(names: &str) -> &str {
    if names.is_empty() { "none" } else { names }
}

/// The error's own text may quote a cell.
fn unreadable(path: &Path, error: &XlsxError) -> UnreadFile {
    match error {
        XlsxError::Io(error) => UnreadFile::of_system(path, error),
        XlsxError::CellError(_) => UnreadFile {
            what: format!("a cell of `{}` has an error in place of a value", path.display()),
            next: "Correct the cell.",
        },
        _ => UnreadFile {
            what: format!("`{}` cannot be read as a workbook (.xlsx)", path.display()),
            next: "Open it in a spreadsheet program, and save it as .xlsx without a password, or as CSV.",
        },
    }
}
