//! What differs between languages.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sondage::error::{Wording, camel};
use sondage::internals::schema::ModelSchema;
use sondage::{Error, Result};
use std::time::Duration;

/// A language that has a binding by serde.
pub trait Language: Sized + 'static {
    /// A value of the caller's.
    type Args<'a>: Clone;
    /// Why a value of the caller's was not taken: the core's error, or what the caller's own objects threw.
    type Refused: From<Error>;
    /// A value that becomes the caller's on a thread that may make one.
    type HostValue: Send + 'static;

    /// In what times are counted.
    const TIME: Unit;
    /// How names are written in the texts of errors.
    const WORDING: Wording;
    /// How truth and falsehood are written.
    const TRUTH: [&'static str; 2];

    /// Reads a value of the caller's. An error names the place inside of it.
    fn read<T: DeserializeOwned>(given: Self::Args<'_>, about: &ArgContext<'_>) -> ArgResult<T, Self>;

    /// A value for the caller.
    fn host_value<T: Serialize + Send + 'static>(value: T) -> Self::HostValue;

    /// What somebody else has told, such as an event, for those parts of a language that read it as JSON.
    fn json<T: Serialize + Send + 'static>(value: T) -> Self::HostValue {
        Self::host_value(value)
    }

    /// A name of ours, as it is written there: `client_secret` or `clientSecret`.
    fn name(ours: &str) -> String {
        if Self::WORDING.camel { camel(ours) } else { ours.to_owned() }
    }
}

/// Something of the caller's, or why it was not taken.
pub type ArgResult<T, L> = std::result::Result<T, <L as Language>::Refused>;

/// What a value is that is read: it stands in errors.
pub struct ArgContext<'a> {
    /// The method that was called.
    pub call: &'a str,
    /// The argument; empty when the value holds all of them.
    pub argument: &'a str,
    /// Of the request of an operation: what it may hold.
    pub request: Option<&'static ModelSchema>,
}

/// In what a language counts times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// 1.5 is a second and a half.
    Seconds,
    /// 1500 is.
    Milliseconds,
}

impl Unit {
    fn in_a_second(self) -> f64 {
        match self {
            Self::Seconds => 1.0,
            Self::Milliseconds => 1e3,
        }
    }

    /// `seconds`
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Milliseconds => "milliseconds",
        }
    }

    /// How much that is.
    pub fn count(self, time: Duration) -> f64 {
        time.as_secs_f64() * self.in_a_second()
    }

    /// A time of the caller's. `name`: of the argument.
    pub fn read(self, name: &str, number: f64) -> Result<Duration> {
        let time = Duration::try_from_secs_f64(number / self.in_a_second());
        time.map_err(|_| self.wrong(name, "number", number))
    }

    /// The same, when no time at all makes no sense.
    pub fn read_positive(self, name: &str, number: f64) -> Result<Duration> {
        let time = self.read(name, number)?;
        if time.is_zero() { Err(self.wrong(name, "positive number", number)) } else { Ok(time) }
    }

    fn wrong(self, name: &str, what: &str, number: f64) -> Error {
        Error::invalid_argument(format!("{name} must be a {what} of {}, not {number}", self.as_str()))
    }
}
