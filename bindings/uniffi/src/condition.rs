//! Filters: what can be compared, and how comparisons are joined. The core checks them and makes the conditions of them.

use crate::convert::{ConversionError, IntoFfi, TryFromFfi};
use crate::{Condition, ConditionOperator, ConditionType, SondageError, VariableType};
use sondage::condition::{self as core, ConditionTime, ConditionValue, Operand};
use std::sync::Arc;
use std::time::SystemTime;

/// What was built so far, or what is wrong with it. It is reported when conditions are made of it, so that building a
/// filter never fails.
type Built<T> = Result<T, String>;

/// Something that a condition can look at: `field("Division")`. Its functions are the comparisons.
#[derive(uniffi::Object)]
pub struct Variable(Built<core::Variable>);

/// Which rows are meant: a comparison, or several that are joined.
#[derive(uniffi::Object)]
pub struct Filter(Built<core::Expression>);

/// What something is compared with.
#[derive(Debug, uniffi::Enum)]
pub enum Comparand {
    /// Text, sent as it is.
    Text {
        /// The text.
        value: String,
    },
    /// An integer.
    Int {
        /// The number.
        value: i64,
    },
    /// A number with decimals. It must be finite.
    Float {
        /// The number.
        value: f64,
    },
    /// True or false.
    Bool {
        /// The boolean.
        value: bool,
    },
    /// A timestamp.
    Time {
        /// The time. What is finer than milliseconds is cut off.
        value: SystemTime,
    },
}

macro_rules! variables {
    ($($(#[doc = $doc:literal])* $name:ident;)*) => { $(
        $(#[doc = $doc])*
        #[uniffi::export]
        pub fn $name(name: String) -> Variable {
            Variable(Ok(core::$name(name)))
        }
    )* };
}

variables! {
    /// A field of a panel or sample, for example `Division` (type `Panel`).
    // API 11.1
    field;
    /// A question of a survey, by its code (type `Question`).
    // API 11.3, published
    question;
    /// A custom variable of a survey (type `CustomVariable`).
    // API 11.3, published
    custom;
    /// A variable from the address of an interview (type `UrlVariable`).
    // API 11.3, published
    url;
    /// A column of the service's own (type `SQL`), for example `UpdatedAt` or `State`.
    // API 11.3, published
    column;
}

/// Anything that a condition can look at.
#[uniffi::export]
pub fn variable(condition_type: ConditionType, identifier: String) -> Variable {
    Variable(taken(condition_type, "condition_type").map(|of| core::variable(of, identifier)))
}

#[uniffi::export]
#[allow(clippy::must_use_candidate, clippy::return_self_not_must_use)] // Kotlin and Swift do not see it
impl Variable {
    /// The same, sent with its prefix: `member.Division`, `custom.Source`.
    pub fn prefixed(&self) -> Self {
        Self(self.0.clone().map(core::Variable::prefixed))
    }

    /// The same, sent as it is written, without a prefix.
    pub fn bare(&self) -> Self {
        Self(self.0.clone().map(core::Variable::bare))
    }

    /// The same with the kind of value that it holds, where the service cannot know.
    // API 11.6, published
    pub fn of_type(&self, variable_type: VariableType) -> Self {
        let of_type = |variable: core::Variable| Ok(variable.of_type(taken(variable_type, "variable_type")?));
        Self(self.0.clone().and_then(of_type))
    }

    /// A place inside a variable that holds JSON. The form of the path is not known.
    // API 11.6, published
    pub fn at_json_path(&self, path: String) -> Self {
        Self(self.0.clone().map(|variable| variable.at_json_path(path)))
    }

    /// Compares with one value, by an operator of the API.
    pub fn compare(&self, comparison: ConditionOperator, value: Comparand) -> Filter {
        self.tested(comparison, taken(value, "value").map(Operand::One))
    }

    /// Compares with several values, by one of the `Any` operators of the API.
    pub fn compare_any(&self, comparison: ConditionOperator, values: Vec<Comparand>) -> Filter {
        self.tested(comparison, taken(values, "values").map(Operand::Many))
    }

    /// Looks whether there is a value, by one of the `Empty` operators of the API.
    pub fn test(&self, comparison: ConditionOperator) -> Filter {
        self.tested(comparison, Ok(Operand::Nothing))
    }
}

impl Variable {
    fn tested(&self, comparison: ConditionOperator, operand: Built<Operand>) -> Filter {
        let test =
            |variable: core::Variable| Ok(variable.compare(taken(comparison, "comparison")?, operand?));
        Filter(self.0.clone().and_then(test))
    }
}

/// All of these. Of none of them no conditions can be made: a filter without tests lets everybody through.
#[uniffi::export]
pub fn all_of(filters: &[Arc<Filter>]) -> Filter {
    Filter(parts(filters).map(core::Expression::And))
}

/// Any of these.
#[uniffi::export]
pub fn any_of(filters: &[Arc<Filter>]) -> Filter {
    Filter(parts(filters).map(core::Expression::Or))
}

fn parts(filters: &[Arc<Filter>]) -> Built<Vec<core::Expression>> {
    filters.iter().map(|filter| filter.0.clone()).collect()
}

#[uniffi::export]
#[allow(clippy::must_use_candidate, clippy::return_self_not_must_use)]
impl Filter {
    /// The opposite.
    pub fn negated(&self) -> Self {
        Self(self.0.clone().map(|expression| !expression))
    }

    /// The conditions that a request carries.
    pub fn conditions(&self) -> Result<Vec<Condition>, SondageError> {
        Ok(self.compiled()?.into_ffi())
    }
}

impl Filter {
    fn compiled(&self) -> sondage::Result<Vec<sondage::model::Condition>> {
        self.0.clone().map_err(sondage::Error::invalid_argument)?.compile()
    }
}

/// The conditions of a request, which are given as such or as a filter.
pub fn conditions(
    given: Option<Vec<Condition>>,
    filter: Option<Arc<Filter>>,
) -> Result<Option<Vec<sondage::model::Condition>>, ConversionError> {
    match (given, filter) {
        (Some(_), Some(_)) => {
            Err(ConversionError::new("cannot be given beside `where`: it is the same as a filter"))
        }
        (given, None) => given.try_from_ffi(),
        (None, Some(filter)) => match filter.compiled() {
            Ok(conditions) => Ok(Some(conditions)),
            Err(error) => Err(ConversionError::refused(error)),
        },
    }
}

impl TryFromFfi<core::Expression> for Arc<Filter> {
    fn try_from_ffi(self) -> Result<core::Expression, ConversionError> {
        self.0.clone().map_err(|what| ConversionError::refused(sondage::Error::invalid_argument(what)))
    }
}

impl TryFromFfi<ConditionValue> for Comparand {
    fn try_from_ffi(self) -> Result<ConditionValue, ConversionError> {
        Ok(match self {
            Self::Text { value } => ConditionValue::Text(value),
            Self::Int { value } => ConditionValue::Int(value),
            Self::Float { value } => ConditionValue::Float(value),
            Self::Bool { value } => ConditionValue::Bool(value),
            Self::Time { value } => {
                let time: sondage::Timestamp = value.try_from_ffi()?;
                ConditionValue::Time(ConditionTime::from(time))
            }
        })
    }
}

fn taken<T>(value: impl TryFromFfi<T>, name: &str) -> Built<T> {
    value.try_from_ffi().map_err(|wrong| wrong.in_field(name).into_argument_error().what().to_owned())
}
