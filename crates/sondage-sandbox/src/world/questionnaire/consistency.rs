//! Whether the answers of one person go together: what a survey excludes is not stored.

use crate::world::survey::{SurveyVariable, VariableRole};
use serde_json::Value;
use std::collections::HashMap;

/// A mistake in a column, with what to do about it.
#[derive(Debug, PartialEq)]
pub(crate) struct Contradiction {
    /// The index of the column.
    pub(crate) column: usize,
    pub(crate) why: String,
}

/// Answers to the columns of a survey, in their order.
struct AnswerSheet<'a> {
    variables: &'a [SurveyVariable],
    answers: &'a [Value],
    shown: &'a [bool],
    not_available: Option<i64>,
    found: Vec<Contradiction>,
}

/// The contradictions in the answers of one person. `shown`: which columns are asked.
pub(crate) fn contradictory_answers(
    variables: &[SurveyVariable],
    answers: &[Value],
    shown: &[bool],
    not_available: Option<i64>,
) -> Vec<Contradiction> {
    let mut sheet = AnswerSheet { variables, answers, shown, not_available, found: Vec::new() };
    let mut begin = 0;
    for question in variables.chunk_by(|a, b| a.question_code == b.question_code) {
        let columns: Vec<usize> = (begin..begin + question.len()).collect();
        begin += question.len();
        sheet.check_texts(&columns);
        sheet.check_ranks(&columns);
        // As `fill` groups them: rows of the same label may be of different groups of columns.
        for row in columns.chunk_by(|a, b| variables[*a].row == variables[*b].row) {
            let is_ticked =
                |at: &&usize| variables[**at].role == VariableRole::Answer && variables[**at].is_ticked();
            sheet.check_ticks(&row.iter().filter(is_ticked).copied().collect::<Vec<_>>());
        }
    }
    sheet.found.sort_by_key(|found| found.column);
    sheet.found
}

impl AnswerSheet<'_> {
    fn add(&mut self, column: usize, why: String) {
        self.found.push(Contradiction { column, why });
    }

    fn answer(&self, at: usize) -> &Value {
        self.answers.get(at).unwrap_or(&Value::Null)
    }

    fn is_not_available(&self, at: usize) -> bool {
        self.variables[at].is_not_available(self.answer(at), self.not_available)
    }

    /// A text needs the choice beside which it is.
    fn check_texts(&mut self, columns: &[usize]) {
        for at in columns {
            let VariableRole::TextBeside { column, value } = &self.variables[*at].role else { continue };
            if matches!(self.answer(*at), Value::Null) || *self.answer(*at) == "" {
                continue;
            }
            let Some(of) = columns.iter().find(|of| self.variables[**of].code == *column) else { continue };
            let is_taken = if value.is_empty() {
                let row = &self.variables[*of].row;
                columns
                    .iter()
                    .any(|other| self.variables[*other].row == *row && !self.answer(*other).is_null())
            } else {
                is_choice(self.answer(*of), value)
            };
            if !is_taken {
                let choice = if value.is_empty() { "answer".to_owned() } else { format!("give {value} to") };
                let why = format!(
                    "a text beside a choice that was not taken: {choice} {column}, or leave the text out"
                );
                self.add(*at, why);
            }
        }
    }

    /// No two choices have the same rank.
    fn check_ranks(&mut self, columns: &[usize]) {
        let mut ranked: HashMap<i64, &str> = HashMap::new();
        for at in columns.iter().filter(|at| self.variables[**at].is_ranked()) {
            let Some(rank) = self.answer(*at).as_i64().filter(|_| !self.is_not_available(*at)) else {
                continue;
            };
            if let Some(other) = ranked.insert(rank, &self.variables[*at].code) {
                self.add(*at, format!("{other} has the rank {rank}, too: give each rank once"));
            }
        }
        self.check_not_available(columns.iter().filter(|at| self.variables[**at].is_ranked()).copied());
    }

    fn check_ticks(&mut self, columns: &[usize]) {
        let ticked: Vec<usize> = columns.iter().copied().filter(|at| *self.answer(*at) == 1).collect();
        if let Some(exclusive) = ticked.iter().find(|at| self.variables[**at].exclusive)
            && let Some(other) = ticked.iter().find(|at| *at != exclusive)
        {
            let other = &self.variables[*other].code;
            self.add(
                *exclusive,
                format!("this choice excludes the others, such as {other}: choose one of them"),
            );
        }
        self.check_not_available(columns.iter().copied());
    }

    /// "Not available" is the answer to a question, and stands in each of its columns that is asked.
    fn check_not_available(&mut self, columns: impl Iterator<Item = usize> + Clone) {
        let Some(given) = columns.clone().find(|at| self.is_not_available(*at)) else { return };
        let others: Vec<&str> = columns
            .filter(|at| !self.is_not_available(*at))
            .filter(|at| !self.answer(*at).is_null() || self.shown.get(*at) == Some(&true))
            .map(|at| self.variables[at].code.as_str())
            .collect();
        if !others.is_empty() {
            let why = format!(
                "\"not available\" is the answer to the whole question: give it to {}, too, or leave it out",
                others.join(", ")
            );
            self.add(given, why);
        }
    }
}

/// Whether an answer is the choice with this code.
pub(super) fn is_choice(answer: &Value, code: &str) -> bool {
    match answer {
        Value::Null => false,
        Value::String(text) => text == code,
        answer => code.parse::<serde_json::Number>().is_ok_and(|code| *answer == Value::from(code)),
    }
}

impl SurveyVariable {
    /// Whether its answer is the rank of a choice.
    pub(crate) fn is_ranked(&self) -> bool {
        self.kind == "RankOrder" && self.role == VariableRole::Answer
    }
}
