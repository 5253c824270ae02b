//! One test, and the condition it becomes.

use super::operators::{self, Takes};
use super::value::{ConditionValue, Operand};
use crate::error::{Error, Result, Text};
use crate::model::{Condition, ConditionOperator, ConditionType, Conjunction, VariableType};
use crate::text;
use serde::{Deserialize, Serialize};

/// How the identifier of a variable is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Form {
    /// As the specification has it: a panel field without a prefix, a custom variable with `custom.`.
    // API 11.1; API 11.4, published
    #[default]
    Usual,
    /// Without a prefix, as given.
    Bare,
    /// With the prefix `member.` or `custom.`, unless it is already there.
    // API 11.4, published
    Prefixed,
}

/// One test: a variable compared with a value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Test {
    /// The variable's type.
    pub condition_type: ConditionType,
    /// Its name.
    pub identifier: String,
    /// How it is compared.
    pub operator: ConditionOperator,
    /// The value to compare with.
    pub value: Operand,
    /// How the identifier is written.
    pub form: Form,
    /// The data type of the variable, where the service cannot know it.
    pub variable_type: Option<VariableType>,
    /// The path inside a variable that holds JSON.
    pub json_path: Option<String>,
}

impl Test {
    /// The same test with the negated operator.
    pub(super) fn opposite(&self) -> Result<Self> {
        let operator = operators::opposite(&self.operator).ok_or_else(|| {
            self.error(text!("the service has no operator for the negation of `{}`", self.operator))
                .with_hint(
                    "Write the condition that should hold instead; `is_not_in` is the negation of `is_in`.",
                )
        })?;
        Ok(Self { operator, ..self.clone() })
    }

    /// The condition that is sent.
    pub(super) fn condition(&self, conjunction: Conjunction) -> Result<Condition> {
        let identifier = self.identifier()?;
        let value = self.value()?;
        let mut condition = Condition::new(
            conjunction,
            self.condition_type.clone(),
            identifier,
            self.operator.clone(),
            value,
        );
        condition.variable_type.clone_from(&self.variable_type);
        if let Some(path) = &self.json_path {
            condition.json_value = Some(true);
            condition.json_path = Some(path.clone());
        }
        Ok(condition)
    }

    fn identifier(&self) -> Result<String> {
        if self.identifier.trim().is_empty() {
            return Err(Error::invalid_argument("the identifier of a condition is empty"));
        }
        if let Some(wrong) = self.identifier.chars().find(|c| !allowed(*c)) {
            return Err(self.error(text!("the service allows no {wrong:?} in an identifier")).with_hint(
                "Use its name in the panel or survey: letters, digits and _ ( ) + - * / . % and spaces.",
            ));
        }
        let (prefix, usual) = match self.condition_type {
            ConditionType::Panel => ("member.", false),
            ConditionType::CustomVariable => ("custom.", true),
            _ => ("", false),
        };
        let expected = match self.form {
            Form::Usual => usual,
            Form::Bare => false,
            Form::Prefixed => true,
        };
        if expected && !self.identifier.starts_with(prefix) {
            return Ok(format!("{prefix}{}", self.identifier));
        }
        Ok(self.identifier.clone())
    }

    fn value(&self) -> Result<String> {
        match (operators::takes(&self.operator), &self.value) {
            (Some(Takes::Nothing) | None, Operand::Nothing) => Ok(String::new()),
            (Some(Takes::One) | None, Operand::One(value)) => self.render(value),
            (Some(Takes::Many), Operand::One(value)) => self.list(std::slice::from_ref(value)),
            (Some(Takes::Many) | None, Operand::Many(values)) => self.list(values),
            (Some(Takes::Nothing), _) => Err(self.error(text!("`{}` takes no value", self.operator))),
            (_, Operand::Nothing) => Err(self.error(text!("`{}` needs a value", self.operator))),
            (Some(Takes::One), Operand::Many(_)) => Err(self
                .error(text!("`{}` takes one value, not a list", self.operator))
                .with_hint("Use `is_in` for a list.")),
        }
    }

    fn render(&self, value: &ConditionValue) -> Result<String> {
        value.render().map_err(|why| self.error(why))
    }

    fn list(&self, values: &[ConditionValue]) -> Result<String> {
        if values.is_empty() {
            return Err(self
                .error("its list of values is empty, so nothing can match")
                .with_hint("Leave the call out when there is nothing to look for."));
        }
        let texts = values.iter().map(|value| self.render(value)).collect::<Result<Vec<_>>>()?;
        if texts.iter().any(|text| text.contains(',')) {
            return Err(self
                .error(text!(
                    "a value contains a comma, but `{}` separates its values by commas, and no way to escape one is \
                     published",
                    self.operator
                ))
                .with_hint(
                    "Write one test for each value (`is_equal_to`, `matches`, which take commas) and join them with `|`.",
                ));
        }
        Ok(texts.join(","))
    }

    /// The error names the identifier and never the value, which may be personal data.
    fn error(&self, why: impl Into<Text>) -> Error {
        let why = why.into();
        Error::invalid_argument(text!("the condition on `{}` cannot be sent: {why}", self.identifier))
    }
}

/// A condition as a request has it.
impl TryFrom<Condition> for Test {
    type Error = Error;

    fn try_from(condition: Condition) -> Result<Self> {
        if condition.json_value == Some(true) && condition.json_path.is_none() {
            let name = &condition.identifier;
            return Err(Error::invalid_argument(text!("the condition on `{name}` has JSON without a path")));
        }
        let text = condition.value;
        let value = match operators::takes(&condition.condition_operator) {
            Some(Takes::Many) => Operand::Many(text.split(',').map(ConditionValue::from).collect()),
            Some(Takes::Nothing) | None if text.is_empty() => Operand::Nothing,
            Some(Takes::One | Takes::Nothing) | None => Operand::One(text.into()),
        };
        Ok(Self {
            condition_type: condition.condition_type,
            identifier: condition.identifier,
            operator: condition.condition_operator,
            value,
            form: Form::Bare,
            variable_type: condition.variable_type,
            json_path: condition.json_path,
        })
    }
}

/// The characters that the published pattern of an identifier allows.
fn allowed(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '0'..='9' | 'À'..='ž' | '\u{370}'..='\u{3FF}' | '\u{400}'..='\u{4FF}')
        || "_()+-*/. %".contains(c)
}
