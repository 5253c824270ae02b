//! Values of the types that these programs have: floating-point numbers, texts, days, and times without a zone.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, TimestampMicrosecondType, TimestampNanosecondType};
use arrow_array::{Array, ArrayRef, Float64Array, StringArray};
use arrow_schema::{DataType, TimeUnit};

use super::limits::{cut, without_nul};
use crate::table::zones;

/// Integers up to this are exact as floating-point numbers.
pub(super) const EXACT: u64 = 1 << 53;
const NANOS: i64 = 1_000;

/// The type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::export) enum Kind {
    /// Numbers.
    Number {
        /// Without decimals.
        whole: bool,
    },
    /// Texts.
    Text,
    /// Days.
    Day,
    /// Times without a zone.
    Time,
}

impl Kind {
    /// The type of the variable of a column. `is_wide`: it has integers that no floating-point number equals.
    pub(super) fn of(data_type: &DataType, is_wide: bool) -> Self {
        match data_type {
            DataType::Int64 if is_wide => Kind::Text,
            DataType::Boolean | DataType::Int64 => Kind::Number { whole: true },
            DataType::Float64 => Kind::Number { whole: false },
            DataType::Date32 => Kind::Day,
            DataType::Timestamp(..) => Kind::Time,
            // Of the other types there is only Null: a column without any value.
            _ => Kind::Text,
        }
    }
}

/// A code as a number.
pub(in crate::export) fn number(code: &str) -> Option<f64> {
    let code = match code {
        "true" => "1",
        "false" => "0",
        code => code,
    };
    code.parse::<f64>().ok().filter(|code| code.is_finite())
}

/// The values of a column as those of a variable: `Float64`, `Utf8`, `Date32`, or microseconds without a zone. `longest`: what the
/// longest text may have, if some do not fit.
pub(super) fn converted(array: &ArrayRef, kind: Kind, longest: Option<usize>) -> ArrayRef {
    match array.data_type() {
        DataType::Boolean => of_truth(array),
        DataType::Int64 if kind == Kind::Text => digits(array),
        DataType::Int64 => of_integers(array),
        DataType::Float64 | DataType::Date32 => Arc::clone(array),
        DataType::Timestamp(..) => micros(&zones::wall_clock(array)),
        DataType::Dictionary(..) => fitting(&of_labels(array), longest),
        DataType::Utf8 => fitting(array, longest),
        _ => Arc::new(StringArray::new_null(array.len())),
    }
}

fn digits(array: &ArrayRef) -> ArrayRef {
    let digits = array.as_primitive::<Int64Type>().iter().map(|value| value.map(|value| value.to_string()));
    Arc::new(digits.collect::<StringArray>())
}

// Wide integers have become text.
#[allow(clippy::cast_precision_loss)]
fn of_integers(array: &ArrayRef) -> ArrayRef {
    let numbers = array.as_primitive::<Int64Type>().iter().map(|value| value.map(|value| value as f64));
    Arc::new(numbers.collect::<Float64Array>())
}

fn of_truth(array: &ArrayRef) -> ArrayRef {
    let numbers = array.as_boolean().iter().map(|value| value.map(|value| f64::from(u8::from(value))));
    Arc::new(numbers.collect::<Float64Array>())
}

pub(super) fn of_labels(array: &ArrayRef) -> ArrayRef {
    let dictionary = array.as_dictionary::<Int32Type>();
    let labels = dictionary.values().as_string::<i32>();
    let label = |key: Option<i32>| Some(labels.value(usize::try_from(key?).ok()?));
    Arc::new(dictionary.keys().iter().map(label).collect::<StringArray>())
}

/// Times in microseconds, whatever their unit is.
fn micros(array: &ArrayRef) -> ArrayRef {
    if !matches!(array.data_type(), DataType::Timestamp(TimeUnit::Nanosecond, _)) {
        return Arc::clone(array);
    }
    let times = array.as_primitive::<TimestampNanosecondType>();
    Arc::new(times.unary::<_, TimestampMicrosecondType>(|nanos| nanos.div_euclid(NANOS)))
}

/// The texts without these.
pub(super) fn without(array: &ArrayRef, codes: &HashSet<String>) -> ArrayRef {
    let texts = array.as_string::<i32>().iter();
    Arc::new(texts.map(|text| text.filter(|text| !codes.contains(*text))).collect::<StringArray>())
}

fn fitting(array: &ArrayRef, longest: Option<usize>) -> ArrayRef {
    let Some(longest) = longest else { return Arc::clone(array) };
    let texts = array.as_string::<i32>();
    let fitting = |text: &str| cut(&without_nul(text), longest).to_owned();
    Arc::new(texts.iter().map(|text| text.map(fitting)).collect::<StringArray>())
}
