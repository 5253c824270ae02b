//! Why answers are missing.

use std::collections::HashMap;

use indexmap::IndexMap;
use sondage::reports::Frequencies;

use super::super::declared::plain;
use super::super::missing::reason_at;
use super::super::{BaseColumn, metadata};
use super::choices::Scale;
use super::weights::Tally;

/// What is said of a row that has neither an answer nor a reason.
const NO_ANSWER: &str = "no answer";

/// The reasons for which the answers of a column are missing.
pub(in super::super) struct MissingReasons<'a> {
    column: &'a BaseColumn,
    reasons: Option<&'a BaseColumn>,
    /// The labels of the codes that were declared as missing.
    declared: HashMap<String, String>,
}

impl<'a> MissingReasons<'a> {
    /// `reasons` is the column with the reasons, if there is one.
    pub(in super::super) fn of(column: &'a BaseColumn, reasons: Option<&'a BaseColumn>) -> Self {
        let declared = metadata::missing(&column.field).into_iter();
        let declared = declared.map(|value| (plain(&value.code).into_owned(), value.label)).collect();
        Self { column, reasons, declared }
    }

    pub(super) fn is_declared(&self, code: &str) -> bool {
        self.declared.contains_key(plain(code).as_ref())
    }

    /// The code and the reason of a row without an answer.
    pub(in super::super) fn at(&self, batch: usize, row: usize) -> (Option<String>, String) {
        if let Some(reason) = self.reasons.and_then(|reasons| reason_at(reasons.arrays.get(batch)?, row)) {
            return (None, reason);
        }
        // What is missing because it was declared is known by its code.
        if let Some(code) = self.column.missing_code(batch, row) {
            let label = self.declared.get(plain(&code).as_ref()).cloned();
            return (Some(code.clone()), label.unwrap_or(code));
        }
        (None, NO_ANSWER.to_owned())
    }
}

/// Answers that are missing, by reason, in the order in which they are met.
#[derive(Default)]
pub(super) struct MissingAnswers(IndexMap<(Option<String>, String), Tally>);

impl MissingAnswers {
    pub(super) fn add(&mut self, reason: (Option<String>, String), weight: f64) {
        self.0.entry(reason).or_default().add(weight);
    }

    /// Adds their categories.
    pub(super) fn list(self, scale: &Scale<'_>, out: &mut Frequencies) {
        let category = |((code, label), tally): ((Option<String>, String), Tally)| {
            scale.of_missing(code, label, tally, true)
        };
        out.categories.extend(self.0.into_iter().map(category));
    }
}
