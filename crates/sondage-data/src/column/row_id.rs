//! Ids of rows.

use std::borrow::Cow;

/// The service's id of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowId<'a> {
    /// A number, even if it was sent as text, so that a row has the same id in every column.
    Number(i64),
    /// Anything else, for example a GUID.
    Text(&'a str),
}

impl<'a> RowId<'a> {
    /// The id as text.
    pub(crate) fn text(self) -> Cow<'a, str> {
        match self {
            RowId::Number(number) => number.to_string().into(),
            RowId::Text(text) => text.into(),
        }
    }

    /// The same of its own.
    pub(crate) fn into_text(self) -> String {
        self.text().into_owned()
    }
}
