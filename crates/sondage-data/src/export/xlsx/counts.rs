//! How often each answer was given, counted while the rows are written.

use std::collections::HashMap;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use indexmap::IndexMap;

use super::Cell;
use crate::meaning::{ValueLabel, Variable};
use crate::table::labels::offered;
use crate::table::metadata;

/// The answers of a column.
#[derive(Debug)]
pub(super) struct Counts {
    /// The code and label of each answer, in the questionnaire's order.
    answers: Vec<(String, String)>,
    given: Vec<u64>,
    by_code: HashMap<String, usize>,
    by_number: HashMap<i64, usize>,
    by_decimal: HashMap<u64, usize>,
    by_label: HashMap<String, usize>,
    /// Answers that are none of these.
    others: u64,
    nothing: u64,
    /// Of these, the ones with a code of which it is known, with their number.
    reasons: IndexMap<String, u64>,
    /// Of these, the ones of which a column beside it says why they are missing, in its order.
    explained: Vec<(String, u64)>,
    /// Whether it is a choice of several: what is not chosen is no answer of its own.
    is_choice: bool,
    /// The number of lists, of which each has any number of answers.
    lists: Option<u64>,
    /// The codes in lists that mean that there is none.
    declared: Vec<String>,
}

/// The bits of a number, of which zero has two.
fn decimal(number: f64) -> u64 {
    (number + 0.0).to_bits()
}

impl Counts {
    /// Nothing yet; `None` for columns whose answers are not counted.
    pub(super) fn of(field: &Field, variable: Option<&Variable>) -> Option<Self> {
        let variable = variable?;
        let is_choice = variable.values.is_empty()
            && variable.choice.is_some()
            && matches!(field.data_type(), DataType::Int64 | DataType::Boolean);
        let answers: Vec<(String, String)> = if is_choice {
            vec![("1".to_owned(), variable.choice.clone().unwrap_or_default())]
        } else {
            let codes = variable.values.iter().map(|value| value.code.clone());
            codes.zip(offered(variable)).collect()
        };
        if answers.is_empty() {
            return None;
        }
        let is_list = matches!(field.data_type(), DataType::List(_));
        let places = || answers.iter().enumerate();
        // What a list has of an answer.
        let has_labels = field.metadata().contains_key(metadata::LISTS_OF);
        let text =
            |(code, label): &'_ (String, String)| if has_labels { label.clone() } else { code.clone() };
        Some(Counts {
            given: vec![0; answers.len()],
            by_code: places().map(|(place, answer)| (text(answer), place)).collect(),
            by_number: places().filter_map(|(place, (code, _))| Some((code.parse().ok()?, place))).collect(),
            by_decimal: places()
                .filter_map(|(place, (code, _))| Some((decimal(code.parse().ok()?), place)))
                .collect(),
            by_label: places().map(|(place, (_, label))| (label.clone(), place)).collect(),
            answers,
            others: 0,
            nothing: 0,
            reasons: IndexMap::new(),
            explained: Vec::new(),
            is_choice,
            lists: is_list.then_some(0),
            declared: metadata::missing(field).into_iter().map(|value| value.code).collect(),
        })
    }

    /// Notes that some of the missing answers have a code.
    pub(super) fn note(&mut self, code: &str, count: usize) {
        if count > 0 {
            *self.reasons.entry(code.to_owned()).or_default() += count as u64;
        }
    }

    /// Counts why answers are missing.
    pub(super) fn explain(&mut self, reasons: &ArrayRef) {
        let Some(reasons) = reasons.as_dictionary_opt::<Int32Type>() else { return };
        if self.explained.is_empty() {
            let texts = reasons.values().as_string::<i32>().iter().flatten();
            self.explained = texts.map(|text| (text.to_owned(), 0)).collect();
        }
        for key in reasons.keys().iter().flatten() {
            let place = usize::try_from(key).ok().and_then(|key| self.explained.get_mut(key));
            if let Some((_, count)) = place {
                *count += 1;
            }
        }
    }

    /// Counts the answers of an array.
    pub(super) fn add(&mut self, array: &ArrayRef) {
        let nothing = if *array.data_type() == DataType::Null { array.len() } else { array.null_count() };
        self.nothing += nothing as u64;
        match array.data_type() {
            DataType::Int64 => {
                for number in array.as_primitive::<Int64Type>().iter().flatten() {
                    #[allow(clippy::cast_precision_loss)] // a code such as 1.0
                    let place =
                        self.by_number.get(&number).or_else(|| self.by_decimal.get(&decimal(number as f64)));
                    self.count(place.copied());
                }
            }
            DataType::Boolean => {
                for truth in array.as_boolean().iter().flatten() {
                    let place = self.by_code.get(if truth { "true" } else { "false" });
                    self.count(place.or_else(|| self.by_number.get(&i64::from(truth))).copied());
                }
            }
            DataType::Float64 => {
                for number in array.as_primitive::<Float64Type>().iter().flatten() {
                    self.count(self.by_decimal.get(&decimal(number)).copied());
                }
            }
            DataType::Utf8 => {
                for text in array.as_string::<i32>().iter().flatten() {
                    self.count(self.by_code.get(text).copied());
                }
            }
            DataType::Dictionary(..) => {
                let dictionary = array.as_dictionary::<Int32Type>();
                let labels = dictionary.values().as_string::<i32>();
                let places: Vec<Option<usize>> =
                    labels.iter().map(|label| self.by_label.get(label?).copied()).collect();
                for key in dictionary.keys().iter().flatten() {
                    self.count(usize::try_from(key).ok().and_then(|key| places.get(key).copied().flatten()));
                }
            }
            DataType::List(_) => self.add_lists(array),
            _ => {}
        }
    }

    fn add_lists(&mut self, array: &ArrayRef) {
        for list in array.as_list::<i32>().iter().flatten() {
            let answers: Vec<&str> = list.as_string::<i32>().iter().flatten().collect();
            if let [code] = answers[..]
                && self.declared.iter().any(|declared| declared == code)
            {
                self.nothing += 1;
                self.note(code, 1);
                continue;
            }
            self.lists = self.lists.map(|count| count + 1);
            for answer in answers {
                self.count(self.by_code.get(answer).copied());
            }
        }
    }

    /// The label of a declared code, with the code behind it if another one has the same.
    fn told_apart(&self, value: &ValueLabel, declared: &[ValueLabel]) -> String {
        let answers = self.answers.iter().map(|(code, label)| (code, label));
        let others = declared.iter().map(|value| (&value.code, &value.label)).chain(answers);
        let is_shared = others.into_iter().any(|(code, label)| *code != value.code && *label == value.label);
        if is_shared { format!("{} ({})", value.label, value.code) } else { value.label.clone() }
    }

    fn count(&mut self, place: Option<usize>) {
        match place.and_then(|place| self.given.get_mut(place)) {
            Some(count) => *count += 1,
            None => self.others += 1,
        }
    }

    /// The rows of the sheet for the column of a table with this many rows.
    #[allow(clippy::cast_precision_loss)] // a sheet has few rows
    pub(super) fn rows(&self, field: &Field, rows: u32) -> Vec<Vec<Cell>> {
        let declared = metadata::missing(field);
        let is_missing = |code: &str| declared.iter().any(|value: &ValueLabel| value.code == code);
        let given = self.answers.iter().zip(&self.given);
        let mut lines: Vec<(Cell, String, bool, u64)> = given
            .map(|((code, label), count)| {
                (Cell::of_code(field, code), label.clone(), is_missing(code), *count)
            })
            .collect();
        if self.others > 0 && !self.is_choice {
            lines.push((Cell::Empty, "other answers".to_owned(), false, self.others));
        }
        let answers: u64 = lines.iter().filter(|(_, _, missing, _)| !missing).map(|(.., count)| count).sum();
        let answered = match self.lists {
            Some(lists) => lists,
            None if self.is_choice => answers + self.others,
            None => answers,
        };
        let mut rest = self.nothing;
        // A column of reasons explains these, too.
        for (code, count) in self.reasons.iter().filter(|_| self.explained.is_empty()) {
            let value = declared.iter().find(|value| value.code == *code);
            let label = value.map_or_else(String::new, |value| self.told_apart(value, &declared));
            lines.push((Cell::of_code(field, code), label, true, *count));
            rest = rest.saturating_sub(*count);
        }
        for (reason, count) in self.explained.iter().filter(|(_, count)| *count > 0) {
            // A column of reasons has the code behind a label that is not the only one.
            let is_it = |value: &&ValueLabel| {
                value.label == *reason || format!("{} ({})", value.label, value.code) == *reason
            };
            let value = declared.iter().find(is_it);
            let code = value.map_or(Cell::Empty, |value| Cell::of_code(field, &value.code));
            let told_apart = value.map(|value| self.told_apart(value, &declared));
            lines.push((code, told_apart.unwrap_or_else(|| reason.clone()), true, *count));
            rest = rest.saturating_sub(*count);
        }
        if rest > 0 {
            lines.push((Cell::Empty, "no answer".to_owned(), true, rest));
        }
        let percent = |count: u64, of: u64| match of {
            0 => Cell::Empty,
            of => Cell::Number(100.0 * count as f64 / of as f64),
        };
        let label = field.metadata().get(metadata::LABEL).cloned().map_or(Cell::Empty, Cell::Text);
        let line = |(code, answer, is_missing, count): (Cell, String, bool, u64)| {
            vec![
                Cell::Text(field.name().clone()),
                label.clone(),
                code,
                Cell::Text(answer),
                if is_missing { Cell::Text("missing".to_owned()) } else { Cell::Empty },
                Cell::Number(count as f64),
                percent(count, u64::from(rows)),
                if is_missing { Cell::Empty } else { percent(count, answered) },
            ]
        };
        lines.into_iter().map(line).collect()
    }
}
