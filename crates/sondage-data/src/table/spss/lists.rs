//! Columns of lists as a text of their codes, and a column of 0 and 1 for each choice, as SPSS has multiple choice.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, StringArray};
use arrow_schema::{DataType, Field};

use super::changes::{Change, Changes};
use super::{BaseColumn, metadata};
use crate::meaning::{ValueLabel, Variable};
use crate::table::layout::Origin;

/// The column, or for a list a text of its codes and the columns of its choices.
pub(super) fn unfolded(column: &BaseColumn, changes: &mut Changes) -> Vec<BaseColumn> {
    if !matches!(column.field.data_type(), DataType::List(_)) {
        return vec![column.clone()];
    }
    changes.note(Change::List, column.field.name(), 1);
    let variable = column.variable.as_deref().cloned().unwrap_or_default();
    let choices = choices(column, &variable);
    let text =
        choices.iter().all(|choice| choice.code != *column.field.name()).then(|| of_list(column, &variable));
    text.into_iter().chain(choices.iter().map(|choice| of_choice(column, &variable, choice))).collect()
}

/// The codes of each list, separated by blanks.
fn of_list(column: &BaseColumn, variable: &Variable) -> BaseColumn {
    let array = |lists: &ArrayRef| -> ArrayRef {
        let lists = lists.as_list::<i32>();
        let codes =
            |row: usize| lists.value(row).as_string::<i32>().iter().flatten().collect::<Vec<_>>().join(" ");
        let rows = (0..lists.len()).map(|row| lists.is_valid(row).then(|| codes(row)));
        Arc::new(rows.collect::<StringArray>())
    };
    let variable = Variable { values: Vec::new(), ..variable.clone() };
    new_column(column, column.field.name(), DataType::Utf8, variable, array)
}

/// The choices that the question has, and then those that are in the lists only.
fn choices(column: &BaseColumn, variable: &Variable) -> Vec<ValueLabel> {
    let mut choices = variable.values.clone();
    for array in &column.arrays {
        for code in array.as_list::<i32>().values().as_string::<i32>().iter().flatten() {
            if !choices.iter().any(|choice| choice.code == code) {
                choices.push(ValueLabel { code: code.to_owned(), label: code.to_owned() });
            }
        }
    }
    choices
}

fn of_choice(column: &BaseColumn, variable: &Variable, choice: &ValueLabel) -> BaseColumn {
    let chosen = |texts: &StringArray| texts.iter().flatten().any(|code| code == choice.code);
    let array = |lists: &ArrayRef| -> ArrayRef {
        let lists = lists.as_list::<i32>();
        let rows = (0..lists.len())
            .map(|row| lists.is_valid(row).then(|| i64::from(chosen(lists.value(row).as_string::<i32>()))));
        Arc::new(rows.collect::<Int64Array>())
    };
    let variable = Variable {
        code: choice.code.clone(),
        choice: Some(choice.label.clone()),
        values: Vec::new(),
        ..variable.clone()
    };
    new_column(column, &choice.code, DataType::Int64, variable, array)
}

fn new_column(
    column: &BaseColumn,
    name: &str,
    data_type: DataType,
    variable: Variable,
    array: impl Fn(&ArrayRef) -> ArrayRef,
) -> BaseColumn {
    let metadata = metadata::of(Origin::Question, Some(&variable), false);
    let field = Field::new(name, data_type, true).with_metadata(metadata);
    let arrays = column.arrays.iter().map(array).collect();
    BaseColumn {
        field: Arc::new(field),
        arrays,
        variable: Some(Arc::new(variable)),
        nested: false,
        json: false,
        undeclared: None,
    }
}
