//! Filters: variables, and comparisons that are joined. The core checks them and compiles them to conditions.

use crate::convert::{ConversionError, IntoFfi, TryFromFfi};
use crate::{Condition, ConditionOperator, ConditionType, SondageError, VariableType};
use sondage::condition::{self as core, ConditionTime, ConditionValue, Operand};
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

/// The core's types, as its table calls them.
mod table {
    pub use sondage::model::VariableType;
    pub type Text = String;
}
use table::Text;

/// The filter so far, or its first error. The error is reported when it is compiled, so that building a filter never
/// fails.
type Built<T> = Result<T, String>;

/// A variable that a condition can compare: `field("Division")`. Its functions are the comparisons.
#[derive(uniffi::Object)]
pub struct Variable(Built<core::Variable>);

/// A filter: a comparison, or several that are joined.
#[derive(uniffi::Object)]
#[uniffi::export(Display)]
pub struct Filter(Built<core::Expression>);

/// A value to compare with.
#[derive(Debug, uniffi::Enum)]
pub enum Comparand {
    /// Text, sent unchanged.
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
    /// A boolean.
    Bool {
        /// The boolean.
        value: bool,
    },
    /// A timestamp.
    Time {
        /// A timestamp. Fractions finer than milliseconds are truncated.
        value: SystemTime,
    },
}

macro_rules! variables {
    (variables { $($(#[doc = $doc:literal])* $name:ident $Type:ident $($argument:ident)?;)* }
     forms { $($(#[doc = $form_doc:literal])* $form:ident $Form:ident;)* }
     with { $($(#[doc = $with_doc:literal])* $with:ident $With:ident $value:ident $field:ident;)* }
     $($comparisons:tt)*) => {
        /// The same as `panel`.
        ///
        /// - `name`: The name of the field.
        #[uniffi::export]
        pub fn field(name: String) -> Variable {
            Variable(Ok(core::field(name)))
        }
        $(
            $(#[doc = $doc])*
            ///
            /// - `name`: The name.
            #[uniffi::export]
            pub fn $name(name: String) -> Variable {
                Variable(Ok(core::$name(name)))
            }
        )*

        #[uniffi::export]
        #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use)] // Kotlin and Swift do not see it
        impl Variable {
            $(
                $(#[doc = $form_doc])*
                pub fn $form(&self) -> Self {
                    Self(self.0.clone().map(core::Variable::$form))
                }
            )*
            $(
                $(#[doc = $with_doc])*
                pub fn $with(&self, $value: $With) -> Self {
                    let with = |variable: core::Variable| Ok(variable.$with(taken::<table::$With>($value, stringify!($value))?));
                    Self(self.0.clone().and_then(with))
                }
            )*
        }
    };
}
sondage::comparisons!(variables);

/// A variable of any type that a condition can compare.
///
/// - `condition_type`: The type.
/// - `identifier`: The name by which the service knows it.
#[uniffi::export]
pub fn variable(condition_type: ConditionType, identifier: String) -> Variable {
    Variable(taken(condition_type, "condition_type").map(|of| core::variable(of, identifier)))
}

#[uniffi::export]
#[allow(clippy::must_use_candidate, clippy::return_self_not_must_use)] // not visible in Kotlin and Swift
impl Variable {
    /// Compares with one value, by an operator of the API.
    ///
    /// - `comparison`: The operator.
    /// - `value`: The value.
    pub fn compare(&self, comparison: ConditionOperator, value: Comparand) -> Filter {
        self.tested(comparison, taken(value, "value").map(Operand::One))
    }

    /// Compares with several values, by one of the `Any` operators of the API.
    ///
    /// - `comparison`: The operator.
    /// - `values`: The values.
    pub fn compare_any(&self, comparison: ConditionOperator, values: Vec<Comparand>) -> Filter {
        self.tested(comparison, taken(values, "values").map(Operand::Many))
    }

    /// Tests whether there is a value, by one of the `Empty` operators of the API.
    ///
    /// - `comparison`: The operator.
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

/// All of these. An empty list cannot be compiled: a filter without tests would match everybody.
///
/// - `filters`: The filters.
#[uniffi::export]
pub fn all_of(filters: &[Arc<Filter>]) -> Filter {
    Filter(parts(filters).map(core::Expression::And))
}

/// Any of these.
///
/// - `filters`: The filters.
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

    /// The conditions for a request.
    pub fn conditions(&self) -> Result<Vec<Condition>, SondageError> {
        Ok(self.compiled()?.into_ffi())
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Ok(expression) => fmt::Display::fmt(expression, f),
            Err(why) => f.write_str(why),
        }
    }
}

impl Filter {
    fn compiled(&self) -> sondage::Result<Vec<sondage::model::Condition>> {
        self.0.clone().map_err(sondage::Error::invalid_argument)?.compile()
    }
}

/// The conditions of a request, given directly or as a filter.
pub fn conditions(
    given: Option<Vec<Condition>>,
    filter: Option<Arc<Filter>>,
) -> Result<Option<Vec<sondage::model::Condition>>, ConversionError> {
    match (given, filter) {
        (Some(_), Some(_)) => {
            Err(ConversionError::new("cannot be given together with `where`: it is the same as a filter"))
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
