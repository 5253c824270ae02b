//! Converts values to the type of a field, and compares them.

use crate::import::keys::caseless;
use chrono::Timelike as _;
use sondage::model::{FieldValue, Json, Timestamp, VariableType};

/// From this number on, an `f64` cannot represent every integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

const WHOLE: &str = "an integer without leading zeros";
const DATE: &str = "a date such as 2024-05-01, or a time such as 2024-05-01 14:30 (to the millisecond)";

/// The value in the field's type, or a short description of what the field requires. Text may represent a number, because
/// a CSV file has only text; a number never becomes text, because its leading zeros are already lost.
pub(crate) fn fit(value: &FieldValue, kind: &VariableType) -> Result<FieldValue, &'static str> {
    use FieldValue::{Bool, Float, Int, Json, Null, Text};
    match (kind, value) {
        (_, Null) => Ok(Null),
        (VariableType::Number | VariableType::Real, Int(_)) | (VariableType::String, Text(_)) => {
            Ok(value.clone())
        }
        (VariableType::Real, Float(number)) if number.is_finite() => Ok(value.clone()),
        (VariableType::Number, Float(number)) => whole(*number).map(Int).ok_or(WHOLE),
        (VariableType::Real | VariableType::Date, Text(text)) if text.is_empty() => Ok(Null),
        (VariableType::Number, Text(text)) => integer(text).map(|number| number.map_or(Null, Int)),
        (VariableType::Number, _) => Err(WHOLE),
        (VariableType::Real, Text(text)) => decimal(text).ok_or("a number such as 1.5"),
        (VariableType::Real, Json(json)) if decimal(json.as_str()).is_some() => Ok(value.clone()),
        (VariableType::Real, _) => Err("a number such as 1.5"),
        (VariableType::String, _) => Err("a text"),
        (VariableType::Date, Text(text)) => published(text).map(Text).ok_or(DATE),
        (VariableType::Date, _) => Err(DATE),
        // In tables, nested values are text that contains JSON.
        (VariableType::Json | VariableType::JsonList, Text(text)) if text.starts_with(['{', '[']) => {
            sondage::model::Json::parse(text.clone()).map(Json).map_err(|_| "JSON")
        }
        // The format of the other types is not published.
        (_, Bool(_) | Int(_) | Float(_) | Text(_) | Json(_)) => Ok(value.clone()),
    }
}

/// Whether a member with one value need not be updated to the other. Empty text counts as no value (assumed).
pub(crate) fn same(old: &FieldValue, new: &FieldValue, kind: &VariableType) -> bool {
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

/// The form of a key for lookups; `None` without a value.
pub(crate) fn key(value: &FieldValue, kind: &VariableType, ignore_case: bool) -> Option<String> {
    match fit(value, kind).ok()? {
        FieldValue::Null => None,
        FieldValue::Text(text) if text.is_empty() => None,
        FieldValue::Text(text) if *kind == VariableType::Date => time(&text).map(|time| time.to_string()),
        FieldValue::Text(text) if ignore_case => Some(caseless(&text)),
        FieldValue::Text(text) => Some(text),
        FieldValue::Int(number) => Some(number.to_string()),
        FieldValue::Float(number) => {
            Some(whole(number).map_or_else(|| number.to_string(), |number| number.to_string()))
        }
        FieldValue::Bool(truth) => Some(truth.to_string()),
        FieldValue::Json(json) => Some(json.as_str().to_owned()),
    }
}

/// A member id in a cell.
pub(crate) fn number(value: &FieldValue) -> Option<String> {
    key(value, &VariableType::Number, false)
}

pub(crate) fn is_empty(value: &FieldValue) -> bool {
    value.is_null() || value.as_str() == Some("")
}

#[allow(clippy::cast_possible_truncation)] // it is an integer, and small enough
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < EXACT).then_some(number as i64)
}

/// A timestamp in any supported format: `2024-05-01`, `2024-05-01 14:30:00`, `2024-05-01T14:30:00Z`.
fn time(text: &str) -> Option<Timestamp> {
    let short = text.len() == "2024-05-01 14:30".len();
    text.parse().ok().or_else(|| short.then(|| format!("{text}:00").parse().ok()).flatten())
}

/// A timestamp in the service's format: a date, or a date and time in UTC, which is not ISO 8601. Nothing if it is finer
/// than a millisecond, or not a time.
// API 11.6, published
fn published(text: &str) -> Option<String> {
    let time = time(text)?.0;
    let form = match (time.num_seconds_from_midnight(), time.timestamp_subsec_nanos()) {
        (0, 0) => "%Y-%m-%d",
        (_, 0) => "%Y-%m-%d %H:%M:%S",
        (_, nanos) if nanos % 1_000_000 == 0 => "%Y-%m-%d %H:%M:%S%.3f",
        _ => return None,
    };
    Some(time.format(form).to_string())
}

/// The integer that a text represents; `None` for an empty text.
pub(crate) fn integer(text: &str) -> Result<Option<i64>, &'static str> {
    if text.is_empty() { Ok(None) } else { digits(text).map(Some).ok_or(WHOLE) }
}

/// An integer in digits. Leading zeros are not accepted, because they would be lost.
fn digits(text: &str) -> Option<i64> {
    let whole = text.split_once('.').map_or(text, |(whole, zeros)| {
        let only = !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0');
        if only { whole } else { "" }
    });
    let unsigned = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let lossless = unsigned == "0" || unsigned.starts_with(|c: char| ('1'..='9').contains(&c));
    whole.parse().ok().filter(|_| lossless)
}

/// A number without loss of digits: if a float is too imprecise, the digits themselves.
fn decimal(text: &str) -> Option<FieldValue> {
    let number: f64 = text.parse().ok().filter(|number: &f64| number.is_finite())?;
    let significant = |text: &str| {
        let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
        mantissa.bytes().filter(u8::is_ascii_digit).skip_while(|digit| *digit == b'0').count()
    };
    if significant(text) <= 15 {
        return Some(FieldValue::Float(number));
    }
    // As many digits as needed to parse the same number.
    if number.to_string() == text {
        return Some(FieldValue::Float(number));
    }
    Json::parse(text.to_owned()).ok().map(FieldValue::Json)
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
        for wrong in ["inf", "1,5", "1 000", "0x1"] {
            assert!(fit(&wrong.into(), &VariableType::Real).is_err(), "{wrong}");
        }
    }

    #[test]
    fn no_digit_of_a_text_is_lost() {
        let number = |text: &str| fit(&text.into(), &VariableType::Number);
        assert_eq!(number("+41791234567"), Ok(41_791_234_567_i64.into()));
        assert_eq!(number("41791234567.0"), Ok(41_791_234_567_i64.into()), "as a frame with gaps writes it");
        assert_eq!((number("0"), number("-7")), (Ok(0.into()), Ok((-7).into())));
        for wrong in ["0791234567", "007", "1e3", "1.", "+", "9223372036854775808"] {
            assert!(number(wrong).is_err(), "{wrong}");
        }
        let real = |text: &str| {
            fit(&text.into(), &VariableType::Real).map(|value| serde_json::to_string(&value).unwrap())
        };
        assert_eq!(real("0.1"), Ok("0.1".to_owned()));
        assert_eq!(real("3.14159265358979323846"), Ok("3.14159265358979323846".to_owned()));
    }

    #[test]
    fn dates_are_written_as_they_are_published() {
        let date = |text: &str| fit(&text.into(), &VariableType::Date);
        for (given, sent) in [
            ("2024-05-01", "2024-05-01"),
            ("2024-05-01T00:00:00Z", "2024-05-01"),
            ("2024-05-01 14:30", "2024-05-01 14:30:00"),
            ("2024-05-01T14:30:05.250+02:00", "2024-05-01 12:30:05.250"),
        ] {
            assert_eq!(date(given), Ok(sent.into()), "{given}");
        }
        for wrong in ["01.05.2024", "2024-05-01T00:00:00.000001Z", "2024-13-01", "tomorrow"] {
            assert!(date(wrong).is_err(), "{wrong}");
        }
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
