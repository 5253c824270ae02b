//! Filters: which members to invite, which members or interviews to read.
//!
//! A test compares one thing (a field of the panel, a question, or a system column of the service). Tests are joined
//! with `&` and `|`, in any nesting:
//!
//! ```
//! use sondage::condition::{column, field, question};
//!
//! let sales = field("Division").is_equal_to("Sales");
//! let german = field("Language").is_in(["de", "at"]);
//! let unhappy = question("NPS").is_less_than(7);
//! let conditions = (sales & (german | unhappy) & column("State").is_equal_to("Completed")).compile()?;
//! assert_eq!(conditions.len(), 6);
//! # Ok::<(), sondage::Error>(())
//! ```
//!
//! The service takes a flat list in which And binds closer than Or, and no brackets: [`Expression::compile`]
//! writes the equivalent list by repeating the And part after each Or. A language binding passes the
//! [`Expression`] as data and this module compiles it, so that no rule of the API lives in a binding.
//!
//! | expression as data | means |
//! |---|---|
//! | `{"type": "Panel", "identifier": "Division", "operator": "IsEqualTo", "value": "Sales"}` | a test |
//! | `{"and": [..]}`, `{"or": [..]}` | all of them, any of them |
//! | `{"not": ..}` | the negation, for operators that have one |
//!
//! A value is text, a number, a boolean, `{"date": "2024-05-01"}`, `{"time": "2024-05-01T12:30:00Z"}`, or a list of
//! these for the operators that take a list.

mod compile;
mod display;
mod expression;
mod operators;
mod parse;
mod table;
mod test;

mod value;
mod variable;

pub use compile::MAX_CONDITIONS;
pub use expression::Expression;
pub use test::{Form, Test};
pub use value::{ConditionTime, ConditionValue, Operand};
pub use variable::Variable;

use crate::model::ConditionType;

/// A field of a panel or sample, for example `Division` (type `Panel`). The same as [`panel`].
///
/// The identifier is sent as written here, as in the specification. The service's documentation writes `member.Division`
/// in other places: [`Variable::prefixed`] sends that.
// API 11.1
pub fn field(name: impl Into<String>) -> Variable {
    panel(name)
}

macro_rules! expand {
    (variables { $($(#[doc = $doc:literal])* $name:ident $Type:ident $($argument:ident)?;)* } $($comparisons:tt)*) => { $(
        $(#[doc = $doc])*
        pub fn $name(name: impl Into<String>) -> Variable {
            variable(ConditionType::$Type, name)
        }
    )* };
}
crate::comparisons!(expand);

/// A variable of any type that a condition can compare. Types without a function of their own are published
/// by name only.
pub fn variable(condition_type: ConditionType, identifier: impl Into<String>) -> Variable {
    Variable::new(condition_type, identifier.into())
}
