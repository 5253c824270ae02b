//! An invalid argument, and its path.

use pyo3::prelude::*;
use serde::de::{self, Expected, Unexpected};
use sondage::internals::shared;
use std::fmt;

/// A wrong argument, or an exception from the caller's own objects.
#[derive(Debug)]
pub struct Fault {
    #[doc = sondage::about!(path)]
    path: Vec<String>,
    what: String,
    raised: Option<PyErr>,
}

impl Fault {
    /// `what` continues after the name of the argument: "must be text, not int".
    pub fn new(what: impl Into<String>) -> Self {
        Self { path: Vec::new(), what: what.into(), raised: None }
    }

    #[doc = sondage::about!(under)]
    #[must_use]
    pub fn under(mut self, name: &str) -> Self {
        let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
        self.path.push(if plain { format!(".{name}") } else { format!("[{name:?}]") });
        self
    }

    #[doc = sondage::about!(at)]
    #[must_use]
    pub fn at(mut self, index: usize) -> Self {
        self.path.push(format!("[{index}]"));
        self
    }

    /// The exception of the caller's own objects, or else an error text for the caller.
    pub fn into_raised(self) -> Result<PyErr, String> {
        let text = self.to_string();
        self.raised.ok_or(text)
    }
}

impl From<PyErr> for Fault {
    fn from(raised: PyErr) -> Self {
        Self { path: Vec::new(), what: raised.to_string(), raised: Some(raised) }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut path: String = self.path.last().map(|argument| snake(argument)).unwrap_or_default();
        path.extend(self.path.iter().rev().skip(1).map(String::as_str));
        match shared::of_caller(&path).trim_start_matches('.') {
            "" => f.write_str(&self.what),
            path => write!(f, "{path} {}", self.what),
        }
    }
}

/// The outermost name is an argument, which callers know in `snake_case`.
fn snake(argument: &str) -> String {
    let mut out = String::new();
    for c in argument.chars() {
        if c.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Self::new(format!("is not valid: {text}"))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(shared::mismatch(&found, expected, "None"))
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
        Self::new(format!("is not known here; known are {}", expected.join(", "))).under(field)
    }
}
