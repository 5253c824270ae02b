//! By which value a row is known again.

/// The service's id of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity<'a> {
    /// A number.
    Number(i64),
    /// Text, for example a GUID.
    Text(&'a str),
}

impl From<&i64> for Identity<'_> {
    fn from(id: &i64) -> Self {
        Self::Number(*id)
    }
}

impl<'a> From<&'a String> for Identity<'a> {
    fn from(id: &'a String) -> Self {
        Self::Text(id)
    }
}

/// A row by which a reader can tell whether it has seen it before. `#[wire(id)]` on a field of a model implements it.
pub trait Identified {
    /// The field by which the service can order such rows so that they stay in place: its id. `None` where none is known.
    const ORDER: Option<&'static str>;

    /// The service's id; `None` when this row carries none.
    fn identity(&self) -> Option<Identity<'_>>;
}
