//! Rows for a comparison: the names of their columns once, and the values of each row.

use crate::RowStream;
use crate::column_names::check_distinct;
use crate::import::RowsFormat;
use crate::options::RowSource;
use sondage::error::Result;
use sondage::internals::runtime::blocking;
use sondage::model::FieldValue;
use std::collections::HashMap;
use std::fmt;

/// Rows with named columns. A missing value is [`FieldValue::Null`].
#[derive(Clone, Default)]
pub struct Rows {
    names: Vec<String>,
    values: Vec<Vec<FieldValue>>,
    format: Option<RowsFormat>,
}

impl Rows {
    /// No rows, with these columns.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), values: Vec::new(), format: None }
    }

    /// Rows of named values. A row need not have every column.
    pub fn of<N: Into<String>, V: Into<FieldValue>>(
        rows: impl IntoIterator<Item = impl IntoIterator<Item = (N, V)>>,
    ) -> Self {
        let (mut all, mut places) = (Self::default(), HashMap::new());
        for row in rows {
            let mut values = Vec::new();
            for (name, value) in row {
                let name = name.into();
                let position = *places.entry(name).or_insert_with_key(|name| {
                    all.names.push(name.clone());
                    all.names.len() - 1
                });
                if values.len() <= position {
                    values.resize(position + 1, FieldValue::Null);
                }
                values[position] = value.into();
            }
            all.values.push(values);
        }
        all
    }

    /// Reads all rows of a source into memory.
    pub async fn read(mut source: impl RowStream + 'static) -> Result<Self> {
        blocking(move || {
            let mut rows = Self::new(source.names().iter().cloned());
            let mut row = Vec::new();
            while source.next_row(&mut row)? {
                rows.push(std::mem::take(&mut row));
            }
            Ok(rows.in_format(source.rows_format()))
        })
        .await
    }

    /// The same rows, read from a file in this format.
    #[doc(hidden)] // for sondage-data
    #[must_use]
    pub fn in_format(mut self, format: Option<RowsFormat>) -> Self {
        self.format = format;
        self
    }

    /// How the file was read from which the rows are.
    pub fn rows_format(&self) -> Option<&RowsFormat> {
        self.format.as_ref()
    }

    /// Adds a row: its values in the order of the columns.
    pub fn push(&mut self, values: Vec<FieldValue>) {
        self.values.push(values);
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The names of the columns, and the values of each row.
    pub(crate) fn into_parts(self) -> (Vec<String>, Vec<Vec<FieldValue>>) {
        (self.names, self.values)
    }

    /// A value: null if it is missing.
    pub fn value(&self, row: usize, column: usize) -> &FieldValue {
        self.values.get(row).and_then(|row| row.get(column)).unwrap_or(&FieldValue::Null)
    }
}

impl RowSource {
    /// Rows as an option. Two columns with the same name are an error.
    pub fn of(rows: Rows) -> Result<Self> {
        let RowsFormat { separator, encoding, decimal, sheet, lines } =
            rows.rows_format().cloned().unwrap_or_default();
        let (names, values) = rows.into_parts();
        check_distinct(&names)?;
        let row = |row: Vec<FieldValue>| {
            let missing = std::iter::repeat(FieldValue::Null);
            names.iter().cloned().zip(row.into_iter().chain(missing)).collect()
        };
        Ok(Self {
            objects: Some(values.into_iter().map(row).collect()),
            separator,
            encoding,
            decimal,
            sheet,
            lines,
            ..Self::default()
        })
    }
}

impl RowSource {
    /// How the file was read from which the objects are.
    pub(crate) fn format(&self) -> Option<RowsFormat> {
        let Self { separator, encoding, decimal, sheet, lines, .. } = self.clone();
        let format = RowsFormat { separator, encoding, decimal, sheet, lines };
        (format != RowsFormat::default()).then_some(format)
    }
}

impl fmt::Debug for Rows {
    /// Without the values, which are personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").field("names", &self.names).field("len", &self.len()).finish_non_exhaustive()
    }
}
