//! Durations in options: in Rust a [`Duration`], from a language a number in its own unit.

use crate::error::{Error, Result};
use serde::Deserialize as _;
use serde::de::{DeserializeSeed, Deserializer, Error as _};
use std::cell::Cell;
use std::time::Duration;

thread_local! {
    static UNIT: Cell<TimeUnit> = const { Cell::new(TimeUnit::Seconds) };
}

/// Reads options whose durations are in a unit: `None` in a field is absent.
#[doc(hidden)] // for sondage-ffi
pub fn in_unit<T>(unit: TimeUnit, read: impl FnOnce() -> T) -> T {
    struct Restored(TimeUnit);
    impl Drop for Restored {
        fn drop(&mut self) {
            UNIT.set(self.0);
        }
    }
    let _restored = Restored(UNIT.replace(unit));
    read()
}

/// Reads an optional duration in the unit of the caller's language.
#[derive(Debug)]
pub struct OptionalDuration;

impl<'de> DeserializeSeed<'de> for OptionalDuration {
    type Value = Option<Duration>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Self::Value, D::Error> {
        let unit = UNIT.get();
        let number = Option::<f64>::deserialize(deserializer)?;
        let duration = |number| {
            let duration = Duration::try_from_secs_f64(number / unit.in_a_second());
            duration.map_err(|_| D::Error::custom(format!("it must be {}", unit.expected("number", number))))
        };
        number.map(duration).transpose()
    }
}

/// The unit of times in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// 1.5 means a second and a half.
    Seconds,
    /// 1500 means the same.
    Milliseconds,
}

impl TimeUnit {
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
        Error::invalid_argument(format!("{name} must be {}", self.expected(what, number)))
    }

    fn expected(self, what: &str, number: f64) -> String {
        format!("a {what} of {}, not {number}", self.as_str())
    }
}
