//! Answers in a form, and as the platform stores them.

use super::ConsoleForm;
use crate::console::panels::plain;
use crate::world::questionnaire::{Contradiction, as_float, contradictory_answers};
use crate::world::survey::VariableRole;
use crate::world::{Interview, SurveyVariable};
use serde_json::{Map, Value, json};
use sondage::internals::plain_text;
use std::collections::HashMap;

/// What is said of an answer that is none of the choices.
const CHOOSE: &str = "choose one of the answers";

/// The answers of a respondent.
#[derive(Default)]
pub(super) struct GivenAnswers {
    /// As text by code, to fill in the form.
    texts: HashMap<String, String>,
    /// As values, by code.
    pub(super) answers: Map<String, Value>,
    /// The errors in them, for the respondent.
    pub(super) problems: Vec<String>,
}

/// The name of the tick box for "not available": one for each question that may be ticked several times, or row of it.
pub(super) fn not_available_name(variable: &SurveyVariable) -> String {
    match &variable.row {
        None if variable.is_ticked() => format!("{}__not_available", variable.question_code),
        Some(row) if variable.is_ticked() => format!("{}__not_available {row}", variable.question_code),
        _ => format!("{}__not_available", variable.code),
    }
}

impl GivenAnswers {
    /// The answers that an interview already has.
    pub(super) fn saved(variables: &[SurveyVariable], interview: Option<&Interview>) -> Self {
        let answers = interview.map(|interview| interview.answers.as_slice()).unwrap_or_default();
        let texts = variables.iter().zip(answers);
        let texts = texts.map(|(variable, answer)| (variable.code.clone(), plain(answer)));
        Self { texts: texts.collect(), ..Self::default() }
    }

    /// The answers in a form to the questions that were asked. Who goes on later need not answer what is required.
    pub(super) fn read(
        (variables, shown): (&[SurveyVariable], &[bool]),
        form: &ConsoleForm,
        not_available: Option<i64>,
        is_complete: bool,
    ) -> Self {
        let mut given = Self::default();
        for (variable, _) in variables.iter().zip(shown).filter(|(_, shown)| **shown) {
            if variable.role == VariableRole::Count {
                let offered =
                    variables.iter().zip(shown).filter(|(_, shown)| **shown).map(|(choice, _)| choice);
                let is_one = |choice: &SurveyVariable| given.answers.get(&choice.code) == Some(&json!(1));
                match variable.check_ticked(offered.map(|choice| (choice, is_one(choice))), is_complete) {
                    Ok(count) => drop(given.answers.insert(variable.code.clone(), json!(count))),
                    Err(why) => given.problems.push(format!("{}: {why}", plain_text(&variable.question))),
                }
                continue;
            }
            let text = form.get(&variable.code).unwrap_or_default();
            let is_not_available = form.get(&not_available_name(variable)).is_some();
            if is_not_available
                && !text.is_empty()
                && variable.not_available.is_some()
                && not_available.is_some()
            {
                given.texts.insert(variable.code.clone(), text.to_owned());
                given.add_problem(
                    variable,
                    "an answer, or that there is none, but not both: clear one of them",
                );
                continue;
            }
            let answer = match not_available.filter(|_| is_not_available && variable.not_available.is_some())
            {
                Some(code) => Ok(variable.not_available_value(code)),
                None => value(variable, text),
            };
            let checked = answer.and_then(|answer| variable.check(&answer, not_available).map(|()| answer));
            // A respondent sees texts, no codes.
            let checked =
                checked.map_err(|why| if variable.values.is_empty() { why } else { CHOOSE.to_owned() });
            match checked {
                Ok(answer) => {
                    given.texts.insert(variable.code.clone(), plain(&answer));
                    given.answers.insert(variable.code.clone(), answer);
                }
                Err(why) => {
                    given.texts.insert(variable.code.clone(), text.to_owned());
                    given.problems.push(format!("{}: {why}", plain_text(&variable.question)));
                }
            }
        }
        given.check_together((variables, shown), not_available);
        if is_complete {
            given.require((variables, shown));
        }
        given
    }

    /// Reports answers that exclude each other.
    fn check_together(
        &mut self,
        (variables, shown): (&[SurveyVariable], &[bool]),
        not_available: Option<i64>,
    ) {
        let answer =
            |variable: &SurveyVariable| self.answers.get(&variable.code).cloned().unwrap_or_default();
        let answers: Vec<Value> = variables.iter().map(answer).collect();
        for Contradiction { column, why } in contradictory_answers(variables, &answers, shown, not_available)
        {
            self.add_problem(&variables[column], &why);
        }
    }

    fn add_problem(&mut self, variable: &SurveyVariable, why: &str) {
        let part = variable.row.as_deref().or(variable.choice.as_deref());
        let part = part.map_or_else(String::new, |part| format!(", {}", plain_text(part)));
        self.problems.push(format!("{}{part}: {why}", plain_text(&variable.question)));
    }

    /// Reports the required questions that have no answer.
    pub(super) fn require(&mut self, (variables, shown): (&[SurveyVariable], &[bool])) {
        for (variable, _) in
            variables.iter().zip(shown).filter(|(variable, shown)| **shown && variable.required)
        {
            let is_answered = match &variable.role {
                VariableRole::Count => continue,
                VariableRole::TextBeside { column, value } => {
                    !self.has(column, value) || self.is_answered(&variable.code)
                }
                VariableRole::Answer if variable.is_ticked() => variables
                    .iter()
                    .filter(|part| part.question_code == variable.question_code && part.row == variable.row)
                    .any(|part| {
                        self.answers.get(&part.code).is_some_and(|answer| !answer.is_null() && *answer != 0)
                    }),
                // A rank may be left out where there are fewer than choices.
                VariableRole::Answer if variable.is_ranked() => {
                    let own = variables.iter().zip(shown).filter(|(part, shown)| {
                        **shown && part.question_code == variable.question_code && part.is_ranked()
                    });
                    let ranked = own.clone().filter(|(part, _)| self.is_answered(&part.code)).count();
                    let ranks = variable.range.max.unwrap_or(f64::INFINITY);
                    as_float(ranked) >= as_float(own.count()).min(ranks) || self.is_answered(&variable.code)
                }
                // A text that is no answer was told already.
                VariableRole::Answer => self.is_answered(&variable.code) || self.has(&variable.code, ""),
            };
            let part =
                variable.row.as_deref().map_or_else(String::new, |row| format!(", {}", plain_text(row)));
            let problem = format!("{}{part}: an answer is required", plain_text(&variable.question));
            if !is_answered && !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
    }

    fn has(&self, column: &str, value: &str) -> bool {
        let text = self.text(column);
        if value.is_empty() { !text.is_empty() } else { text == value }
    }

    fn is_answered(&self, code: &str) -> bool {
        self.answers.get(code).is_some_and(|answer| !answer.is_null())
    }

    pub(super) fn text(&self, code: &str) -> &str {
        self.texts.get(code).map(String::as_str).unwrap_or_default()
    }
}

/// The text of a field as a value; no text is no answer.
fn value(variable: &SurveyVariable, text: &str) -> Result<Value, String> {
    // Browsers do not send unticked boxes.
    let text = if text.is_empty() && variable.is_ticked() { "0" } else { text };
    if text.is_empty() {
        return Ok(Value::Null);
    }
    match variable.data_type {
        "Number" => {
            let number = text.parse::<i64>();
            number.map(|number| json!(number)).map_err(|_| "a number without decimals is needed".to_owned())
        }
        "Real" => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(json!(number)),
            _ => Err("a number is needed".to_owned()),
        },
        _ => Ok(json!(text)),
    }
}
