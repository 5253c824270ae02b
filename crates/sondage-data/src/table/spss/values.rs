//! Values of the types that SPSS has: floating-point numbers, texts, days, and times without a zone.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, Float64Array, StringArray};
use arrow_schema::{DataType, TimeUnit};

use super::changes::{Change, Changes};
use super::{cut, without_nul};
use crate::table::{BaseColumn, zones};

/// The longest text in bytes. SPSS has one byte more, of which R's haven loses the last.
pub(super) const TEXT: usize = 32_766;
/// Integers up to this are exact as floating-point numbers.
const EXACT: u64 = 1 << 53;

/// The type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
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
    /// The format in SPSS, if it is not the usual one.
    pub(super) fn format(self) -> Option<&'static str> {
        match self {
            Kind::Number { whole: true } => Some("F8.0"),
            Kind::Day => Some("DATE11"),
            Kind::Number { whole: false } | Kind::Text | Kind::Time => None,
        }
    }

    /// The type of a column without arrays.
    pub(super) fn data_type(self) -> DataType {
        match self {
            Kind::Number { .. } => DataType::Float64,
            Kind::Text => DataType::Utf8,
            Kind::Day => DataType::Date32,
            Kind::Time => DataType::Timestamp(TimeUnit::Microsecond, None),
        }
    }
}

/// A code as a number.
pub(super) fn number(code: &str) -> Option<f64> {
    let code = match code {
        "true" => "1",
        "false" => "0",
        code => code,
    };
    code.parse::<f64>().ok().filter(|code| code.is_finite())
}

/// The values of a column.
pub(super) fn converted(column: &BaseColumn, changes: &mut Changes) -> (Kind, Vec<ArrayRef>) {
    let name = column.field.name();
    let of_each = |convert: &dyn Fn(&ArrayRef) -> ArrayRef| column.arrays.iter().map(convert).collect();
    match column.field.data_type() {
        DataType::Boolean => (Kind::Number { whole: true }, of_each(&of_truth)),
        DataType::Int64 if column.arrays.iter().any(is_wide) => {
            changes.note(Change::WideInteger, name, 1);
            (Kind::Text, of_each(&digits))
        }
        DataType::Int64 => (Kind::Number { whole: true }, of_each(&of_integers)),
        DataType::Float64 => (Kind::Number { whole: false }, column.arrays.clone()),
        DataType::Date32 => (Kind::Day, column.arrays.clone()),
        DataType::Timestamp(..) => (Kind::Time, of_each(&zones::wall_clock)),
        DataType::Dictionary(..) => (Kind::Text, of_each(&of_labels)),
        DataType::Utf8 => {
            (Kind::Text, column.arrays.iter().map(|array| texts(array, name, changes)).collect())
        }
        // Of the other types there is only Null: a column without any value.
        _ => (Kind::Text, of_each(&|array| Arc::new(StringArray::new_null(array.len())))),
    }
}

fn is_wide(array: &ArrayRef) -> bool {
    array.as_primitive::<Int64Type>().iter().flatten().any(|value| value.unsigned_abs() > EXACT)
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

fn of_labels(array: &ArrayRef) -> ArrayRef {
    let dictionary = array.as_dictionary::<Int32Type>();
    let labels = dictionary.values().as_string::<i32>();
    let label = |key: Option<i32>| Some(labels.value(usize::try_from(key?).ok()?));
    Arc::new(dictionary.keys().iter().map(label).collect::<StringArray>())
}

fn texts(array: &ArrayRef, column: &str, changes: &mut Changes) -> ArrayRef {
    let texts = array.as_string::<i32>();
    let long = texts.iter().flatten().filter(|text| text.len() > TEXT).count();
    let with_nul = texts.iter().flatten().filter(|text| text.contains('\0')).count();
    if long + with_nul == 0 {
        return Arc::clone(array);
    }
    changes.note(Change::Text, column, long);
    changes.note(Change::Nul, column, with_nul);
    let fitting = |text: &str| cut(&without_nul(text), TEXT).to_owned();
    Arc::new(texts.iter().map(|text| text.map(fitting)).collect::<StringArray>())
}
