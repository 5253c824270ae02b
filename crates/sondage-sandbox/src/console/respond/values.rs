//! Answers in a form, and as the platform stores them.

use super::ConsoleForm;
use crate::console::panels::plain;
use crate::world::{Interview, Survey, SurveyVariable};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// The maximum length of a text answer, in bytes.
const LONGEST: usize = 10_000;

/// The answers of a respondent.
pub(super) struct GivenAnswers {
    /// As text by code, to fill in the form.
    pub(super) texts: HashMap<String, String>,
    /// As values, by code.
    pub(super) answers: Map<String, Value>,
    /// The errors in them, for the respondent.
    pub(super) problems: Vec<String>,
}

impl GivenAnswers {
    /// The answers that an interview already has.
    pub(super) fn saved(survey: &Survey, interview: Option<&Interview>) -> Self {
        let answers = interview.map(|interview| interview.answers.as_slice()).unwrap_or_default();
        let texts = survey
            .variables
            .iter()
            .zip(answers)
            .map(|(variable, answer)| (variable.code.clone(), plain(answer)));
        Self { texts: texts.collect(), answers: Map::new(), problems: Vec::new() }
    }

    /// The answers in a form.
    pub(super) fn read(survey: &Survey, form: &ConsoleForm) -> Self {
        let mut form_answers = Self { texts: HashMap::new(), answers: Map::new(), problems: Vec::new() };
        for variable in &survey.variables {
            let text = form.get(&variable.code).unwrap_or_default();
            form_answers.texts.insert(variable.code.clone(), text.to_owned());
            match value(variable, text) {
                Ok(value) => drop(form_answers.answers.insert(variable.code.clone(), value)),
                Err(why) => form_answers.problems.push(format!("{}: {why}", variable.question)),
            }
        }
        form_answers
    }

    pub(super) fn text(&self, code: &str) -> &str {
        self.texts.get(code).map(String::as_str).unwrap_or_default()
    }
}

fn value(variable: &SurveyVariable, text: &str) -> Result<Value, &'static str> {
    // Browsers do not send unticked boxes.
    let text = if text.is_empty() && variable.kind == "MultipleChoice" { "0" } else { text };
    if text.is_empty() {
        return Ok(Value::Null);
    }
    if text.len() > LONGEST {
        return Err("the text is too long");
    }
    if !variable.values.is_empty() && !variable.values.iter().any(|(code, _)| code == text) {
        return Err("this answer is not one of the choices");
    }
    match variable.data_type {
        "Number" => {
            text.parse::<i64>().map(|number| json!(number)).map_err(|_| "a number without decimals is needed")
        }
        "Real" => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(json!(number)),
            _ => Err("a number is needed"),
        },
        "Date" => chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d")
            .map(|_| json!(text))
            .map_err(|_| "a date such as 2024-03-31 is needed"),
        _ => Ok(json!(text)),
    }
}
