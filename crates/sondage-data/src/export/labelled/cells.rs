//! The values of a column, row by row.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, TimestampMicrosecondType};
use arrow_array::{Array, ArrayRef, Date32Array, Float64Array, StringArray, TimestampMicrosecondArray};
use arrow_schema::DataType;

/// How a program counts days and times: from days and microseconds since 1970-01-01.
pub(in crate::export) struct Calendar {
    pub(in crate::export) day: fn(i32) -> f64,
    pub(in crate::export) time: fn(i64) -> f64,
}

pub(in crate::export) enum Values<'a> {
    Numbers(&'a Float64Array),
    Days(&'a Date32Array),
    Times(&'a TimestampMicrosecondArray),
    Texts(&'a StringArray),
}

impl<'a> Values<'a> {
    pub(in crate::export) fn of(array: &'a ArrayRef) -> Self {
        match array.data_type() {
            DataType::Float64 => Values::Numbers(array.as_primitive::<Float64Type>()),
            DataType::Date32 => Values::Days(array.as_primitive::<Date32Type>()),
            DataType::Timestamp(..) => Values::Times(array.as_primitive::<TimestampMicrosecondType>()),
            _ => Values::Texts(array.as_string::<i32>()),
        }
    }

    pub(in crate::export) fn number(&self, row: usize, calendar: &Calendar) -> Option<f64> {
        match self {
            Values::Numbers(numbers) => numbers.is_valid(row).then(|| numbers.value(row)),
            Values::Days(days) => days.is_valid(row).then(|| (calendar.day)(days.value(row))),
            Values::Times(times) => times.is_valid(row).then(|| (calendar.time)(times.value(row))),
            Values::Texts(_) => None,
        }
    }

    /// The numbers of some rows, not a number for each that is missing; none of a column of texts.
    pub(in crate::export) fn numbers(&self, rows: Range<usize>, calendar: &Calendar) -> Vec<f64> {
        match self {
            Values::Numbers(numbers) if numbers.null_count() == 0 => numbers.values()[rows].to_vec(),
            Values::Texts(_) => Vec::new(),
            column => rows.map(|row| column.number(row, calendar).unwrap_or(f64::NAN)).collect(),
        }
    }

    pub(in crate::export) fn text(&self, row: usize) -> &'a str {
        match self {
            Values::Texts(texts) if texts.is_valid(row) => texts.value(row),
            _ => "",
        }
    }
}
