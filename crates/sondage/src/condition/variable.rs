//! A variable to compare, and its comparisons.

use super::Expression;
use super::test::{Form, Test};
use super::value::{ConditionTime, ConditionValue, Operand};
use crate::model::{ConditionOperator, ConditionType, VariableType};

/// As the table calls it.
type Text = String;

/// A variable that a condition can compare. Its methods are the comparisons.
#[allow(clippy::struct_field_names)] // the table sets the field by the API's word
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    condition_type: ConditionType,
    identifier: String,
    form: Form,
    variable_type: Option<VariableType>,
    json_path: Option<String>,
}

impl Variable {
    pub(super) fn new(condition_type: ConditionType, identifier: String) -> Self {
        Self { condition_type, identifier, form: Form::Usual, variable_type: None, json_path: None }
    }

    /// Compares with an operator of the API.
    pub fn compare(self, operator: ConditionOperator, value: Operand) -> Expression {
        Expression::Test(Test {
            condition_type: self.condition_type,
            identifier: self.identifier,
            operator,
            value,
            form: self.form,
            variable_type: self.variable_type,
            json_path: self.json_path,
        })
    }
}

macro_rules! expand {
    (variables { $($variables:tt)* }
     forms { $($(#[doc = $form_doc:literal])* $form:ident $Form:ident;)* }
     with { $($(#[doc = $with_doc:literal])* $with:ident $With:ident $argument:ident $field:ident;)* }
     one { $($(#[doc = $one_doc:literal])* $one:ident $One:ident;)* }
     time { $($(#[doc = $time_doc:literal])* $time:ident $Time:ident;)* }
     many { $($(#[doc = $many_doc:literal])* $many:ident $Many:ident;)* }
     each { $($(#[doc = $each_doc:literal])* $each:ident $Each:ident;)* }
     nothing { $($(#[doc = $nothing_doc:literal])* $nothing:ident $Nothing:ident;)* }) => {
        impl Variable {
            $($(#[doc = $form_doc])*
            #[must_use]
            pub fn $form(self) -> Self {
                Self { form: Form::$Form, ..self }
            }
            )*
            $($(#[doc = $with_doc])*
            #[must_use]
            pub fn $with(self, $argument: impl Into<$With>) -> Self {
                Self { $field: Some($argument.into()), ..self }
            }
            )*
            $($(#[doc = $one_doc])*
            pub fn $one(self, value: impl Into<ConditionValue>) -> Expression {
                self.compare(ConditionOperator::$One, Operand::One(value.into()))
            })*
            $($(#[doc = $time_doc])*
            pub fn $time(self, time: impl Into<ConditionTime>) -> Expression {
                self.compare(ConditionOperator::$Time, Operand::One(ConditionValue::Time(time.into())))
            })*
            $($(#[doc = $many_doc])*
            pub fn $many<V: Into<ConditionValue>>(self, values: impl IntoIterator<Item = V>) -> Expression {
                self.compare(ConditionOperator::$Many, Operand::Many(values.into_iter().map(Into::into).collect()))
            })*
            $($(#[doc = $each_doc])*
            pub fn $each<V: Into<ConditionValue>>(self, values: impl IntoIterator<Item = V>) -> Expression {
                let test = |value: V| self.clone().compare(ConditionOperator::$Each, Operand::One(value.into()));
                Expression::And(values.into_iter().map(test).collect())
            })*
            $($(#[doc = $nothing_doc])*
            pub fn $nothing(self) -> Expression {
                self.compare(ConditionOperator::$Nothing, Operand::Nothing)
            })*
        }
    };
}
crate::comparisons!(expand);
