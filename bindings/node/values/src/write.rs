//! Converts responses of the core to plain JavaScript objects.
//!
//! An integer becomes a `number` if that can hold every digit, and otherwise a `bigint`: the same number always has the
//! same type. A timestamp becomes a `Date`.

use napi::bindgen_prelude::{BigInt, Function, JsObjectValue, Object, ToNapiValue, Unknown};
use napi::{Env, Error, JsValue, sys};
use serde::ser::{self, Impossible, Serialize};
use serde_json::value::RawValue;
use sondage::internals::shared::{DEEPEST, RAW};
use sondage::model::{TIMESTAMP, Timestamp};
use std::ptr;

/// The largest integer that a `number` represents exactly together with its neighbours.
pub const SAFE: u64 = (1 << 53) - 1;

/// Writes a value as JavaScript objects.
pub fn to_js<'env, T: Serialize + ?Sized>(env: &'env Env, value: &T) -> napi::Result<Unknown<'env>> {
    value.serialize(Writer(env))
}

type Written<'env> = napi::Result<Unknown<'env>>;

#[derive(Clone, Copy)]
struct Writer<'env>(&'env Env);

impl<'env> Writer<'env> {
    #[allow(unsafe_code)]
    fn value<T: ToNapiValue>(self, value: T) -> Written<'env> {
        // SAFETY: this is the thread of this environment, inside a call from it.
        unsafe {
            let raw = T::to_napi_value(self.0.raw(), value)?;
            Ok(Unknown::from_raw_unchecked(self.0.raw(), raw))
        }
    }

    #[allow(clippy::cast_precision_loss)] // what is not safe is a bigint
    fn int(self, value: i64) -> Written<'env> {
        if value.unsigned_abs() <= SAFE { self.value(value as f64) } else { self.value(BigInt::from(value)) }
    }

    fn float(self, value: f64) -> Written<'env> {
        self.value(value)
    }

    fn text(self, value: String) -> Written<'env> {
        self.value(value)
    }

    /// An object with these own properties: `__proto__` is an ordinary name here.
    #[allow(unsafe_code)]
    fn object(self, entries: &[(Unknown<'env>, Unknown<'env>)]) -> Written<'env> {
        let object = Object::new(self.0)?;
        let properties: Vec<_> = entries
            .iter()
            .map(|(key, value)| sys::napi_property_descriptor {
                utf8name: ptr::null(),
                name: key.raw(),
                method: None,
                getter: None,
                setter: None,
                value: value.raw(),
                attributes: sys::PropertyAttributes::writable
                    | sys::PropertyAttributes::enumerable
                    | sys::PropertyAttributes::configurable,
                data: ptr::null_mut(),
            })
            .collect();
        // SAFETY: the descriptors live until the call returns, and all values belong to this environment.
        let status = unsafe {
            sys::napi_define_properties(self.0.raw(), object.raw(), properties.len(), properties.as_ptr())
        };
        if status != sys::Status::napi_ok {
            return Err(ser::Error::custom("an object could not be made"));
        }
        Ok(object.to_unknown())
    }

    /// JSON as received. Half of a surrogate pair is valid text only in JavaScript: JavaScript parses such a part.
    fn json(self, text: &str, depth: u8) -> Written<'env> {
        self.exact(text, depth).or_else(|_| {
            let json: Object<'env> = self.0.get_global()?.get_named_property("JSON")?;
            json.get_named_property::<Function<'env, &str, Unknown<'env>>>("parse")?.call(text)
        })
    }

    /// JSON without losing a digit. A number that neither a `number` nor a `bigint` can hold stays text.
    fn exact(self, text: &str, depth: u8) -> Written<'env> {
        fn read<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Result<T, Error> {
            Ok(serde_json::from_str(text)?)
        }
        let inside = |value: &RawValue| self.json(value.get(), depth + 1);
        match text.as_bytes().first() {
            Some(b'{' | b'[') if depth > DEEPEST => self.value(text),
            Some(b'{') => {
                let entries = read::<indexmap::IndexMap<String, &RawValue>>(text)?;
                let entries =
                    entries.iter().map(|(key, value)| Ok((self.value(key.as_str())?, inside(value)?)));
                self.object(&entries.collect::<Result<Vec<_>, Error>>()?)
            }
            Some(b'[') => {
                let items = read::<Vec<&RawValue>>(text)?;
                self.value(items.into_iter().map(inside).collect::<Result<Vec<_>, _>>()?)
            }
            Some(b'"') => self.value(read::<String>(text)?),
            Some(b't' | b'f') => self.value(read::<bool>(text)?),
            Some(b'-' | b'0'..=b'9') => self.number(text),
            _ => self.value(napi::bindgen_prelude::Null),
        }
    }

    fn number(self, text: &str) -> Written<'env> {
        if let Ok(int) = text.parse::<i64>() {
            return self.int(int);
        }
        if let Ok(int) = text.parse::<i128>() {
            return self.value(BigInt::from(int));
        }
        let digits = text.split(['e', 'E']).next().unwrap_or(text);
        let digits = digits.bytes().filter(u8::is_ascii_digit).skip_while(|digit| *digit == b'0').count();
        match text.parse::<f64>() {
            Ok(float) if float.is_finite() && digits <= 17 => self.value(float),
            _ => self.value(text),
        }
    }
}

macro_rules! plain {
    ($($method:ident: $type:ty => $how:ident;)*) => {
        $(fn $method(self, value: $type) -> Written<'env> {
            self.$how(value.into())
        })*
    };
}

impl<'env> ser::Serializer for Writer<'env> {
    type Ok = Unknown<'env>;
    type Error = Error;
    type SerializeSeq = List<'env>;
    type SerializeTuple = List<'env>;
    type SerializeTupleStruct = Impossible<Unknown<'env>, Error>;
    type SerializeTupleVariant = Impossible<Unknown<'env>, Error>;
    type SerializeMap = Entries<'env>;
    type SerializeStruct = Entries<'env>;
    type SerializeStructVariant = Impossible<Unknown<'env>, Error>;

    #[doc = sondage::about!(raw)]
    fn is_human_readable(&self) -> bool {
        false
    }

    plain! {
        serialize_i8: i8 => int; serialize_i16: i16 => int; serialize_i32: i32 => int; serialize_i64: i64 => int;
        serialize_u8: u8 => int; serialize_u16: u16 => int; serialize_u32: u32 => int;
        serialize_char: char => text; serialize_str: &str => text;
        serialize_f32: f32 => float; serialize_f64: f64 => float;
    }

    fn serialize_bool(self, value: bool) -> Written<'env> {
        self.value(value)
    }

    fn serialize_u64(self, value: u64) -> Written<'env> {
        i64::try_from(value).map_or_else(|_| self.value(BigInt::from(value)), |value| self.int(value))
    }

    fn serialize_bytes(self, value: &[u8]) -> Written<'env> {
        self.value(napi::bindgen_prelude::Buffer::from(value))
    }

    fn serialize_none(self) -> Written<'env> {
        self.value(napi::bindgen_prelude::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written<'env> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written<'env> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written<'env> {
        self.serialize_none()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written<'env> {
        self.value(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Written<'env> {
        if name != TIMESTAMP {
            return value.serialize(self);
        }
        let text = value.serialize(serde_json::value::Serializer)?;
        let time: Timestamp =
            text.as_str().unwrap_or_default().parse().map_err(<Error as ser::Error>::custom)?;
        #[allow(clippy::cast_precision_loss)] // a Date cannot exceed 8.64e15 milliseconds
        let date = self.0.create_date(time.0.timestamp_millis() as f64)?;
        Ok(date.to_unknown())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written<'env> {
        self.object(&[(self.value(variant)?, value.serialize(self)?)])
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<List<'env>, Error> {
        Ok(List(self, Vec::with_capacity(len.unwrap_or(0))))
    }

    fn serialize_tuple(self, len: usize) -> Result<List<'env>, Error> {
        self.serialize_seq(Some(len))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Entries<'env>, Error> {
        let items = Vec::with_capacity(len.unwrap_or(0));
        Ok(Entries { writer: self, done: items, key: None, raw: false })
    }

    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Entries<'env>, Error> {
        Ok(Entries { raw: name == RAW, ..self.serialize_map(Some(len))? })
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        Err(ser::Error::custom("there are no tuple structs in a response"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(ser::Error::custom("there are no variants in a response"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        Err(ser::Error::custom("there are no variants in a response"))
    }
}

struct List<'env>(Writer<'env>, Vec<Unknown<'env>>);

impl<'env> ser::SerializeSeq for List<'env> {
    type Ok = Unknown<'env>;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.1.push(value.serialize(self.0)?);
        Ok(())
    }

    fn end(self) -> Written<'env> {
        self.0.value(self.1)
    }
}

impl<'env> ser::SerializeTuple for List<'env> {
    type Ok = Unknown<'env>;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Written<'env> {
        ser::SerializeSeq::end(self)
    }
}

struct Entries<'env> {
    writer: Writer<'env>,
    done: Vec<(Unknown<'env>, Unknown<'env>)>,
    key: Option<Unknown<'env>>,
    /// Raw JSON: its only field is the text.
    raw: bool,
}

impl<'env> ser::SerializeMap for Entries<'env> {
    type Ok = Unknown<'env>;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = Some(key.serialize(self.writer)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let value = value.serialize(self.writer)?;
        self.done.extend(self.key.take().map(|key| (key, value)));
        Ok(())
    }

    fn end(self) -> Written<'env> {
        self.writer.object(&self.done)
    }
}

impl<'env> ser::SerializeStruct for Entries<'env> {
    type Ok = Unknown<'env>;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        let value = if self.raw {
            let text = value.serialize(serde_json::value::Serializer)?;
            self.writer.json(text.as_str().unwrap_or_default(), 0)?
        } else {
            value.serialize(self.writer)?
        };
        self.done.push((self.writer.value(key)?, value));
        Ok(())
    }

    fn end(self) -> Written<'env> {
        match self.done.first() {
            Some((_, value)) if self.raw => Ok(*value),
            _ => self.writer.object(&self.done),
        }
    }
}
