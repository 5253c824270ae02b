//! Measures the memory of the objects of a response while they are created.
//!
//! The size of the text says little about it: `{}` may become a struct of 300 bytes, and a map with one entry takes more
//! than that. So the memory is added up during decoding, which stops when the limit is exceeded.

use indexmap::IndexMap;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

thread_local! {
    /// The bytes that decoding on this thread may still allocate.
    static LEFT: Cell<u64> = const { Cell::new(UNCOUNTED) };
}
const UNCOUNTED: u64 = u64::MAX;

/// A separate allocation: the allocator's overhead and minimum size.
const PIECE: usize = 32;
/// A slot of a hash map's table, which has up to twice as many slots as entries.
const PLACE: usize = 20;
/// The memory of a map apart from its entries.
const MAP: usize = 160;
/// Maps and lists initially allocate this many elements; smaller ones are shrunk afterwards.
const SMALL: usize = 4;

/// Decodes objects that take at most this much memory. `None`: they would exceed it.
pub(crate) fn within<T>(bytes: u64, make: impl FnOnce() -> T) -> Option<T> {
    struct Counted;
    impl Drop for Counted {
        fn drop(&mut self) {
            LEFT.set(UNCOUNTED);
        }
    }
    let _counted = Counted;
    LEFT.set(bytes.clamp(1, UNCOUNTED - 1));
    let objects = make();
    (LEFT.get() > 0).then_some(objects)
}

/// Adds allocated bytes.
pub(crate) fn take<E: Error>(bytes: usize) -> Result<(), E> {
    let remaining = LEFT.get();
    if remaining == UNCOUNTED {
        return Ok(());
    }
    LEFT.set(remaining.saturating_sub(bytes as u64));
    if LEFT.get() > 0 { Ok(()) } else { Err(E::custom("it takes too much memory")) }
}

/// A string, or anything else with its own allocation.
pub(crate) fn take_text<E: Error>(text: &str) -> Result<(), E> {
    take(text.len() + PIECE)
}

/// A struct, together with its strings: usually they take no more memory than the struct.
pub(crate) fn take_record<T, E: Error>() -> Result<(), E> {
    take(2 * size_of::<T>())
}

/// An unknown field.
pub(crate) fn take_unknown<E: Error>(name: &str) -> Result<(), E> {
    take(MAP + PLACE + PIECE + name.len())
}

/// Shrinks a short list. A long list has at most twice the capacity that it needs, and the system does not back untouched
/// pages with memory.
pub(crate) fn fit<T>(mut list: Vec<T>) -> Vec<T> {
    if list.len() < SMALL {
        list.shrink_to_fit();
    }
    list
}

/// Shrinks a map: there are many rows, and most of their maps are small.
#[repr(transparent)]
pub(crate) struct Fitted<V>(IndexMap<String, V>);

impl<V> Fitted<V> {
    pub(crate) fn take(self) -> IndexMap<String, V> {
        self.0
    }

    /// A list of many rows.
    pub(crate) fn all(rows: Vec<Self>) -> Vec<IndexMap<String, V>> {
        rows.into_iter().map(Self::take).collect()
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Fitted<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WeightVisitor<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for WeightVisitor<V> {
            type Value = Fitted<V>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fitted<V>, A::Error> {
                take(MAP)?;
                let mut read = IndexMap::new();
                while let Some(key) = map.next_key::<String>()? {
                    take(2 * size_of::<usize>() + size_of::<String>() + key.len() + PIECE + PLACE)?;
                    read.insert(key, map.next_value()?);
                }
                read.shrink_to_fit();
                Ok(Fitted(read))
            }
        }
        deserializer.deserialize_map(WeightVisitor(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FieldValue, ReadInterviewListCompactResponse};
    use serde_json::Error;

    fn read(bytes: u64, text: &str) -> Option<Result<ReadInterviewListCompactResponse, Error>> {
        within(bytes, || serde_json::from_str(text))
    }

    #[test]
    fn objects_are_made_up_to_what_they_may_take() {
        let rows = vec![r#"{"a":1}"#; 1000].join(",");
        let text = format!(r#"{{"interviews":[{rows}],"codePlan":[{{}},{{"later":1}}]}}"#);
        let read_all = read(400_000, &text).expect("enough").expect("an answer");
        assert_eq!(read_all.interviews[999]["a"], FieldValue::Int(1));
        assert!(read_all.interviews[0].capacity() < 4, "room for what is there");
        assert!(read(200_000, &text).is_none(), "a row takes more than 200 bytes");
        let plan = format!(r#"{{"interviews":[],"codePlan":[{}]}}"#, vec!["{}"; 1000].join(","));
        assert!(read(200_000, &plan).is_none(), "and so does a map entry");
        let unknown = format!(r#"{{"interviews":[],"codePlan":[{}]}}"#, vec![r#"{"x":1}"#; 1000].join(","));
        assert!(read(550_000, &plan).is_some() && read(550_000, &unknown).is_none(), "unknown fields count");
        assert!(serde_json::from_str::<ReadInterviewListCompactResponse>(&text).is_ok(), "counted no more");
    }
}
