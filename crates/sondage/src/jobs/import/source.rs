//! Sources of rows.

use crate::error::Result;
use crate::jobs::Rows;
use crate::model::FieldValue;

/// Rows that are read once, one after the other: they need not be in memory at once.
pub trait RowStream: Send {
    /// The names of the columns.
    fn names(&self) -> &[String];

    /// Reads the next row into `row`: its values in the order of the columns. `false`: there is none.
    fn next_row(&mut self, row: &mut Vec<FieldValue>) -> Result<bool>;
}

impl RowStream for Box<dyn RowStream> {
    fn names(&self) -> &[String] {
        self.as_ref().names()
    }

    fn next_row(&mut self, row: &mut Vec<FieldValue>) -> Result<bool> {
        self.as_mut().next_row(row)
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
    names: Vec<String>,
    values: std::vec::IntoIter<Vec<FieldValue>>,
}

impl GivenRows {
    fn new(rows: Rows) -> Self {
        let (names, values) = rows.into_parts();
        Self { names, values: values.into_iter() }
    }
}

impl RowStream for GivenRows {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn next_row(&mut self, row: &mut Vec<FieldValue>) -> Result<bool> {
        let next = self.values.next();
        let more = next.is_some();
        *row = next.unwrap_or_default();
        Ok(more)
    }
}
