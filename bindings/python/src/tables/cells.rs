//! Cells of a table as plain Python values, for those who have no other package at hand.

use crate::classes;
use crate::error;
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch, temporal_conversions};
use arrow_schema::DataType;
use chrono::{DateTime, Utc};
use pyo3::prelude::*;
use sondage::Error;

/// Some rows of a table.
pub fn rows<'py>(
    py: Python<'py>,
    batches: &[RecordBatch],
    mut first: usize,
    mut count: usize,
) -> PyResult<Vec<Vec<Bound<'py, PyAny>>>> {
    let mut rows = Vec::new();
    for batch in batches {
        let here = batch.num_rows().saturating_sub(first).min(count);
        for row in first..first + here {
            let cells = batch.columns().iter().map(|column| cell(py, column.as_ref(), row));
            rows.push(cells.collect::<PyResult<_>>()?);
        }
        first = first.saturating_sub(batch.num_rows());
        count -= here;
    }
    Ok(rows)
}

fn cell<'py>(py: Python<'py>, column: &dyn Array, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) || *column.data_type() == DataType::Null {
        return Ok(py.None().into_bound(py));
    }
    Ok(match column.data_type() {
        DataType::Boolean => column.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into_pyobject(py)?.into_any(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into_pyobject(py)?.into_any(),
        DataType::Utf8 => column.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::LargeUtf8 => column.as_string::<i64>().value(row).into_pyobject(py)?.into_any(),
        DataType::Date32 => {
            let days = column.as_primitive::<Date32Type>().value(row);
            match temporal_conversions::date32_to_datetime(days) {
                Some(time) => classes::date(py, time.date())?,
                None => py.None().into_bound(py),
            }
        }
        DataType::Timestamp(_, _) => match time(column, row) {
            Some(time) => classes::datetime(py, time.into())?,
            None => py.None().into_bound(py),
        },
        DataType::Dictionary(_, _) => {
            let dictionary = column.as_dictionary::<Int32Type>();
            match dictionary.key(row) {
                Some(key) => cell(py, dictionary.values().as_ref(), key)?,
                None => py.None().into_bound(py),
            }
        }
        other => {
            let what = format!("a column of the type {other} cannot be shown as plain values");
            return Err(error::raise(py, &Error::internal(what)));
        }
    })
}

/// A point in time, which a table counts in microseconds.
fn time(column: &dyn Array, row: usize) -> Option<DateTime<Utc>> {
    let micros = column.as_primitive_opt::<TimestampMicrosecondType>()?.value(row);
    temporal_conversions::timestamp_us_to_datetime(micros).map(|time| time.and_utc())
}
