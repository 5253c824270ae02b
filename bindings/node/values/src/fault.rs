//! An invalid argument, and its path, such as `members[3].fields.Email.value`.

use serde::de::{self, Expected, Unexpected};
use sondage::internals::shared;
use std::fmt;

/// An invalid argument.
#[derive(Debug)]
pub struct Fault {
    #[doc = sondage::about!(path)]
    path: Vec<String>,
    what: String,
}

impl Fault {
    /// `what` continues after the name of the argument: "must be a string, not a number".
    pub fn new(what: impl Into<String>) -> Self {
        Self { path: Vec::new(), what: what.into() }
    }

    /// A key that is not allowed there.
    pub fn unknown(name: &str, known: &[&str]) -> Self {
        let advice = match known {
            // The values of a person in place of a member.
            ["fields"] => ": `newMember({ .. })` makes a member of the values of a person",
            _ => "",
        };
        Self::new(format!("is not known here; known are {}{advice}", known.join(", "))).under(name)
    }

    #[doc = sondage::about!(under)]
    #[must_use]
    pub fn under(mut self, name: &str) -> Self {
        let plain = name.chars().all(|c| c.is_alphanumeric() || "_$".contains(c)) && !name.is_empty();
        self.path.push(if plain { format!(".{name}") } else { format!("[{name:?}]") });
        self
    }

    #[doc = sondage::about!(at)]
    #[must_use]
    pub fn at(mut self, index: u32) -> Self {
        self.path.push(format!("[{index}]"));
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: String = self.path.iter().rev().map(String::as_str).collect();
        match shared::of_caller(&path).trim_start_matches('.') {
            "" => write!(f, "the argument {}", self.what),
            path => write!(f, "{path} {}", self.what),
        }
    }
}

impl std::error::Error for Fault {}

impl From<napi::Error> for Fault {
    fn from(error: napi::Error) -> Self {
        Self::new(format!("cannot be read: {}", error.reason))
    }
}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Self::new(format!("is not valid: {text}"))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(shared::mismatch(&found, expected, "null"))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("must be one of {expected:?}, not {found:?}"))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new("is missing").under(field)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::unknown(field, expected)
    }
}
