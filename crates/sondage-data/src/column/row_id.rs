//! Ids of rows.

/// The service's id of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowId<'a> {
    /// A number, even if it was sent as text, so that a row has the same id in every column.
    Number(i64),
    /// Anything else, for example a GUID.
    Text(&'a str),
}
