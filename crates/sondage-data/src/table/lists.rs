//! Multiple choice questions as one column of lists instead of a column of 0 and 1 for each choice.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};

use super::layout::Origin;
use super::names::DerivedNames;
use super::{BaseColumn, metadata};
use crate::error::Warning;
use crate::meaning::{ValueLabel, Variable, VariableTexts};

/// The columns of one question, or of one row of a matrix.
pub(super) struct Question {
    /// Their positions in the table, in the questionnaire's order.
    pub(super) columns: Vec<usize>,
    name: String,
    variable: Variable,
}

/// What the columns of one question have in common: its code, and the row of a matrix.
type QuestionKey<'a> = (&'a str, Option<&'a str>);

/// The multiple choice questions among these columns. A column that holds anything but 0 and 1 (for example the text
/// entered beside "other") is not a choice and is left unchanged.
pub(super) fn questions(columns: &[&BaseColumn], names: &mut DerivedNames) -> Vec<Question> {
    let mut groups: Vec<(QuestionKey<'_>, Vec<usize>)> = Vec::new();
    for (place, column) in columns.iter().enumerate() {
        let Some(key) = key(column) else { continue };
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, places)) => places.push(place),
            None => groups.push((key, vec![place])),
        }
    }
    let question = |(key, places): (QuestionKey<'_>, Vec<usize>)| {
        let parts: Vec<&BaseColumn> = places.iter().map(|&place| columns[place]).collect();
        let name = names.derive(name(key, &parts));
        Question { variable: variable(&name, &parts), name, columns: places }
    };
    groups.into_iter().map(question).collect()
}

/// The most columns that the warning names.
const NAMED: usize = 20;

/// A warning about choices that are in no list, because a column has answers other than 0 and 1.
pub(super) fn left_out(columns: &[&BaseColumn]) -> Option<Warning> {
    let is_choice = |column: &&&BaseColumn| {
        let variable = column.variable.as_deref();
        let is_number = matches!(column.field.data_type(), DataType::Int64 | DataType::Float64);
        // Ranks of choices are no choices.
        let is_multiple =
            |kind: &Option<String>| kind.as_deref().is_some_and(|kind| kind.starts_with("Multiple"));
        is_number
            && variable
                .is_some_and(|variable| variable.choice.is_some() && is_multiple(&variable.question_type))
    };
    let names: Vec<&str> = columns
        .iter()
        .filter(is_choice)
        .filter(|column| key(column).is_none())
        .map(|column| column.field.name().as_str())
        .collect();
    let more = names.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    (!names.is_empty()).then(|| {
        Warning::general(format!(
            "{} column(s) of a choice stay outside the lists, because they have answers other than 0 and 1: {}{more}. Declare the \
             other codes as missing with `with_missing` first",
            names.len(),
            names[..names.len().min(NAMED)].join(", ")
        ))
    })
}

impl Question {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The column of lists. The codes in a list are the names of the columns that it replaces.
    pub(super) fn column(&self, columns: &[&BaseColumn]) -> BaseColumn {
        let parts: Vec<&BaseColumn> = self.columns.iter().map(|&place| columns[place]).collect();
        let batches = parts.first().map_or(0, |part| part.arrays.len());
        let arrays: Vec<ArrayRef> = (0..batches).map(|batch| lists(&parts, batch)).collect();
        let metadata = metadata::of(Origin::Question, Some(&self.variable), false);
        let field =
            Field::new(&self.name, DataType::new_list(DataType::Utf8, true), true).with_metadata(metadata);
        let variable = Some(Arc::new(self.variable.clone()));
        BaseColumn { field: Arc::new(field), arrays, variable, nested: false, json: false, undeclared: None }
    }
}

/// The choices of each row. A row with only nulls means that the question was not asked, and has no list; a respondent
/// who chose nothing has an empty list.
fn lists(parts: &[&BaseColumn], batch: usize) -> ArrayRef {
    let mut lists = ListBuilder::new(StringBuilder::new());
    let arrays: Vec<&ArrayRef> = parts.iter().map(|part| &part.arrays[batch]).collect();
    for row in 0..arrays.first().map_or(0, Array::len) {
        for (part, array) in parts.iter().zip(&arrays) {
            if chosen(array, row) {
                lists.values().append_value(part.field.name());
            }
        }
        // An array of the type Null has no null bitmap.
        lists.append(arrays.iter().any(|array| *array.data_type() != DataType::Null && array.is_valid(row)));
    }
    Arc::new(lists.finish())
}

fn chosen(array: &ArrayRef, row: usize) -> bool {
    match array.data_type() {
        DataType::Int64 => array.is_valid(row) && array.as_primitive::<Int64Type>().value(row) == 1,
        DataType::Boolean => array.is_valid(row) && array.as_boolean().value(row),
        _ => false,
    }
}

fn key(column: &BaseColumn) -> Option<QuestionKey<'_>> {
    let variable = column.variable.as_deref()?;
    variable.choice.as_deref()?;
    let yes_or_no = |value: &ValueLabel| matches!(value.code.as_str(), "0" | "1");
    let whole = variable.values.iter().all(yes_or_no) && column.arrays.iter().all(only_yes_or_no);
    whole.then_some((variable.question_code.as_deref()?, variable.row.as_deref()))
}

fn only_yes_or_no(array: &ArrayRef) -> bool {
    match array.data_type() {
        DataType::Null | DataType::Boolean => true,
        DataType::Int64 => {
            array.as_primitive::<Int64Type>().iter().flatten().all(|value| value == 0 || value == 1)
        }
        _ => false,
    }
}

/// The code of the question; for a row of a matrix, which has no code, the common prefix of its columns' names.
fn name((question, row): QuestionKey<'_>, parts: &[&BaseColumn]) -> String {
    let mut names = parts.iter().map(|part| part.field.name().as_str());
    let (Some(_), Some(first)) = (row, names.next()) else { return question.to_owned() };
    let common = |known: &str, name: &str| {
        let same = known.chars().zip(name.chars()).take_while(|(a, b)| a == b);
        same.map(|(a, _)| a.len_utf8()).sum::<usize>()
    };
    let start = names.fold(first, |known, name| &known[..common(known, name)]);
    let start = start.trim_end_matches(['_', '.', '-', ' ']);
    if start.is_empty() { question.to_owned() } else { start.to_owned() }
}

fn variable(name: &str, parts: &[&BaseColumn]) -> Variable {
    // A choice whose text is empty is known by its code.
    let label = |part: &&BaseColumn, choice: String| match choice {
        choice if choice.is_empty() => part.field.name().clone(),
        choice => choice,
    };
    let values = parts.iter().filter_map(|part| {
        let choice = part.variable.as_deref()?.choice.clone()?;
        Some(ValueLabel { code: part.field.name().clone(), label: label(part, choice) })
    });
    let values = values.collect();
    let first = parts.first().and_then(|part| part.variable.as_deref().cloned()).unwrap_or_default();
    let spoken = |(language, texts): (&String, &VariableTexts)| {
        let of_part =
            |part: &&BaseColumn| Some(label(part, part.variable.as_deref()?.in_language(language).choice?));
        let labels = parts.iter().filter_map(of_part).collect();
        (language.clone(), VariableTexts { choice: None, labels, original: None, ..texts.clone() })
    };
    let translations = first.translations.iter().map(spoken).collect();
    Variable {
        code: name.to_owned(),
        data_type: None,
        choice: None,
        values,
        translations,
        original: None,
        ..first
    }
}
