//! Rows of named values as Arrow, for languages whose users have objects rather than data frames.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, NullArray, RecordBatch, RecordBatchIterator,
    RecordBatchReader, StringArray,
};
use arrow_schema::{ArrowError, Schema};
use sondage::model::FieldValue;
use sondage::{Error, Result};
use sondage_jobs::Rows;

use crate::column::cell::EXACT_IN_F64;

/// Rows of named values as an Arrow table: a column for each name, of one type. A value that a row does not have is null.
///
/// A column that mixes texts with numbers, or one that holds lists or objects, is an error.
pub fn object_rows(rows: &Rows) -> Result<impl RecordBatchReader + Send + use<>> {
    let columns = rows.names().iter().enumerate().map(|(place, name)| {
        let values: Vec<&FieldValue> = (0..rows.len()).map(|row| rows.value(row, place)).collect();
        let array = array(&values).ok_or_else(|| {
            let what =
                format!("the column {name:?} does not hold values of one type, such as texts or numbers");
            Error::invalid_argument(what)
        });
        array.map(|array| (name, array))
    });
    let columns: Vec<(&String, ArrayRef)> = columns.collect::<Result<_>>()?;
    if columns.is_empty() && !rows.is_empty() {
        return Err(Error::invalid_argument("there are no rows with a value").with_hint("Nothing was sent."));
    }
    // The column of a name. Each name occurs once.
    let fields = columns.into_iter().map(|(name, array)| (name, array, true));
    let batch = if rows.is_empty() {
        Ok(RecordBatch::new_empty(Arc::new(Schema::empty())))
    } else {
        RecordBatch::try_from_iter_with_nullable(fields)
    };
    let batch = batch.map_err(|error| Error::invalid_argument(error.to_string()))?;
    let schema = batch.schema();
    Ok(RecordBatchIterator::new([Ok::<_, ArrowError>(batch)], schema))
}

/// The common type; `None` when the values have none.
fn array(values: &[&FieldValue]) -> Option<ArrayRef> {
    let first = values.iter().find(|value| !value.is_null());
    Some(match first {
        None => Arc::new(NullArray::new(values.len())),
        Some(FieldValue::Bool(_)) => Arc::new(BooleanArray::from(each(values, |value| match value {
            FieldValue::Bool(truth) => Some(*truth),
            _ => None,
        })?)),
        Some(FieldValue::Text(_)) => Arc::new(StringArray::from(each(values, FieldValue::as_str)?)),
        Some(FieldValue::Int(_) | FieldValue::Float(_)) => match each(values, FieldValue::as_i64) {
            Some(numbers) => Arc::new(Int64Array::from(numbers)),
            None => Arc::new(Float64Array::from(each(values, float)?)),
        },
        Some(FieldValue::Null | FieldValue::Json(_)) => return None,
    })
}

/// Converts the values with `read`; `None` if it cannot convert one of them.
fn each<'a, T>(
    values: &[&'a FieldValue],
    read: impl Fn(&'a FieldValue) -> Option<T>,
) -> Option<Vec<Option<T>>> {
    values.iter().map(|value| if value.is_null() { Some(None) } else { read(value).map(Some) }).collect()
}

/// A number, if it can be represented without losing a digit.
#[allow(clippy::cast_precision_loss)] // checked
fn float(value: &FieldValue) -> Option<f64> {
    match value {
        FieldValue::Float(number) => Some(*number),
        FieldValue::Int(number) if number.unsigned_abs() <= EXACT_IN_F64 => Some(*number as f64),
        _ => None,
    }
}
