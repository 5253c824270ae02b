//! Errors, which reach JavaScript as a sentence.

use std::fmt;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug)]
pub struct Error(String);

impl Error {
    pub fn invalid_argument(what: impl Into<String>) -> Self {
        Self(what.into())
    }

    pub fn with_hint(self, hint: &str) -> Self {
        Self(format!("{}. {hint}", self.0.trim_end_matches('.')))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl From<serde_json::Error> for Error {
    fn from(_: serde_json::Error) -> Self {
        // Its text may repeat a secret.
        Self("the webhook is not JSON".to_owned())
    }
}

/// The core marks which words of a sentence are its own; JavaScript without native code has no use for that.
#[macro_export]
macro_rules! text {
    ($($format:tt)*) => { format!($($format)*) };
}
