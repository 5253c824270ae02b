//! Limits the size of a table relative to the responses from which it is built.
//!
//! A table has a cell for every row and column, whether or not a response has a value for it. If each row adds a key, the
//! table grows with the square of the response. Therefore cells are counted before they are allocated.

use crate::error::DecodeError;
use sondage::text;

/// The size that a table may always have.
const FREE: u64 = 64 << 20;
/// The size of a cell in most columns, in bytes.
const CELL: u64 = 8;
/// The fixed cost of a column, in cells: its names, types and buffers.
const LEAST_ROWS: u64 = 128;

/// A limit on the number of cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellLimit {
    /// The memory of a table, as a multiple of its responses.
    growth: u32,
}

impl Default for CellLimit {
    fn default() -> Self {
        // Makes the limit from the setting `table_growth`.
        CellLimit { growth: 4 }
    }
}

impl CellLimit {
    pub(crate) fn new(growth: u32) -> Self {
        CellLimit { growth }
    }

    /// The number of cells that responses of this size allow.
    fn cells(self, bytes: u64) -> u64 {
        FREE.saturating_add(bytes.saturating_mul(self.growth.into())) / CELL
    }

    /// The number of columns that responses of this size allow, if there are few rows.
    pub(crate) fn columns(self, bytes: u64) -> usize {
        usize::try_from(self.cells(bytes) / LEAST_ROWS).unwrap_or(usize::MAX)
    }

    /// The number of rows that responses of this size allow.
    pub(crate) fn rows(self, columns: usize, bytes: u64) -> u64 {
        self.cells(bytes) / (columns as u64).max(1)
    }

    /// Refuses a table that would be too large for responses of this size.
    pub(crate) fn check(self, rows: u64, columns: usize, bytes: u64) -> Result<(), DecodeError> {
        let cells = rows.max(LEAST_ROWS).saturating_mul(columns as u64);
        if cells <= self.cells(bytes) {
            return Ok(());
        }
        Err(self.exceeded(&format!("{rows} rows and {columns} columns"), bytes))
    }

    /// The error for a table that is too large.
    pub(crate) fn exceeded(self, what: &str, bytes: u64) -> DecodeError {
        DecodeError::new(text!(
            "a table of {what}, most of them empty, is too large for a response of {bytes} bytes: the ceiling \
             `table_growth` is {} times the response, and 64 MiB; ask for fewer `fields`, or raise it",
            self.growth
        ))
    }
}
