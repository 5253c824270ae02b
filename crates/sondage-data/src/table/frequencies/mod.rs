//! How often each answer was given.

mod choices;
mod missing;
mod numbers;
mod weights;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use arrow_schema::DataType;
use sondage::arguments::FrequenciesOptions;
use sondage::reports::{Frequencies, FrequencyKind};
use sondage::{Error, Result};

use super::labels::Legend;
use super::names::DerivedNames;
use super::{BaseColumn, Table, lists, metadata, not_available};
use crate::meaning::Variable;
pub(super) use missing::MissingReasons;
pub(super) use weights::{Weights, numbers};

/// What is counted.
pub(super) enum Target<'a> {
    Column(&'a BaseColumn),
    /// A question of several choices: a column for each choice, or one of lists. With the column of reasons for which answers are
    /// missing, if there are such columns.
    Choices(BaseColumn, Option<BaseColumn>),
}

/// Counts the answers of some columns of a table.
pub(super) struct Counter<'a> {
    weight: Option<&'a str>,
    weights: Weights,
    /// For a column with missing answers: the column with their reasons.
    reasons: HashMap<&'a str, &'a BaseColumn>,
}

impl Table {
    /// How often each answer of a column was given, or of a question of several choices by its code; see
    /// [`Frequencies`]. Numbers are summarised. The labels mode and the order of the table's columns make no difference.
    pub fn frequencies(&self, options: &FrequenciesOptions) -> Result<Frequencies> {
        let own_columns = self.counted_columns()?;
        let columns: Vec<&BaseColumn> = own_columns.iter().map(Cow::as_ref).collect();
        let counter = self.counter(&columns, options.weight.as_deref())?;
        Ok(match self.target(&columns, "variable", &options.variable)? {
            Target::Column(column) => counter.column(column, options.missing),
            Target::Choices(column, reasons) => {
                let reasons = reasons.as_ref().or_else(|| counter.reasons_of(&column));
                counter.count(&column, FrequencyKind::Multiple, reasons, options.missing)
            }
        })
    }

    /// The columns of this view without the codes that were declared as missing.
    pub(super) fn counted_columns(&self) -> Result<Vec<Cow<'_, BaseColumn>>> {
        self.base_columns().into_iter().map(not_available::hidden).collect()
    }

    pub(super) fn counter<'a>(
        &self,
        columns: &[&'a BaseColumn],
        weight: Option<&'a str>,
    ) -> Result<Counter<'a>> {
        let explained = |column: &&'a BaseColumn| {
            let name = column.field.metadata().get(metadata::MISSING_OF)?;
            Some((name.as_str(), *column))
        };
        Ok(Counter {
            weight,
            weights: Weights::of(columns, weight, &self.base.rows)?,
            reasons: columns.iter().filter_map(explained).collect(),
        })
    }

    /// The column or question of this name; `argument` is that of the caller.
    pub(super) fn target<'a>(
        &self,
        columns: &[&'a BaseColumn],
        argument: &str,
        name: &str,
    ) -> Result<Target<'a>> {
        let shown = self.shown.iter().find(|column| column.field.name() == name);
        let base = shown.map_or(name, |column| self.base.columns[column.base].field.name().as_str());
        if let Some(column) = columns.iter().find(|column| column.field.name() == base) {
            let is_list = matches!(column.field.data_type(), DataType::List(_)) && !column.nested;
            return Ok(if is_list {
                Target::Choices((*column).clone(), None)
            } else {
                Target::Column(column)
            });
        }
        let mut names = DerivedNames::beside(std::iter::empty());
        let questions = lists::questions(columns, &mut names);
        if let Some(question) = questions.iter().find(|question| question.name() == name) {
            let reasons = question.reasons(columns, String::new());
            return Ok(Target::Choices(question.column(columns), reasons));
        }
        let of_question = |column: &&&BaseColumn| {
            column.variable.as_deref().is_some_and(|variable| variable.question_code.as_deref() == Some(name))
        };
        let mut parts: Vec<&str> = questions
            .iter()
            .filter(|question| question.columns.iter().any(|at| of_question(&&columns[*at])))
            .map(lists::Question::name)
            .collect();
        if parts.is_empty() {
            parts = columns.iter().filter(of_question).map(|column| column.field.name().as_str()).collect();
        }
        if parts.is_empty() {
            return Err(no_such_column(argument, name));
        }
        let more = if parts.len() > 12 { ", .." } else { "" };
        parts.truncate(12);
        Err(Error::invalid_argument(format!("{argument}: the question {name:?} has several columns"))
            .with_hint(format!("Count one of them: {}{more}.", parts.join(", "))))
    }
}

impl Counter<'_> {
    pub(super) fn column(&self, column: &BaseColumn, with_missing: bool) -> Frequencies {
        self.count(column, kind(column), self.reasons_of(column), with_missing)
    }

    fn reasons_of(&self, column: &BaseColumn) -> Option<&BaseColumn> {
        self.reasons.get(column.field.name().as_str()).copied()
    }

    fn count(
        &self,
        column: &BaseColumn,
        kind: FrequencyKind,
        reasons: Option<&BaseColumn>,
        with_missing: bool,
    ) -> Frequencies {
        let reasons = &MissingReasons::of(column, reasons);
        let weights = &self.weights;
        let mut frequencies = Frequencies {
            variable: column.field.name().clone(),
            label: column.variable.as_deref().and_then(Variable::label),
            kind,
            weight: self.weight.map(str::to_owned),
            rows: weights.rows(),
            answered: 0,
            weighted_rows: weights.total(),
            weighted_answered: None,
            without_weight: weights.left_out(),
            categories: Vec::new(),
            summary: None,
            warnings: Vec::new(),
        };
        match kind {
            FrequencyKind::Single => {
                choices::single(column, reasons, weights, with_missing, &mut frequencies);
            }
            FrequencyKind::Multiple => {
                choices::multiple(column, reasons, weights, with_missing, &mut frequencies);
            }
            FrequencyKind::Number => {
                numbers::summarise(column, reasons, weights, with_missing, &mut frequencies);
            }
            _ => choices::count_answers(column, weights, &mut frequencies),
        }
        frequencies
    }
}

fn no_such_column(argument: &str, name: &str) -> Error {
    Error::invalid_argument(format!("{argument}: the table has no column or question {name:?}"))
        .with_hint("`columns` lists the columns.")
}

/// How a column is counted. Texts that the questionnaire does not offer are categories only where they are few: states and languages.
pub(super) fn kind(column: &BaseColumn) -> FrequencyKind {
    let variable = column.variable.as_deref();
    let has_labels = variable.is_some_and(|variable| !variable.values.is_empty());
    let is_number = variable.is_some_and(Variable::is_numeric);
    match column.field.data_type() {
        _ if column.nested => FrequencyKind::Open,
        DataType::Int64 | DataType::Float64 if is_number || !has_labels => FrequencyKind::Number,
        DataType::Int64 | DataType::Float64 | DataType::Boolean => FrequencyKind::Single,
        DataType::Utf8 | DataType::Null if has_labels => FrequencyKind::Single,
        DataType::Utf8 if is_short_list(column) => FrequencyKind::Single,
        _ => FrequencyKind::Open,
    }
}

/// The most different texts that are categories.
const MOST_TEXTS: usize = 100;

/// Whether a column of texts is one of the service, or of a field of a panel, with few different texts.
fn is_short_list(column: &BaseColumn) -> bool {
    let is_open = column.variable.as_deref().is_some_and(Variable::is_open);
    if is_open || column.json {
        return false;
    }
    let mut texts = HashSet::new();
    for array in &column.arrays {
        for row in 0..array.len() {
            texts.extend(super::labels::answer(array.as_ref(), row));
            if texts.len() > MOST_TEXTS {
                return false;
            }
        }
    }
    true
}

/// The labels of a column, whose plan may have none.
fn legend(column: &BaseColumn) -> Legend {
    let variable = column.variable.as_deref().cloned().unwrap_or_default();
    let mut legend = Legend::new(&variable);
    column.arrays.iter().for_each(|array| legend.meet(array));
    let _ = legend.close(&column.field);
    legend
}
