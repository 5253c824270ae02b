//! Filters as a person reads them: `Division = "Sales" and (Language in ["de", "at"] or question(NPS) < 7)`.

use super::{ConditionValue, Expression, Operand, Test};
use crate::model::{ConditionOperator, ConditionType};
use std::fmt::{Display, Formatter, Result};

/// How kinds of variables are written: `question(NPS)`. The name of a field of a panel stands alone, too.
pub(super) const KINDS: [(&str, ConditionType); 5] = [
    ("panel", ConditionType::Panel),
    ("question", ConditionType::Question),
    ("custom", ConditionType::CustomVariable),
    ("url", ConditionType::UrlVariable),
    ("column", ConditionType::SQL),
];

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Test(test) => test.fmt(f),
            Self::And(of) => {
                joined(f, of, " and ", |part| matches!(part, Self::Or(parts) if parts.len() > 1))
            }
            Self::Or(of) => joined(f, of, " or ", |part| matches!(part, Self::And(parts) if parts.len() > 1)),
            Self::Not(inner) => write!(f, "not ({inner})"),
        }
    }
}

/// Parts of the other kind stand in brackets.
fn joined(f: &mut Formatter<'_>, of: &[Expression], word: &str, is_other: fn(&Expression) -> bool) -> Result {
    for (place, part) in of.iter().enumerate() {
        f.write_str(if place == 0 { "" } else { word })?;
        if is_other(part) && of.len() > 1 { write!(f, "({part})")? } else { part.fmt(f)? }
    }
    Ok(())
}

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let name = Name(&self.identifier);
        match (&self.condition_type, KINDS.iter().find(|(_, kind)| *kind == self.condition_type)) {
            (ConditionType::Panel, _) => write!(f, "{name}")?,
            (_, Some((word, _))) => write!(f, "{word}({name})")?,
            (other, None) => write!(f, "{other}({name})")?,
        }
        if let Some(path) = &self.json_path {
            write!(f, " at {path}")?;
        }
        write!(f, " {}", words(&self.operator))?;
        match &self.value {
            Operand::Nothing => Ok(()),
            Operand::One(value) => write!(f, " {}", Shown(value)),
            Operand::Many(values) => {
                f.write_str(" [")?;
                for (place, value) in values.iter().enumerate() {
                    write!(f, "{}{}", if place == 0 { "" } else { ", " }, Shown(value))?;
                }
                f.write_str("]")
            }
        }
    }
}

/// A sign, or the words of the operator's name.
pub(super) fn words(operator: &ConditionOperator) -> String {
    let sign = match operator {
        ConditionOperator::IsEqualTo => "=",
        ConditionOperator::IsNotEqualTo => "!=",
        ConditionOperator::IsLessThan => "<",
        ConditionOperator::IsLessThanOrEqualTo => "<=",
        ConditionOperator::IsGreaterThan => ">",
        ConditionOperator::IsGreaterThanOrEqualTo => ">=",
        ConditionOperator::AnyIsEqual => "in",
        other => {
            let mut text = String::new();
            for letter in other.as_str().chars() {
                if letter.is_uppercase() && !text.is_empty() {
                    text.push(' ');
                }
                text.extend(letter.to_lowercase());
            }
            return text;
        }
    };
    sign.to_owned()
}

/// A name, in quotes if it is not plain words.
struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let is_plain = self.0.chars().all(|c| c.is_alphanumeric() || "_.-%+*/ ".contains(c));
        if is_plain { f.write_str(self.0) } else { write!(f, "{:?}", self.0) }
    }
}

struct Shown<'a>(&'a ConditionValue);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0 {
            ConditionValue::Text(text) => write!(f, "{text:?}"),
            other => match other.render() {
                Ok(text) => write!(f, "{text}"),
                Err(_) => write!(f, "{other:?}"),
            },
        }
    }
}
