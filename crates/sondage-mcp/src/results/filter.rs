//! Filters of interviews, evaluated on a table that was downloaded: so they take the labels of answers, too.

use chrono::NaiveDateTime;
use sondage::condition::{ConditionValue, Expression, Operand, Test};
use sondage::internals::spelling::did_you_mean;
use sondage::model::ConditionOperator as Op;
use sondage::reports::FrequencyKind;
use sondage_data::{Answers, Category, Value};
use std::cmp::Ordering;

/// The tests of a filter.
pub fn tests(filter: &Expression) -> Vec<&Test> {
    match filter {
        Expression::Test(test) => vec![test],
        Expression::And(of) | Expression::Or(of) => of.iter().flat_map(tests).collect(),
        Expression::Not(inner) => tests(inner),
    }
}

/// Which rows match. `matches` says it for a test; a test is false of rows without an answer, and so is its opposite.
pub fn rows(
    filter: &Expression,
    rows_of: &mut impl FnMut(&Test, bool) -> Result<Vec<bool>, String>,
    negated: bool,
) -> Result<Vec<bool>, String> {
    let (of, all) = match filter {
        Expression::Test(test) => return rows_of(test, negated),
        Expression::Not(inner) => return rows(inner, rows_of, !negated),
        Expression::And(of) => (of, !negated),
        Expression::Or(of) => (of, negated),
    };
    let mut masks = Vec::new();
    for part in of {
        masks.push(rows(part, rows_of, negated)?);
    }
    let joined = masks.into_iter().reduce(|one, other| {
        one.iter().zip(&other).map(|(a, b)| if all { *a && *b } else { *a || *b }).collect()
    });
    joined.ok_or_else(|| "`where` has no test. Leave it out for all interviews.".to_owned())
}

/// Which rows match a test. `may_list`: whether an error may name the answers of the question.
pub fn rows_of(test: &Test, answers: &Answers, negated: bool, may_list: bool) -> Result<Vec<bool>, String> {
    let matcher = Matcher { test, answers, may_list };
    let is_true = matcher.is_true()?;
    let rows = answers.rows.iter().enumerate().map(|(row, answer)| match &test.operator {
        Op::IsEmpty | Op::AnyIsEmpty => answer.is_none() != negated,
        Op::IsNotEmpty | Op::AnyIsNotEmpty => answer.is_some() != negated,
        _ => answer.is_some() && is_true(row) != negated,
    });
    Ok(rows.collect())
}

struct Matcher<'a> {
    test: &'a Test,
    answers: &'a Answers,
    may_list: bool,
}

/// Whether a row with an answer matches.
type IsTrue<'a> = Box<dyn Fn(usize) -> bool + 'a>;

impl<'a> Matcher<'a> {
    fn is_true(&self) -> Result<IsTrue<'a>, String> {
        let values: Vec<&ConditionValue> = match &self.test.value {
            Operand::Nothing => Vec::new(),
            Operand::One(value) => vec![value],
            Operand::Many(values) => values.iter().collect(),
        };
        let equal = |is_equal: bool| -> Result<IsTrue<'a>, String> {
            let tests = values.iter().map(|value| self.equals(value)).collect::<Result<Vec<_>, _>>()?;
            Ok(Box::new(move |row| tests.iter().any(|test| test(row)) == is_equal))
        };
        let order = |holds: fn(f64, f64) -> bool| -> Result<IsTrue<'a>, String> {
            let Some(limit) = values.first().and_then(|value| number(value).or_else(|| time(value))) else {
                return Err(
                    self.refusal("compares numbers and times by their size, and the value is neither")
                );
            };
            let answers = self.answers;
            let has_size = answers.values.iter().flatten().all(|value| !matches!(value, Value::Text(_)));
            if !has_size || answers.kind == FrequencyKind::Multiple {
                return Err(self.refusal("compares by size, and its answers are no numbers or times"));
            }
            Ok(Box::new(move |row| {
                answers.values[row].as_ref().and_then(size).is_some_and(|size| holds(size, limit))
            }))
        };
        match &self.test.operator {
            Op::IsEqualTo | Op::AnyIsEqual => equal(true),
            Op::IsNotEqualTo | Op::AnyIsNotEqual => equal(false),
            Op::IsEmpty | Op::AnyIsEmpty | Op::IsNotEmpty | Op::AnyIsNotEmpty => Ok(Box::new(|_| true)),
            Op::IsLessThan => order(|a, b| a < b),
            Op::IsLessThanOrEqualTo => order(|a, b| a <= b),
            Op::IsGreaterThan => order(|a, b| a > b),
            Op::IsGreaterThanOrEqualTo => order(|a, b| a >= b),
            Op::Contains | Op::DoesNotContain => {
                let text = values.first().map(|value| text(value).to_lowercase()).unwrap_or_default();
                let (answers, contains) = (self.answers, self.test.operator == Op::Contains);
                Ok(Box::new(move |row| match &answers.values[row] {
                    Some(Value::Text(answer)) => answer.to_lowercase().contains(&text) == contains,
                    _ => !contains,
                }))
            }
            _ => Err(self.refusal(
                "has an operator that results do not take: use `=`, `!=`, `in`, `not in`, `<`, `>`, `contains`, `is empty`",
            )),
        }
    }

    /// A category by its label or its code, a number, a time, or a text.
    fn equals(&self, value: &ConditionValue) -> Result<IsTrue<'a>, String> {
        let answers = self.answers;
        let wanted = text(value);
        if answers.kind == FrequencyKind::Number
            && let Some(wanted) = number(value)
        {
            return Ok(Box::new(
                move |row| matches!(answers.values[row], Some(Value::Number(number)) if number.partial_cmp(&wanted) == Some(Ordering::Equal)),
            ));
        }
        if answers.categories.is_empty() {
            let time = time(value);
            return Ok(Box::new(move |row| match (&answers.values[row], time) {
                (Some(Value::Time(_)), Some(time)) => {
                    answers.values[row].as_ref().and_then(size) == Some(time)
                }
                (Some(Value::Text(text)), _) => *text == wanted,
                (Some(Value::Number(answer)), _) => wanted.parse() == Ok(*answer),
                _ => false,
            }));
        }
        // A label is what people write; a code may be that of another answer.
        let by_label = |category: &Category| category.label.to_lowercase() == wanted.to_lowercase();
        let by_code = |category: &Category| {
            category.code == wanted || number(value).is_some_and(|number| category.code.parse() == Ok(number))
        };
        let places_of = |is_meant: &dyn Fn(&Category) -> bool| -> Vec<u32> {
            let categories = (0..).zip(&answers.categories);
            categories.filter(|(_, category)| is_meant(category)).map(|(at, _)| at).collect()
        };
        let mut places = places_of(&by_label);
        if places.is_empty() {
            places = places_of(&by_code);
        }
        if places.is_empty() && self.may_list {
            return Err(self.no_answer(&wanted));
        }
        Ok(Box::new(move |row| {
            answers.rows[row].as_ref().is_some_and(|chosen| chosen.iter().any(|at| places.contains(at)))
        }))
    }

    fn no_answer(&self, wanted: &str) -> String {
        let categories = &self.answers.categories;
        let labels: Vec<&str> = categories.iter().map(|category| category.label.as_str()).collect();
        let advice = did_you_mean(wanted, &labels).unwrap_or_else(|| {
            let listed =
                categories.iter().take(20).map(|category| format!("{} ({})", category.label, category.code));
            format!("Its answers are {}.", listed.collect::<Vec<_>>().join(", "))
        });
        format!("`where`: `{}` has no answer {wanted:?}. {advice}", self.test.identifier)
    }

    fn refusal(&self, why: &str) -> String {
        format!("`where`: the test of `{}` {why}.", self.test.identifier)
    }
}

fn size(value: &Value) -> Option<f64> {
    #[allow(clippy::cast_precision_loss)] // microseconds of this millennium are exact
    match value {
        Value::Number(number) => Some(*number),
        Value::Time(time) => Some(*time as f64),
        Value::Text(_) => None,
    }
}

#[allow(clippy::cast_precision_loss)] // codes are small
fn number(value: &ConditionValue) -> Option<f64> {
    match value {
        ConditionValue::Int(number) => Some(*number as f64),
        ConditionValue::Float(number) => Some(*number),
        _ => None,
    }
}

/// Microseconds since 1970.
#[allow(clippy::cast_precision_loss)] // exact, see above
fn time(value: &ConditionValue) -> Option<f64> {
    let time = match value {
        ConditionValue::Date(day) => day.and_hms_opt(0, 0, 0)?,
        ConditionValue::Time(time) => {
            NaiveDateTime::parse_from_str(&time.to_string(), "%Y-%m-%d %H:%M:%S%.f").ok()?
        }
        _ => return None,
    };
    Some(time.and_utc().timestamp_micros() as f64)
}

fn text(value: &ConditionValue) -> String {
    match value {
        ConditionValue::Text(text) => text.clone(),
        ConditionValue::Int(number) => number.to_string(),
        ConditionValue::Float(number) => number.to_string(),
        ConditionValue::Bool(value) => value.to_string(),
        ConditionValue::Date(day) => day.to_string(),
        ConditionValue::Time(time) => time.to_string(),
    }
}
