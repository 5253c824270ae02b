//! Lookups in JSON whose format is not published.

use super::refusal::Reason;
use crate::model::Timestamp;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;

/// An object whose fields are found regardless of case and underscores: `updatedAt`, `UpdatedAt` and `updated_at` are
/// equivalent. Values stay unparsed text.
#[derive(Debug)]
pub(super) struct Object<'a>(Vec<(String, &'a RawValue)>);

/// A marker inside an error, which distinguishes a duplicate name from text that is not an object.
const DOUBLED: &str = "a name occurs twice";

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;
        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Object<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Object<'de>, M::Error> {
                let (mut seen, mut fields) = (HashSet::new(), Vec::new());
                while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                    fields.push((plain(&name), value));
                    if !seen.insert(name) {
                        return Err(M::Error::custom(DOUBLED));
                    }
                }
                Ok(Object(fields))
            }
        }
        deserializer.deserialize_map(ObjectVisitor)
    }
}

/// Without case and underscores.
fn plain(name: &str) -> String {
    name.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect()
}

impl<'a> Object<'a> {
    /// Parses an object; none if the text is something else.
    pub(super) fn read(text: &'a str) -> Result<Option<Self>, Reason> {
        if !text.starts_with('{') {
            return Ok(None);
        }
        match serde_json::from_str::<Self>(text) {
            Ok(object) => Ok(Some(object.with_columns())),
            Err(error) if error.to_string().contains(DOUBLED) => Err(Reason::BodyAmbiguous),
            Err(_) => Ok(None),
        }
    }

    /// Interviews in the structured form have `columns` of `id` and `value`.
    // API 6.1
    fn with_columns(mut self) -> Self {
        #[derive(Deserialize)]
        struct WireColumn<'a> {
            id: String,
            #[serde(borrow)]
            value: &'a RawValue,
        }
        let columns =
            self.get("columns").and_then(|raw| serde_json::from_str::<Vec<WireColumn<'a>>>(raw.get()).ok());
        let columns = columns.into_iter().flatten();
        self.0.extend(columns.map(|column| (plain(&column.id), column.value)));
        self
    }

    /// The first field with a name, written in lower case without underscores. A null counts as absent.
    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(known, raw)| known == name && raw.get() != "null").map(|(_, raw)| *raw)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// A text, or a number as it was written: ids are both.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let raw = self.get(name)?.get();
        match raw.as_bytes().first()? {
            b'"' => serde_json::from_str(raw).ok(),
            b'-' | b'0'..=b'9' => Some(raw.to_owned()),
            _ => None,
        }
    }

    /// An integer, or text that consists of digits.
    pub(super) fn number(&self, name: &str) -> Option<i64> {
        self.text(name)?.parse().ok()
    }

    /// A timestamp, in any of the forms that the service uses.
    pub(super) fn time(&self, name: &str) -> Option<Timestamp> {
        self.text(name)?.parse().ok()
    }

    /// A nested object.
    pub(super) fn object(&self, name: &str) -> Result<Option<Object<'a>>, Reason> {
        self.get(name).map_or(Ok(None), |raw| Object::read(raw.get()))
    }
}
