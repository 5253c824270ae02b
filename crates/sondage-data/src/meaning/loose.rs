//! Texts of a code plan, read kindly: a number is as good as a text, and what is neither counts as absent.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::column::cell::Cell;

/// A text, or nothing. Never an error: no download should fail for a label.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Loose(pub(crate) Option<String>);

impl Loose {
    /// The text, if there is one that says something.
    pub(crate) fn said(self) -> Option<String> {
        self.0.filter(|text| !text.trim().is_empty())
    }
}

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        Ok(Loose(match Cell::read(raw.get()) {
            Ok(Cell::Null | Cell::Nested(_)) | Err(_) => None,
            Ok(cell) => Some(cell.into_text().into_owned()),
        }))
    }
}

/// The elements of a JSON array, or nothing when it is no array.
pub(crate) fn elements(raw: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(raw.get()).ok()
}
