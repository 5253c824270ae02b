//! A variable to compare, and its comparisons.

use super::Expression;
use super::test::{Form, Test};
use super::value::{ConditionTime, ConditionValue, Operand};
use crate::model::{ConditionOperator, ConditionType, VariableType};

/// A variable that a condition can compare. Its methods are the comparisons.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    condition_type: ConditionType,
    identifier: String,
    form: Form,
    holds: Option<VariableType>,
    json_path: Option<String>,
}

impl Variable {
    pub(super) fn new(condition_type: ConditionType, identifier: String) -> Self {
        Self { condition_type, identifier, form: Form::Usual, holds: None, json_path: None }
    }

    /// Sends the identifier with its prefix: `member.Division`, `custom.Source`.
    #[must_use]
    pub fn prefixed(self) -> Self {
        Self { form: Form::Prefixed, ..self }
    }

    /// Sends the identifier without a prefix, as given.
    #[must_use]
    pub fn bare(self) -> Self {
        Self { form: Form::Bare, ..self }
    }

    /// Sets the data type of the variable, where the service cannot know it.
    // API 11.6, published
    #[must_use]
    pub fn of_type(self, variable_type: VariableType) -> Self {
        Self { holds: Some(variable_type), ..self }
    }

    /// Compares the value at a path inside a variable that holds JSON. The syntax of the path is not
    /// published.
    // API 11.6, published
    #[must_use]
    pub fn at_json_path(self, path: impl Into<String>) -> Self {
        Self { json_path: Some(path.into()), ..self }
    }

    /// Compares with an operator of the API.
    pub fn compare(self, operator: ConditionOperator, value: Operand) -> Expression {
        Expression::Test(Test {
            condition_type: self.condition_type,
            identifier: self.identifier,
            operator,
            value,
            form: self.form,
            variable_type: self.holds,
            json_path: self.json_path,
        })
    }

    /// Equal to any of the values: `AnyIsEqual`. No value may contain a comma, because the service separates them by
    /// commas; join `is_equal_to` tests with `|` instead.
    pub fn is_in<V: Into<ConditionValue>>(self, values: impl IntoIterator<Item = V>) -> Expression {
        self.any_is_equal(values)
    }

    /// Different from each of the values: an `IsNotEqualTo` for each, because it is not published how `AnyIsNotEqual`
    /// combines them.
    pub fn is_not_in<V: Into<ConditionValue>>(self, values: impl IntoIterator<Item = V>) -> Expression {
        Expression::And(values.into_iter().map(|value| self.clone().is_not_equal_to(value)).collect())
    }

    /// Later than this timestamp.
    pub fn is_after(self, time: impl Into<ConditionTime>) -> Expression {
        self.is_greater_than(time.into())
    }

    /// At this timestamp or later.
    pub fn is_since(self, time: impl Into<ConditionTime>) -> Expression {
        self.is_greater_than_or_equal_to(time.into())
    }

    /// Earlier than this timestamp.
    pub fn is_before(self, time: impl Into<ConditionTime>) -> Expression {
        self.is_less_than(time.into())
    }

    /// At this timestamp or earlier.
    pub fn is_until(self, time: impl Into<ConditionTime>) -> Expression {
        self.is_less_than_or_equal_to(time.into())
    }
}

macro_rules! comparisons {
    (one { $($(#[doc = $doc:literal])* $one:ident $One:ident;)* }
     many { $($(#[doc = $many_doc:literal])* $many:ident $Many:ident;)* }
     nothing { $($(#[doc = $nothing_doc:literal])* $nothing:ident $Nothing:ident;)* }) => {
        impl Variable {
            $($(#[doc = $doc])*
            pub fn $one(self, value: impl Into<ConditionValue>) -> Expression {
                self.compare(ConditionOperator::$One, Operand::One(value.into()))
            })*
            $($(#[doc = $many_doc])*
            pub fn $many<V: Into<ConditionValue>>(self, values: impl IntoIterator<Item = V>) -> Expression {
                self.compare(ConditionOperator::$Many, Operand::Many(values.into_iter().map(Into::into).collect()))
            })*
            $($(#[doc = $nothing_doc])*
            pub fn $nothing(self) -> Expression {
                self.compare(ConditionOperator::$Nothing, Operand::Nothing)
            })*
        }
    };
}

comparisons! {
    one {
        /// Less than the value.
        is_less_than IsLessThan;
        /// Less than the value or equal to it.
        is_less_than_or_equal_to IsLessThanOrEqualTo;
        /// Greater than the value.
        is_greater_than IsGreaterThan;
        /// Greater than the value or equal to it.
        is_greater_than_or_equal_to IsGreaterThanOrEqualTo;
        /// Equal to the value.
        is_equal_to IsEqualTo;
        /// Not equal to the value.
        is_not_equal_to IsNotEqualTo;
        /// Contains the text.
        contains Contains;
        /// Does not contain the text.
        does_not_contain DoesNotContain;
        /// Matches the regular expression. Its dialect is not published.
        matches MatchRegex;
        /// Does not match the regular expression.
        does_not_match DoesNotMatchRegex;
    }
    many {
        /// Equal to any of the values. No value may contain a comma.
        any_is_equal AnyIsEqual;
        /// `AnyIsNotEqual` of the service. How it counts is not published: `is_not_in` is certain.
        any_is_not_equal AnyIsNotEqual;
        /// Matches any of the regular expressions. None may contain a comma.
        any_matches AnyMatchRegex;
        /// `AnyDoesNotMatchRegex` of the service. How it counts is not published.
        any_does_not_match AnyDoesNotMatchRegex;
    }
    nothing {
        /// Has no value.
        is_empty IsEmpty;
        /// Has a value.
        is_not_empty IsNotEmpty;
        /// Any of its values is empty.
        any_is_empty AnyIsEmpty;
        /// Any of its values is not empty.
        any_is_not_empty AnyIsNotEmpty;
    }
}
