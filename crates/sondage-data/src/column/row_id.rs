//! By what a row is known again.

/// What the service calls a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowId<'a> {
    /// A number; also one that came as text, so that a row has one id in every column.
    Number(i64),
    /// Anything else, for example a GUID.
    Text(&'a str),
}
