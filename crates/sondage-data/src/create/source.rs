//! Values of Arrow columns as JSON, from any Arrow producer.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Decimal256Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, TimeUnit};
use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use sondage::model::FieldValue;
use std::io::Write as _;

/// Whether a column becomes fields of the type `Number`; otherwise they are of the type `String`.
pub(crate) fn is_number(kind: &DataType) -> bool {
    kind.is_integer()
        || matches!(
            kind,
            DataType::Float32 | DataType::Float64 | DataType::Decimal128(..) | DataType::Decimal256(..)
        )
}

/// Whether members can have values of this type.
pub(crate) fn is_known(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_text(values),
        kind => {
            is_number(kind)
                || is_text(kind)
                || matches!(
                    kind,
                    DataType::Null | DataType::Boolean | DataType::Date32 | DataType::Timestamp(..)
                )
        }
    }
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Rows from another library, after validation: texts are UTF-8, and offsets and indices are within bounds. Only this
/// code inspects memory from outside, and all later reads rely on it.
pub(crate) fn checked(batch: Result<RecordBatch, ArrowError>) -> Result<RecordBatch, String> {
    let batch = batch.map_err(|error| match error {
        // The source of the rows has said it in words of its own.
        ArrowError::ExternalError(error) => error.to_string(),
        error => error.to_string(),
    })?;
    for (array, field) in batch.columns().iter().zip(batch.schema_ref().fields()) {
        array
            .to_data()
            .validate_full()
            .map_err(|error| format!("the column {:?} is not a valid Arrow array: {error}", field.name()))?;
    }
    Ok(batch)
}

/// Whether a row has no value.
pub(crate) fn is_null(array: &ArrayRef, row: usize) -> bool {
    array.is_null(row) || array.data_type().is_null()
}

/// Writes the value of a row that is not null. `false`: it is a number that JSON cannot represent.
pub(crate) fn write(array: &ArrayRef, row: usize, body: &mut Vec<u8>) -> bool {
    macro_rules! number {
        ($kind:ty) => {
            // Writing to memory does not fail.
            serde_json::to_writer(body, &array.as_primitive::<$kind>().value(row)).is_ok()
        };
    }
    match array.data_type() {
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Float32 => float(f64::from(array.as_primitive::<Float32Type>().value(row)), body),
        DataType::Float64 => float(array.as_primitive::<Float64Type>().value(row), body),
        DataType::Decimal128(..) => {
            body.extend_from_slice(array.as_primitive::<Decimal128Type>().value_as_string(row).as_bytes());
            true
        }
        DataType::Decimal256(..) => {
            body.extend_from_slice(array.as_primitive::<Decimal256Type>().value_as_string(row).as_bytes());
            true
        }
        DataType::Boolean => write!(body, "{}", array.as_boolean().value(row)).is_ok(),
        DataType::Date32 => {
            let days = array.as_primitive::<Date32Type>().value(row);
            NaiveDate::from_epoch_days(days).is_some_and(|day| text(&day.to_string(), body))
        }
        DataType::Timestamp(unit, _) => moment(array, *unit, row, body),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            place(dictionary.keys(), row).is_some_and(|place| write(dictionary.values(), place, body))
        }
        DataType::LargeUtf8 => text(array.as_string::<i64>().value(row), body),
        DataType::Utf8View => text(array.as_string_view().value(row), body),
        _ => text(array.as_string::<i32>().value(row), body),
    }
}

/// The value of a row. A number that is not finite, or a time out of range, is reported as a number that no field
/// accepts.
pub(crate) fn value(array: &ArrayRef, row: usize) -> FieldValue {
    if is_null(array, row) {
        return FieldValue::Null;
    }
    let mut json = Vec::new();
    let written = write(array, row, &mut json);
    written.then(|| serde_json::from_slice(&json).ok()).flatten().unwrap_or(FieldValue::Float(f64::NAN))
}

/// The dictionary index of a row.
fn place(keys: &dyn Array, row: usize) -> Option<usize> {
    macro_rules! key {
        ($kind:ty) => {
            usize::try_from(keys.as_primitive::<$kind>().value(row)).ok()
        };
    }
    match keys.data_type() {
        DataType::Int8 => key!(Int8Type),
        DataType::Int16 => key!(Int16Type),
        DataType::Int32 => key!(Int32Type),
        DataType::Int64 => key!(Int64Type),
        DataType::UInt8 => key!(UInt8Type),
        DataType::UInt16 => key!(UInt16Type),
        DataType::UInt32 => key!(UInt32Type),
        DataType::UInt64 => key!(UInt64Type),
        _ => None,
    }
}

/// Integers are written without a fraction: data frames store them as floats if some are missing.
fn float(value: f64, body: &mut Vec<u8>) -> bool {
    if let Some(integer) = integer_of(value) {
        return serde_json::to_writer(body, &integer).is_ok();
    }
    value.is_finite() && serde_json::to_writer(body, &value).is_ok()
}

/// The integer that a float represents, if it is one.
#[allow(clippy::cast_possible_truncation)] // it is small enough
pub(crate) fn integer_of(value: f64) -> Option<i64> {
    (value.fract() == 0.0 && value.abs() < 9e15).then_some(value as i64)
}

fn text(value: &str, body: &mut Vec<u8>) -> bool {
    serde_json::to_writer(body, value).is_ok()
}

fn moment(array: &ArrayRef, unit: TimeUnit, row: usize, body: &mut Vec<u8>) -> bool {
    let time: Option<DateTime<Utc>> = match unit {
        TimeUnit::Second => {
            DateTime::from_timestamp(array.as_primitive::<TimestampSecondType>().value(row), 0)
        }
        TimeUnit::Millisecond => {
            DateTime::from_timestamp_millis(array.as_primitive::<TimestampMillisecondType>().value(row))
        }
        TimeUnit::Microsecond => {
            DateTime::from_timestamp_micros(array.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        TimeUnit::Nanosecond => {
            let nanos = array.as_primitive::<TimestampNanosecondType>().value(row);
            Some(DateTime::from_timestamp_nanos(nanos))
        }
    };
    time.is_some_and(|time| text(&time.to_rfc3339_opts(SecondsFormat::AutoSi, true), body))
}
