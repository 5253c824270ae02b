//! Ids of rows.

/// The service's id of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowId<'a> {
    /// A number, even if it was sent as text, so that a row has the same id in every column.
    Number(i64),
    /// Anything else, for example a GUID.
    Text(&'a str),
}

impl RowId<'_> {
    /// The id as text.
    pub(crate) fn into_text(self) -> String {
        match self {
            RowId::Number(number) => number.to_string(),
            RowId::Text(text) => text.to_owned(),
        }
    }
}
