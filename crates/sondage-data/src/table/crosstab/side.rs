//! One of the two questions of a crosstab: its answers, and the sums of each.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_schema::{DataType, Field, FieldRef};
use indexmap::{IndexMap, IndexSet};
use sondage::reports::{ColumnCode, FrequencyKind};
use sondage::{Error, Result};

use super::super::declared::plain;
use super::super::frequencies::{MissingReasons, Target, kind};
use super::super::labels::{Legend, answer, offered};
use super::super::values::code_of;
use super::super::{BaseColumn, Table, metadata};
use super::Sums;
use crate::meaning::Variable;

/// The most different answers of a question.
const MOST_ANSWERS: usize = 500;

pub(super) struct Side {
    argument: &'static str,
    name: String,
    question: Option<Question>,
    /// The answers that were met, and the sums of each.
    met: IndexMap<Met, Sums>,
}

/// What is known of the question.
struct Question {
    field: FieldRef,
    variable: Variable,
    is_several: bool,
    /// The codes that were declared as missing.
    declared: HashSet<String>,
}

/// An answer, or the reason why there is none.
#[derive(PartialEq, Eq, Hash)]
enum Met {
    Code(String),
    Missing(Option<String>, String),
}

/// The answers of a question in one table.
pub(super) struct Counted {
    column: BaseColumn,
    reasons: Option<BaseColumn>,
    is_several: bool,
}

/// A category, with its sums.
pub(super) struct Answers {
    pub(super) code: Option<ColumnCode>,
    pub(super) label: String,
    pub(super) missing: bool,
    /// Where it was met, if at all.
    pub(super) place: Option<usize>,
    pub(super) sums: Sums,
}

impl Counted {
    pub(super) fn reasons<'a>(&'a self, columns: &[&'a BaseColumn]) -> MissingReasons<'a> {
        let is_of = |column: &&&BaseColumn| {
            column.field.metadata().get(metadata::MISSING_OF) == Some(self.column.field.name())
        };
        let reasons = self.reasons.as_ref().or_else(|| columns.iter().find(is_of).copied());
        MissingReasons::of(&self.column, reasons)
    }
}

impl Side {
    pub(super) fn new(argument: &'static str, name: &str) -> Self {
        Self { argument, name: name.to_owned(), question: None, met: IndexMap::new() }
    }

    /// The column of a table.
    pub(super) fn of(&mut self, table: &Table, columns: &[&BaseColumn]) -> Result<Counted> {
        let (column, reasons, is_several) = match table.target(columns, self.argument, &self.name)? {
            Target::Column(column) => (column.clone(), None, false),
            Target::Choices(column, reasons) => (column, reasons, true),
        };
        let is_empty = column.arrays.iter().all(|array| array.null_count() == array.len());
        if !is_several && !is_empty && kind(&column) == FrequencyKind::Open {
            return Err(self.refused("holds texts, times or other values that are no categories"));
        }
        let declared = metadata::missing(&column.field).into_iter();
        let declared = declared.map(|value| plain(&value.code).into_owned());
        match &mut self.question {
            Some(question) if question.is_several != is_several => {
                return Err(self.refused("is a question of several choices in some pages only"));
            }
            Some(question) => question.declared.extend(declared),
            None => {
                self.question = Some(Question {
                    field: Arc::clone(&column.field),
                    variable: column.variable.as_deref().cloned().unwrap_or_default(),
                    is_several,
                    declared: declared.collect(),
                });
            }
        }
        Ok(Counted { column, reasons, is_several })
    }

    fn refused(&self, why: &str) -> Error {
        Error::invalid_argument(format!("{}: {:?} {why}", self.argument, self.name))
            .with_hint("A crosstab takes questions of choices, and numbers with few different values.")
    }

    /// Where the answers of a row are counted; whether the row has an answer at all.
    pub(super) fn places(
        &mut self,
        (counted, reasons, with_missing): (&Counted, &MissingReasons<'_>, bool),
        batch: usize,
        row: usize,
        places: &mut Vec<usize>,
    ) -> Result<bool> {
        places.clear();
        let Some(array) = counted.column.arrays.get(batch) else { return Ok(false) };
        let is_answered = if counted.is_several {
            self.choices(array, row, places)?
        } else if let Some(code) = answer(array.as_ref(), row) {
            places.push(self.place(Met::Code(code))?);
            true
        } else {
            false
        };
        if !is_answered && with_missing {
            let (code, label) = reasons.at(batch, row);
            places.push(self.place(Met::Missing(code, label))?);
        }
        Ok(is_answered || with_missing)
    }

    fn choices(&mut self, array: &ArrayRef, row: usize, places: &mut Vec<usize>) -> Result<bool> {
        let Some(lists) = array.as_list_opt::<i32>().filter(|lists| lists.is_valid(row)) else {
            return Ok(false);
        };
        let values = lists.value(row);
        for item in 0..values.len() {
            let Some(code) = answer(values.as_ref(), item) else { continue };
            let place = self.place(Met::Code(code))?;
            // Nobody is counted twice for one choice.
            if !places.contains(&place) {
                places.push(place);
            }
        }
        Ok(true)
    }

    fn place(&mut self, met: Met) -> Result<usize> {
        if let Some(place) = self.met.get_index_of(&met) {
            return Ok(place);
        }
        if self.met.len() == MOST_ANSWERS {
            return Err(self.refused(&format!("has more than {MOST_ANSWERS} different answers")));
        }
        Ok(self.met.insert_full(met, Sums::default()).0)
    }

    pub(super) fn count(&mut self, places: &[usize], weight: f64) {
        for place in places {
            if let Some((_, sums)) = self.met.get_index_mut(*place) {
                sums.add(weight);
            }
        }
    }

    pub(super) fn is_several(&self) -> bool {
        self.question.as_ref().is_some_and(|question| question.is_several)
    }

    /// The text of the question.
    pub(super) fn label(&self) -> Option<String> {
        self.question.as_ref().and_then(|question| question.variable.label())
    }

    /// The answers in the order of the questionnaire, also those that nobody gave; then the missing ones as they were met.
    pub(super) fn ordered(&self) -> Vec<Answers> {
        let Some(question) = &self.question else { return Vec::new() };
        let data_type = question.field.data_type();
        let coded = if question.is_several { self.offered(question) } else { self.coded(question) };
        let is_declared = |code: &String| question.declared.contains(plain(code).as_ref());
        let category = |(code, label): (String, String)| {
            let found = self.met.get_full(&Met::Code(code.clone()));
            Answers {
                code: Some(code_of(data_type, &code)),
                label,
                missing: false,
                place: found.map(|(place, ..)| place),
                sums: found.map(|(.., sums)| *sums).unwrap_or_default(),
            }
        };
        let mut answers: Vec<Answers> =
            coded.into_iter().filter(|(code, _)| !is_declared(code)).map(category).collect();
        for (place, (met, sums)) in self.met.iter().enumerate() {
            let Met::Missing(code, label) = met else { continue };
            let code = code.as_ref().map(|code| code_of(data_type, code));
            let (label, place) = (label.clone(), Some(place));
            answers.push(Answers { code, label, missing: true, place, sums: *sums });
        }
        answers
    }

    fn codes(&self) -> impl Iterator<Item = &String> {
        self.met.keys().filter_map(|met| match met {
            Met::Code(code) => Some(code),
            Met::Missing(..) => None,
        })
    }

    /// The choices with their labels.
    fn offered(&self, question: &Question) -> Vec<(String, String)> {
        let labels = offered(&question.variable).into_iter();
        let codes = question.variable.values.iter().map(|value| value.code.clone());
        let mut offered: Vec<(String, String)> = codes.zip(labels).collect();
        let known: IndexSet<String> = offered.iter().map(|(code, _)| code.clone()).collect();
        let others = self.codes().filter(|code| !known.contains(*code));
        offered.extend(others.map(|code| (code.clone(), code.clone())));
        offered
    }

    /// The codes with their labels. Of two spellings of a code, that of the answers counts.
    fn coded(&self, question: &Question) -> Vec<(String, String)> {
        let mut legend = Legend::new(&question.variable);
        let codes: ArrayRef = Arc::new(self.codes().map(Some).collect::<StringArray>());
        legend.meet(&codes);
        let _ = legend.close(&Field::new(question.field.name(), DataType::Utf8, true));
        let mut categories: Vec<(String, String)> = legend
            .coded()
            .into_iter()
            .map(|(code, label)| (code.unwrap_or_else(|| label.clone()), label))
            .collect();
        for code in self.codes() {
            if let Some(entry) = legend.place(code).and_then(|place| categories.get_mut(place)) {
                entry.0.clone_from(code);
            }
        }
        categories
    }
}
