//! A serde serializer to Python objects: models become instances of the generated classes, other structs dictionaries.

use crate::classes::{self, Class};
use crate::json;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde::ser::{self, Impossible, Serialize};
use sondage::internals::shared::RAW;
use sondage::model::{DAY, EXTRA, TIMESTAMP, Timestamp};
use std::fmt;
use std::sync::Arc;

/// Writes a value as Python objects.
pub fn to_python<'py, T: Serialize + ?Sized>(py: Python<'py>, value: &T) -> PyResult<Bound<'py, PyAny>> {
    value.serialize(Writer(py)).map_err(|stop| stop.0)
}

/// Why the conversion failed.
#[derive(Debug)]
pub struct Stop(PyErr);

impl From<PyErr> for Stop {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Stop {}

impl ser::Error for Stop {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Self(PyRuntimeError::new_err(text.to_string()))
    }
}

type Written<'py> = Result<Bound<'py, PyAny>, Stop>;

#[derive(Clone, Copy)]
struct Writer<'py>(Python<'py>);

macro_rules! plain {
    ($($method:ident: $type:ty;)*) => {
        $(fn $method(self, value: $type) -> Written<'py> {
            Ok(value.into_pyobject(self.0).map_err(PyErr::from)?.to_owned().into_any())
        })*
    };
}

impl<'py> ser::Serializer for Writer<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Stop;
    type SerializeSeq = List<'py>;
    type SerializeTuple = List<'py>;
    type SerializeTupleStruct = Impossible<Bound<'py, PyAny>, Stop>;
    type SerializeTupleVariant = Impossible<Bound<'py, PyAny>, Stop>;
    type SerializeMap = Map<'py>;
    type SerializeStruct = Object<'py>;
    type SerializeStructVariant = Impossible<Bound<'py, PyAny>, Stop>;

    #[doc = sondage::about!(raw)]
    fn is_human_readable(&self) -> bool {
        false
    }

    plain! {
        serialize_bool: bool; serialize_i8: i8; serialize_i16: i16; serialize_i32: i32; serialize_i64: i64;
        serialize_u8: u8; serialize_u16: u16; serialize_u32: u32; serialize_u64: u64;
        serialize_f32: f32; serialize_f64: f64; serialize_char: char; serialize_str: &str; serialize_bytes: &[u8];
    }

    fn serialize_none(self) -> Written<'py> {
        Ok(self.0.None().into_bound(self.0))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written<'py> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written<'py> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written<'py> {
        self.serialize_none()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written<'py> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Written<'py> {
        let written = value.serialize(self)?;
        if name == DAY {
            return Ok(written.call_method0("date")?);
        }
        if name != TIMESTAMP {
            return Ok(written);
        }
        let text = written.cast_into::<PyString>().map_err(PyErr::from)?;
        let time: Timestamp = text.to_str()?.parse().map_err(<Stop as ser::Error>::custom)?;
        Ok(classes::datetime(self.0, time)?)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written<'py> {
        let dict = PyDict::new(self.0);
        dict.set_item(variant, value.serialize(self)?)?;
        Ok(dict.into_any())
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<List<'py>, Stop> {
        Ok(List { writer: self, items: Vec::with_capacity(len.unwrap_or(0)) })
    }

    fn serialize_tuple(self, len: usize) -> Result<List<'py>, Stop> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Stop> {
        Err(ser::Error::custom("there are no tuple structs in a response"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Stop> {
        Err(ser::Error::custom("there are no variants in a response"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Map<'py>, Stop> {
        Ok(Map { writer: self, dict: PyDict::new(self.0), key: None })
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Object<'py>, Stop> {
        if name == RAW {
            return Ok(Object::Raw(self, None));
        }
        let Some(class) = classes::find(self.0, name)? else {
            return Ok(Object::Plain(self, PyDict::new(self.0)));
        };
        let instance = class.empty(self.0)?;
        Ok(Object::Model { writer: self, class, instance, next: 0, extra: None })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Stop> {
        Err(ser::Error::custom("there are no variants in a response"))
    }
}

struct List<'py> {
    writer: Writer<'py>,
    items: Vec<Bound<'py, PyAny>>,
}

impl<'py> ser::SerializeSeq for List<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Stop;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        self.items.push(value.serialize(self.writer)?);
        Ok(())
    }

    fn end(self) -> Written<'py> {
        Ok(PyList::new(self.writer.0, self.items)?.into_any())
    }
}

impl<'py> ser::SerializeTuple for List<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Stop;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Written<'py> {
        ser::SerializeSeq::end(self)
    }
}

struct Map<'py> {
    writer: Writer<'py>,
    dict: Bound<'py, PyDict>,
    key: Option<Bound<'py, PyAny>>,
}

impl<'py> ser::SerializeMap for Map<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Stop;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Stop> {
        self.key = Some(key.serialize(self.writer)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        let value = value.serialize(self.writer)?;
        Ok(self.dict.set_item(self.key.take(), value)?)
    }

    fn end(self) -> Written<'py> {
        Ok(self.dict.into_any())
    }
}

enum Object<'py> {
    /// A struct that is not a model.
    Plain(Writer<'py>, Bound<'py, PyDict>),
    /// JSON as text.
    Raw(Writer<'py>, Option<Bound<'py, PyAny>>),
    /// An instance whose attributes are being filled in.
    Model {
        writer: Writer<'py>,
        class: Arc<Class>,
        instance: Bound<'py, PyAny>,
        next: usize,
        extra: Option<Bound<'py, PyAny>>,
    },
}

impl<'py> ser::SerializeStruct for Object<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Stop;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Stop> {
        match self {
            Self::Plain(writer, dict) => {
                dict.set_item(PyString::intern(writer.0, key), value.serialize(*writer)?)?;
            }
            Self::Raw(writer, json) => *json = Some(json::read(&value.serialize(*writer)?)?),
            Self::Model { writer, extra, .. } if key == EXTRA => *extra = Some(value.serialize(*writer)?),
            Self::Model { writer, class, instance, next, .. } => {
                class.set(instance, next, key, &value.serialize(*writer)?)?;
            }
        }
        Ok(())
    }

    fn skip_field(&mut self, key: &'static str) -> Result<(), Stop> {
        self.serialize_field(key, &())
    }

    fn end(self) -> Written<'py> {
        match self {
            Self::Plain(_, dict) => Ok(dict.into_any()),
            Self::Raw(writer, json) => Ok(json.unwrap_or_else(|| writer.0.None().into_bound(writer.0))),
            Self::Model { instance, extra, .. } => {
                classes::set_extra(&instance, extra)?;
                Ok(instance)
            }
        }
    }
}
