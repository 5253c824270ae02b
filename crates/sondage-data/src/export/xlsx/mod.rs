//! A workbook: the data, the questions, the values, and how often each value was given.
//!
//! The sheets are written one after the other, each to a file of its own without a name, from which the workbook is put together at the
//! end. No answer is a formula.

mod cells;
mod counts;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, SchemaRef};
use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};

use super::labelled::too_many;
use super::sink::{RowSource, RowWriter};
use crate::error::Warning;
use crate::meaning::ValueLabel;
use crate::table::unavailable::UnavailableRows;
use crate::table::zones::wall_clock;
use crate::table::{metadata, values_of};
use cells::{Changes, Formats, put};
use counts::Counts;

/// The most rows, without the header, and columns of a sheet.
const MOST_ROWS: usize = 1_048_575;
const MOST_COLUMNS: usize = 16_384;
/// The signs of a number that Excel keeps.
const DIGITS: usize = 15;

/// The widths of columns of days and times, in characters.
const DAY_WIDTH: u8 = 11;
const TIME_WIDTH: u8 = 19;

const QUESTIONS: [(&str, Option<&str>); 8] = [
    ("variable", None),
    ("label", Some(metadata::LABEL)),
    ("question", Some(metadata::QUESTION)),
    ("row", Some(metadata::ROW)),
    ("choice", Some(metadata::CHOICE)),
    ("type", Some(metadata::TYPE)),
    ("data_type", Some(metadata::DATA_TYPE)),
    ("section", Some(metadata::SECTION)),
];

pub(super) struct Xlsx<W> {
    to: W,
    book: Workbook,
    schema: SchemaRef,
    formats: Formats,
    changes: Changes,
    /// For columns whose answers are counted.
    counts: Vec<Option<Counts>>,
    /// Columns that say why the answers of another are missing, each with that other one.
    reasons: Vec<(usize, usize)>,
    row: u32,
}

impl<W: Write + Send> Xlsx<W> {
    /// A workbook of this table. `folder`: where its sheets are until it is complete.
    pub(super) fn new(to: W, table: &impl RowSource, folder: &Path) -> io::Result<Self> {
        let schema = table.schema();
        if table.rows() > MOST_ROWS {
            return Err(too_many("rows", table.rows(), MOST_ROWS, "Excel"));
        }
        if schema.fields().len() > MOST_COLUMNS {
            return Err(too_many("columns", schema.fields().len(), MOST_COLUMNS, "Excel"));
        }
        let counts = schema.fields().iter().zip(table.variables());
        let counts = counts.map(|(field, variable)| Counts::of(field, variable.as_deref())).collect();
        let place_of = |name: &String| schema.fields().iter().position(|field| field.name() == name);
        let explained = |field: &Field| place_of(field.metadata().get(metadata::MISSING_OF)?);
        let reasons = schema.fields().iter().enumerate();
        let reasons = reasons.filter_map(|(place, field)| Some((place, explained(field)?))).collect();
        let mut book = Workbook::new();
        book.set_tempdir(folder).map_err(plain)?;
        let formats = Formats::default();
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let data = sheet(&mut book, "data")?;
        for (column, field) in (0..).zip(schema.fields()) {
            match field.data_type() {
                DataType::Date32 => data.set_column_width(column, DAY_WIDTH).map_err(plain)?,
                DataType::Timestamp(..) => data.set_column_width(column, TIME_WIDTH).map_err(plain)?,
                _ => continue,
            };
        }
        head(data, &names, &formats)?;
        let changes = Changes::default();
        Ok(Xlsx { to, book, schema, formats, changes, counts, reasons, row: 0 })
    }

    /// A sheet of texts and numbers below these names.
    fn list(&mut self, name: &str, names: &[&str], rows: &[Vec<Cell>]) -> io::Result<()> {
        let sheet = sheet(&mut self.book, name)?;
        head(sheet, names, &self.formats)?;
        for (row, cells) in (1..).zip(rows.iter().take(MOST_ROWS)) {
            for (column, cell) in (0..).zip(cells) {
                match cell {
                    Cell::Empty => {}
                    Cell::Text(text) => {
                        let place = (row, column);
                        self.changes.text(sheet, place, &format!("sheet {name}"), text).map_err(plain)?;
                    }
                    Cell::Number(number) => {
                        sheet.write_number(row, column, *number).map_err(plain)?;
                    }
                }
            }
        }
        filter(sheet, rows.len().min(MOST_ROWS), names.len())
    }

    /// The columns of the table, without those of labels beside codes.
    fn columns(&self) -> impl Iterator<Item = (usize, &Field)> {
        let fields = self.schema.fields().iter().map(Arc::as_ref).enumerate();
        fields.filter(|(_, field)| !field.metadata().contains_key(metadata::LABELS_OF))
    }

    fn questions(&mut self) -> io::Result<()> {
        let cell = |field: &Field, key: Option<&str>| match key {
            None => Cell::Text(field.name().clone()),
            Some(key) => field.metadata().get(key).cloned().map_or(Cell::Empty, Cell::Text),
        };
        let row = |field: &Field| QUESTIONS.iter().map(|(_, key)| cell(field, *key)).collect();
        let rows: Vec<Vec<Cell>> = self.columns().map(|(_, field)| row(field)).collect();
        self.list("questions", &QUESTIONS.map(|(name, _)| name), &rows)
    }

    fn values(&mut self) -> io::Result<()> {
        let mut rows = Vec::new();
        for (_, field) in self.columns() {
            let missing = metadata::missing(field);
            let is_missing = |value: &ValueLabel| missing.iter().any(|other| other.code == value.code);
            let known = values_of(field);
            let others = missing.iter().filter(|value| !known.iter().any(|other| other.code == value.code));
            for value in known.iter().chain(others) {
                rows.push(vec![
                    Cell::Text(field.name().clone()),
                    Cell::of_code(field, &value.code),
                    Cell::Text(value.label.clone()),
                    if is_missing(value) { Cell::Text("missing".to_owned()) } else { Cell::Empty },
                ]);
            }
        }
        self.list("values", &["variable", "code", "label", "missing"], &rows)
    }

    fn frequencies(&mut self) -> io::Result<()> {
        let rows: Vec<Vec<Cell>> = self
            .columns()
            .filter_map(|(place, field)| Some((field, self.counts[place].as_ref()?)))
            .flat_map(|(field, counts)| counts.rows(field, self.row))
            .collect();
        let names = ["variable", "label", "code", "answer", "missing", "n", "percent", "valid_percent"];
        self.list("frequencies", &names, &rows)
    }
}

/// A cell of a sheet beside the data.
#[derive(Debug, Clone, PartialEq)]
enum Cell {
    Empty,
    Text(String),
    Number(f64),
}

impl Cell {
    /// A code of a column, as the number that the sheet of the data has, unless the column has texts or lists.
    fn of_code(field: &Field, code: &str) -> Self {
        let is_text = match field.data_type() {
            DataType::Utf8 | DataType::List(_) => true,
            DataType::Dictionary(..) => {
                field.metadata().get(metadata::CODES).is_some_and(|codes| codes == "text")
            }
            _ => false,
        };
        let is_plain = |sign: char| sign.is_ascii_digit() || sign == '.' || sign == '-';
        match code.parse::<f64>() {
            Ok(number) if !is_text && code.len() <= DIGITS && code.chars().all(is_plain) => {
                Cell::Number(number)
            }
            _ => Cell::Text(code.to_owned()),
        }
    }
}

/// The next sheet. Rows that are written are no longer in memory.
fn sheet<'a>(book: &'a mut Workbook, name: &str) -> io::Result<&'a mut Worksheet> {
    let sheet = book.add_worksheet_with_constant_memory().map_err(plain)?;
    sheet.set_name(name).map_err(plain)
}

/// The names of the columns, which stay in view.
fn head(sheet: &mut Worksheet, names: &[&str], formats: &Formats) -> io::Result<()> {
    sheet.set_freeze_panes(1, 0).map_err(plain)?;
    for (column, name) in (0..).zip(names) {
        sheet.write_string_with_format(0, column, *name, &formats.head).map_err(plain)?;
    }
    Ok(())
}

fn filter(sheet: &mut Worksheet, rows: usize, columns: usize) -> io::Result<()> {
    let (Ok(rows), Ok(columns)) = (u32::try_from(rows), u16::try_from(columns)) else { return Ok(()) };
    if columns > 0 {
        sheet.autofilter(0, 0, rows, columns - 1).map_err(plain)?;
    }
    Ok(())
}

/// The underlying I/O error, if there is one.
fn plain(error: XlsxError) -> io::Error {
    match error {
        XlsxError::IoError(error) => error,
        error => io::Error::other(error.to_string()),
    }
}

impl<W: Write + Send> RowWriter for Xlsx<W> {
    fn note(&mut self, unavailable: &[UnavailableRows<'_>]) {
        for UnavailableRows { column, code, rows, .. } in unavailable {
            if let Some(Some(counts)) = self.counts.get_mut(*column) {
                counts.note(code, rows.len());
            }
        }
    }

    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let columns: Vec<ArrayRef> = batch.columns().iter().map(wall_clock).collect();
        for (array, counts) in columns.iter().zip(&mut self.counts) {
            if let Some(counts) = counts {
                counts.add(array);
            }
        }
        for (reasons, explained) in &self.reasons {
            if let Some(counts) = &mut self.counts[*explained] {
                counts.explain(&columns[*reasons]);
            }
        }
        let sheet = self.book.worksheet_from_index(0).map_err(plain)?;
        let mut scratch = Vec::new();
        for row in 0..batch.num_rows() {
            self.row += 1;
            for ((column, array), field) in (0..).zip(&columns).zip(self.schema.fields()) {
                let place = (self.row, column);
                let written = put(
                    sheet,
                    place,
                    (array, row),
                    field.name(),
                    &self.formats,
                    &mut self.changes,
                    &mut scratch,
                );
                written.map_err(plain)?;
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<Vec<Warning>> {
        let (rows, columns) = (self.row as usize, self.schema.fields().len());
        filter(self.book.worksheet_from_index(0).map_err(plain)?, rows, columns)?;
        self.questions()?;
        self.values()?;
        self.frequencies()?;
        self.book.save_to_writer(&mut self.to).map_err(plain)?;
        self.to.flush()?;
        Ok(self.changes.warnings())
    }
}

impl Default for Formats {
    fn default() -> Self {
        Formats {
            head: Format::new().set_bold(),
            day: Format::new().set_num_format("yyyy-mm-dd"),
            time: Format::new().set_num_format("yyyy-mm-dd hh:mm:ss"),
        }
    }
}
