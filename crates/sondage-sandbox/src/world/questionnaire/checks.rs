//! Whether an answer is one that a question accepts.

use super::synthesis::as_float;
use crate::world::survey::{SurveyVariable, VariableRole};
use chrono::NaiveDate;
use serde_json::Value;

/// The maximum length of a text answer, in bytes.
const LONGEST: usize = 32_768;

/// Below it, every integer is exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The most codes that are named.
const NAMED: usize = 12;

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
            return if is_known { Ok(()) } else { Err(self.not_a_choice()) };
        }
        match self.data_type {
            "Number" | "Real" if answer.is_string() => {
                Err("a number is needed, and this text is none: write it as 1234.5, without separators"
                    .to_owned())
            }
            // How many may be ticked depends on the choices.
            "Number" if self.role == VariableRole::Count && answer.is_u64() => Ok(()),
            "Number" if answer.as_i64().is_none() || self.role == VariableRole::Count => {
                Err("a number without decimals is needed".to_owned())
            }
            "Real" if !answer.is_number() => Err("a number is needed".to_owned()),
            "Number" | "Real" => self.check_range(answer),
            "Date" => self.check_date(answer),
            _ => self.check_text(answer),
        }
    }

    /// What is said of a code that the question does not have. An answer is not repeated.
    fn not_a_choice(&self) -> String {
        let codes: Vec<&str> = self.values.iter().map(|(code, _)| code.as_str()).take(NAMED).collect();
        let more = if self.values.len() > codes.len() { ", .." } else { "" };
        format!("this answer is not one of the choices; their codes are {}{more}", codes.join(", "))
    }

    /// Counts the ticked choices of the question whose count this is. An answer that is complete has as many as are needed, of those
    /// that can be ticked together; one choice that excludes the others is enough.
    pub(crate) fn check_ticked<'a>(
        &self,
        choices: impl Iterator<Item = (&'a Self, bool)>,
        is_complete: bool,
    ) -> Result<usize, String> {
        let (mut ticked, mut offered, mut is_exclusive) = (0, 0, false);
        for (choice, is_ticked) in choices {
            if choice.question_code != self.question_code || choice.role != VariableRole::Answer {
                continue;
            }
            ticked += usize::from(is_ticked);
            offered += usize::from(!choice.exclusive);
            is_exclusive |= is_ticked && choice.exclusive;
        }
        let min = self.range.min.filter(|_| is_complete && ticked > 0 && !is_exclusive);
        match (min.map(|min| min.min(as_float(offered))), self.range.max) {
            (Some(min), _) if as_float(ticked) < min => Err(format!("at least {min} choices are needed")),
            (_, Some(max)) if as_float(ticked) > max => Err(format!("at most {max} choices are accepted")),
            _ => Ok(ticked),
        }
    }

    fn check_date(&self, answer: &Value) -> Result<(), String> {
        let date = answer.as_str().and_then(|text| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok());
        let date = date.ok_or("a date such as 2024-03-31 is needed")?;
        match (self.range.earliest, self.range.latest) {
            (Some(earliest), _) if date < earliest => Err(format!("a date from {earliest} on is needed")),
            (_, Some(latest)) if date > latest => Err(format!("a date up to {latest} is needed")),
            _ => Ok(()),
        }
    }

    fn check_text(&self, answer: &Value) -> Result<(), String> {
        let text = answer.as_str().ok_or("a text is needed")?;
        if text.len() > LONGEST {
            return Err(format!("the text is too long: at most {LONGEST} bytes are accepted"));
        }
        // Forms send two characters for a line break that browsers count as one.
        let characters = text.chars().filter(|character| *character != '\r').count();
        match self.range.characters {
            Some(most) if characters > most => {
                Err(format!("the text is too long: at most {most} characters are accepted"))
            }
            _ => Ok(()),
        }
    }

    /// An answer of a program, as it is stored: in a column of numbers, a number that was given as text is a number, and an integer that
    /// was given as a fraction, as frames with gaps have it, is an integer; in a column of texts, a code that was given as a number is
    /// a text.
    pub(crate) fn as_given(&self, answer: Value) -> Value {
        let is_coded = !self.values.is_empty();
        if self.data_type == "String" {
            return if is_coded && answer.is_number() { answer.to_string().into() } else { answer };
        }
        if !matches!(self.data_type, "Number" | "Real") {
            return answer;
        }
        let written = answer.as_str().and_then(|text| text.trim().parse::<serde_json::Number>().ok());
        let answer = written.map_or(answer, Value::Number);
        let is_exact = |number: &f64| number.fract() == 0.0 && number.abs() < EXACT;
        let number = answer.as_f64().filter(|number| answer.is_f64() && is_exact(number));
        match number {
            #[allow(clippy::cast_possible_truncation)] // an exact integer
            Some(number) if is_coded || self.data_type == "Number" => (number as i64).into(),
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
