//! Columns of lists as a text of their codes, and a column of 0 and 1 for each choice, as these programs have multiple choice.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Float64Array, StringArray};

use crate::meaning::{ValueLabel, Variable};

/// The choices that the question has, and then those that are in the lists only.
pub(super) fn choices<'a>(
    variable: &Variable,
    codes: impl IntoIterator<Item = &'a String>,
) -> Vec<ValueLabel> {
    let mut choices = variable.values.clone();
    for code in codes {
        if !choices.iter().any(|choice| choice.code == *code) {
            choices.push(ValueLabel { code: code.clone(), label: code.clone() });
        }
    }
    choices
}

/// What a choice means.
pub(super) fn of_choice(variable: &Variable, choice: &ValueLabel) -> Variable {
    Variable {
        code: choice.code.clone(),
        choice: Some(choice.label.clone()),
        values: Vec::new(),
        ..variable.clone()
    }
}

/// The codes of each list, separated by blanks.
pub(super) fn codes(lists: &ArrayRef) -> ArrayRef {
    let lists = lists.as_list::<i32>();
    let codes =
        |row: usize| lists.value(row).as_string::<i32>().iter().flatten().collect::<Vec<_>>().join(" ");
    let rows = (0..lists.len()).map(|row| lists.is_valid(row).then(|| codes(row)));
    Arc::new(rows.collect::<StringArray>())
}

/// Whether each list has the choice.
pub(super) fn chosen(lists: &ArrayRef, choice: &str) -> ArrayRef {
    let lists = lists.as_list::<i32>();
    let is_chosen = |row: usize| {
        let list = lists.value(row);
        f64::from(u8::from(list.as_string::<i32>().iter().flatten().any(|code| code == choice)))
    };
    let rows = (0..lists.len()).map(|row| lists.is_valid(row).then(|| is_chosen(row)));
    Arc::new(rows.collect::<Float64Array>())
}
