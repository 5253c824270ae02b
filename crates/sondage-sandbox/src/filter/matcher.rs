//! One condition, ready to be asked.

use super::cell::{Cell, Kind, Number, parse_time};
use super::operator::{Operator, Question};
use crate::profile::Profile;
use chrono::{DateTime, Utc};
use regex::{Regex, RegexBuilder};
use std::borrow::Cow;
use std::cmp::Ordering;

/// An operator with its operand, read once.
pub(crate) struct Matcher {
    operator: Operator,
    operands: Vec<Operand>,
    ignore_case: bool,
    empty_matches_negation: bool,
}

enum Operand {
    Number(Number),
    Text(String),
    Time(DateTime<Utc>),
    Regex(Box<Regex>),
}

impl Matcher {
    /// The error begins with the field at fault: `value: ...`.
    pub(crate) fn new(
        operator: Operator,
        kind: Kind,
        value: &str,
        profile: &Profile,
    ) -> Result<Self, String> {
        let ignore_case = profile.ignore_case;
        let one = |text: &str| Operand::read(kind, text, ignore_case);
        let regex = |text: &str| Operand::regex(text, ignore_case);
        // No escape for a comma is documented, so there is none.
        let operands = match operator.question {
            Question::Order { .. } => vec![one(value)?],
            Question::Contains => vec![Operand::Text(fold(value, ignore_case).into_owned())],
            Question::Regex => vec![regex(value)?],
            Question::AnyEqual => value.split(',').map(|part| one(part.trim())).collect::<Result<_, _>>()?,
            Question::AnyRegex => {
                value.split(',').map(|part| regex(part.trim())).collect::<Result<_, _>>()?
            }
            Question::Empty | Question::AnyEmpty => Vec::new(),
        };
        Ok(Self { operator, operands, ignore_case, empty_matches_negation: profile.empty_matches_negation })
    }

    pub(crate) fn holds(&self, cell: &Cell<'_>) -> bool {
        let about_emptiness = matches!(self.operator.question, Question::Empty | Question::AnyEmpty);
        if self.operator.negated && !about_emptiness && cell.is_empty() && !self.empty_matches_negation {
            return false;
        }
        self.answer(cell) != self.operator.negated
    }

    fn answer(&self, cell: &Cell<'_>) -> bool {
        match (self.operator.question, cell) {
            (Question::AnyEmpty, Cell::List(items)) => items.is_empty() || items.iter().any(Cell::is_empty),
            (Question::Empty | Question::AnyEmpty, _) => cell.is_empty(),
            // A multiple choice holds when any of its answers does.
            (_, Cell::List(items)) => items.iter().any(|item| self.answer(item)),
            _ => self.operands.iter().any(|operand| self.compare(cell, operand)),
        }
    }

    fn compare(&self, cell: &Cell<'_>, operand: &Operand) -> bool {
        match (self.operator.question, operand) {
            (Question::Contains, Operand::Text(part)) => {
                !matches!(cell, Cell::Null) && fold(&cell.as_text(), self.ignore_case).contains(part.as_str())
            }
            (_, Operand::Regex(regex)) => !matches!(cell, Cell::Null) && regex.is_match(&cell.as_text()),
            (Question::Order { less, equal, greater }, _) => match self.order(cell, operand) {
                Some(Ordering::Less) => less,
                Some(Ordering::Equal) => equal,
                Some(Ordering::Greater) => greater,
                None => false,
            },
            _ => self.order(cell, operand) == Some(Ordering::Equal),
        }
    }

    /// `None` when the two cannot be compared: no value, or a text in a column of numbers.
    fn order(&self, cell: &Cell<'_>, operand: &Operand) -> Option<Ordering> {
        match operand {
            Operand::Number(right) => match cell {
                Cell::Number(left) => Some(left.order(*right)),
                Cell::Text(text) => Number::parse(text).map(|left| left.order(*right)),
                _ => None,
            },
            Operand::Time(right) => match cell {
                Cell::Time(left) => Some(left.cmp(right)),
                Cell::Text(text) => parse_time(text).map(|left| left.cmp(right)),
                _ => None,
            },
            Operand::Text(right) => match cell {
                Cell::Null | Cell::List(_) => None,
                _ => Some(fold(&cell.as_text(), self.ignore_case).as_ref().cmp(right.as_str())),
            },
            Operand::Regex(_) => None,
        }
    }
}

impl Operand {
    fn read(kind: Kind, text: &str, ignore_case: bool) -> Result<Self, String> {
        match kind {
            Kind::Text => Ok(Self::Text(fold(text, ignore_case).into_owned())),
            Kind::Number => Number::parse(text)
                .map(Self::Number)
                .ok_or_else(|| format!("value: `{text}` is not a number.")),
            Kind::Time => parse_time(text).map(Self::Time).ok_or_else(|| {
                format!("value: `{text}` is not a date: write yyyy-mm-dd or yyyy-mm-dd hh:mm:ss.fff, in UTC.")
            }),
        }
    }

    fn regex(text: &str, ignore_case: bool) -> Result<Self, String> {
        RegexBuilder::new(text)
            .case_insensitive(ignore_case)
            .size_limit(1 << 20)
            .build()
            .map(|regex| Self::Regex(Box::new(regex)))
            .map_err(|_| format!("value: `{text}` is not a regular expression."))
    }
}

fn fold(text: &str, ignore_case: bool) -> Cow<'_, str> {
    if ignore_case { Cow::Owned(text.to_lowercase()) } else { Cow::Borrowed(text) }
}
