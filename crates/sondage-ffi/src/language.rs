//! The differences between languages.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sondage::Error;
pub use sondage::arguments::TimeUnit as Unit;
use sondage::error::{Wording, camel};
use sondage::internals::schema::ModelSchema;

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
pub type ArgResult<T, L> = Result<T, <L as Language>::Refused>;

/// The noun for the value being read, for errors.
pub struct ArgContext<'a> {
    /// The method that was called.
    pub call: &'a str,
    /// The argument; empty when the value holds all of them.
    pub argument: &'a str,
    /// For the request of an operation: the fields that it may have.
    pub request: Option<&'static ModelSchema>,
}
