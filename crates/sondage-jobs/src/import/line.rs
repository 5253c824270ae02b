//! The format of rows that are stored on disk: the JSON of their values, without names and types, which all rows share.

use super::columns::{ImportColumn, ImportColumns};
use super::source::RowValue;
use crate::update::fit;
use sondage::error::{Error, Result};
use sondage::model::{FieldValue, VariableType};
use std::borrow::Cow;

/// Follows each value. JSON in one line contains none.
const AFTER: u8 = b'\t';

/// A value in the type of its field. Texts and integers, which most values are, need no memory.
pub(super) enum TypedValue<'a> {
    Null,
    Int(i64),
    Text(&'a str),
    Other(FieldValue),
}

impl<'a> TypedValue<'a> {
    /// The error: what the field requires, in a few words.
    pub fn of(given: RowValue<'a>, kind: &VariableType) -> std::result::Result<Self, &'static str> {
        Ok(match (kind, given) {
            (_, RowValue::Null) => Self::Null,
            (VariableType::String, RowValue::Text(text) | RowValue::Number(text)) => Self::Text(text),
            (VariableType::Number | VariableType::Real, RowValue::Int(number)) => Self::Int(number),
            (VariableType::Number, RowValue::Text(text)) => fit::integer(text)?.map_or(Self::Null, Self::Int),
            (_, given) => match fit::fit(&given.into(), kind)? {
                FieldValue::Null => Self::Null,
                value => Self::Other(value),
            },
        })
    }

    pub fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Text(text) => text.is_empty(),
            Self::Int(_) => false,
            Self::Other(value) => fit::is_empty(value),
        }
    }

    /// The form by which a member is found; `None` without a value.
    pub fn key(&self, kind: &VariableType) -> Option<Cow<'a, str>> {
        match self {
            Self::Null => None,
            Self::Text(text) => (!text.is_empty()).then_some(Cow::Borrowed(text)),
            Self::Int(number) => Some(Cow::Owned(number.to_string())),
            Self::Other(value) => fit::key(value, kind, false).map(Cow::Owned),
        }
    }

    /// Adds the value to a row.
    pub fn write(&self, line: &mut Vec<u8>) -> Result<()> {
        let begin = line.len();
        let written = match self {
            Self::Null => Ok(()),
            Self::Int(number) => serde_json::to_writer(&mut *line, number),
            Self::Text(text) => serde_json::to_writer(&mut *line, text),
            Self::Other(value) => {
                let written = serde_json::to_writer(&mut *line, value);
                // JSON that somebody has formatted: between its values a space means the same as a tab or a new line.
                line[begin..].iter_mut().filter(|byte| **byte < b' ').for_each(|byte| *byte = b' ');
                written
            }
        };
        written.map_err(|error| Error::internal(error.to_string()))?;
        line.push(AFTER);
        Ok(())
    }
}

/// Writes the member of a row as the API has it.
pub(super) fn member(columns: &ImportColumns, line: &[u8], json: &mut Vec<u8>) {
    json.extend_from_slice(b"{\"fields\":{");
    let values = columns.all.iter().zip(line.split(|byte| *byte == AFTER));
    for (at, (ImportColumn { head, .. }, value)) in values.filter(|(_, value)| !value.is_empty()).enumerate()
    {
        if at > 0 {
            json.push(b',');
        }
        json.extend_from_slice(head.as_bytes());
        json.extend_from_slice(value);
        json.push(b'}');
    }
    json.extend_from_slice(b"}}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use sondage::model::Json;

    fn line(values: &[(RowValue<'_>, VariableType)]) -> Vec<u8> {
        let mut line = Vec::new();
        for (value, kind) in values {
            TypedValue::of(*value, kind).expect("a value").write(&mut line).expect("a line");
        }
        line
    }

    /// By line breaks and tabs rows and values are told apart.
    #[test]
    fn a_value_has_neither_a_line_break_nor_a_tab() {
        let json = "{\n\t\"a\": 1,\r\n\t\"b\": \"\\t\"\n}";
        let stored_line = Json::parse(json).expect("JSON");
        for value in [RowValue::Text(json), RowValue::Json(&stored_line)] {
            let line = line(&[(value, VariableType::Json), (RowValue::Text("a\tb\n"), VariableType::String)]);
            let parts: Vec<&[u8]> = line.split(|byte| *byte == AFTER).collect();
            let [json, text, b""] = parts[..] else { panic!("{line:?}") };
            assert!(!line.contains(&b'\n'));
            let read: serde_json::Value = serde_json::from_slice(json).expect("JSON");
            assert_eq!(read, serde_json::json!({ "a": 1, "b": "\t" }));
            assert_eq!(serde_json::from_slice::<String>(text).expect("a text"), "a\tb\n");
        }
    }

    /// What takes the short way is what takes the long one.
    #[test]
    fn values_are_typed_as_those_of_plans() {
        let kinds = [VariableType::Number, VariableType::Real, VariableType::String, VariableType::Date];
        let texts = ["", "12", "-7", "007", "1.5", "12.0", "a", " 1", "2024-05-01", "9223372036854775808"];
        let texts = texts.map(|text| FieldValue::Text(text.to_owned())).into_iter();
        let others = [FieldValue::Null, true.into(), 12.into(), 1.5.into(), 12.0.into(), f64::NAN.into()];
        for (value, kind) in
            texts.chain(others).flat_map(|value| kinds.clone().map(|kind| (value.clone(), kind)))
        {
            let typed = TypedValue::of(RowValue::from(&value), &kind);
            let expected = fit::fit(&value, &kind);
            match (&typed, &expected) {
                (Ok(typed), Ok(expected)) => {
                    let mut line = Vec::new();
                    typed.write(&mut line).expect("a line");
                    line.pop();
                    let written = if expected.is_null() {
                        Vec::new()
                    } else {
                        serde_json::to_vec(expected).expect("JSON")
                    };
                    assert_eq!(line, written, "{value:?} as {kind:?}");
                    assert_eq!(typed.is_empty(), fit::is_empty(expected), "{value:?} as {kind:?}");
                    assert_eq!(
                        typed.key(&kind).as_deref(),
                        fit::key(expected, &kind, false).as_deref(),
                        "{value:?}"
                    );
                }
                _ => assert_eq!(typed.err(), expected.err(), "{value:?} as {kind:?}"),
            }
        }
    }
}
