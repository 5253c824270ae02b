//! Sources of rows.

use super::format::RowsFormat;
use crate::Rows;
use sondage::error::Result;
use sondage::model::{FieldValue, Json};

/// A value of a row, borrowed from its source.
#[derive(Clone, Copy, Debug)]
pub enum RowValue<'a> {
    /// No value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A text.
    Text(&'a str),
    /// The number of a cell of a workbook as it is shown: `1.5`, or `00123` for 123.
    Number(&'a str),
    /// Any other JSON.
    Json(&'a Json),
}

impl RowValue<'_> {
    /// The value without blanks around it; nothing if it is blanks alone.
    pub(crate) fn stripped(self) -> Self {
        match self {
            Self::Text(text) if !text.is_empty() && text.trim().is_empty() => Self::Null,
            Self::Text(text) => Self::Text(text.trim()),
            other => other,
        }
    }
}

impl<'a> From<&'a FieldValue> for RowValue<'a> {
    fn from(value: &'a FieldValue) -> Self {
        match value {
            FieldValue::Null => Self::Null,
            FieldValue::Bool(truth) => Self::Bool(*truth),
            FieldValue::Int(number) => Self::Int(*number),
            FieldValue::Float(number) => Self::Float(*number),
            FieldValue::Text(text) => Self::Text(text),
            FieldValue::Json(json) => Self::Json(json),
        }
    }
}

impl From<RowValue<'_>> for FieldValue {
    fn from(value: RowValue<'_>) -> Self {
        match value {
            RowValue::Null => Self::Null,
            RowValue::Bool(truth) => Self::Bool(truth),
            RowValue::Int(number) => Self::Int(number),
            RowValue::Float(number) => Self::Float(number),
            RowValue::Text(text) | RowValue::Number(text) => Self::Text(text.to_owned()),
            RowValue::Json(json) => Self::Json(json.clone()),
        }
    }
}

/// Receives a row: its values in the order of the columns.
pub type TakeRow<'f> = dyn FnMut(&[RowValue<'_>]) -> Result<()> + 'f;

/// Rows that are read once, one after the other: they need not be in memory at once.
pub trait RowStream: Send {
    /// The names of the columns.
    fn names(&self) -> &[String];

    /// How the file was read from which the rows are, for the report; with the lines of the rows that were read so far.
    fn rows_format(&self) -> Option<RowsFormat> {
        None
    }

    /// Reads the next row into `row`: its values in the order of the columns. `false`: there is none.
    fn next_row(&mut self, row: &mut Vec<FieldValue>) -> Result<bool>;

    /// Passes the next rows to `take`, one after the other: as many as the source has at hand. `false`: there is none.
    ///
    /// Default: one row, by [`RowStream::next_row`]. A source that has its values in memory can lend them instead of copying each.
    fn next_rows(&mut self, take: &mut TakeRow<'_>) -> Result<bool> {
        let mut row = Vec::new();
        let more = self.next_row(&mut row)?;
        if more {
            take(&row.iter().map(RowValue::from).collect::<Vec<_>>())?;
        }
        Ok(more)
    }
}

impl RowStream for Box<dyn RowStream> {
    fn names(&self) -> &[String] {
        self.as_ref().names()
    }

    fn rows_format(&self) -> Option<RowsFormat> {
        self.as_ref().rows_format()
    }

    fn next_row(&mut self, row: &mut Vec<FieldValue>) -> Result<bool> {
        self.as_mut().next_row(row)
    }

    fn next_rows(&mut self, take: &mut TakeRow<'_>) -> Result<bool> {
        self.as_mut().next_rows(take)
    }
}

impl Rows {
    /// The rows, one after the other.
    pub fn stream(self) -> impl RowStream + use<> {
        GivenRows::new(self)
    }
}

/// Rows that are in memory.
struct GivenRows {
    format: Option<RowsFormat>,
    names: Vec<String>,
    values: std::vec::IntoIter<Vec<FieldValue>>,
    /// The next row.
    next: usize,
}

/// A value of a row, which a workbook may have as a number.
pub(crate) fn cell<'a>(
    format: Option<&RowsFormat>,
    row: usize,
    column: &str,
    value: &'a FieldValue,
) -> RowValue<'a> {
    match (RowValue::from(value), format) {
        (RowValue::Text(text), Some(format)) if format.lines.is_number(row, column) => RowValue::Number(text),
        (value, _) => value,
    }
}

impl GivenRows {
    fn new(rows: Rows) -> Self {
        let format = rows.rows_format().cloned();
        let (names, values) = rows.into_parts();
        Self { format, names, values: values.into_iter(), next: 0 }
    }
}

impl RowStream for GivenRows {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn rows_format(&self) -> Option<RowsFormat> {
        self.format.clone()
    }

    fn next_row(&mut self, row: &mut Vec<FieldValue>) -> Result<bool> {
        let next = self.values.next();
        let more = next.is_some();
        *row = next.unwrap_or_default();
        self.next += usize::from(more);
        Ok(more)
    }

    fn next_rows(&mut self, take: &mut TakeRow<'_>) -> Result<bool> {
        let Some(values) = self.values.next() else { return Ok(false) };
        let row: Vec<RowValue<'_>> = values
            .iter()
            .zip(&self.names)
            .map(|(value, name)| cell(self.format.as_ref(), self.next, name, value))
            .collect();
        self.next += 1;
        take(&row)?;
        Ok(true)
    }
}
