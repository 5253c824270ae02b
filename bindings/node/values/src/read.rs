//! A serde deserializer over JavaScript values.
//!
//! If it has the schema of a value, it refuses keys that are not in it, even where the core would keep them as unknown
//! fields. Such fields are below [`EXTRA`].

use crate::fault::Fault;
use crate::own::{check_own, names};
use crate::write::SAFE;
use chrono::DateTime;
use napi::bindgen_prelude::{BigInt, Buffer, FromNapiValue, JsObjectValue, KeyFilter, Object, Unknown};
use napi::{JsDate, JsString, JsValue, ValueType};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};
use sondage::Timestamp;
use sondage::internals::schema::{Kind, ModelSchema, Type, selects_in_any};
use sondage::internals::shared::{DEEPEST, in_javascript, unsendable};
use sondage::model::{EXTRA, TIMESTAMP};
use sondage_jobs::options_of_all_crates;

/// Reads a value as a type of the core. `schema`: the schema of the value.
pub fn from_js<T: DeserializeOwned>(
    value: Unknown<'_>,
    schema: Option<&'static ModelSchema>,
) -> Result<T, Fault> {
    T::deserialize(Reader { value, shape: schema.map_or(Shape::Free, Shape::Model), depth: 0 })
}

/// Options that hold fields of a body as the caller writes it.
const BODIES: [&str; 2] = ["body", "extra"];

/// What is known about a value before it is read.
#[derive(Clone, Copy)]
enum Shape {
    Free,
    Each(&'static Type),
    Model(&'static ModelSchema),
    Options(&'static str),
    /// Fields of a body as the caller writes it.
    Body,
}

impl Shape {
    fn of(ty: &'static Type) -> Self {
        match ty {
            Type::Optional(inner) => Self::of(inner),
            Type::List(inner) | Type::Map(inner) => Self::Each(inner),
            Type::Model(schema) => Self::Model(schema()),
            _ => Self::Free,
        }
    }

    fn item(self) -> Self {
        match self {
            Self::Each(ty) => Self::of(ty),
            _ => Self::Free,
        }
    }

    fn field(self, name: &str) -> Result<Self, Fault> {
        if matches!(self, Self::Options(_)) && BODIES.contains(&name) {
            return Ok(Self::Body);
        }
        let Self::Model(schema) = self else { return Ok(self.item()) };
        let matching_field = schema.fields.iter().find(|field| field.wire == name);
        matching_field.map(|field| Self::of(field.ty)).ok_or_else(|| {
            let names: Vec<_> = schema.fields.iter().map(|field| field.wire).collect();
            Fault::unknown(name, &names)
        })
    }

    fn selects(self, name: &str) -> bool {
        matches!(self, Self::Model(it) if it.selects(name))
            || matches!(self, Self::Options(it) if options_of_all_crates().any(|schema| schema.name == it && schema.selects(name)))
            || matches!(self, Self::Body if selects_in_any(name))
    }

    fn keeps_unknown(self) -> bool {
        matches!(self, Self::Model(schema) if schema.kind != Kind::Request)
    }
}

struct Reader<'js> {
    value: Unknown<'js>,
    shape: Shape,
    depth: u8,
}

impl<'js> Reader<'js> {
    #[allow(unsafe_code)]
    fn cast<T: FromNapiValue>(&self) -> Result<T, Fault> {
        // SAFETY: the type was checked before, and a wrong one is an error.
        Ok(unsafe { self.value.cast() }?)
    }

    fn kind(&self) -> Result<ValueType, Fault> {
        Ok(self.value.get_type()?)
    }

    fn wrong<T>(&self, wanted: &str) -> Result<T, Fault> {
        let kind_name = match self.kind()? {
            ValueType::Null => "null",
            ValueType::Undefined => "undefined",
            ValueType::Boolean => "a boolean",
            ValueType::Number => "a number",
            ValueType::String => "a string",
            ValueType::Symbol => "a symbol",
            ValueType::BigInt => "a bigint",
            ValueType::Function => "a function",
            _ if self.value.is_array()? => "an array",
            _ if self.value.is_date()? => "a Date",
            _ => "an object",
        };
        Err(Fault::new(format!("must be {wanted}, not {kind_name}")))
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // checked before
    fn int(&self) -> Result<i64, Fault> {
        match self.kind()? {
            ValueType::BigInt => match self.cast::<BigInt>()?.get_i64() {
                (int, true) => Ok(int),
                _ => Err(Fault::new("does not fit into 64 bits")),
            },
            ValueType::Number => match self.cast::<f64>()? {
                number if number.fract() != 0.0 || !number.is_finite() => {
                    Err(Fault::new(format!("must be an integer, not {}", in_javascript(number))))
                }
                number if number.abs() > SAFE as f64 => {
                    Err(Fault::new("must be a bigint: a number of that size may have lost digits already"))
                }
                number => Ok(number as i64),
            },
            _ => self.wrong("an integer"),
        }
    }

    #[doc = sondage::about!(wide)]
    fn wide(&self) -> Result<i128, Fault> {
        match self.cast::<BigInt>()?.get_i128() {
            (int, true) => Ok(int),
            _ => Err(Fault::new("does not fit into 128 bits")),
        }
    }

    fn float(&self) -> Result<f64, Fault> {
        let number = match self.kind()? {
            ValueType::Number => self.cast::<f64>()?,
            _ => return self.wrong("a number"),
        };
        if number.is_finite() {
            return Ok(number);
        }
        Err(Fault::new(unsendable(in_javascript(number), "null")))
    }

    fn bool(&self) -> Result<bool, Fault> {
        if self.kind()? == ValueType::Boolean { self.cast() } else { self.wrong("true or false") }
    }

    fn text(&self) -> Result<String, Fault> {
        if self.kind()? != ValueType::String {
            return self.wrong("a string");
        }
        let text: String = self.cast()?;
        // A lone surrogate is read as this character: only then is the string checked for one.
        if text.contains(char::REPLACEMENT_CHARACTER) {
            let exact = self.cast::<JsString<'_>>()?.into_utf16()?;
            if char::decode_utf16(exact.as_slice().iter().copied()).any(|unit| unit.is_err()) {
                return Err(Fault::new("holds half of a surrogate pair, which is not text"));
            }
        }
        Ok(text)
    }

    #[allow(clippy::cast_possible_truncation)] // a Date holds whole milliseconds
    fn time(&self) -> Result<String, Fault> {
        if !self.value.is_date()? {
            return self.wrong("a Date");
        }
        let millis = self.cast::<JsDate<'_>>()?.value_of()?;
        if millis.is_nan() {
            return Err(Fault::new("is a Date without a time"));
        }
        let time = DateTime::from_timestamp_millis(millis as i64).and_then(Timestamp::of);
        Ok(time.ok_or_else(|| Fault::new("is a Date outside of the years 1 to 9999"))?.to_string())
    }

    /// Bytes, or text if text is accepted as well.
    fn visit_bytes<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, Fault> {
        if self.kind()? == ValueType::String {
            return visitor.visit_string(self.text()?);
        }
        if !self.value.is_buffer()? {
            return self.wrong("a string or a Buffer");
        }
        visitor.visit_bytes(&self.cast::<Buffer>()?)
    }

    fn deeper(&self) -> Result<u8, Fault> {
        if self.depth < DEEPEST { Ok(self.depth + 1) } else { Err(Fault::new("is nested too deeply")) }
    }

    /// The own properties that have a value; including those below `$extra`, if the model may have unknown fields.
    /// What selects is included without a value too: the core refuses it.
    fn entries(&self) -> Result<Entries<'js>, Fault> {
        if self.kind()? != ValueType::Object || self.value.is_array()? || self.value.is_date()? {
            return self.wrong("an object");
        }
        let mut rest = Vec::new();
        let depth = self.deeper()?;
        for (name, value) in properties(self.cast()?)? {
            if name == EXTRA && self.shape.keeps_unknown() {
                let extra = properties(value.coerce_to_object()?)?;
                rest.extend(extra.map(|(name, value)| (name, Reader { value, shape: Shape::Free, depth })));
            } else {
                let reader = Reader { value, shape: self.shape.field(&name)?, depth };
                if self.shape.selects(&name) || reader.kind()? != ValueType::Undefined {
                    rest.push((name, reader));
                }
            }
        }
        Ok(Entries { rest: rest.into_iter(), value: None })
    }

    fn items(&self) -> Result<Items<'js>, Fault> {
        if !self.value.is_array()? {
            return self.wrong("an array");
        }
        let array: Object<'js> = self.cast()?;
        let length = array.get_array_length()?;
        Ok(Items { array, index: 0, length, shape: self.shape.item(), depth: self.deeper()? })
    }
}

fn properties<'js>(object: Object<'js>) -> Result<impl Iterator<Item = (String, Unknown<'js>)>, Fault> {
    check_own(&object)?;
    let names = names(&object, KeyFilter::Enumerable)?;
    let mut items = Vec::new();
    for index in 0..names.get_array_length()? {
        let name: Unknown<'js> = names.get_element(index)?;
        if name.get_type()? == ValueType::String {
            let value = object.get_property(name)?;
            items.push((Reader { value: name, shape: Shape::Free, depth: 0 }.text()?, value));
        }
    }
    Ok(items.into_iter())
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
        match self.kind()? {
            ValueType::Null | ValueType::Undefined => visitor.visit_unit(),
            ValueType::Boolean => visitor.visit_bool(self.bool()?),
            ValueType::Number => match self.int() {
                Ok(int) => visitor.visit_i64(int),
                Err(_) => visitor.visit_f64(self.float()?),
            },
            ValueType::BigInt => match self.int() {
                Ok(int) => visitor.visit_i64(int),
                Err(_) => visitor.visit_i128(self.wide()?),
            },
            ValueType::String => visitor.visit_string(self.text()?),
            ValueType::Object if self.value.is_array()? => visitor.visit_seq(self.items()?),
            ValueType::Object if self.value.is_date()? => visitor.visit_string(self.time()?),
            ValueType::Object => visitor.visit_map(self.entries()?),
            _ => self.wrong("a string, a number, a boolean or null"),
        }
    }

    read! {
        deserialize_bool => bool, visit_bool;
        deserialize_i8 => int, visit_i64; deserialize_i16 => int, visit_i64; deserialize_i32 => int, visit_i64;
        deserialize_i64 => int, visit_i64; deserialize_u8 => int, visit_i64; deserialize_u16 => int, visit_i64;
        deserialize_u32 => int, visit_i64; deserialize_u64 => int, visit_i64;
        deserialize_f32 => float, visit_f64; deserialize_f64 => float, visit_f64;
        deserialize_char => text, visit_string; deserialize_str => text, visit_string;
        deserialize_string => text, visit_string; deserialize_identifier => text, visit_string;
        deserialize_seq => items, visit_seq; deserialize_map => entries, visit_map;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.kind()? {
            // Only what selects has got here.
            ValueType::Undefined if self.depth > 0 => {
                self.wrong(&(&visitor as &dyn de::Expected).to_string())
            }
            ValueType::Null | ValueType::Undefined => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if name == TIMESTAMP {
            return visitor.visit_newtype_struct(IntoDeserializer::<Fault>::into_deserializer(self.time()?));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_map(Reader { shape: Shape::Options(name), ..self }.entries()?)
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
        visitor.visit_seq(self.items()?)
    }

    serde::forward_to_deserialize_any! { unit unit_struct tuple_struct }
}

struct Items<'js> {
    array: Object<'js>,
    index: u32,
    length: u32,
    shape: Shape,
    depth: u8,
}

impl<'de> de::SeqAccess<'de> for Items<'_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        if self.index == self.length {
            return Ok(None);
        }
        let index = self.index;
        self.index += 1;
        let reader = Reader { value: self.array.get_element(index)?, shape: self.shape, depth: self.depth };
        seed.deserialize(reader).map(Some).map_err(|fault| fault.at(index))
    }
}

struct Entries<'js> {
    rest: std::vec::IntoIter<(String, Reader<'js>)>,
    value: Option<(String, Reader<'js>)>,
}

impl<'de> de::MapAccess<'de> for Entries<'_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some((name, reader)) = self.rest.next() else { return Ok(None) };
        let key = seed.deserialize(IntoDeserializer::<Fault>::into_deserializer(name.clone()))?;
        self.value = Some((name, reader));
        Ok(Some(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let Some((name, reader)) = self.value.take() else {
            return Err(Fault::new("has a value without a key"));
        };
        seed.deserialize(reader).map_err(|fault| fault.under(&name))
    }
}
