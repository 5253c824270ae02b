//! The differences between languages.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sondage::error::{Wording, camel};
use sondage::internals::schema::ModelSchema;
use sondage::{Error, Result};
use std::time::Duration;

/// A language whose binding uses serde.
pub trait Language: Sized + 'static {
    /// A value of the language.
    type Args<'a>: Clone;
    /// Why a value was not accepted: the core's error, or an exception of the caller's objects.
    type Refused: From<Error>;
    /// A result that becomes a value on a thread that may create one.
    type HostValue: Send + 'static;

    /// The unit of times.
    const TIME: Unit;
    /// How names are written in error texts.
    const WORDING: Wording;
    /// How booleans are written.
    const TRUTH: [&'static str; 2];

    /// Reads a value. An error names the path of the invalid part.
    fn read<T: DeserializeOwned>(given: Self::Args<'_>, about: &ArgContext<'_>) -> ArgResult<T, Self>;

    /// Makes a value.
    fn host_value<T: Serialize + Send + 'static>(value: T) -> Self::HostValue;

    /// Makes a value of foreign data, such as an event, which some languages read as JSON.
    fn json<T: Serialize + Send + 'static>(value: T) -> Self::HostValue {
        Self::host_value(value)
    }

    /// The language's spelling of one of our names: `client_secret` or `clientSecret`.
    fn name(ours: &str) -> String {
        if Self::WORDING.camel { camel(ours) } else { ours.to_owned() }
    }
}

/// Reads something from the caller, or explains why it was not accepted.
pub type ArgResult<T, L> = std::result::Result<T, <L as Language>::Refused>;

/// The noun for the value being read, for errors.
pub struct ArgContext<'a> {
    /// The method that was called.
    pub call: &'a str,
    /// The argument; empty when the value holds all of them.
    pub argument: &'a str,
    /// For the request of an operation: the fields that it may have.
    pub request: Option<&'static ModelSchema>,
}

/// The unit of times in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// 1.5 means a second and a half.
    Seconds,
    /// 1500 means the same.
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

    /// A duration as a number of units. Milliseconds are whole, rounded up: a caller who waits that long has waited long enough.
    pub fn count(self, time: Duration) -> f64 {
        match self {
            Self::Seconds => time.as_secs_f64(),
            Self::Milliseconds => (time.as_secs_f64() * 1e3).ceil(),
        }
    }

    /// Reads a time from the caller. `name`: the argument's name.
    pub fn read(self, name: &str, number: f64) -> Result<Duration> {
        let time = Duration::try_from_secs_f64(number / self.in_a_second());
        time.map_err(|_| self.wrong(name, "number", number))
    }

    /// The same, if zero is not allowed.
    pub fn read_positive(self, name: &str, number: f64) -> Result<Duration> {
        let time = if number < 0.0 { Duration::ZERO } else { self.read(name, number)? };
        if time.is_zero() { Err(self.wrong(name, "positive number", number)) } else { Ok(time) }
    }

    fn wrong(self, name: &str, what: &str, number: f64) -> Error {
        Error::invalid_argument(format!("{name} must be a {what} of {}, not {number}", self.as_str()))
    }
}
