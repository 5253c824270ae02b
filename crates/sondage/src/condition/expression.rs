//! Tests joined with And and Or, and their serialised form.

use super::test::{Form, Test};
use super::value::Operand;
use crate::error::{Error, Result};
use crate::model::{Condition, ConditionOperator, ConditionType, Conjunction, VariableType};
use crate::text;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{BitAnd, BitOr, Not};

/// A filter. [`Expression::compile`] turns it into the conditions of a request.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "Data")]
pub enum Expression {
    /// One test.
    Test(Test),
    /// All of these.
    And(Vec<Expression>),
    /// Any of these.
    Or(Vec<Expression>),
    /// The opposite.
    Not(Box<Expression>),
}

impl Expression {
    /// All of these. An empty list is an error when it is compiled: a filter without tests would match
    /// everybody.
    pub fn all(of: impl IntoIterator<Item = Self>) -> Self {
        Self::And(of.into_iter().collect())
    }

    /// Any of these.
    pub fn any(of: impl IntoIterator<Item = Self>) -> Self {
        Self::Or(of.into_iter().collect())
    }

    /// The same filter with every identifier written in one form.
    #[must_use]
    pub fn written(self, form: Form) -> Self {
        let each = |of: Vec<Self>| of.into_iter().map(|inner| inner.written(form)).collect();
        match self {
            Self::Test(test) => Self::Test(Test { form, ..test }),
            Self::And(of) => Self::And(each(of)),
            Self::Or(of) => Self::Or(each(of)),
            Self::Not(inner) => Self::Not(Box::new(inner.written(form))),
        }
    }
}

impl BitAnd for Expression {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        match (self, other) {
            (Self::And(mut of), Self::And(more)) => {
                of.extend(more);
                Self::And(of)
            }
            (Self::And(mut of), other) => {
                of.push(other);
                Self::And(of)
            }
            (one, Self::And(mut of)) => {
                of.insert(0, one);
                Self::And(of)
            }
            (one, other) => Self::And(vec![one, other]),
        }
    }
}

impl BitOr for Expression {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        match (self, other) {
            (Self::Or(mut of), Self::Or(more)) => {
                of.extend(more);
                Self::Or(of)
            }
            (Self::Or(mut of), other) => {
                of.push(other);
                Self::Or(of)
            }
            (one, Self::Or(mut of)) => {
                of.insert(0, one);
                Self::Or(of)
            }
            (one, other) => Self::Or(vec![one, other]),
        }
    }
}

impl Not for Expression {
    type Output = Self;

    fn not(self) -> Self {
        Self::Not(Box::new(self))
    }
}

/// Conditions as a request has them: those up to the next Or must all hold.
impl TryFrom<Vec<Condition>> for Expression {
    type Error = Error;

    fn try_from(conditions: Vec<Condition>) -> Result<Self> {
        let mut any: Vec<Vec<Self>> = Vec::new();
        for condition in conditions {
            let starts_another = match &condition.conjunction {
                Conjunction::Or => true,
                Conjunction::And => any.is_empty(),
                other => {
                    return Err(Error::invalid_argument(text!(
                        "the condition on `{}` is joined by `{}`, which a filter cannot express",
                        condition.identifier,
                        other.as_str().to_owned()
                    )));
                }
            };
            if starts_another {
                any.push(Vec::new());
            }
            let test = Test::try_from(condition)?;
            if let Some(all) = any.last_mut() {
                all.push(Self::Test(test));
            }
        }
        Ok(match any.len() {
            1 => Self::And(any.remove(0)),
            _ => Self::Or(any.into_iter().map(Self::And).collect()),
        })
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(ExpressionVisitor)
    }
}

struct ExpressionVisitor;

impl<'de> Visitor<'de> for ExpressionVisitor {
    type Value = Expression;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a filter, or a list of conditions")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<Expression, A::Error> {
        let data = Data::deserialize(MapAccessDeserializer::new(map))?;
        Expression::try_from(data).map_err(A::Error::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> std::result::Result<Expression, A::Error> {
        let conditions = Vec::<Condition>::deserialize(SeqAccessDeserializer::new(seq))?;
        Expression::try_from(conditions).map_err(A::Error::custom)
    }
}

/// The serialised form of an expression: exactly one of `and`, `or`, `not`, or a test.
#[derive(Default, Serialize, Deserialize)]
#[serde(expecting = "a condition, an object")]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Data {
    #[serde(skip_serializing_if = "Option::is_none")]
    and: Option<Vec<Expression>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    or: Option<Vec<Expression>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not: Option<Box<Expression>>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    condition_type: Option<ConditionType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identifier: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator: Option<ConditionOperator>,
    #[serde(skip_serializing_if = "nothing")]
    value: Operand,
    #[serde(skip_serializing_if = "usual")]
    form: Form,
    #[serde(skip_serializing_if = "Option::is_none")]
    variable_type: Option<VariableType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_path: Option<String>,
}

fn nothing(value: &Operand) -> bool {
    *value == Operand::Nothing
}

#[allow(clippy::trivially_copy_pass_by_ref)] // The signature that serde requires
fn usual(form: &Form) -> bool {
    *form == Form::Usual
}

impl TryFrom<Data> for Expression {
    type Error = &'static str;

    fn try_from(data: Data) -> std::result::Result<Self, &'static str> {
        let test = data.identifier.is_some() || data.operator.is_some() || data.value != Operand::Nothing;
        match (data.and, data.or, data.not, test || data.condition_type.is_some()) {
            (Some(of), None, None, false) => Ok(Self::And(of)),
            (None, Some(of), None, false) => Ok(Self::Or(of)),
            (None, None, Some(inner), false) => Ok(Self::Not(inner)),
            (None, None, None, true) => Ok(Self::Test(Test {
                condition_type: data.condition_type.ok_or("a test needs `type`, for example `Panel`")?,
                identifier: data
                    .identifier
                    .ok_or("a test needs `identifier`: the name of what it compares")?,
                operator: data.operator.ok_or("a test needs `operator`, for example `IsEqualTo`")?,
                value: data.value,
                form: data.form,
                variable_type: data.variable_type,
                json_path: data.json_path,
            })),
            _ => Err(
                "an expression is one of `and`, `or`, `not`, or a test with `type`, `identifier` and `operator`",
            ),
        }
    }
}

impl From<Expression> for Data {
    fn from(expression: Expression) -> Self {
        match expression {
            Expression::And(of) => Self { and: Some(of), ..Self::default() },
            Expression::Or(of) => Self { or: Some(of), ..Self::default() },
            Expression::Not(inner) => Self { not: Some(inner), ..Self::default() },
            Expression::Test(test) => Self {
                condition_type: Some(test.condition_type),
                identifier: Some(test.identifier),
                operator: Some(test.operator),
                value: test.value,
                form: test.form,
                variable_type: test.variable_type,
                json_path: test.json_path,
                ..Self::default()
            },
        }
    }
}
