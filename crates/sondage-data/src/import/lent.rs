//! Values of Arrow columns, lent to the check of an import: texts and the usual numbers are not copied.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, Float64Array, Int32Array, Int64Array, LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use arrow_schema::DataType;
use sondage::Result;
use sondage::model::FieldValue;
use sondage_jobs::{RowValue, TakeRow};

use crate::create::{self, source};
use std::ops::Range;

/// Rows at a time: values of rare types are copied for so many.
pub(super) const MOST: usize = 4_096;

/// A column of a batch.
enum LentColumn<'a> {
    Text(&'a StringArray),
    LargeText(&'a LargeStringArray),
    TextView(&'a StringViewArray),
    Int32(&'a Int32Array),
    Int64(&'a Int64Array),
    Float(&'a Float64Array),
    Copied(Vec<FieldValue>),
}

/// Passes these rows of a batch to `take`.
pub(super) fn rows(batch: &RecordBatch, range: Range<usize>, take: &mut TakeRow<'_>) -> Result<()> {
    let part = batch.slice(range.start, range.len());
    let columns: Vec<LentColumn<'_>> = part.columns().iter().map(column).collect();
    let lines = create::lines_of(batch);
    let names: Vec<&String> = batch.schema_ref().fields().iter().map(|field| field.name()).collect();
    let mut row = vec![RowValue::Null; columns.len()];
    for at in 0..part.num_rows() {
        for ((place, column), name) in row.iter_mut().zip(&columns).zip(&names) {
            *place = match column.value(at) {
                RowValue::Text(text) if lines.is_number(range.start + at, name) => RowValue::Number(text),
                value => value,
            };
        }
        take(&row)?;
    }
    Ok(())
}

fn column(array: &arrow_array::ArrayRef) -> LentColumn<'_> {
    match array.data_type() {
        DataType::Utf8 => LentColumn::Text(array.as_string()),
        DataType::LargeUtf8 => LentColumn::LargeText(array.as_string()),
        DataType::Utf8View => LentColumn::TextView(array.as_string_view()),
        DataType::Int32 => LentColumn::Int32(array.as_primitive::<Int32Type>()),
        DataType::Int64 => LentColumn::Int64(array.as_primitive::<Int64Type>()),
        DataType::Float64 => LentColumn::Float(array.as_primitive::<Float64Type>()),
        _ => LentColumn::Copied((0..array.len()).map(|row| source::value(array, row)).collect()),
    }
}

impl LentColumn<'_> {
    fn value(&self, row: usize) -> RowValue<'_> {
        macro_rules! of {
            ($array:expr, $value:expr) => {
                if $array.is_null(row) { RowValue::Null } else { $value($array.value(row)) }
            };
        }
        match self {
            Self::Text(array) => of!(array, RowValue::Text),
            Self::LargeText(array) => of!(array, RowValue::Text),
            Self::TextView(array) => of!(array, RowValue::Text),
            Self::Int32(array) => of!(array, |number| RowValue::Int(i64::from(number))),
            Self::Int64(array) => of!(array, RowValue::Int),
            Self::Float(array) => of!(array, number),
            Self::Copied(values) => values.get(row).map_or(RowValue::Null, RowValue::from),
        }
    }
}

/// Data frames store integers as floats if some are missing. What is not finite remains so, and no field accepts it.
fn number<'a>(value: f64) -> RowValue<'a> {
    source::integer_of(value).map_or(RowValue::Float(value), RowValue::Int)
}
