//! Lenient reading of texts in a code plan: a number is accepted as text, and anything else counts as absent.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::column::cell::Cell;

/// A text, or nothing. Never an error: no download should fail because of a label.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Loose(pub(crate) Option<String>);

impl Loose {
    /// The text, unless it is empty.
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

/// The elements of a JSON array, or nothing if it is not an array.
pub(crate) fn elements(raw: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(raw.get()).ok()
}
