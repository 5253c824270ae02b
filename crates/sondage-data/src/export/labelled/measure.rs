//! Levels of measurement.

use super::values::{Kind, number};
use crate::meaning::{ValueLabel, Variable};
use crate::table::labels::is_ordered;

/// What can be computed with the values of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::export) enum Measure {
    /// They are categories.
    Nominal,
    /// They are categories in an order.
    Ordinal,
    /// They are numbers.
    Scale,
}

impl Measure {
    /// Numbers with labels are ordinal if a table's labels of them are ordered, and more than two: a scale may have labels at its ends
    /// only. Codes that mean a missing answer do not count.
    pub(super) fn of(
        variable: Option<&Variable>,
        missing: &[ValueLabel],
        kind: Kind,
        has_unlabelled: bool,
    ) -> Self {
        let variable = match (kind, variable) {
            (Kind::Text, _) => return Measure::Nominal,
            (Kind::Day | Kind::Time, _) | (Kind::Number { .. }, None) => return Measure::Scale,
            (Kind::Number { .. }, Some(variable)) => variable,
        };
        let is_choice = variable.choice.is_some() && kind == (Kind::Number { whole: true });
        if variable.values.is_empty() && is_choice && !variable.is_numeric() {
            return Measure::Nominal;
        }
        let is_missing =
            |value: &ValueLabel| missing.iter().any(|code| number(&code.code) == number(&value.code));
        let mut answers = variable.clone();
        answers.values.retain(|value| !is_missing(value));
        match answers.values.len() {
            0 => Measure::Scale,
            _ if variable.is_numeric() => Measure::Scale,
            1 | 2 if !has_unlabelled => Measure::Nominal,
            _ if is_ordered(&answers) => Measure::Ordinal,
            _ => Measure::Nominal,
        }
    }
}
