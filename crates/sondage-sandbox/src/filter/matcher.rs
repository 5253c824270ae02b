//! Evaluates one condition.

use super::cell::{CellKind, CellValue, Number, parse_time};
use super::operator::{Operator, Predicate};
use crate::profile::Profile;
use chrono::{DateTime, Utc};
use regex::{Regex, RegexBuilder};
use std::borrow::Cow;
use std::cmp::Ordering;

/// An operator with its parsed operand.
pub(crate) struct Matcher {
    operator: Operator,
    operands: Vec<MatchOperand>,
    ignore_case: bool,
    empty_matches_negation: bool,
}

enum MatchOperand {
    Number(Number),
    Text(String),
    Time(DateTime<Utc>),
    Regex(Box<Regex>),
}

impl Matcher {
    /// The error begins with the path of the wrong field: `value: ...`.
    pub(crate) fn new(
        operator: Operator,
        kind: CellKind,
        value: &str,
        profile: &Profile,
    ) -> Result<Self, String> {
        let ignore_case = profile.ignore_case || kind == CellKind::Tag;
        let one = |text: &str| MatchOperand::read(kind, text, ignore_case);
        let regex = |text: &str| MatchOperand::regex(text, ignore_case);
        // No escape for a comma is documented, so none is supported.
        let operands = match operator.question {
            Predicate::Order { .. } => vec![one(value)?],
            Predicate::Contains => vec![MatchOperand::Text(fold(value, ignore_case).into_owned())],
            Predicate::Regex => vec![regex(value)?],
            Predicate::AnyEqual => value.split(',').map(|part| one(part.trim())).collect::<Result<_, _>>()?,
            Predicate::AnyRegex => {
                value.split(',').map(|part| regex(part.trim())).collect::<Result<_, _>>()?
            }
            Predicate::Empty | Predicate::AnyEmpty => Vec::new(),
        };
        Ok(Self { operator, operands, ignore_case, empty_matches_negation: profile.empty_matches_negation })
    }

    pub(crate) fn holds(&self, cell: &CellValue<'_>) -> bool {
        let about_emptiness = matches!(self.operator.question, Predicate::Empty | Predicate::AnyEmpty);
        if self.operator.negated && !about_emptiness && cell.is_empty() && !self.empty_matches_negation {
            return false;
        }
        self.answer(cell) != self.operator.negated
    }

    fn answer(&self, cell: &CellValue<'_>) -> bool {
        match (self.operator.question, cell) {
            (Predicate::AnyEmpty, CellValue::List(items)) => {
                items.is_empty() || items.iter().any(CellValue::is_empty)
            }
            (Predicate::Empty | Predicate::AnyEmpty, _) => cell.is_empty(),
            // A multiple choice matches if any of its answers does.
            (_, CellValue::List(items)) => items.iter().any(|item| self.answer(item)),
            _ => self.operands.iter().any(|operand| self.compare(cell, operand)),
        }
    }

    fn compare(&self, cell: &CellValue<'_>, operand: &MatchOperand) -> bool {
        match (self.operator.question, operand) {
            (Predicate::Contains, MatchOperand::Text(part)) => {
                !matches!(cell, CellValue::Null)
                    && fold(&cell.as_text(), self.ignore_case).contains(part.as_str())
            }
            (_, MatchOperand::Regex(regex)) => {
                !matches!(cell, CellValue::Null) && regex.is_match(&cell.as_text())
            }
            (Predicate::Order { less, equal, greater }, _) => match self.order(cell, operand) {
                Some(Ordering::Less) => less,
                Some(Ordering::Equal) => equal,
                Some(Ordering::Greater) => greater,
                None => false,
            },
            _ => self.order(cell, operand) == Some(Ordering::Equal),
        }
    }

    /// `None` if the two cannot be compared: no value, or text in a numeric column.
    fn order(&self, cell: &CellValue<'_>, operand: &MatchOperand) -> Option<Ordering> {
        match operand {
            MatchOperand::Number(right) => match cell {
                CellValue::Number(left) => Some(left.order(*right)),
                CellValue::Text(text) => Number::parse(text).map(|left| left.order(*right)),
                _ => None,
            },
            MatchOperand::Time(right) => match cell {
                CellValue::Time(left) => Some(left.cmp(right)),
                CellValue::Text(text) => parse_time(text).map(|left| left.cmp(right)),
                _ => None,
            },
            MatchOperand::Text(right) => match cell {
                CellValue::Null | CellValue::List(_) => None,
                _ => Some(fold(&cell.as_text(), self.ignore_case).as_ref().cmp(right.as_str())),
            },
            MatchOperand::Regex(_) => None,
        }
    }
}

impl MatchOperand {
    fn read(kind: CellKind, text: &str, ignore_case: bool) -> Result<Self, String> {
        match kind {
            CellKind::Text | CellKind::Tag => Ok(Self::Text(fold(text, ignore_case).into_owned())),
            CellKind::Number => Number::parse(text)
                .map(Self::Number)
                .ok_or_else(|| format!("value: `{text}` is not a number.")),
            CellKind::Time => parse_time(text).map(Self::Time).ok_or_else(|| {
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
