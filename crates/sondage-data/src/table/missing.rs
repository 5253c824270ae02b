//! Kinds of missing answers: codes that the questionnaire uses for them, questions that were not asked, and questions
//! without an answer.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, StringArray, make_array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::{ArrowError, DataType, Field};
use sondage::arguments::AnswerCodes;
use sondage::{Error, Result};

use super::declared::{self, Declared, plain};
use super::labels::{answer, code_at};
use super::language::described;
use super::names::DerivedNames;
use super::typed::typed;
use super::{BaseColumn, BeforeDeclaring, Table, Undeclared, metadata, not_available};
use crate::column::Column;
use crate::column::cell::Cell;
use crate::error::Warning;
use crate::meaning::{self, ValueLabel, Variable, VariableTexts, Wanted};

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
/// The reason of a code that is missing by default, whatever its label is.
const NOT_AVAILABLE: &str = "not_available";
const NOT_ASKED: i32 = 0;
const NO_ANSWER: i32 = 1;
const UNKNOWN: i32 = 2;

impl Table {
    /// The same rows, in which these codes of columns or questions mean a missing answer.
    ///
    /// What is not available in closed questions is missing without a declaration; here it is shown as the codes are.
    ///
    /// With [`MissingShown::Reason`], each question has a column `NAME_missing` beside it: the label of such a code, `not_available`, `not_asked`,
    /// `no_answer`, or `unknown` if the data do not say which of the two it is. Nothing is there beside an answer.
    ///
    /// Nobody was asked who has not begun (the column `State` must be in the table), or was not asked any choice of a multiple
    /// choice, or completed an interview without a question that must be answered (the table must have been read with a
    /// `language`). There is no answer in a column if another column of its question has one.
    ///
    /// Codes for all columns are meant for those of questions and fields, but not for open texts. A column whose declared type
    /// is a number, and which is text only because of these codes, becomes one of numbers.
    pub fn with_missing(&self, codes: impl Into<AnswerCodes>, shown: MissingShown) -> Result<Table> {
        let shown_columns = self.base_columns();
        let all_codes: Vec<&BaseColumn> =
            shown_columns.iter().map(|column| column.with_all_codes()).collect();
        let (mut declared, mut warnings) = declared::of_columns(&all_codes, &codes.into())?;
        // What is not available is shown as the other missing answers are.
        let columns = if shown == MissingShown::Null { shown_columns.clone() } else { all_codes };
        let default_code = |column: &BaseColumn| Some(column.undeclared.as_deref()?.code.clone());
        let default_codes: Vec<Option<String>> = shown_columns
            .iter()
            .map(|column| default_code(column).filter(|_| shown != MissingShown::Null))
            .collect();
        for ((codes, default), column) in declared.iter_mut().zip(&default_codes).zip(&columns) {
            if let Some(code) = default {
                codes.and(code);
            }
            // What was declared before has its reason, too.
            let earlier = metadata::missing(&column.field).into_iter();
            earlier
                .filter(|_| shown == MissingShown::Reason)
                .for_each(|value| codes.and(&plain(&value.code)));
        }
        let state =
            columns.iter().find(|column| is_service(column) && column.field.name() == "State").copied();
        let mut names = DerivedNames::beside(columns.iter().copied());
        let questions = by_question(&columns);
        let (mut out, mut became_numbers) = (Vec::new(), HashSet::new());
        let all = columns.iter().zip(&shown_columns).zip(declared.iter().zip(&default_codes));
        for ((column, shown_column), (codes, default)) in all {
            // A list has no place for a code.
            let remaining = match column.field.data_type() {
                DataType::List(_) if shown == MissingShown::Code => (*shown_column).clone(),
                _ if codes.is_empty() => (*column).clone(),
                _ => emptied(column, codes, shown)?,
            };
            if remaining.field.data_type() != column.field.data_type() {
                became_numbers.insert(remaining.field.name().clone());
            }
            out.push(remaining);
            if shown == MissingShown::Reason && column.variable.is_some() && !is_service(column) {
                let parts = parts_of(column, &questions);
                let name = names.derive(format!("{}_missing", column.field.name()));
                let reasons = reasons(name, column, &parts, state, codes, default.as_deref());
                out.push(reasons.map_err(|error| Error::internal(error.to_string()))?);
            }
        }
        warnings.extend(names.warning());
        let about = |warning: &Warning| {
            let text = warning.detail.ends_with("kept as text")
                && warning.column.as_ref().is_some_and(|column| became_numbers.contains(column));
            text || not_available::is_about_it(warning) || not_available::is_about_no_plan(warning)
        };
        let mut download: Vec<Warning> =
            self.base.warnings.iter().filter(|warning| !about(warning)).cloned().collect();
        download.extend(not_available::warning(&out));
        if self.base.warnings.iter().any(not_available::is_about_no_plan) {
            download.extend(not_available::warning_without_plan(&out));
        }
        let mut table = self.rebuilt_with(out, self.base.rows.clone(), self.base.plan.clone(), download);
        table.label_warnings.extend(warnings);
        Ok(table)
    }
}

fn is_service(column: &BaseColumn) -> bool {
    column.field.metadata().get(metadata::ORIGIN).is_some_and(|origin| origin == "service")
}

/// The column without the declared codes, which are in its metadata.
pub(super) fn emptied(column: &BaseColumn, codes: &Declared, shown: MissingShown) -> Result<BaseColumn> {
    let variable = column.variable.as_deref().cloned().unwrap_or_default();
    let (rest, declared) = apart(variable, metadata::missing(&column.field), codes);
    let undeclared = column.undeclared.as_deref().map(|undeclared| {
        let column = emptied(&undeclared.column, codes, shown)?;
        Ok::<_, Error>(Arc::new(Undeclared { column, code: undeclared.code.clone() }))
    });
    let undeclared = undeclared.transpose()?;
    let mut column = column.clone();
    if shown != MissingShown::Code {
        let before = || BeforeDeclaring { arrays: column.arrays.clone(), variable: column.variable.clone() };
        column.declared.get_or_insert_with(|| Arc::new(before()));
        column.arrays = column.arrays.iter().map(|array| without(array, codes)).collect::<Result<_>>()?;
        column = as_numbers(column)?;
        if column.variable.is_some() {
            column = described(&column, rest);
        }
    }
    let mut field = column.field.as_ref().clone();
    field.metadata_mut().insert(metadata::MISSING, metadata::of_missing(&declared));
    Ok(BaseColumn { field: Arc::new(field), undeclared, ..column })
}

/// A variable without declared codes, and these codes with their labels, after those that were declared before.
pub(super) fn apart(
    mut variable: Variable,
    earlier: Vec<ValueLabel>,
    codes: &Declared,
) -> (Variable, Vec<ValueLabel>) {
    let unlabelled = without_label(codes, &variable);
    let is_declared = |value: &ValueLabel| codes.hold(&value.code);
    let stays: Vec<bool> = variable.values.iter().map(|value| !is_declared(value)).collect();
    let retain = |texts: &mut VariableTexts| {
        let mut stays = stays.iter();
        texts.labels.retain(|_| stays.next().copied().unwrap_or(true));
    };
    variable.original.as_deref_mut().into_iter().for_each(retain);
    for texts in variable.translations.values_mut() {
        texts.original.as_deref_mut().into_iter().for_each(retain);
        retain(texts);
    }
    let (mut declared, rest): (Vec<ValueLabel>, Vec<ValueLabel>) =
        std::mem::take(&mut variable.values).into_iter().partition(is_declared);
    variable.values = rest;
    for value in earlier.into_iter().chain(unlabelled) {
        if !declared.iter().any(|known| plain(&known.code) == plain(&value.code)) {
            declared.push(value);
        }
    }
    (variable, declared)
}

/// The codes that the code plan does not know, as their own labels; that of the service has a name.
fn without_label(codes: &Declared, variable: &Variable) -> Vec<ValueLabel> {
    let codes_with_labels: HashSet<_> = variable.values.iter().map(|value| plain(&value.code)).collect();
    let others = codes.iter().filter(|code| !codes_with_labels.contains(*code));
    let label = |code: &str| if code == meaning::NOT_AVAILABLE { "not available" } else { code }.to_owned();
    others.map(|code| ValueLabel { code: code.to_owned(), label: label(code) }).collect()
}

/// A column of texts as numbers, if the code plan says that they are and every one is.
fn as_numbers(column: BaseColumn) -> Result<BaseColumn> {
    let declared_type = column.variable.as_deref().and_then(Variable::wanted);
    let number = matches!(declared_type, Some(Wanted::Integer | Wanted::Number | Wanted::Real));
    if !number || *column.field.data_type() != DataType::Utf8 {
        return Ok(column);
    }
    let part = |array: &ArrayRef| {
        let mut part = Column::new();
        for text in array.as_string::<i32>() {
            part.push(text.map_or(Cell::Null, |text| Cell::Text(text.into())));
        }
        part
    };
    let typed = typed(column.arrays.iter().map(part).collect(), declared_type);
    let typed = typed.map_err(|error| Error::internal(error.to_string()))?;
    if typed.data_type == DataType::Utf8 {
        return Ok(column);
    }
    let field = column.field.as_ref().clone().with_data_type(typed.data_type);
    Ok(BaseColumn { field: Arc::new(field), arrays: typed.arrays, ..column })
}

/// The array with nulls in place of these codes. The values are shared.
pub(super) fn without(array: &ArrayRef, codes: &Declared) -> Result<ArrayRef> {
    let stays = |row| !is_empty(array, row) && !code_at(array, row).is_some_and(|code| codes.hold(&code));
    let nulls = NullBuffer::new(BooleanBuffer::collect_bool(array.len(), stays));
    if *array.data_type() == DataType::Null {
        return Ok(Arc::clone(array));
    }
    let data = array.to_data().into_builder().nulls(Some(nulls)).build();
    data.map(make_array).map_err(|error| Error::internal(error.to_string()))
}

/// The columns of each question, by its code.
fn by_question<'a>(columns: &[&'a BaseColumn]) -> HashMap<&'a str, Vec<&'a BaseColumn>> {
    let mut parts: HashMap<&str, Vec<&BaseColumn>> = HashMap::new();
    for column in columns {
        if let Some(code) = column.variable.as_deref().and_then(|variable| variable.question_code.as_deref())
        {
            parts.entry(code).or_default().push(column);
        }
    }
    parts
}

/// The other columns of the same question.
fn parts_of<'a>(column: &BaseColumn, questions: &HashMap<&str, Vec<&'a BaseColumn>>) -> Vec<&'a BaseColumn> {
    let question = column.variable.as_deref().and_then(|variable| variable.question_code.as_deref());
    let parts = question.and_then(|code| questions.get(code)).into_iter().flatten().copied();
    parts.filter(|part| part.field.name() != column.field.name()).collect()
}

/// Why answers are missing in a column.
fn reasons(
    name: String,
    column: &BaseColumn,
    parts: &[&BaseColumn],
    state: Option<&BaseColumn>,
    codes: &Declared,
    not_available: Option<&str>,
) -> std::result::Result<BaseColumn, ArrowError> {
    let variable = column.variable.as_deref();
    let mut categories: Vec<String> = REASONS.map(str::to_owned).to_vec();
    let mut positions: HashMap<String, i32> = HashMap::new();
    let declared = apart(variable.cloned().unwrap_or_default(), metadata::missing(&column.field), codes).1;
    for ValueLabel { code, mut label } in declared {
        if not_available.is_some_and(|known| plain(known) == plain(&code)) {
            NOT_AVAILABLE.clone_into(&mut label);
        }
        while categories.contains(&label) {
            label = format!("{label} ({code})");
        }
        positions.insert(plain(&code).into_owned(), i32::try_from(categories.len()).unwrap_or(i32::MAX));
        categories.push(label);
    }
    let dictionary: ArrayRef = Arc::new(StringArray::from(categories));
    let required = variable.is_some_and(|variable| variable.required == Some(true));
    // Who was asked and chose nothing has an empty list.
    let of_choice = variable.is_some_and(|variable| variable.choice.is_some())
        || matches!(column.field.data_type(), DataType::List(_));
    let reason = |batch: usize, row: usize| -> Option<i32> {
        let code = code_at(&column.arrays[batch], row).filter(|code| codes.hold(code));
        if let Some(code) = code.or_else(|| column.missing_code(batch, row)) {
            return positions.get(plain(&code).as_ref()).copied();
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
    let mut field = Field::new(name, data_type, true);
    field.metadata_mut().insert(metadata::ORIGIN, "other");
    field.metadata_mut().insert(metadata::MISSING_OF, column.field.name().clone());
    Ok(BaseColumn {
        field: Arc::new(field),
        arrays,
        variable: None,
        nested: false,
        json: false,
        undeclared: None,
        declared: None,
    })
}

/// Which of several reasons says more: the smaller number.
pub(super) fn rank(reason: &str) -> usize {
    REASONS.iter().position(|known| *known == reason).map_or(0, |place| place + 1)
}

/// The reason in a column of reasons.
pub(super) fn reason_at(reasons: &ArrayRef, row: usize) -> Option<String> {
    if let Some(labels) = reasons.as_any_dictionary_opt() {
        let key = labels.keys().is_valid(row).then(|| labels.normalized_keys()[row])?;
        return answer(labels.values().as_ref(), key);
    }
    answer(reasons.as_ref(), row)
}

fn is_empty(array: &ArrayRef, row: usize) -> bool {
    *array.data_type() == DataType::Null || array.is_null(row)
}

fn answer_of(column: &BaseColumn, batch: usize, row: usize) -> Option<String> {
    column.arrays.get(batch).and_then(|array| answer(array, row))
}
