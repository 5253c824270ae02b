//! A serde deserializer over Python objects.

use crate::classes::{self, Attribute};
use crate::fault::Fault;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDate, PyDateTime, PyDelta, PyDict, PyFloat, PyInt, PyMapping, PyString,
};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};
use sondage::internals::shared::{DEEPEST, unsendable};
use sondage::model::TIMESTAMP;

/// A value, and its nesting depth.
pub struct Reader<'py>(pub Bound<'py, PyAny>, pub u8);

impl<'py> Reader<'py> {
    fn wrong<T>(&self, wanted: &str) -> Result<T, Fault> {
        let kind = self.0.get_type().name().map_or_else(|_| "something else".into(), |name| name.to_string());
        let kind = if self.0.is_none() { "None".into() } else { kind };
        Err(Fault::new(format!("must be {wanted}, not {kind}")))
    }

    /// Converts numpy scalars to plain values.
    fn plain(&self) -> Option<Self> {
        let item = self.0.getattr_opt(intern!(self.0.py(), "item")).ok()??;
        let plain = item.call0().ok().filter(|plain| !plain.get_type().is(self.0.get_type()))?;
        Some(Self(plain, self.1))
    }

    fn int(&self) -> Result<i64, Fault> {
        if self.0.is_instance_of::<PyBool>() || self.0.is_instance_of::<PyFloat>() {
            return self.wrong("an integer");
        }
        match self.0.extract::<i64>() {
            Ok(number) => Ok(number),
            Err(error) if error.is_instance_of::<PyOverflowError>(self.0.py()) => {
                Err(Fault::new("does not fit into 64 bits"))
            }
            Err(error) if error.is_instance_of::<PyTypeError>(self.0.py()) => self.wrong("an integer"),
            Err(error) => Err(error.into()),
        }
    }

    #[doc = sondage::about!(wide)]
    fn wide(&self) -> Result<i128, Fault> {
        self.0.extract().map_err(|_| Fault::new("does not fit into 128 bits"))
    }

    fn float(&self) -> Result<f64, Fault> {
        let number = match self.0.extract::<f64>() {
            Ok(number) if !self.0.is_instance_of::<PyBool>() => number,
            _ if self.0.is_instance_of::<PyDelta>() => self.0.call_method0("total_seconds")?.extract()?,
            _ => return self.wrong("a number"),
        };
        if number.is_finite() {
            return Ok(number);
        }
        Err(Fault::new(unsendable(number, "None")))
    }

    fn text(&self) -> Result<String, Fault> {
        match self.0.cast::<PyString>() {
            Ok(text) => text
                .to_str()
                .map(str::to_owned)
                .map_err(|_| Fault::new("holds half of a surrogate pair, which is not text")),
            Err(_) => self.wrong("text"),
        }
    }

    /// Reads bytes. If the model accepts text as well, a `str` is accepted too.
    fn visit_bytes<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, Fault> {
        if let Ok(bytes) = self.0.cast::<PyBytes>() {
            visitor.visit_bytes(bytes.as_bytes())
        } else if let Ok(bytes) = self.0.cast::<PyByteArray>() {
            visitor.visit_byte_buf(bytes.to_vec())
        } else if self.0.is_instance_of::<PyString>() {
            visitor.visit_string(self.text()?)
        } else {
            self.wrong("bytes")
        }
    }

    fn time(&self) -> Result<String, Fault> {
        const ADVICE: &str =
            "must be a datetime with a time zone, such as datetime(2024, 5, 1, 12, tzinfo=timezone.utc)";
        match self.0.cast::<PyDateTime>() {
            Ok(time) => {
                classes::timestamp(time)?.ok_or_else(|| Fault::new(format!("{ADVICE}: this one has none")))
            }
            Err(_) => self.wrong(&ADVICE[8..]),
        }
    }

    fn entries(&self) -> Result<Option<Vec<Attribute<'py>>>, Fault> {
        if let Some(entries) = classes::attributes(&self.0)? {
            return Ok(Some(entries));
        }
        let mut entries = Vec::new();
        let mut add = |name, value: Bound<'py, PyAny>| {
            let name = Reader(name, 0).text().map_err(|_| Fault::new("has a key that is not text"))?;
            // An argument that was left out, where that differs from `None`.
            if self.1 > 0 || !value.is(self.0.py().Ellipsis()) {
                entries.push((name.clone(), name, value));
            }
            Ok::<_, Fault>(())
        };
        if let Ok(dict) = self.0.cast::<PyDict>() {
            dict.iter().try_for_each(|(name, value)| add(name, value))?;
        } else if let Ok(mapping) = self.0.cast::<PyMapping>() {
            for pair in mapping.items()?.iter() {
                let (name, value) = pair.extract()?;
                add(name, value)?;
            }
        } else {
            return Ok(None);
        }
        Ok(Some(entries))
    }

    fn deeper(&self) -> Result<u8, Fault> {
        if self.1 < DEEPEST { Ok(self.1 + 1) } else { Err(Fault::new("is nested too deeply")) }
    }

    fn inside(&self, entries: Vec<Attribute<'py>>) -> Result<Entries<'py>, Fault> {
        Ok(Entries { rest: entries.into_iter(), value: None, depth: self.deeper()? })
    }

    /// A string is not a list of strings, although it can be iterated.
    fn is_single(&self) -> bool {
        self.0.is_instance_of::<PyString>()
            || self.0.is_instance_of::<PyBytes>()
            || self.0.is_instance_of::<PyByteArray>()
    }

    fn visit_list<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, Fault> {
        match self.0.try_iter() {
            Ok(items) => visitor.visit_seq(Items { rest: items, index: 0, depth: self.deeper()? }),
            Err(error) if error.is_instance_of::<PyTypeError>(self.0.py()) => self.wrong("a list"),
            Err(error) => Err(error.into()),
        }
    }
}

macro_rules! read {
    ($($method:ident => $read:ident, $visit:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            visitor.$visit(self.$read()?)
        })*
    };
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = Fault;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let value = &self.0;
        if value.is_none() {
            visitor.visit_unit()
        } else if let Ok(truth) = value.cast::<PyBool>() {
            visitor.visit_bool(truth.is_true())
        } else if value.is_instance_of::<PyInt>() {
            match value.extract::<i64>() {
                Ok(int) => visitor.visit_i64(int),
                Err(_) => visitor.visit_i128(self.wide()?),
            }
        } else if value.is_instance_of::<PyFloat>() {
            visitor.visit_f64(self.float()?)
        } else if value.is_instance_of::<PyString>() {
            visitor.visit_string(self.text()?)
        } else if value.is_instance_of::<PyDateTime>() {
            visitor.visit_string(self.time()?)
        } else if value.is_instance_of::<PyDate>() {
            visitor.visit_string(value.call_method0("isoformat")?.extract()?)
        } else if let Some(entries) = self.entries()? {
            visitor.visit_map(self.inside(entries)?)
        } else if let Some(plain) = self.plain() {
            plain.deserialize_any(visitor)
        } else if self.is_single() || value.try_iter().is_err() {
            self.wrong("text, a number, True, False or None")
        } else {
            self.visit_list(visitor)
        }
    }

    read! {
        deserialize_i8 => int, visit_i64; deserialize_i16 => int, visit_i64; deserialize_i32 => int, visit_i64;
        deserialize_i64 => int, visit_i64; deserialize_u8 => int, visit_i64; deserialize_u16 => int, visit_i64;
        deserialize_u32 => int, visit_i64; deserialize_u64 => int, visit_i64;
        deserialize_f32 => float, visit_f64; deserialize_f64 => float, visit_f64;
        deserialize_char => text, visit_string; deserialize_str => text, visit_string;
        deserialize_string => text, visit_string; deserialize_identifier => text, visit_string;
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0.cast::<PyBool>() {
            Ok(truth) => visitor.visit_bool(truth.is_true()),
            Err(_) => match self.plain() {
                Some(plain) => plain.deserialize_bool(visitor),
                None => self.wrong("True or False"),
            },
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.0.is_none() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if name == TIMESTAMP {
            let text = self.time()?;
            return visitor.visit_newtype_struct(IntoDeserializer::<Fault>::into_deserializer(text));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.is_single() || self.entries()?.is_some() {
            return self.wrong("a list");
        }
        self.visit_list(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.entries()? {
            Some(entries) => visitor.visit_map(self.inside(entries)?),
            None => self.wrong("a mapping or a model"),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_enum(self.text()?.into_deserializer())
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.visit_bytes(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.visit_bytes(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    serde::forward_to_deserialize_any! { unit unit_struct tuple_struct }
}

struct Items<'py> {
    rest: Bound<'py, pyo3::types::PyIterator>,
    index: usize,
    depth: u8,
}

impl<'de> de::SeqAccess<'de> for Items<'_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some(item) = self.rest.next() else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        seed.deserialize(Reader(item?, self.depth)).map(Some).map_err(|fault| fault.at(index))
    }
}

struct Entries<'py> {
    rest: std::vec::IntoIter<Attribute<'py>>,
    value: Option<(String, Bound<'py, PyAny>)>,
    depth: u8,
}

impl<'de> de::MapAccess<'de> for Entries<'_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some((wire, shown, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some((shown, value));
        seed.deserialize(IntoDeserializer::<Fault>::into_deserializer(wire)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let Some((shown, value)) = self.value.take() else {
            return Err(Fault::new("has a value without a key"));
        };
        seed.deserialize(Reader(value, self.depth)).map_err(|fault| fault.under(&shown))
    }
}
