//! JSON text as Python objects, with every digit of its numbers.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Python's own decoder reads what is not plain. Importing it takes longer than the first call of a program.
pub fn read<'py>(text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let json = text.cast::<PyString>()?.to_str()?;
    match Plain(text.py()).deserialize(&mut serde_json::Deserializer::from_str(json)) {
        Ok(value) => Ok(value),
        Err(_) => LOADS.import(text.py(), "sondage._json", "loads")?.call1((text,)),
    }
}

/// Everything but fractions, and integers of more than 64 bits: serde would round these.
#[derive(Clone, Copy)]
struct Plain<'py>(Python<'py>);

impl<'py> Plain<'py> {
    fn made<T: IntoPyObject<'py>, E: Error>(self, value: T) -> Result<Bound<'py, PyAny>, E> {
        value.into_bound_py_any(self.0).map_err(E::custom)
    }
}

impl<'de, 'py> DeserializeSeed<'de> for Plain<'py> {
    type Value = Bound<'py, PyAny>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de, 'py> Visitor<'de> for Plain<'py> {
    type Value = Bound<'py, PyAny>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON without fractions")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(self.0.None().into_bound(self.0))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        self.made(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        self.made(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        self.made(value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        self.made(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut json: A) -> Result<Self::Value, A::Error> {
        let list = PyList::empty(self.0);
        while let Some(value) = json.next_element_seed(self)? {
            list.append(value).map_err(A::Error::custom)?;
        }
        Ok(list.into_any())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut json: A) -> Result<Self::Value, A::Error> {
        let dict = PyDict::new(self.0);
        while let Some(name) = json.next_key::<String>()? {
            dict.set_item(name, json.next_value_seed(self)?).map_err(A::Error::custom)?;
        }
        Ok(dict.into_any())
    }
}
