//! Identity of rows: the value by which a row is recognised when it is read again.

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

/// A row with an id, so that a reader can tell whether it has already seen it. `#[wire(id)]` on a field of a model
/// implements it.
pub trait Identified {
    /// The field by which the service can sort such rows so that their order is stable: its id. `None` if none is known.
    const ORDER: Option<&'static str>;

    /// The service's id; `None` when this row has none.
    fn identity(&self) -> Option<Identity<'_>>;
}

/// A list of ids in which 0 stands for none.
pub(crate) fn nones_for_zeros(ids: Vec<Option<i64>>) -> Vec<Option<i64>> {
    ids.into_iter().map(|id| id.filter(|id| *id != 0)).collect()
}
