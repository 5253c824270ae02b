//! Matches the names of columns with those of fields.

use super::columns::quoted;
use super::keys::folded;
use sondage::error::{Error, Result};
use sondage::model::PanelField;
use sondage::text;

/// The field of a column. Blanks around the name are no part of it, and its case matters only if two fields differ in nothing
/// else.
pub(crate) fn field_of<'f>(name: &str, fields: &'f [PanelField]) -> Result<Option<&'f PanelField>> {
    if let Some(field) = fields.iter().find(|field| field.name == name) {
        return Ok(Some(field));
    }
    let alike: Vec<&PanelField> = fields.iter().filter(|field| is_alike(&field.name, name)).collect();
    match alike[..] {
        [] => Ok(None),
        [field] => Ok(Some(field)),
        _ => {
            let names = quoted(alike.iter().map(|field| field.name.as_str()));
            let what = text!("the column {name:?} may be each of the fields {names}");
            Err(Error::invalid_argument(what)
                .with_hint("Nothing was sent. Name the column exactly like one of them."))
        }
    }
}

/// Whether two names differ at most as keys do that look the same.
pub(crate) fn is_alike(one: &str, other: &str) -> bool {
    folded(one) == folded(other)
}

/// What a report says about columns that are named otherwise than their fields: pairs of a column and its field.
pub(crate) fn note<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let other = pairs.into_iter().filter(|(column, field)| column != field);
    let notes: Vec<String> =
        other.map(|(column, field)| format!("; the column {column:?} is the field {field:?}")).collect();
    notes.concat()
}
