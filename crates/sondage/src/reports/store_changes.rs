//! The changes that make a store equal to a query, for stores that a language writes itself.

use super::SyncReport;
use sondage_macros::report;
use std::path::PathBuf;

/// The changes that make a store equal to a query.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StoreChanges {
    /// The file with the rows that are added or replaced, with all columns.
    pub file: PathBuf,
    /// How many rows the file has.
    pub rows: u64,
    /// The ids of the rows to remove.
    pub removed: Vec<String>,
    /// The columns that the store has afterwards, in the order of the file.
    pub columns: Vec<StoreColumn>,
    /// The name of the column that identifies a row.
    pub id: String,
    /// Whether the file has all rows of the store.
    pub complete: bool,
    /// The columns to remove before the rows are stored. Columns that no sync has made are never among them.
    pub dropped: Vec<String>,
    /// Whether the store has the rows of the query already, so that nothing has to be stored. The state may be newer nevertheless.
    pub is_empty: bool,
    /// The codes and labels of the columns.
    pub values: Vec<StoreValue>,
    /// The state that the store has afterwards.
    pub state: String,
    /// How often the store was written before: it must still be so in the transaction.
    pub number: u64,
    /// What is done to the store.
    pub report: SyncReport,
}

/// A column of a store.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StoreColumn {
    /// Its name.
    pub name: String,
    /// Its type: `"boolean"`, `"integer"`, `"number"`, `"text"`, `"date"`, `"time in microseconds"`, `"time in nanoseconds"`, or `"null"` as
    /// long as no row has a value.
    pub kind: String,
    /// Its question, and the row or choice of it.
    pub label: Option<String>,
}

/// A code of a column of a store, and its label.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StoreValue {
    /// The column.
    pub column: String,
    /// The code, as text.
    pub code: String,
    /// The label.
    pub label: String,
    /// Its place among the codes of the column, counted from 0.
    pub place: u64,
}

/// What was removed from a store because a person was erased.
#[report]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreErasure {
    /// How many interviews were removed. 0: the store had none of the person any more.
    pub erased: u64,
    /// How many the store has now.
    pub rows: u64,
}

/// What is removed from a store that a language writes itself.
#[report]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErasedRows {
    /// The ids of the rows to remove.
    pub removed: Vec<String>,
    /// The state that the store has afterwards.
    pub state: String,
    /// How often the store was written before: it must still be so in the transaction.
    pub number: u64,
    /// What is done to the store.
    pub report: StoreErasure,
}

impl StoreErasure {
    /// What was removed.
    #[doc(hidden)] // for sondage-data
    #[must_use]
    pub fn new(erased: u64, rows: u64) -> Self {
        Self { erased, rows }
    }
}

impl ErasedRows {
    /// What is removed.
    #[doc(hidden)] // for sondage-data
    #[must_use]
    pub fn new(removed: Vec<String>, state: String, number: u64, report: StoreErasure) -> Self {
        Self { removed, state, number, report }
    }
}

impl StoreChanges {
    /// The facts of changes whose rows are in a file.
    #[doc(hidden)] // for sondage-data
    #[must_use]
    pub fn new(file: PathBuf, id: String, state: String, report: SyncReport) -> Self {
        let (removed, columns, values, dropped) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self {
            file,
            rows: 0,
            removed,
            columns,
            id,
            complete: false,
            dropped,
            is_empty: false,
            values,
            state,
            number: 0,
            report,
        }
    }
}

impl StoreColumn {
    /// A column.
    #[doc(hidden)] // for sondage-data
    #[must_use]
    pub fn new(name: String, kind: String, label: Option<String>) -> Self {
        Self { name, kind, label }
    }
}

impl StoreValue {
    /// A code.
    #[doc(hidden)] // for sondage-data
    #[must_use]
    pub fn new(column: String, code: String, label: String, place: u64) -> Self {
        Self { column, code, label, place }
    }
}
