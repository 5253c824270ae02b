//! Multiple choice questions as one column of lists instead of a column of 0 and 1 for each choice.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, DictionaryArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field};

use super::concat::with_one_dictionary;
use super::labels::code_at;
use super::layout::Origin;
use super::missing::{rank, reason_at};
use super::names::DerivedNames;
use super::{BaseColumn, BeforeDeclaring, Table, Undeclared, metadata};
use crate::error::Warning;
use crate::meaning::{ValueLabel, Variable, VariableTexts, name_of};

impl Table {
    /// The same rows with one column of lists for each multiple choice question, instead of a column of 0 and 1 for each
    /// choice. The codes are the names of those columns, the labels the texts of the choices.
    ///
    /// A null means that the question was not asked, or that it is not available; an empty list that nothing was chosen. Text entered
    /// beside a choice remains a separate column. Columns of reasons for which choices are missing become one for the question.
    #[must_use]
    pub fn with_lists(&self) -> Table {
        let columns = self.base_columns();
        let mut names = DerivedNames::beside(columns.iter().copied());
        let questions = questions(&columns, &mut names);
        let is_of_list = |column: &BaseColumn| {
            let name = column.field.metadata().get(metadata::MISSING_OF);
            let mut parts = questions.iter().flat_map(|question| &question.columns);
            name.is_some_and(|name| parts.any(|&place| columns[place].field.name() == name))
        };
        let mut out = Vec::new();
        for (place, column) in columns.iter().enumerate() {
            match questions.iter().find(|question| question.columns.contains(&place)) {
                None if is_of_list(column) => {}
                None => out.push((*column).clone()),
                Some(question) if question.columns.first() == Some(&place) => {
                    out.push(question.column(&columns));
                    let reasons = question.reasons(&columns, format!("{}_missing", question.name));
                    out.extend(reasons.map(|reasons| named(reasons, &mut names)));
                }
                Some(_) => {}
            }
        }
        let mut table = self.rebuilt(out, self.base.rows.clone());
        table.label_warnings.extend(names.warning());
        table.label_warnings.extend(left_out(&columns));
        table.label_warnings.extend(partly_answered(&questions, &columns));
        table
    }
}

/// The column with a name that no other one has.
fn named(column: BaseColumn, names: &mut DerivedNames) -> BaseColumn {
    let name = names.derive(column.field.name().clone());
    BaseColumn { field: Arc::new(column.field.as_ref().clone().with_name(name)), ..column }
}

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
    let question = |((question, row), places): (QuestionKey<'_>, Vec<usize>)| {
        let parts: Vec<&BaseColumn> = places.iter().map(|&place| columns[place]).collect();
        let of_parts = parts.iter().map(|part| part.field.name().as_str());
        let name = names.derive(name_of(question, row, of_parts));
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
    let is_declared = |column: &&&BaseColumn| !metadata::missing(&column.field).is_empty();
    let mut these = columns.iter().filter(|column| names.contains(&column.field.name().as_str()));
    let advice = if these.all(|column| is_declared(&column)) {
        "Show codes that were declared as missing as missing values first: `with_missing` with `show` as \"null\""
    } else {
        "Declare the other codes as missing with `with_missing` first"
    };
    let more = names.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    (!names.is_empty()).then(|| {
        Warning::general(format!(
            "{} column(s) of a choice stay outside the lists, because they have answers other than 0 and 1: {}{more}. {advice}",
            names.len(),
            names[..names.len().min(NAMED)].join(", ")
        ))
    })
}

/// A warning about rows that have an answer to some choices of a question only: a list does not tell a choice without an answer from
/// one that was not chosen.
fn partly_answered(questions: &[Question], columns: &[&BaseColumn]) -> Option<Warning> {
    let is_partial = |question: &&Question| {
        let parts: Vec<&BaseColumn> = question.columns.iter().map(|&place| columns[place]).collect();
        let batches = 0..parts.first().map_or(0, |part| part.arrays.len());
        batches.into_iter().any(|batch| {
            let mut nulls = parts.iter().map(|part| part.arrays[batch].logical_nulls());
            let rows = parts.first().map_or(0, |part| part.arrays[batch].len());
            let missing: Vec<Option<NullBuffer>> = nulls.by_ref().collect();
            let count = |row: usize| missing.iter().flatten().filter(|nulls| nulls.is_null(row)).count();
            (0..rows).any(|row| (1..parts.len()).contains(&count(row)))
        })
    };
    let names: Vec<&str> = questions.iter().filter(is_partial).map(Question::name).collect();
    let more = names.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    (!names.is_empty()).then(|| {
        Warning::general(format!(
            "{} question(s) have people with an answer to some choices only: {}{more}. In a list, a choice without an answer is like one \
             that was not chosen; the columns of 0 and 1 tell them apart",
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
        // Where no choice has an answer: the code that was declared as missing, if one has it.
        let code = |batch: usize, row: usize| {
            let code =
                |part: &&BaseColumn| code_at(part.undeclared.as_deref()?.column.arrays.get(batch)?, row);
            parts.iter().find_map(code)
        };
        let missing_code =
            |batch: usize, row: usize| parts.iter().find_map(|part| part.missing_code(batch, row));
        let arrays = |code: &dyn Fn(usize, usize) -> Option<String>| -> Vec<ArrayRef> {
            (0..batches).map(|batch| lists(&parts, batch, &|row| code(batch, row))).collect()
        };
        let mut metadata = metadata::of(Origin::Question, Some(&self.variable), false);
        let mut declared: Vec<ValueLabel> = Vec::new();
        for value in parts.iter().flat_map(|part| metadata::missing(&part.field)) {
            if !declared.contains(&value) {
                declared.push(value);
            }
        }
        if !declared.is_empty() {
            metadata.insert(metadata::MISSING, metadata::of_missing(&declared));
        }
        let field =
            Field::new(&self.name, DataType::new_list(DataType::Utf8, true), true).with_metadata(metadata);
        let variable = Some(Arc::new(self.variable.clone()));
        let declared = parts.iter().any(|part| part.declared.is_some());
        let declared =
            declared.then(|| Arc::new(BeforeDeclaring { arrays: arrays(&missing_code), variable: None }));
        let column = |arrays, undeclared| BaseColumn {
            field: Arc::new(field.clone()),
            arrays,
            variable: variable.clone(),
            nested: false,
            json: false,
            undeclared,
            declared: declared.clone(),
        };
        let undeclared = parts.iter().find_map(|part| part.undeclared.as_deref()).map(|undeclared| {
            Arc::new(Undeclared { column: column(arrays(&code), None), code: undeclared.code.clone() })
        });
        column(arrays(&|_, _| None), undeclared)
    }

    /// The reasons for which the question has no list, if there are columns of them: of those of a row, the one that says most.
    pub(super) fn reasons(&self, columns: &[&BaseColumn], name: String) -> Option<BaseColumn> {
        let names: Vec<&str> =
            self.columns.iter().map(|&place| columns[place].field.name().as_str()).collect();
        let is_of_part = |column: &&&BaseColumn| {
            let name = column.field.metadata().get(metadata::MISSING_OF);
            name.is_some_and(|name| names.contains(&name.as_str()))
        };
        let of_parts: Vec<&BaseColumn> = columns.iter().filter(is_of_part).copied().collect();
        let first = of_parts.first()?;
        let lists = self.column(columns).arrays;
        let reason = |(batch, list): (usize, &ArrayRef)| {
            let reason = |row: usize| {
                let reasons = of_parts.iter().filter_map(|part| reason_at(part.arrays.get(batch)?, row));
                list.is_null(row).then(|| reasons.min_by_key(|reason| rank(reason))).flatten()
            };
            let reasons: DictionaryArray<Int32Type> =
                (0..list.len()).map(reason).collect::<Vec<_>>().iter().map(Option::as_deref).collect();
            Arc::new(reasons) as ArrayRef
        };
        let arrays: Vec<ArrayRef> = lists.iter().enumerate().map(reason).collect();
        // The batches of a table have one dictionary.
        let arrays = with_one_dictionary(&arrays).unwrap_or(arrays);
        let mut field = first.field.as_ref().clone().with_name(name);
        field.metadata_mut().insert(metadata::MISSING_OF, self.name.clone());
        Some(BaseColumn { field: Arc::new(field), arrays, ..(*first).clone() })
    }
}

/// The choices of each row. A row with only nulls means that the question was not asked, and has no list, or one of its code; a
/// respondent who chose nothing has an empty list.
fn lists(parts: &[&BaseColumn], batch: usize, code: &dyn Fn(usize) -> Option<String>) -> ArrayRef {
    let mut lists = ListBuilder::new(StringBuilder::new());
    let arrays: Vec<&ArrayRef> = parts.iter().map(|part| &part.arrays[batch]).collect();
    for row in 0..arrays.first().map_or(0, Array::len) {
        for (part, array) in parts.iter().zip(&arrays) {
            if chosen(array, row) {
                lists.values().append_value(part.field.name());
            }
        }
        // An array of the type Null has no null bitmap.
        let is_answered =
            arrays.iter().any(|array| *array.data_type() != DataType::Null && array.is_valid(row));
        let code = if is_answered { None } else { code(row) };
        if let Some(code) = &code {
            lists.values().append_value(code);
        }
        lists.append(is_answered || code.is_some());
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
