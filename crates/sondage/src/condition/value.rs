//! The value of a condition.

use crate::error::Text;
use crate::model::Timestamp;
use crate::text;
use chrono::{DateTime, Datelike, NaiveDate, TimeZone, Utc};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

/// A timestamp as conditions write it: `yyyy-mm-dd hh:mm:ss.fff`, in UTC. It is a type of its own because
/// requests and responses write times as ISO 8601 ([`Timestamp`]): the two cannot be mixed up.
///
/// It is made from a time with an offset. A time without one does not compile:
///
/// ```compile_fail
/// let naive = chrono::NaiveDate::from_ymd_opt(2024, 5, 1).unwrap().and_hms_opt(12, 0, 0).unwrap();
/// sondage::condition::column("UpdatedAt").is_after(naive);
/// ```
// API 11.6, published
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConditionTime(DateTime<Utc>);

impl<Z: TimeZone> From<DateTime<Z>> for ConditionTime {
    fn from(time: DateTime<Z>) -> Self {
        Self(time.to_utc())
    }
}

impl From<Timestamp> for ConditionTime {
    fn from(time: Timestamp) -> Self {
        Self(time.0)
    }
}

/// The format has milliseconds: finer fractions are truncated, so that "since" never starts too late.
impl fmt::Display for ConditionTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%Y-%m-%d %H:%M:%S%.3f"))
    }
}

/// One value to compare with.
#[derive(Clone, Debug, PartialEq)]
pub enum ConditionValue {
    /// Text, sent unchanged.
    Text(String),
    /// An integer.
    Int(i64),
    /// A number with decimals. It must be finite.
    Float(f64),
    /// `true` or `false`. This spelling is an assumption.
    Bool(bool),
    /// A day: `yyyy-mm-dd`.
    Date(NaiveDate),
    /// A timestamp.
    Time(ConditionTime),
}

impl ConditionValue {
    /// The text that is sent, or why it cannot be sent.
    pub(super) fn render(&self) -> Result<String, Text> {
        match self {
            Self::Text(text) if text.is_empty() => {
                Err("a value cannot be compared with an empty text; use `is_empty` or `is_not_empty`".into())
            }
            Self::Text(text) => Ok(text.clone()),
            Self::Int(number) => Ok(number.to_string()),
            Self::Float(number) if number.is_finite() => Ok(number.to_string()),
            Self::Float(number) => Err(text!("{number} cannot be compared with")),
            Self::Bool(value) => Ok(value.to_string()),
            Self::Date(day) => year(*day).map(|()| day.format("%Y-%m-%d").to_string()),
            Self::Time(time) => year(time.0.date_naive()).map(|()| time.to_string()),
        }
    }
}

fn year(day: NaiveDate) -> Result<(), Text> {
    if (1..=9999).contains(&day.year()) { Ok(()) } else { Err("its year does not have four digits".into()) }
}

macro_rules! from {
    ($($type:ty => |$value:ident| $make:expr),* $(,)?) => {
        $(impl From<$type> for ConditionValue {
            fn from($value: $type) -> Self {
                $make
            }
        })*
    };
}
from! {
    &str => |text| Self::Text(text.to_owned()),
    String => |text| Self::Text(text),
    i32 => |number| Self::Int(number.into()),
    u32 => |number| Self::Int(number.into()),
    i64 => |number| Self::Int(number),
    f64 => |number| Self::Float(number),
    bool => |value| Self::Bool(value),
    NaiveDate => |day| Self::Date(day),
    ConditionTime => |time| Self::Time(time),
    Timestamp => |time| Self::Time(time.into()),
}

impl<Z: TimeZone> From<DateTime<Z>> for ConditionValue {
    fn from(time: DateTime<Z>) -> Self {
        Self::Time(time.into())
    }
}

/// The right-hand side of an operator.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Operand {
    /// Nothing: the `…Empty` operators.
    #[default]
    Nothing,
    /// One value.
    One(ConditionValue),
    /// Several values: the `Any…` operators.
    Many(Vec<ConditionValue>),
}

impl Serialize for ConditionValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Int(number) => serializer.serialize_i64(*number),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Date(day) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("date", &day.format("%Y-%m-%d").to_string())?;
                map.end()
            }
            Self::Time(time) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("time", &Timestamp(time.0))?;
                map.end()
            }
        }
    }
}

impl Serialize for Operand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing => serializer.serialize_none(),
            Self::One(value) => value.serialize(serializer),
            Self::Many(values) => values.serialize(serializer),
        }
    }
}

struct OperandVisitor;

impl<'de> Visitor<'de> for OperandVisitor {
    type Value = Operand;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text, a number, a boolean, {\"date\": ..}, {\"time\": ..} or a list of these")
    }
    fn visit_unit<E: Error>(self) -> Result<Operand, E> {
        Ok(Operand::Nothing)
    }
    fn visit_bool<E: Error>(self, value: bool) -> Result<Operand, E> {
        Ok(Operand::One(value.into()))
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<Operand, E> {
        Ok(Operand::One(value.into()))
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<Operand, E> {
        let value = i64::try_from(value).map_or_else(|_| value.to_string().into(), ConditionValue::from);
        Ok(Operand::One(value))
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Operand, E> {
        Ok(Operand::One(value.into()))
    }
    fn visit_str<E: Error>(self, value: &str) -> Result<Operand, E> {
        Ok(Operand::One(value.into()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Operand, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Operand::Many(values))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Operand, A::Error> {
        let value = match map.next_key::<String>()?.as_deref() {
            Some("date") => {
                let day = map.next_value::<String>()?;
                let day = NaiveDate::parse_from_str(&day, "%Y-%m-%d")
                    .map_err(|_| A::Error::custom(format!("`{day}` is not a day such as 2024-05-01")))?;
                ConditionValue::Date(day)
            }
            Some("time") => ConditionValue::Time(map.next_value::<Timestamp>()?.into()),
            _ => return Err(A::Error::custom("an object is {\"date\": ..} or {\"time\": ..}")),
        };
        if map.next_key::<String>()?.is_some() {
            return Err(A::Error::custom("an object with a date or a time has no other keys"));
        }
        Ok(Operand::One(value))
    }
}

impl<'de> Deserialize<'de> for Operand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OperandVisitor)
    }
}

impl<'de> Deserialize<'de> for ConditionValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Operand::deserialize(deserializer)? {
            Operand::One(value) => Ok(value),
            Operand::Nothing => Err(D::Error::custom("a value is missing")),
            Operand::Many(_) => Err(D::Error::custom("a list cannot contain a list")),
        }
    }
}
