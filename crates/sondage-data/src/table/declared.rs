//! Codes that a caller declares as missing answers: which of them a column has.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::RangeInclusive;

use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use indexmap::IndexSet;
use sondage::arguments::{AnswerCode, AnswerCodes};
use sondage::{Error, Result};

use super::labels::answer;
use super::not_available::may_be_an_answer;
use super::notes::{self, Note, NoteKind};
use super::{BaseColumn, metadata};
use crate::column::cell::float_text;
use crate::error::Warning;
use crate::meaning::{NOT_AVAILABLE, Wanted};

/// Below it, every integer is exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Codes as the caller gives them.
#[derive(Debug, Default)]
struct RequestedCodes<'a> {
    codes: IndexSet<Cow<'a, str>>,
    ranges: Vec<&'a RangeInclusive<i64>>,
}

impl<'a> RequestedCodes<'a> {
    fn add(&mut self, codes: &'a [AnswerCode]) {
        for code in codes {
            match code {
                AnswerCode::Integer(code) => _ = self.codes.insert(code.to_string().into()),
                AnswerCode::Real(code) => {
                    _ = self.codes.insert(plain(&float_text(*code)).into_owned().into());
                }
                AnswerCode::Text(code) => _ = self.codes.insert(plain(code)),
                AnswerCode::Range(range) => self.ranges.push(range),
                // The enumeration grows only together with this crate.
                _ => {}
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.codes.is_empty() && self.ranges.is_empty()
    }

    fn hold(&self, code: &str) -> bool {
        self.codes.contains(code)
            || (!self.ranges.is_empty()
                && code
                    .parse::<i64>()
                    .is_ok_and(|code| self.ranges.iter().any(|range| range.contains(&code))))
    }

    /// Those of the codes and ranges that are not among these.
    fn unused(&self, there: &HashSet<String>) -> Vec<String> {
        let code = self.codes.iter().filter(|code| !there.contains(code.as_ref()));
        let range = self.ranges.iter().filter(|range| {
            !there.iter().any(|code| code.parse::<i64>().is_ok_and(|code| range.contains(&code)))
        });
        let range_text = range.map(|range| format!("{} to {}", range.start(), range.end()));
        code.map(|code| code.clone().into_owned()).chain(range_text).collect()
    }
}

/// The codes that mean a missing answer in one column, in the order of the request.
#[derive(Debug, Default)]
pub(super) struct Declared(IndexSet<String>);

impl Declared {
    /// One code.
    pub(super) fn of(code: i64) -> Self {
        Self(IndexSet::from([code.to_string()]))
    }

    /// These codes and another one.
    pub(super) fn and(&mut self, code: &str) {
        self.0.insert(code.to_owned());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an answer, or a code of the plan, is one of them.
    pub(super) fn hold(&self, code: &str) -> bool {
        self.0.contains(plain(code).as_ref())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// The codes of each column, and warnings about those that no column has: probably slips.
pub(super) fn of_columns(
    columns: &[&BaseColumn],
    codes: &AnswerCodes,
) -> Result<(Vec<Declared>, Vec<Warning>)> {
    let mut everywhere = RequestedCodes::default();
    let mut own: Vec<RequestedCodes<'_>> = columns.iter().map(|_| RequestedCodes::default()).collect();
    // What is asked for by name, with the codes that the columns of that name have; and its numbers, by column.
    let mut requests: Vec<(&str, RequestedCodes<'_>, HashSet<String>)> = Vec::new();
    let mut asked_by: Vec<Vec<usize>> = columns.iter().map(|_| Vec::new()).collect();
    for (name, codes) in codes.iter() {
        if name == AnswerCodes::ALL {
            everywhere.add(codes);
            continue;
        }
        let mut is_present = false;
        for ((column, asked), asked_by) in columns.iter().zip(&mut own).zip(&mut asked_by) {
            let variable = column.variable.as_deref();
            let question = variable.and_then(|variable| variable.question_code.as_deref());
            if column.field.name() == name || question == Some(name) {
                is_present = true;
                check_type(column).filter(|_| !codes.is_empty()).map_or(Ok(()), Err)?;
                asked.add(codes);
                asked_by.push(requests.len());
            }
        }
        if !is_present {
            return Err(no_column(name));
        }
        let mut requested = RequestedCodes::default();
        requested.add(codes);
        requests.push((name, requested, HashSet::new()));
    }
    let (mut declared, mut met) = (Vec::new(), HashSet::new());
    for ((column, own), asked_by) in columns.iter().zip(own).zip(asked_by) {
        let open = can_have_any(column) && !everywhere.is_empty();
        let present_codes = if own.is_empty() && !open { HashSet::new() } else { present(column) };
        for request in asked_by {
            requests[request].2.extend(present_codes.iter().cloned());
        }
        let for_all = |code: &str| open && !(code == NOT_AVAILABLE && may_be_an_answer(column));
        // A range, and what is declared for all columns, mean those codes that a column has.
        let mut in_it: Vec<&String> = present_codes
            .iter()
            .filter(|code| own.hold(code) || (for_all(code.as_str()) && everywhere.hold(code)))
            .collect();
        in_it.sort_by(|a, b| number(a).total_cmp(&number(b)).then_with(|| a.cmp(b)));
        let mut codes: IndexSet<String> = own.codes.into_iter().map(Cow::into_owned).collect();
        codes.extend(in_it.into_iter().cloned());
        declared.push(Declared(codes));
        met.extend(present_codes.into_iter().filter(|code| for_all(code)));
    }
    let unused = requests.into_iter().map(|(name, codes, there)| (name, codes.unused(&there)));
    let unused = unused.filter(|(_, codes)| !codes.is_empty());
    let notes: Vec<Note> = unused.map(|(name, codes)| Note::new(NoteKind::Unused, name, codes)).collect();
    let mut warnings = notes::warnings(&notes);
    let mut unused = everywhere.unused(&met);
    if let Some(place) = unused.iter().position(|code| code == NOT_AVAILABLE) {
        let code = unused.remove(place);
        warnings.push(Warning::general(format!("no column of a closed question has the code {code}")));
    }
    if !unused.is_empty() {
        let several = if unused.len() == 1 { "" } else { "s" };
        warnings.push(Warning::general(format!("no column has the code{several} {}", notes::first(&unused))));
    }
    Ok((declared, warnings))
}

/// The error for codes of a column whose type has none.
fn check_type(column: &BaseColumn) -> Option<Error> {
    let name = column.field.name();
    match column.field.data_type() {
        DataType::List(_) => Some(Error::invalid_argument(format!(
            "column {name:?} holds lists: declare codes before `with_lists`"
        ))),
        DataType::Date32 | DataType::Timestamp(..) | DataType::Time64(_) => {
            let error =
                Error::invalid_argument(format!("column {name:?} holds dates or times, which are no codes"));
            Some(error.with_hint(
                "Leave it out here, and empty such values in the frame that you make of the table.",
            ))
        }
        _ => None,
    }
}

/// Codes are declared for a column that is not there.
pub(crate) fn no_column(name: &str) -> Error {
    Error::invalid_argument(format!("the table has no column or question {name:?}"))
        .with_hint("Codes for all columns are one number, a text or a list, without a name.")
}

/// Whether codes for all columns are meant for this one: the service's own columns have none, and an open answer may be any
/// text.
fn can_have_any(column: &BaseColumn) -> bool {
    let metadata = column.field.metadata();
    let service = metadata.get(metadata::ORIGIN).is_some_and(|origin| origin == "service");
    if service || column.nested || metadata.contains_key(metadata::MISSING_OF) {
        return false;
    }
    let variable = column.variable.as_deref();
    match column.field.data_type() {
        DataType::List(_) => false,
        DataType::Utf8 => variable.is_some_and(|variable| {
            let number = matches!(variable.wanted(), Some(Wanted::Integer | Wanted::Number | Wanted::Real));
            number || !variable.values.is_empty()
        }),
        _ => true,
    }
}

/// The codes of a column: those of its answers, and those of the code plan.
fn present(column: &BaseColumn) -> HashSet<String> {
    let values = column.variable.iter().flat_map(|variable| &variable.values);
    let mut codes: HashSet<String> = values.map(|value| plain(&value.code).into_owned()).collect();
    for array in &column.arrays {
        for code in answers(array) {
            let code = plain(&code);
            if !codes.contains(code.as_ref()) {
                codes.insert(code.into_owned());
            }
        }
    }
    codes
}

fn answers(array: &ArrayRef) -> impl Iterator<Item = String> {
    (0..array.len()).filter_map(|row| answer(array.as_ref(), row))
}

/// A code in one spelling: `98.0` is 98.
pub(super) fn plain(code: &str) -> Cow<'_, str> {
    let fraction = code.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
    let number = Some(code)
        .filter(|_| fraction)
        .and_then(|code| serde_json::from_str::<serde_json::Number>(code).ok()?.as_f64());
    match number.filter(|number| number.fract() == 0.0 && number.abs() < EXACT) {
        #[allow(clippy::cast_possible_truncation)]
        Some(number) => Cow::Owned((number as i64).to_string()),
        None => Cow::Borrowed(code),
    }
}

fn number(code: &str) -> f64 {
    code.parse().unwrap_or(f64::INFINITY)
}
