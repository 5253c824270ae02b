//! Values beside the type of a field: whether one can hold it, and whether two are the same.

use crate::model::{FieldValue, Json, Timestamp, VariableType};

/// Numbers from which on an `f64` does not tell integers apart.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The value as the field holds it, or in a few words what the field wants. Texts may stand for numbers, because a CSV
/// file has nothing else; a number never stands for a text, because its leading zeros are gone.
pub(super) fn fit(value: &FieldValue, kind: &VariableType) -> Result<FieldValue, &'static str> {
    use FieldValue::{Bool, Float, Int, Json, Null, Text};
    match (kind, value) {
        (_, Null) => Ok(Null),
        (VariableType::Number, Int(_))
        | (VariableType::Real, Int(_) | Float(_))
        | (VariableType::String, Text(_)) => Ok(value.clone()),
        (VariableType::Number, Float(number)) => whole(*number).map(Int).ok_or("an integer"),
        (VariableType::Number, Text(text)) if text.is_empty() => Ok(Null),
        (VariableType::Number, Text(text)) => text.parse().map(Int).map_err(|_| "an integer"),
        (VariableType::Number, _) => Err("an integer"),
        (VariableType::Real, Text(text)) if text.is_empty() => Ok(Null),
        (VariableType::Real, Text(text)) => {
            let number = text.parse().ok().filter(|number: &f64| number.is_finite());
            number.map(Float).ok_or("a number")
        }
        (VariableType::Real, _) => Err("a number"),
        (VariableType::String, _) => Err("a text"),
        (VariableType::Date, Text(text)) if text.is_empty() || time(text).is_some() => Ok(value.clone()),
        (VariableType::Date, _) => Err("a date such as 2024-05-01"),
        // In tables nested values are texts that hold JSON.
        (VariableType::Json | VariableType::JsonList, Text(text)) if text.starts_with(['{', '[']) => {
            crate::model::Json::parse(text.clone()).map(Json).map_err(|_| "JSON")
        }
        // What the other types hold is not published.
        (_, Bool(_) | Int(_) | Float(_) | Text(_) | Json(_)) => Ok(value.clone()),
    }
}

/// Whether a member that has the one need not get the other. The empty text is no value (assumed).
pub(super) fn same(old: &FieldValue, new: &FieldValue, kind: &VariableType) -> bool {
    use FieldValue::{Float, Int, Text};
    if is_empty(old) || is_empty(new) {
        return is_empty(old) && is_empty(new);
    }
    match (old, new) {
        (Int(old), Float(new)) | (Float(new), Int(old)) => whole(*new) == Some(*old),
        (Text(a), Text(b)) if *kind == VariableType::Date => {
            a == b || (time(a).is_some() && time(a) == time(b))
        }
        (FieldValue::Json(a), FieldValue::Json(b)) => a == b || json(a) == json(b),
        _ => old == new,
    }
}

/// What a member is found by; `None` without a value.
pub(super) fn key(value: &FieldValue, kind: &VariableType, ignore_case: bool) -> Option<String> {
    match fit(value, kind).ok()? {
        FieldValue::Null => None,
        FieldValue::Text(text) if text.is_empty() => None,
        FieldValue::Text(text) if *kind == VariableType::Date => time(&text).map(|time| time.to_string()),
        FieldValue::Text(text) if ignore_case => Some(text.to_lowercase()),
        FieldValue::Text(text) => Some(text),
        FieldValue::Int(number) => Some(number.to_string()),
        FieldValue::Float(number) => {
            Some(whole(number).map_or_else(|| number.to_string(), |number| number.to_string()))
        }
        FieldValue::Bool(truth) => Some(truth.to_string()),
        FieldValue::Json(json) => Some(json.as_str().to_owned()),
    }
}

/// The member's number in a cell.
pub(super) fn number(value: &FieldValue) -> Option<String> {
    key(value, &VariableType::Number, false)
}

fn is_empty(value: &FieldValue) -> bool {
    value.is_null() || value.as_str() == Some("")
}

#[allow(clippy::cast_possible_truncation)] // it is whole, and small enough
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < EXACT).then_some(number as i64)
}

fn time(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}

fn json(json: &Json) -> Option<serde_json::Value> {
    json.read().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_may_be_numbers_and_numbers_no_texts() {
        let number = VariableType::Number;
        assert_eq!(fit(&"12".into(), &number), Ok(12.into()));
        assert_eq!(fit(&12.0.into(), &number), Ok(12.into()));
        assert_eq!(fit(&"".into(), &number), Ok(FieldValue::Null));
        for wrong in ["1.5".into(), 1.5.into(), true.into(), " 1".into(), 1e17.into()] {
            assert!(fit(&wrong, &number).is_err(), "{wrong:?}");
        }
        assert!(fit(&7.into(), &VariableType::String).is_err());
        assert!(fit(&"tomorrow".into(), &VariableType::Date).is_err());
        assert_eq!(fit(&"1.5".into(), &VariableType::Real), Ok(1.5.into()));
        assert!(fit(&"inf".into(), &VariableType::Real).is_err());
    }

    #[test]
    fn what_is_the_same() {
        let date = VariableType::Date;
        assert!(same(&"2024-05-01T00:00:00Z".into(), &"2024-05-01".into(), &date));
        assert!(!same(&"2024-05-01".into(), &"2024-05-02".into(), &date));
        assert!(same(&FieldValue::Null, &"".into(), &VariableType::String));
        assert!(!same(&"a".into(), &"A".into(), &VariableType::String));
        assert!(same(&1.into(), &1.0.into(), &VariableType::Real));
        let json = |text: &str| FieldValue::Json(Json::parse(text).expect("JSON"));
        assert!(same(&json("{\"a\": 1}"), &json("{\"a\":1}"), &VariableType::Json));
    }
}
