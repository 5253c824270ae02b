//! The service's code for a choice that is not available.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

use super::declared::plain;
use super::{BaseColumn, metadata};
use crate::column::{Column, Values};
use crate::error::Warning;
use crate::meaning::{NOT_AVAILABLE, Variable};

/// [`NOT_AVAILABLE`] as a number.
const CODE: i64 = 9_999_999;
const FLOAT: f64 = 9_999_999.0;
/// The beginning of the warning.
const INTRO: &str = "9999999 stands for \"not available\" in closed questions, but counts as an answer in";
/// The most columns that the warning names.
const NAMED: usize = 20;

/// Whether the code occurs in this part of a column.
pub(super) fn occurs(part: &Column) -> bool {
    let mut rows = 0..part.len();
    match part.values() {
        Values::Int(values) => rows.any(|row| values[row] == CODE && part.is_valid(row)),
        Values::Float(_) => rows.any(|row| part.float(row) == Some(FLOAT)),
        Values::Text(texts) => rows.any(|row| texts.get(row) == NOT_AVAILABLE && part.is_valid(row)),
        _ => false,
    }
}

/// Whether a number is the code.
pub(super) fn is_not_available(number: f64) -> bool {
    number == FLOAT
}

/// Whether a column is an open question or a field of numbers. The code may be an answer there, unless the code plan has it.
pub(super) fn may_be_an_answer(column: &BaseColumn) -> bool {
    let field = column.field.metadata().get(metadata::ORIGIN).is_some_and(|origin| origin == "field");
    column.variable.as_deref().is_some_and(|variable| {
        (variable.is_open() || field && !variable.is_closed())
            && !variable.values.iter().any(|value| plain(&value.code) == NOT_AVAILABLE)
    })
}

/// The warning about the closed questions among these columns that contain the code, without those where it is declared.
pub(super) fn warning<'a>(columns: impl IntoIterator<Item = &'a BaseColumn>) -> Option<Warning> {
    let holds = |column: &&BaseColumn| {
        column.variable.as_deref().is_some_and(Variable::is_closed)
            && column.arrays.iter().any(is_among)
            && !metadata::missing(&column.field).iter().any(|value| plain(&value.code) == NOT_AVAILABLE)
    };
    let names = columns.into_iter().filter(holds).map(|column| column.field.name().clone());
    of_columns(names.collect())
}

fn is_among(array: &ArrayRef) -> bool {
    match array.data_type() {
        DataType::Int64 => array.as_primitive::<Int64Type>().iter().flatten().any(|code| code == CODE),
        DataType::Float64 => array.as_primitive::<Float64Type>().iter().flatten().any(|code| code == FLOAT),
        DataType::Utf8 => array.as_string::<i32>().iter().flatten().any(|code| code == NOT_AVAILABLE),
        _ => false,
    }
}

/// The warning about these columns.
pub(super) fn of_columns(mut names: Vec<String>) -> Option<Warning> {
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more columns") };
    let names = names.join(", ");
    (!names.is_empty()).then(|| {
        Warning::general(format!(
            "{INTRO} {names}{more}. Declare it as missing with `with_missing(9999999)` (`withMissing` in Node.js)"
        ))
    })
}

/// Whether a warning is that of [`of_columns`].
pub(super) fn is_about_it(warning: &Warning) -> bool {
    warning.column.is_none() && warning.detail.starts_with(INTRO)
}
