//! The value of a member's field.

use super::Json;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// The value of a member's field: text, a number, a boolean, empty, or (unusual) any other JSON.
///
/// A number that fits neither an `i64` nor an `f64` without losing digits is kept as [`FieldValue::Json`].
#[derive(Clone, Debug, Default, PartialEq)]
pub enum FieldValue {
    /// The field is empty.
    #[default]
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number with decimals.
    Float(f64),
    /// Text.
    Text(String),
    /// Anything else, unparsed.
    Json(Json),
}

impl FieldValue {
    /// Whether the field is empty.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The text, if the value is text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The integer, if the value is one.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    fn of_json(json: Json) -> Self {
        let text = json.as_str();
        match text.as_bytes().first() {
            Some(b'n') => Self::Null,
            Some(b't') => Self::Bool(true),
            Some(b'f') => Self::Bool(false),
            Some(b'"') => json.read().map_or_else(|_| Self::Json(json.clone()), Self::Text),
            Some(b'-' | b'0'..=b'9') => number(text).unwrap_or(Self::Json(json)),
            _ => Self::Json(json),
        }
    }
}

/// `None` when neither type can hold every digit.
fn number(text: &str) -> Option<FieldValue> {
    if let Ok(int) = text.parse() {
        return Some(FieldValue::Int(int));
    }
    let digits =
        text.split(['e', 'E']).next()?.bytes().filter(u8::is_ascii_digit).skip_while(|d| *d == b'0').count();
    let float: f64 = text.parse().ok()?;
    // A double distinguishes 17 significant digits.
    (digits <= 17 && float.is_finite()).then_some(FieldValue::Float(float))
}

impl Serialize for FieldValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::Json(value) => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for FieldValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Json::deserialize(deserializer).map(Self::of_json);
        }
        deserializer.deserialize_any(FieldValueVisitor)
    }
}

/// Deserialises a value from a language binding.
struct FieldValueVisitor;

impl<'de> Visitor<'de> for FieldValueVisitor {
    type Value = FieldValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text, a number, a boolean or nothing")
    }
    fn visit_unit<E: Error>(self) -> Result<FieldValue, E> {
        Ok(FieldValue::Null)
    }
    fn visit_none<E: Error>(self) -> Result<FieldValue, E> {
        Ok(FieldValue::Null)
    }
    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<FieldValue, D::Error> {
        FieldValue::deserialize(inner)
    }
    fn visit_bool<E: Error>(self, value: bool) -> Result<FieldValue, E> {
        Ok(FieldValue::Bool(value))
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<FieldValue, E> {
        Ok(FieldValue::Int(value))
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<FieldValue, E> {
        match i64::try_from(value) {
            Ok(int) => Ok(FieldValue::Int(int)),
            Err(_) => Json::of(&value).map(FieldValue::Json).map_err(E::custom),
        }
    }
    fn visit_i128<E: Error>(self, _: i128) -> Result<FieldValue, E> {
        Err(E::custom("a number of more than 64 bits"))
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<FieldValue, E> {
        if value.is_finite() {
            Ok(FieldValue::Float(value))
        } else {
            Err(E::custom(format!(
                "{value} cannot be sent: JSON has no such number; use null for a missing value"
            )))
        }
    }
    fn visit_str<E: Error>(self, value: &str) -> Result<FieldValue, E> {
        Ok(FieldValue::Text(value.to_owned()))
    }
    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, seq: A) -> Result<FieldValue, A::Error> {
        let value = serde_json::Value::deserialize(serde::de::value::SeqAccessDeserializer::new(seq))?;
        Json::of(&value).map(FieldValue::Json).map_err(A::Error::custom)
    }
    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<FieldValue, A::Error> {
        let value = serde_json::Value::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        Json::of(&value).map(FieldValue::Json).map_err(A::Error::custom)
    }
}

macro_rules! from {
    ($($type:ty => $variant:ident),*) => {
        $(impl From<$type> for FieldValue {
            fn from(value: $type) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}
from!(bool => Bool, i32 => Int, i64 => Int, f64 => Float, &str => Text, String => Text, Json => Json);
