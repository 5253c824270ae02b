//! Counts choices.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use indexmap::IndexMap;
use sondage::reports::{Frequencies, Frequency};

use super::super::BaseColumn;
use super::super::labels::{answer, offered};
use super::super::values::code_of;
use super::legend;
use super::missing::{MissingAnswers, MissingReasons};
use super::weights::{Tally, Weights};

pub(super) fn single(
    column: &BaseColumn,
    reasons: &MissingReasons<'_>,
    weights: &Weights,
    with_missing: bool,
    out: &mut Frequencies,
) {
    let legend = legend(column);
    let categories = legend.coded();
    let mut counts = vec![Tally::default(); categories.len()];
    let (mut answered, mut missing) = (Tally::default(), MissingAnswers::default());
    for (batch, array) in column.arrays.iter().enumerate() {
        for row in 0..array.len() {
            let Some(weight) = weights.at(batch, row) else { continue };
            let Some(code) = answer(array.as_ref(), row) else {
                missing.add(reasons.at(batch, row), weight);
                continue;
            };
            answered.add(weight);
            if let Some(place) = legend.place(&code)
                && let Some(tally) = counts.get_mut(place)
            {
                tally.add(weight);
            }
        }
    }
    let is_declared = |code: &Option<String>| code.as_ref().is_some_and(|code| reasons.is_declared(code));
    let answers = categories.into_iter().zip(counts).filter(|((code, _), _)| !is_declared(code));
    let answers: Vec<_> = answers.map(|((code, label), tally)| (code, label, tally)).collect();
    let scale = Scale::of(out, answered, weights, column.field.data_type());
    let mut cumulative = 0.0;
    for (code, label, tally) in answers {
        let valid_percent = scale.valid(tally);
        cumulative += valid_percent.unwrap_or_default();
        let cumulative_percent = valid_percent.map(|_| cumulative.min(100.0));
        out.categories.push(Frequency {
            valid_percent,
            cumulative_percent,
            ..scale.of_missing(code, label, tally, false)
        });
    }
    if with_missing {
        missing.list(&scale, out);
    }
}

/// Choices are columns of lists here: a null was not asked, an empty list is no choice.
pub(super) fn multiple(
    column: &BaseColumn,
    reasons: &MissingReasons<'_>,
    weights: &Weights,
    with_missing: bool,
    out: &mut Frequencies,
) {
    let variable = column.variable.as_deref().cloned().unwrap_or_default();
    let labels = offered(&variable);
    let mut counts: IndexMap<String, (String, Tally)> = variable
        .values
        .iter()
        .zip(labels)
        .map(|(value, label)| (value.code.clone(), (label, Tally::default())))
        .collect();
    let (mut answered, mut answers, mut missing) =
        (Tally::default(), Tally::default(), MissingAnswers::default());
    for (batch, array) in column.arrays.iter().enumerate() {
        for row in 0..array.len() {
            let Some(weight) = weights.at(batch, row) else { continue };
            let Some(choices) = choices(array, row) else {
                missing.add(reasons.at(batch, row), weight);
                continue;
            };
            answered.add(weight);
            for code in choices {
                answers.add(weight);
                counts.entry(code.clone()).or_insert((code, Tally::default())).1.add(weight);
            }
        }
    }
    let scale = Scale::of(out, answered, weights, column.field.data_type());
    for (code, (label, tally)) in counts {
        let valid_percent = scale.valid(tally);
        let percent_of_answers = share(tally.weight, answers.weight);
        let category = scale.of_missing(Some(code), label, tally, false);
        out.categories.push(Frequency { valid_percent, percent_of_answers, ..category });
    }
    if with_missing {
        missing.list(&scale, out);
    }
}

/// How many answers there are.
pub(super) fn count_answers(column: &BaseColumn, weights: &Weights, out: &mut Frequencies) {
    let mut answered = Tally::default();
    for (batch, array) in column.arrays.iter().enumerate() {
        let is_present = |row: &usize| *array.data_type() != DataType::Null && array.is_valid(*row);
        for weight in (0..array.len()).filter(is_present).filter_map(|row| weights.at(batch, row)) {
            answered.add(weight);
        }
    }
    Scale::of(out, answered, weights, column.field.data_type());
}

/// What shares are shares of.
pub(super) struct Scale<'a> {
    rows: f64,
    answered: f64,
    weights: &'a Weights,
    /// The type of the codes.
    data_type: &'a DataType,
}

impl<'a> Scale<'a> {
    /// Also notes how many rows have an answer.
    #[allow(clippy::cast_precision_loss)] // fewer rows than 2^53
    pub(super) fn of(
        out: &mut Frequencies,
        answered: Tally,
        weights: &'a Weights,
        data_type: &'a DataType,
    ) -> Self {
        out.answered = answered.count;
        out.weighted_answered = weights.shown(answered);
        let rows = out.weighted_rows.unwrap_or(out.rows as f64);
        Self { rows, answered: answered.weight, weights, data_type }
    }

    fn valid(&self, tally: Tally) -> Option<f64> {
        share(tally.weight, self.answered)
    }

    pub(super) fn of_missing(
        &self,
        code: Option<String>,
        label: String,
        tally: Tally,
        missing: bool,
    ) -> Frequency {
        Frequency {
            code: code.map(|code| code_of(self.data_type, &code)),
            label,
            missing,
            n: tally.count,
            weighted_n: self.weights.shown(tally),
            percent: share(tally.weight, self.rows).unwrap_or_default(),
            valid_percent: None,
            cumulative_percent: None,
            percent_of_answers: None,
        }
    }
}

/// From 0 to 100.
fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole * 100.0)
}

/// The codes of a list; `None` for a null.
fn choices(array: &ArrayRef, row: usize) -> Option<Vec<String>> {
    let lists = array.as_list_opt::<i32>()?;
    if lists.is_null(row) {
        return None;
    }
    let values = lists.value(row);
    Some((0..values.len()).filter_map(|item| answer(values.as_ref(), item)).collect())
}
