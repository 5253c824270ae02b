//! Kinds of missing answers: codes that the questionnaire uses for them, questions that were not asked, and questions
//! without an answer.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, StringArray, make_array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::{ArrowError, DataType, Field};
use indexmap::IndexMap;
use sondage::arguments::AnswerCode;
use sondage::{Error, Result};

use super::labels::answer;
use super::language::described;
use super::{BaseColumn, Table, metadata};
use crate::column::cell::float_text;
use crate::error::Warning;
use crate::meaning::ValueLabel;

/// How a table shows codes that mean a missing answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub enum MissingShown {
    /// As missing values.
    #[default]
    Null,
    /// As codes. They are declared in the metadata, for files that can hold such declarations.
    Code,
    /// As missing values, with a column of reasons beside each question.
    Reason,
}

impl MissingShown {
    /// `null`, `code` or `reason`.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::Null,
            "code" => Self::Code,
            "reason" => Self::Reason,
            _ => return None,
        })
    }
}

/// The reasons that are no codes, in the order of their categories.
const REASONS: [&str; 3] = ["not_asked", "no_answer", "unknown"];
const NOT_ASKED: i32 = 0;
const NO_ANSWER: i32 = 1;
const UNKNOWN: i32 = 2;

impl Table {
    /// The same rows, in which these codes of columns or questions mean a missing answer.
    ///
    /// With [`MissingShown::Reason`], each question has a column `NAME_missing` beside it: the label of such a code, `not_asked`,
    /// `no_answer`, or `unknown` if the data do not say which of the two it is. Nothing is there beside an answer.
    ///
    /// Nobody was asked who has not begun (the column `State` must be in the table), or was not asked any choice of a multiple
    /// choice, or completed an interview without a question that must be answered (the table must have been read with a
    /// `language`). There is no answer in a column if another column of its question has one.
    pub fn with_missing(
        &self,
        codes: &IndexMap<String, Vec<AnswerCode>>,
        shown: MissingShown,
    ) -> Result<Table> {
        let columns = self.base_columns();
        let mut declared: Vec<Vec<String>> = vec![Vec::new(); columns.len()];
        for (name, codes) in codes {
            let mut found = false;
            for (column, declared) in columns.iter().zip(&mut declared) {
                let question =
                    column.variable.as_deref().and_then(|variable| variable.question_code.as_ref());
                if column.field.name() == name || question == Some(name) {
                    found = true;
                    declared.extend(codes.iter().map(code_text));
                }
            }
            if !found {
                return Err(Error::invalid_argument(format!("the table has no column or question {name:?}")));
            }
        }
        let state =
            columns.iter().find(|column| is_service(column) && column.field.name() == "State").copied();
        let (mut out, mut warnings) = (Vec::new(), Vec::new());
        for (place, column) in columns.iter().enumerate() {
            let codes: HashSet<&str> = declared[place].iter().map(String::as_str).collect();
            if !codes.is_empty() && matches!(column.field.data_type(), DataType::List(_)) {
                return Err(Error::invalid_argument(format!(
                    "column {:?} holds lists: declare codes before `with_lists`",
                    column.field.name()
                )));
            }
            warnings.extend(unused(column, &declared[place]));
            let kept = if codes.is_empty() { (*column).clone() } else { emptied(column, &codes, shown)? };
            let asked = column.variable.is_some() && !is_service(column);
            let reasons = if shown == MissingShown::Reason && asked {
                let parts = parts_of(column, &columns);
                Some(
                    reasons(column, &parts, state, &codes)
                        .map_err(|error| Error::internal(error.to_string()))?,
                )
            } else {
                None
            };
            out.push(kept);
            out.extend(reasons);
        }
        let mut taken = HashSet::new();
        for column in &mut out {
            let mut name = column.field.name().clone();
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            if name != *column.field.name() {
                column.field = Arc::new(column.field.as_ref().clone().with_name(name));
            }
        }
        let mut table = self.rebuilt(out, self.base.rows.clone());
        table.label_warnings.extend(warnings);
        Ok(table)
    }
}

fn is_service(column: &BaseColumn) -> bool {
    column.field.metadata().get(metadata::ORIGIN).is_some_and(|origin| origin == "service")
}

/// A code as the labels know it.
fn code_text(code: &AnswerCode) -> String {
    match code {
        AnswerCode::Integer(code) => code.to_string(),
        AnswerCode::Real(code) => float_text(*code),
        AnswerCode::Text(code) => code.clone(),
        // The enumeration grows only together with this crate.
        _ => String::new(),
    }
}

/// Codes that neither the code plan nor the answers have: probably a slip.
fn unused<'a>(column: &'a BaseColumn, codes: &'a [String]) -> impl Iterator<Item = Warning> + 'a {
    let known = column.variable.iter().flat_map(|variable| &variable.values).map(|value| value.code.as_str());
    let known: HashSet<&str> = known.collect();
    let occurs = |code: &str| {
        let has = |array: &ArrayRef| (0..array.len()).any(|row| answer(array, row).as_deref() == Some(code));
        column.arrays.iter().any(has)
    };
    let unused = codes.iter().filter(move |code| !known.contains(code.as_str()) && !occurs(code));
    unused.map(|code| {
        let detail = format!("no answer has the code {code}, and the code plan does not know it");
        Warning::new(column.field.name(), detail)
    })
}

/// The column without the declared codes, which are in its metadata.
fn emptied(column: &BaseColumn, codes: &HashSet<&str>, shown: MissingShown) -> Result<BaseColumn> {
    let mut variable = column.variable.as_deref().cloned().unwrap_or_default();
    let is_declared = |value: &ValueLabel| codes.contains(value.code.as_str());
    let (mut declared, kept): (Vec<ValueLabel>, Vec<ValueLabel>) =
        variable.values.iter().cloned().partition(is_declared);
    let mut others: Vec<&&str> =
        codes.iter().filter(|code| !declared.iter().any(|value| value.code == **code)).collect();
    others.sort_unstable();
    declared
        .extend(others.into_iter().map(|code| ValueLabel { code: (*code).into(), label: (*code).into() }));
    let mut column = column.clone();
    if shown != MissingShown::Code {
        let stays: Vec<bool> = variable.values.iter().map(|value| !is_declared(value)).collect();
        for texts in variable.translations.values_mut() {
            let mut stays = stays.iter();
            texts.labels.retain(|_| stays.next().copied().unwrap_or(true));
        }
        variable.values = kept;
        column.arrays = column.arrays.iter().map(|array| without(array, codes)).collect::<Result<_>>()?;
        if column.variable.is_some() {
            column = described(&column, variable);
        }
    }
    let declared = serde_json::to_string(&declared).map_err(|error| Error::internal(error.to_string()))?;
    let mut field = column.field.as_ref().clone();
    field.metadata_mut().insert(metadata::MISSING, declared);
    Ok(BaseColumn { field: Arc::new(field), ..column })
}

/// The array with nulls in place of these codes. The values are shared.
fn without(array: &ArrayRef, codes: &HashSet<&str>) -> Result<ArrayRef> {
    let stays = |row| answer(array, row).is_some_and(|answer| !codes.contains(answer.as_str()));
    let nulls = NullBuffer::new(BooleanBuffer::collect_bool(array.len(), stays));
    if *array.data_type() == DataType::Null {
        return Ok(Arc::clone(array));
    }
    let data = array.to_data().into_builder().nulls(Some(nulls)).build();
    data.map(make_array).map_err(|error| Error::internal(error.to_string()))
}

/// The other columns of the same question, or of the same row of a matrix of multiple choices.
fn parts_of<'a>(column: &BaseColumn, columns: &[&'a BaseColumn]) -> Vec<&'a BaseColumn> {
    let Some(variable) = column.variable.as_deref() else { return Vec::new() };
    let same = |other: &&&BaseColumn| {
        let other_variable = other.variable.as_deref();
        other.field.name() != column.field.name()
            && variable.question_code.is_some()
            && other_variable.is_some_and(|other| other.question_code == variable.question_code)
    };
    columns.iter().filter(same).copied().collect()
}

/// Why answers are missing in a column.
fn reasons(
    column: &BaseColumn,
    parts: &[&BaseColumn],
    state: Option<&BaseColumn>,
    codes: &HashSet<&str>,
) -> std::result::Result<BaseColumn, ArrowError> {
    let variable = column.variable.as_deref();
    let mut categories: Vec<String> = REASONS.map(str::to_owned).to_vec();
    let mut places: Vec<(String, i32)> = Vec::new();
    let known = variable.iter().flat_map(|variable| &variable.values);
    let known: Vec<&ValueLabel> = known.filter(|value| codes.contains(value.code.as_str())).collect();
    let mut others: Vec<&&str> =
        codes.iter().filter(|code| !known.iter().any(|value| value.code == **code)).collect();
    others.sort_unstable();
    let pairs = known.iter().map(|value| (value.code.as_str(), value.label.as_str()));
    for (code, label) in pairs.chain(others.into_iter().map(|code| (*code, *code))) {
        let mut label = label.to_owned();
        while categories.contains(&label) {
            label = format!("{label} ({code})");
        }
        places.push((code.to_owned(), i32::try_from(categories.len()).unwrap_or(i32::MAX)));
        categories.push(label);
    }
    let dictionary: ArrayRef = Arc::new(StringArray::from(categories));
    let required = variable.is_some_and(|variable| variable.required == Some(true));
    let of_choice = variable.is_some_and(|variable| variable.choice.is_some());
    let reason = |batch: usize, row: usize| -> Option<i32> {
        if let Some(answer) = answer(&column.arrays[batch], row) {
            return places.iter().find(|(code, _)| *code == answer).map(|(_, place)| *place);
        }
        // Arrays and objects are answers too, although they are no codes.
        if !is_empty(&column.arrays[batch], row) {
            return None;
        }
        if parts.iter().any(|part| !is_empty(&part.arrays[batch], row)) {
            return Some(NO_ANSWER);
        }
        let state = state.and_then(|state| answer_of(state, batch, row));
        let never = state.as_deref() == Some("NotResponded");
        let skipped = required && state.as_deref() == Some("Completed");
        Some(if never || of_choice || skipped { NOT_ASKED } else { UNKNOWN })
    };
    let array = |(batch, rows): (usize, &ArrayRef)| {
        let keys: Int32Array = (0..rows.len()).map(|row| reason(batch, row)).collect();
        let array = DictionaryArray::<Int32Type>::try_new(keys, Arc::clone(&dictionary))?;
        Ok(Arc::new(array) as ArrayRef)
    };
    let arrays =
        column.arrays.iter().enumerate().map(array).collect::<std::result::Result<_, ArrowError>>()?;
    let data_type = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let field = Field::new(format!("{}_missing", column.field.name()), data_type, true);
    let mut field = field.with_dict_is_ordered(true);
    field.metadata_mut().insert(metadata::ORIGIN, "other");
    field.metadata_mut().insert(metadata::MISSING_OF, column.field.name().clone());
    Ok(BaseColumn { field: Arc::new(field), arrays, variable: None, nested: false, json: false })
}

fn is_empty(array: &ArrayRef, row: usize) -> bool {
    *array.data_type() == DataType::Null || array.is_null(row)
}

fn answer_of(column: &BaseColumn, batch: usize, row: usize) -> Option<String> {
    column.arrays.get(batch).and_then(|array| answer(array, row))
}
