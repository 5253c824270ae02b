//! Codes of answers that have a meaning of their own, as callers give them: for all columns or by column, one or several,
//! numbers, texts and ranges.

use indexmap::IndexMap;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::ops::RangeInclusive;

/// A code of an answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnswerCode {
    /// Of a column of integers.
    Integer(i64),
    /// Of a column of other numbers.
    Real(f64),
    /// Of a column of texts.
    Text(String),
    /// All integers in this range.
    Range(RangeInclusive<i64>),
}

/// Codes of answers: for all columns, or by column or question.
///
/// ```
/// use sondage::arguments::AnswerCodes;
/// let everywhere = AnswerCodes::from(-99);
/// let several = AnswerCodes::from([98, 99]);
/// let range = AnswerCodes::from(96..=99);
/// let by_column = AnswerCodes::of("income", [98, 99]).and("age", 998..=999).and(AnswerCodes::ALL, -1);
/// # let _ = (everywhere, several, range, by_column);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerCodes(IndexMap<String, Vec<AnswerCode>>);

impl AnswerCodes {
    /// Stands for all columns, in place of the name of one.
    pub const ALL: &str = "*";
    /// The maximum number of codes: more of them are a range.
    const MOST: usize = 10_000;

    /// Codes of a column or question.
    #[must_use]
    pub fn of(name: impl Into<String>, codes: impl Into<Self>) -> Self {
        Self::default().and(name, codes)
    }

    /// The same, with codes of one more column or question.
    #[must_use]
    pub fn and(mut self, name: impl Into<String>, codes: impl Into<Self>) -> Self {
        let codes = codes.into().0.into_values().flatten();
        self.0.entry(name.into()).or_default().extend(codes);
        self
    }

    /// The codes, by column or question.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[AnswerCode])> {
        self.0.iter().map(|(name, codes)| (name.as_str(), codes.as_slice()))
    }
}

macro_rules! codes {
    ($($type:ty: $value:ident => $code:expr),* $(,)?) => {$(
        impl From<$type> for AnswerCode {
            fn from($value: $type) -> Self {
                $code
            }
        }

        impl From<$type> for AnswerCodes {
            fn from(code: $type) -> Self {
                Self::from(vec![AnswerCode::from(code)])
            }
        }

        impl From<Vec<$type>> for AnswerCodes {
            fn from(codes: Vec<$type>) -> Self {
                Self::from(codes.into_iter().map(AnswerCode::from).collect::<Vec<_>>())
            }
        }

        impl<const N: usize> From<[$type; N]> for AnswerCodes {
            fn from(codes: [$type; N]) -> Self {
                Self::from(Vec::from(codes))
            }
        }
    )*};
}
codes!(
    i32: code => Self::Integer(code.into()),
    i64: code => Self::Integer(code),
    f64: code => Self::Real(code),
    &str: code => Self::Text(code.to_owned()),
    String: code => Self::Text(code),
    RangeInclusive<i32>: range => Self::Range((*range.start()).into()..=(*range.end()).into()),
    RangeInclusive<i64>: range => Self::Range(range),
);

impl From<Vec<AnswerCode>> for AnswerCodes {
    fn from(codes: Vec<AnswerCode>) -> Self {
        AnswerCodes(IndexMap::from([(Self::ALL.to_owned(), codes)]))
    }
}

impl From<IndexMap<String, Vec<AnswerCode>>> for AnswerCodes {
    fn from(codes: IndexMap<String, Vec<AnswerCode>>) -> Self {
        AnswerCodes(codes)
    }
}

impl From<&IndexMap<String, Vec<AnswerCode>>> for AnswerCodes {
    fn from(codes: &IndexMap<String, Vec<AnswerCode>>) -> Self {
        AnswerCodes(codes.clone())
    }
}

impl<'de> Deserialize<'de> for AnswerCodes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Anything).map(AnswerCodes)
    }
}

/// Codes of one column, or one code of a list.
struct Several(Vec<AnswerCode>);

impl<'de> Deserialize<'de> for Several {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Codes { nested: false }).map(Several)
    }
}

struct One(AnswerCode);

impl<'de> Deserialize<'de> for One {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let codes = deserializer.deserialize_any(Codes { nested: true })?;
        codes.into_iter().next().map(One).ok_or_else(|| de::Error::custom("a code is missing"))
    }
}

/// Codes for all columns, or by column.
struct Anything;

const TOO_LARGE: &str = "no column holds integers of more than 64 bits";
const NO_NUMBER: &str = "a code is a number or a text";

/// The scalars that both visitors accept.
macro_rules! scalars {
    ($self:ident, $($visit:ident($type:ty), $value:ident => $code:expr;)*) => {$(
        fn $visit<E: de::Error>($self, $value: $type) -> Result<Self::Value, E> {
            $code
        }
    )*};
}

impl<'de> Visitor<'de> for Codes {
    type Value = Vec<AnswerCode>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a code, which is a number or a text, or a range with `from` and `to`")?;
        if self.nested { Ok(()) } else { f.write_str(", or a list of these") }
    }

    scalars! { self,
        visit_i64(i64), code => Ok(vec![AnswerCode::Integer(code)]);
        visit_u64(u64), code => {
            let code = i64::try_from(code).map_err(|_| E::custom(TOO_LARGE))?;
            Ok(vec![AnswerCode::Integer(code)])
        };
        visit_i128(i128), code => {
            let code = i64::try_from(code).map_err(|_| E::custom(TOO_LARGE))?;
            Ok(vec![AnswerCode::Integer(code)])
        };
        visit_f64(f64), code => {
            if code.is_finite() { Ok(vec![AnswerCode::Real(code)]) } else { Err(E::custom(NO_NUMBER)) }
        };
        visit_str(&str), code => Ok(vec![AnswerCode::Text(code.to_owned())]);
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        if self.nested {
            return Err(de::Error::invalid_type(de::Unexpected::Seq, &self));
        }
        let mut codes = Vec::new();
        while let Some(One(code)) = list.next_element()? {
            if codes.len() == AnswerCodes::MOST {
                return Err(de::Error::custom("there are more than 10,000 codes: give a range"));
            }
            codes.push(code);
        }
        Ok(codes)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut from, mut to) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "from" => from = Some(map.next_value()?),
                "to" => to = Some(map.next_value()?),
                other => return Err(de::Error::unknown_field(other, &["from", "to"])),
            }
        }
        match (from, to) {
            (Some(from), Some(to)) => range(from, to),
            _ => Err(de::Error::custom("a range has `from` and `to`, both included")),
        }
    }
}

/// Codes of one column; `nested` in a list.
struct Codes {
    nested: bool,
}

impl<'de> Visitor<'de> for Anything {
    type Value = IndexMap<String, Vec<AnswerCode>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a number or a text for all columns, a list of these, or codes by column such as {\"income\": [98, 99]}",
        )
    }

    scalars! { self,
        visit_i64(i64), code => Codes { nested: false }.visit_i64(code).map(everywhere);
        visit_u64(u64), code => Codes { nested: false }.visit_u64(code).map(everywhere);
        visit_i128(i128), code => Codes { nested: false }.visit_i128(code).map(everywhere);
        visit_f64(f64), code => Codes { nested: false }.visit_f64(code).map(everywhere);
        visit_str(&str), code => Codes { nested: false }.visit_str(code).map(everywhere);
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        Codes { nested: false }.visit_seq(list).map(everywhere)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut codes = IndexMap::new();
        while let Some((name, Several(several))) = map.next_entry()? {
            codes.insert(name, several);
        }
        let bound = |name| match codes.get(name).map(Vec::as_slice) {
            Some([AnswerCode::Integer(bound)]) if codes.len() == 2 => Some(*bound),
            _ => None,
        };
        match (bound("from"), bound("to")) {
            (Some(from), Some(to)) => range(from, to).map(everywhere),
            _ => Ok(codes),
        }
    }
}

fn range<E: de::Error>(from: i64, to: i64) -> Result<Vec<AnswerCode>, E> {
    if from <= to {
        return Ok(vec![AnswerCode::Range(from..=to)]);
    }
    Err(de::Error::custom("the range has no codes, because its `from` is after its `to`"))
}

fn everywhere(codes: Vec<AnswerCode>) -> IndexMap<String, Vec<AnswerCode>> {
    AnswerCodes::from(codes).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_in_every_form_and_anything_else_is_refused() {
        let read = |text: &str| serde_json::from_str::<AnswerCodes>(text).map_err(|error| error.to_string());
        for (text, expected) in [
            ("-99", AnswerCodes::from(-99)),
            ("9.5", AnswerCodes::from(9.5)),
            (r#""NA""#, AnswerCodes::from("NA")),
            (r"[98, 99]", AnswerCodes::from([98, 99])),
            (r#"[{"from": 96, "to": 99}]"#, AnswerCodes::from(96..=99)),
            (r#"{"*": {"from": 96, "to": 99}}"#, AnswerCodes::from(96..=99)),
            (r#"{"from": 96, "to": 99}"#, AnswerCodes::from(96..=99)),
            (r#"{"from": [96], "q": 99}"#, AnswerCodes::of("from", 96).and("q", 99)),
            (r#"{"q": 9, "r": ["NA"]}"#, AnswerCodes::of("q", 9).and("r", "NA")),
        ] {
            assert_eq!(read(text).as_ref(), Ok(&expected), "{text}");
        }
        for (text, wrong) in [
            ("null", "codes by column"),
            ("true", "codes by column"),
            (r#"{"q": null}"#, "a code, which is a number or a text"),
            (r#"{"q": [true]}"#, "a code, which is a number or a text"),
            (r#"{"q": [[1]]}"#, "a code, which is a number or a text"),
            (r#"{"q": {"from": 99, "to": 96}}"#, "after its `to`"),
            (r#"{"from": 99, "to": 96}"#, "after its `to`"),
            (r#"{"q": {"from": 99}}"#, "both included"),
            (r#"{"q": {"min": 99}}"#, "unknown field `min`"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(wrong), "{text}: {error}");
        }
    }
}
