//! The order of names in a response, which becomes the column order of tables.

use indexmap::IndexMap;
use serde::Serialize;
use serde::ser::{SerializeMap as _, SerializeSeq as _, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

/// The masked response, with its names in the order in which they arrived.
pub(super) fn like(original: &[u8], covered: &Value) -> serde_json::Result<Box<RawValue>> {
    to_raw_value(&Like { original: serde_json::from_slice(original)?, covered })
}

struct Like<'a> {
    original: &'a RawValue,
    covered: &'a Value,
}

impl Serialize for Like<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.original.get();
        match self.covered {
            Value::Object(covered) => {
                let names: IndexMap<String, &RawValue> = serde_json::from_str(text).unwrap_or_default();
                let mut map = serializer.serialize_map(Some(covered.len()))?;
                for (name, original) in &names {
                    if let Some(covered) = covered.get(name) {
                        map.serialize_entry(name, &Like { original, covered })?;
                    }
                }
                // Names that are masked themselves.
                for (name, value) in covered.iter().filter(|(name, _)| !names.contains_key(*name)) {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
            Value::Array(covered) => {
                let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
                let mut list = serializer.serialize_seq(Some(covered.len()))?;
                for (original, covered) in items.into_iter().zip(covered) {
                    list.serialize_element(&Like { original, covered })?;
                }
                list.end()
            }
            covered => covered.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_keep_their_order() {
        let covered = json!({ "a": 0, "hidden": "x", "z": [{ "b": 0, "c": "" }] });
        let ordered =
            like(br#"{"z": [{"c": "", "b": 7}], "ada@example.com": "x", "a": 1}"#, &covered).unwrap();
        assert_eq!(ordered.get(), r#"{"z":[{"c":"","b":0}],"a":0,"hidden":"x"}"#);
    }
}
