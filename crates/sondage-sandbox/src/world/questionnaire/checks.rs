//! Whether an answer is one that a question accepts.

use crate::world::survey::{SurveyVariable, VariableRole};
use chrono::NaiveDate;
use serde_json::Value;

/// The maximum length of a text answer, in bytes.
const LONGEST: usize = 32_768;

impl SurveyVariable {
    /// Checks an answer. `not_available`: the code of "not available". The error says what is needed.
    pub(crate) fn check(&self, answer: &Value, not_available: Option<i64>) -> Result<(), String> {
        if answer.is_null() || self.is_not_available(answer, not_available) {
            return Ok(());
        }
        if !self.values.is_empty() {
            let code = match answer {
                Value::String(code) => code.clone(),
                other => other.to_string(),
            };
            let is_known = self.values.iter().any(|(known, _)| *known == code);
            return if is_known { Ok(()) } else { Err("this answer is not one of the choices".to_owned()) };
        }
        match self.data_type {
            // Its range says how many choices somebody has to tick who answers: who does not has ticked none.
            "Number" if self.role == VariableRole::Count && *answer == 0 => Ok(()),
            "Number" if answer.as_i64().is_none() => Err("a number without decimals is needed".to_owned()),
            "Real" if !answer.is_number() => Err("a number is needed".to_owned()),
            "Number" | "Real" => self.check_range(answer),
            "Date" if !is_date(answer) => Err("a date such as 2024-03-31 is needed".to_owned()),
            "Date" => Ok(()),
            _ => match answer.as_str() {
                None => Err("a text is needed".to_owned()),
                Some(text) if text.len() > LONGEST => {
                    Err(format!("the text is too long: at most {LONGEST} bytes are accepted"))
                }
                Some(_) => Ok(()),
            },
        }
    }

    /// An answer as it is stored: the code of a choice that was given as text is a number in a column of numbers.
    pub(crate) fn as_stored(&self, answer: Value) -> Value {
        match &answer {
            Value::String(code) if matches!(self.data_type, "Number" | "Real") => {
                code.parse::<i64>().map_or(answer, Value::from)
            }
            _ => answer,
        }
    }

    /// Whether an answer is "not available", which the question has to offer.
    pub(crate) fn is_not_available(&self, answer: &Value, code: Option<i64>) -> bool {
        let code = code.filter(|_| self.not_available.is_some());
        code.is_some_and(|code| self.not_available_value(code) == *answer)
    }

    fn check_range(&self, answer: &Value) -> Result<(), String> {
        let number = answer.as_f64().unwrap_or_default();
        match (self.range.min, self.range.max) {
            (Some(min), Some(max)) if number < min || number > max => {
                Err(format!("a number from {min} to {max} is needed"))
            }
            (Some(min), _) if number < min => Err(format!("a number of at least {min} is needed")),
            (_, Some(max)) if number > max => Err(format!("a number of at most {max} is needed")),
            _ => match self.range.decimals.and_then(|decimals| i32::try_from(decimals).ok()) {
                Some(decimals) if self.data_type == "Real" && !has_decimals(number, decimals) => {
                    Err(format!("at most {decimals} decimals are accepted"))
                }
                _ => Ok(()),
            },
        }
    }
}

/// Whether a number has at most this many decimals, as far as a binary number can say so.
fn has_decimals(number: f64, decimals: i32) -> bool {
    let scaled = number * 10_f64.powi(decimals.clamp(0, 12));
    (scaled - scaled.round()).abs() < 1e-6 * scaled.abs().max(1.0)
}

fn is_date(answer: &Value) -> bool {
    answer.as_str().is_some_and(|text| NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok())
}
