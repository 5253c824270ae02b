//! The service's code for a choice that is not available.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use sondage::Result;

use super::declared::{Declared, plain};
use super::labels::code_at;
use super::language::described;
use super::layout::{Origin, Planned};
use super::missing::{MissingShown, apart, emptied, without};
use super::{BaseColumn, Undeclared, metadata};
use crate::column::{Column, Values};
use crate::error::Warning;
use crate::meaning::{NOT_AVAILABLE, ValueLabel, Variable};

/// [`NOT_AVAILABLE`] as a number.
pub(super) const CODE: i64 = 9_999_999;
const FLOAT: f64 = 9_999_999.0;
/// The first number with as many digits.
const LARGE: f64 = 1_000_000.0;
/// The beginning of the warning.
const INTRO: &str = "9999999 stands for \"not available\" in closed questions, but counts as an answer in";
/// The beginning of the warning about columns that the code plan does not describe.
const INTRO_WITHOUT_PLAN: &str = "9999999 may stand for \"not available\", and counts as an answer in";
/// The most columns that a warning names.
const NAMED: usize = 20;

/// Whether the code occurs in this part of a column.
pub(super) fn occurs(part: &Column, code: i64) -> bool {
    let mut rows = 0..part.len();
    let is_code = |text: &str| plain(text).parse() == Ok(code);
    match part.values() {
        Values::Int(values) => rows.any(|row| values[row] == code && part.is_valid(row)),
        #[allow(clippy::cast_precision_loss)] // a code beyond 2^53 is no code of a float
        Values::Float(_) => rows.any(|row| part.float(row) == Some(code as f64)),
        Values::Text(texts) => rows.any(|row| part.is_valid(row) && is_code(texts.get(row))),
        _ => false,
    }
}

/// Whether this part of a column has an answer that is as large as the code, so that the code itself may be an answer of a slider.
pub(super) fn has_large(part: &Column, code: i64) -> bool {
    let mut rows = 0..part.len();
    match part.values() {
        #[allow(clippy::cast_precision_loss)] // only its size counts
        Values::Int(values) => rows.any(|row| part.is_valid(row) && is_large(values[row] as f64, code)),
        Values::Float(_) => rows.any(|row| part.float(row).is_some_and(|number| is_large(number, code))),
        _ => false,
    }
}

fn is_large(number: f64, code: i64) -> bool {
    code == CODE && number >= LARGE && !is_not_available(number)
}

/// The warning about those of these columns of sliders in which the code is missing, although other answers are as large.
pub(super) fn doubt<'a>(columns: impl IntoIterator<Item = &'a BaseColumn>) -> Option<Warning> {
    let is_doubtful = |column: &&BaseColumn| {
        let code = column.undeclared.as_deref().and_then(|undeclared| undeclared.code.parse().ok());
        let large = |array: &ArrayRef| match array.data_type() {
            #[allow(clippy::cast_precision_loss)] // only its size counts
            DataType::Int64 => {
                array.as_primitive::<Int64Type>().iter().flatten().any(|number| is_large(number as f64, CODE))
            }
            DataType::Float64 => {
                array.as_primitive::<Float64Type>().iter().flatten().any(|number| is_large(number, CODE))
            }
            _ => false,
        };
        code == Some(CODE)
            && column.variable.as_deref().is_some_and(Variable::is_scale)
            && column.arrays.iter().any(large)
    };
    let names = columns.into_iter().filter(is_doubtful).map(|column| column.field.name().clone());
    doubt_about(names.collect())
}

/// The warning about these columns of sliders.
pub(super) fn doubt_about(names: Vec<String>) -> Option<Warning> {
    few(names).map(|names| {
        Warning::general(format!(
            "9999999 is missing as \"not available\" in {names}, where other answers are as large: if it is an answer, read the \
             interviews with `not_available=None` (`notAvailable: null` in Node.js), or with a `language`, whose questionnaire tells"
        ))
    })
}

/// Whether a column is one of a question that has the code: among its labels or, in a closed question, in its answers (`occurs`).
pub(super) fn is_in(planned: &Planned, code: i64, occurs: bool) -> bool {
    planned.origin == Origin::Question
        && planned.variable.as_deref().is_some_and(|variable| {
            let is_label = |value: &ValueLabel| plain(&value.code).parse() == Ok(code);
            variable.values.iter().any(is_label) || occurs && variable.may_be_unavailable(code)
        })
}

/// Declares the code as a missing answer in a column of a question that has it.
pub(super) fn declare(column: &mut BaseColumn, code: i64) -> Result<()> {
    let codes = Declared::of(code);
    if !has_it(column, &codes) {
        return Ok(());
    }
    let undeclared = column.clone();
    let variable = column.variable.as_deref().cloned().unwrap_or_default();
    let (rest, declared) = apart(variable, metadata::missing(&column.field), &codes);
    column.arrays = column.arrays.iter().map(|array| without(array, &codes)).collect::<Result<_>>()?;
    *column = described(column, rest);
    let mut field = column.field.as_ref().clone();
    field.metadata_mut().insert(metadata::MISSING, metadata::of_missing(&declared));
    column.field = Arc::new(field);
    column.undeclared = Some(Arc::new(Undeclared { column: undeclared, code: code.to_string() }));
    Ok(())
}

/// The column with the code, which its metadata declare as missing: for files that can hold both.
pub(super) fn shown(column: &BaseColumn) -> Result<BaseColumn> {
    match column.undeclared.as_deref() {
        // A list has no place for a code.
        _ if matches!(column.field.data_type(), DataType::List(_)) => Ok(column.clone()),
        None => Ok(column.clone()),
        Some(Undeclared { column, code }) => {
            let mut codes = Declared::default();
            codes.and(code);
            emptied(column, &codes, MissingShown::Code)
        }
    }
}

/// The column without the codes that its metadata declare as missing, if it shows them.
pub(super) fn hidden(column: &BaseColumn) -> Result<Cow<'_, BaseColumn>> {
    let mut codes = Declared::default();
    for value in metadata::missing(&column.field) {
        codes.and(&plain(&value.code));
    }
    if codes.is_empty() || !column.arrays.iter().any(|array| has_a_code(array, &codes)) {
        return Ok(Cow::Borrowed(column));
    }
    let arrays = column.arrays.iter().map(|array| without(array, &codes)).collect::<Result<_>>()?;
    let code = codes.iter().next().unwrap_or_default().to_owned();
    let undeclared = Some(Arc::new(Undeclared { column: column.clone(), code }));
    let variable = column.variable.as_deref().cloned();
    let rest = variable.map(|variable| apart(variable, Vec::new(), &codes).0);
    let described = rest.map_or_else(|| column.clone(), |rest| described(column, rest));
    Ok(Cow::Owned(BaseColumn { arrays, undeclared, ..described }))
}

/// Whether an answer is one of the codes.
pub(super) fn has_a_code(array: &ArrayRef, codes: &Declared) -> bool {
    (0..array.len()).any(|row| code_at(array, row).is_some_and(|code| codes.hold(&code)))
}

/// Whether a column is one of a question whose labels have the code, or of a closed one whose answers have it.
fn has_it(column: &BaseColumn, codes: &Declared) -> bool {
    let is_question =
        column.field.metadata().get(metadata::ORIGIN).is_some_and(|origin| origin == "question");
    let Some(variable) = column.variable.as_deref().filter(|_| is_question) else {
        return false;
    };
    let is_offered =
        || codes.iter().any(|code| code.parse().is_ok_and(|code| !variable.may_be_unavailable(code)));
    !column.nested
        && (variable.values.iter().any(|value| codes.hold(&value.code))
            || !is_offered() && column.arrays.iter().any(|array| has_a_code(array, codes)))
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

/// Whether a column has answers of interviews, but no description in the code plan, which says what the code means.
fn is_without_plan(column: &BaseColumn) -> bool {
    let origin = column.field.metadata().get(metadata::ORIGIN);
    column.variable.is_none() && origin.is_some_and(|origin| origin == "question" || origin == "other")
}

/// The warning about those of these columns of interviews that contain the code, and that no code plan describes.
pub(super) fn warning_without_plan<'a>(columns: impl IntoIterator<Item = &'a BaseColumn>) -> Option<Warning> {
    let columns = columns.into_iter().filter(|column| is_without_plan(column));
    let holding = columns.filter(|column| column.arrays.iter().any(is_among));
    of_columns_without_plan(holding.map(|column| column.field.name().clone()).collect())
}

/// The warning about these columns.
pub(super) fn of_columns_without_plan(names: Vec<String>) -> Option<Warning> {
    let names = few(names)?;
    Some(Warning::general(format!(
        "{INTRO_WITHOUT_PLAN} {names}: only the code plan tells which. Read the interviews with their code plan, or declare the code \
         with `with_missing(9999999)` (`withMissing` in Node.js)"
    )))
}

/// Whether a warning is that of [`of_columns_without_plan`].
pub(super) fn is_about_no_plan(warning: &Warning) -> bool {
    warning.column.is_none() && warning.detail.starts_with(INTRO_WITHOUT_PLAN)
}

/// The first names; `None` if there are none.
fn few(mut names: Vec<String>) -> Option<String> {
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more columns") };
    (!names.is_empty()).then(|| names.join(", ") + &more)
}

/// The warning about these columns.
pub(super) fn of_columns(names: Vec<String>) -> Option<Warning> {
    few(names).map(|names| {
        Warning::general(format!(
            "{INTRO} {names}. Declare it as missing with `with_missing(9999999)` (`withMissing` in Node.js)"
        ))
    })
}

/// Whether a warning is that of [`of_columns`].
pub(super) fn is_about_it(warning: &Warning) -> bool {
    warning.column.is_none() && warning.detail.starts_with(INTRO)
}
