//! Values for the evaluation of conditions.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use serde_json::Value;
use std::borrow::Cow;
use std::cmp::Ordering;

/// The type of a column, which determines how its operands are parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellKind {
    Number,
    Text,
    /// The tag of a language, whose case does not matter.
    Tag,
    Time,
}

impl CellKind {
    /// By the API's names of variable types.
    pub(crate) fn of_variable(name: &str) -> Option<Self> {
        match name {
            "Number" | "Real" => Some(Self::Number),
            "String" => Some(Self::Text),
            "Date" => Some(Self::Time),
            _ => None,
        }
    }
}

/// One value of a row.
#[derive(Clone, Debug)]
pub(crate) enum CellValue<'a> {
    Null,
    Number(Number),
    Text(Cow<'a, str>),
    Time(DateTime<Utc>),
    List(Vec<CellValue<'a>>),
}

impl<'a> CellValue<'a> {
    /// Any other JSON value.
    pub(crate) fn json(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(flag) => Self::Text(Cow::Borrowed(if *flag { "true" } else { "false" })),
            Value::Number(number) => number
                .as_i64()
                .map(Number::Int)
                .or_else(|| number.as_f64().map(Number::Float))
                .map_or(Self::Null, Self::Number),
            Value::String(text) => Self::Text(Cow::Borrowed(text)),
            Value::Array(items) => Self::List(items.iter().map(Self::json).collect()),
            Value::Object(_) => Self::Text(Cow::Owned(value.to_string())),
        }
    }

    pub(crate) fn text(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }

    pub(crate) fn int(number: i64) -> Self {
        Self::Number(Number::Int(number))
    }

    pub(crate) fn time(time: Option<DateTime<Utc>>) -> Self {
        time.map_or(Self::Null, Self::Time)
    }

    /// Whether it has no value, or an empty text or list.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Text(text) => text.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Number(_) | Self::Time(_) => false,
        }
    }

    /// The text for `Contains` and the regular expressions.
    pub(crate) fn as_text(&self) -> Cow<'_, str> {
        match self {
            Self::Null | Self::List(_) => Cow::Borrowed(""),
            Self::Number(number) => Cow::Owned(number.to_string()),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Time(time) => Cow::Owned(time.format("%Y-%m-%d %H:%M:%S%.3f").to_string()),
        }
    }

    /// The sort order of cells: empty first, then numbers, times and texts.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.order(*b),
            (Self::Time(a), Self::Time(b)) => a.cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Number(_) => 1,
            Self::Time(_) => 2,
            Self::Text(_) => 3,
            Self::List(_) => 4,
        }
    }
}

/// A number, with all the digits of an id.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(int) = text.parse() {
            return Some(Self::Int(int));
        }
        text.parse().ok().filter(|float: &f64| float.is_finite()).map(Self::Float)
    }

    pub(crate) fn order(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a.cmp(&b),
            (a, b) => a.float().total_cmp(&b.float()),
        }
    }

    #[allow(clippy::cast_precision_loss)] // Compared with a float only, which has no more digits.
    fn float(self) -> f64 {
        match self {
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(int) => int.fmt(f),
            Self::Float(float) => float.fmt(f),
        }
    }
}

/// A date or timestamp in the format of conditions: `yyyy-mm-dd`, or `yyyy-mm-dd hh:mm[:ss[.fff]]` in UTC. ISO 8601 with
/// its `T` is a different format and refused.
// API 11.6, published
pub(crate) fn parse_time(text: &str) -> Option<DateTime<Utc>> {
    const FORMATS: [&str; 2] = ["%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S%.f"];
    let digits = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    if !digits(0) || text.len() > "yyyy-mm-dd hh:mm:ss.fff".len() {
        return None;
    }
    if let Ok(day) = NaiveDate::parse_from_str(text, "%Y-%m-%d") {
        return (text.len() == 10).then(|| day.and_hms_opt(0, 0, 0))?.map(|time| time.and_utc());
    }
    FORMATS
        .iter()
        .find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())
        .map(|time| time.and_utc())
}
