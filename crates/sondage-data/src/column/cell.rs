//! One answer: the text of a JSON value, classified by how a column stores it.

use std::borrow::Cow;

/// A value to be added to a column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// A number that neither an `i64` nor an `f64` can hold without losing a digit, unchanged.
    Wide(&'a str),
    Text(Cow<'a, str>),
    /// An array or object, as JSON without insignificant white space.
    Nested(Cow<'a, str>),
}

/// Every integer up to this one has a distinct `f64`.
pub(crate) const EXACT_IN_F64: u64 = 1 << 53;

impl<'a> Cell<'a> {
    /// Reads the text of one JSON value whose syntax has already been checked.
    pub(crate) fn read(raw: &'a str) -> Result<Self, serde_json::Error> {
        Ok(match raw.as_bytes().first() {
            Some(b'n') | None => Cell::Null,
            Some(b't') => Cell::Bool(true),
            Some(b'f') => Cell::Bool(false),
            Some(b'"') => Cell::Text(text(raw)?),
            Some(b'[' | b'{') => Cell::Nested(compact(raw)),
            Some(_) => number(raw),
        })
    }

    /// The value's text in a text column. A number has only one spelling, whatever its original spelling was and whatever
    /// the column held before, so that the table does not depend on page boundaries.
    pub(crate) fn into_text(self) -> Cow<'a, str> {
        match self {
            Cell::Null => Cow::Borrowed(""),
            Cell::Bool(true) => Cow::Borrowed("true"),
            Cell::Bool(false) => Cow::Borrowed("false"),
            Cell::Int(value) => Cow::Owned(value.to_string()),
            Cell::Float(value) => Cow::Owned(float_text(value)),
            Cell::Wide(text) => Cow::Borrowed(text),
            Cell::Text(text) | Cell::Nested(text) => text,
        }
    }
}

/// The content of a JSON string; borrowed unless it contains an escape.
fn text(raw: &str) -> Result<Cow<'_, str>, serde_json::Error> {
    if raw.contains('\\') {
        return serde_json::from_str(raw).map(Cow::Owned);
    }
    let inner = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
    Ok(Cow::Borrowed(inner))
}

fn number(raw: &str) -> Cell<'_> {
    if raw.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) {
        return raw.parse().map_or(Cell::Wide(raw), Cell::Int);
    }
    match raw.parse::<f64>() {
        Ok(value) if keeps_digits(raw, value) => Cell::Float(value),
        _ => Cell::Wide(raw),
    }
}

/// Whether `value` preserves all digits of `raw`.
fn keeps_digits(raw: &str, value: f64) -> bool {
    let mantissa = raw.split(['e', 'E']).next().unwrap_or(raw);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0').trim_end_matches('0');
    if digits.is_empty() {
        return value == 0.0;
    }
    if !value.is_finite() || value == 0.0 || digits.len() > 40 {
        return false;
    }
    // An f64 preserves fifteen digits, unless the number is so small that it is subnormal.
    if digits.len() <= 15 && value.is_normal() {
        return true;
    }
    let printed = format!("{:.*e}", digits.len() - 1, value.abs());
    let printed = printed.split('e').next().unwrap_or_default();
    printed.chars().filter(char::is_ascii_digit).eq(digits.chars())
}

/// The shortest text that parses to the same number; whole numbers are written as in an `i64` column.
pub(crate) fn float_text(value: f64) -> String {
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
    if value.fract() == 0.0
        && value.abs() <= EXACT_IN_F64 as f64
        && (value != 0.0 || value.is_sign_positive())
    {
        return (value as i64).to_string();
    }
    serde_json::to_string(&value).unwrap_or_default()
}

/// The same JSON without white space between tokens; digits and escapes are unchanged.
pub(crate) fn compact(raw: &str) -> Cow<'_, str> {
    let blank = |c: char| matches!(c, ' ' | '\n' | '\r' | '\t');
    if !raw.contains(blank) {
        return Cow::Borrowed(raw);
    }
    let (mut inside, mut escaped) = (false, false);
    let significant = raw.chars().filter(|&c| {
        if inside {
            inside = escaped || c != '"';
            escaped = c == '\\' && !escaped;
            return true;
        }
        inside = c == '"';
        !blank(c)
    });
    Cow::Owned(significant.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> Cell<'_> {
        Cell::read(raw).expect("valid")
    }

    #[test]
    fn integers_keep_every_digit() {
        assert_eq!(read("9007199254740993"), Cell::Int(9_007_199_254_740_993));
        assert_eq!(read("-9223372036854775808"), Cell::Int(i64::MIN));
        assert_eq!(read("9223372036854775808"), Cell::Wide("9223372036854775808"));
        assert_eq!(read("-0"), Cell::Int(0));
    }

    #[test]
    fn decimals_are_floats_only_when_no_digit_is_lost() {
        assert_eq!(read("0.1"), Cell::Float(0.1));
        assert_eq!(read("1.10"), Cell::Float(1.1));
        assert_eq!(read("0.10000000000000001"), Cell::Float(0.1), "17 digits, as .NET once wrote doubles");
        assert_eq!(read("3.3333333333333335"), Cell::Float(10.0 / 3.0));
        assert_eq!(read("3.3333333333333333333"), Cell::Wide("3.3333333333333333333"));
        assert_eq!(read("1e400"), Cell::Wide("1e400"));
        assert_eq!(read("1e-400"), Cell::Wide("1e-400"));
        assert_eq!(
            read("1.23456e-323"),
            Cell::Wide("1.23456e-323"),
            "a subnormal has no room for six digits"
        );
        assert_eq!(read("0.000e-999"), Cell::Float(0.0));
        assert_eq!(read("1.0000000000000000000000"), Cell::Float(1.0));
        assert_eq!(
            read("99999999999999990000.0"),
            Cell::Wide("99999999999999990000.0"),
            "sixteen digits that no f64 has"
        );
    }

    #[test]
    fn a_number_is_written_one_way() {
        assert_eq!(float_text(1.0), "1");
        assert_eq!(float_text(-0.0), "-0.0");
        assert_eq!(float_text(9_007_199_254_740_992.0), "9007199254740992");
        assert_eq!(float_text(1e300), "1e+300");
        assert_eq!(float_text(0.1), "0.1");
    }

    #[test]
    fn strings_lose_their_escapes_and_nothing_else() {
        assert_eq!(read(r#""a\u00fc\n\"\ud83d\ude00""#), Cell::Text("a\u{fc}\n\"\u{1f600}".into()));
        assert_eq!(read(r#""""#), Cell::Text("".into()));
        assert!(Cell::read(r#""\ud83d""#).is_err(), "half a character");
    }

    #[test]
    fn nested_values_keep_their_text_without_white_space() {
        let raw = "{ \"a b\" : [ 1.50 , \"x \\\" y\" ] }";
        assert_eq!(read(raw), Cell::Nested(r#"{"a b":[1.50,"x \" y"]}"#.into()));
        assert!(matches!(read("[1,2]"), Cell::Nested(Cow::Borrowed("[1,2]"))));
    }
}
