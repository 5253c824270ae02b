//! Fields of a response that the library does not know.

use super::Json;
use indexmap::IndexMap;
use serde::{Serialize, Serializer};

/// The name under which a language binding receives a model's unknown fields. No field of the service begins with this
/// prefix.
pub const EXTRA: &str = "$extra";

/// Unknown fields by their wire names, in the order received. Usually empty, so it takes only one pointer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extra(Option<Box<IndexMap<String, Json>>>);

impl Extra {
    /// Whether there are no unknown fields.
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|map| map.is_empty())
    }

    /// The value of one unknown field.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.as_ref()?.get(name)
    }

    /// Every unknown field.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Json)> {
        self.0.iter().flat_map(|map| map.iter())
    }

    /// Adds a field, for example one that the service supports and this library does not know.
    pub fn insert(&mut self, name: impl Into<String>, value: Json) {
        // There is usually only one.
        self.0.get_or_insert_with(|| Box::new(IndexMap::with_capacity(1))).insert(name.into(), value);
    }
}

impl Serialize for Extra {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
