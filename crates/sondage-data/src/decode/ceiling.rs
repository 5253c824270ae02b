//! How large a table may grow beside the answers that it is made of.
//!
//! A table has a cell for every row and column, whether or not an answer says something of it. Rows that each bring a key
//! of their own make a table that grows with the square of what was sent. So cells are counted before they are made.

use crate::error::DecodeError;
use sondage::text;

/// What a table may always take.
const FREE: u64 = 64 << 20;
/// Bytes of a cell, as it is in most columns.
const CELL: u64 = 8;
/// What a column costs beside its values, in cells: its names, types and buffers.
const LEAST_ROWS: u64 = 128;

/// A ceiling on cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellLimit {
    /// How many times its answers a table may take in memory.
    growth: u32,
}

impl Default for CellLimit {
    fn default() -> Self {
        // As the setting `table_growth`.
        CellLimit { growth: 4 }
    }
}

impl CellLimit {
    pub(crate) fn new(growth: u32) -> Self {
        CellLimit { growth }
    }

    /// The cells for which answers of so many bytes are enough.
    fn cells(self, bytes: u64) -> u64 {
        FREE.saturating_add(bytes.saturating_mul(self.growth.into())) / CELL
    }

    /// The columns for which answers of so many bytes are enough, if there are few rows.
    pub(crate) fn columns(self, bytes: u64) -> usize {
        usize::try_from(self.cells(bytes) / LEAST_ROWS).unwrap_or(usize::MAX)
    }

    /// The rows for which answers of so many bytes are enough.
    pub(crate) fn rows(self, columns: usize, bytes: u64) -> u64 {
        self.cells(bytes) / (columns as u64).max(1)
    }

    /// Refuses a table that would be too large for answers of so many bytes.
    pub(crate) fn check(self, rows: u64, columns: usize, bytes: u64) -> Result<(), DecodeError> {
        let cells = rows.max(LEAST_ROWS).saturating_mul(columns as u64);
        if cells <= self.cells(bytes) {
            return Ok(());
        }
        Err(self.exceeded(&format!("{rows} rows and {columns} columns"), bytes))
    }

    /// What is said of a table that is too large.
    pub(crate) fn exceeded(self, what: &str, bytes: u64) -> DecodeError {
        DecodeError::new(text!(
            "a table of {what}, most of them empty, is too large for an answer of {bytes} bytes: the ceiling \
             `table_growth` is {} times the answer, and 64 MiB; ask for fewer `fields`, or raise it",
            self.growth
        ))
    }
}
