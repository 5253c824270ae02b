//! The cost of work, estimated before it starts.

use sondage_macros::report;
use std::fmt;
use std::ops::{Add, AddAssign};
use std::time::Duration;

/// The assumed duration of a call if none was made yet: the service asks its own connector to make at most 100 a minute.
// API 15.1, published
const EACH: Duration = Duration::from_millis(600);

/// The cost of work: calls, bytes and time.
#[report]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Cost {
    /// Calls, including those that confirm that a list is complete, but neither retries after a failure nor requests for
    /// tokens.
    pub calls: u64,
    /// Bytes of requests and responses, before compression.
    pub bytes: u64,
    /// Minutes, if the calls are made one after the other and each takes as long as the measured ones.
    pub minutes: f64,
}

impl Cost {
    /// The cost of this many calls and bytes. `each`: the average duration of a call; `None`: 0.6 s, which is 100 calls a
    /// minute.
    // No number of calls is so large that a float would lose digits.
    #[allow(clippy::cast_precision_loss)]
    pub fn new(calls: u64, bytes: u64, each: Option<Duration>) -> Self {
        let each = each.unwrap_or(EACH);
        Self { calls, bytes, minutes: calls as f64 * each.as_secs_f64() / 60.0 }
    }
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            bytes: self.bytes.saturating_add(other.bytes),
            minutes: self.minutes + other.minutes,
        }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// `3 calls, 1.2 MB, less than a minute`
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { calls, bytes, minutes } = self;
        let calls_are = if *calls == 1 { "call" } else { "calls" };
        write!(f, "{calls} {calls_are}, {}, ", Size(*bytes))?;
        match minutes.round() {
            _ if *minutes < 1.0 => f.write_str("less than a minute"),
            1.0 => f.write_str("1 minute"),
            many => write!(f, "{many} minutes"),
        }
    }
}

/// A size for display, in the units of the service's limit: `12 bytes`, `3.4 kB`, `1.2 MB`.
pub(crate) struct Size(pub u64);

impl fmt::Display for Size {
    #[allow(clippy::cast_precision_loss)] // two digits are displayed
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(bytes) = *self;
        match bytes {
            0..1_000 => write!(f, "{bytes} bytes"),
            1_000..1_000_000 => write!(f, "{:.1} kB", bytes as f64 / 1e3),
            _ => write!(f, "{:.1} MB", bytes as f64 / 1e6),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_add_up_and_are_said_in_words() {
        let read = Cost::new(2, 1_200_000, Some(Duration::from_millis(500)));
        assert_eq!(read.to_string(), "2 calls, 1.2 MB, less than a minute");
        let send = Cost::new(1, 900, Some(Duration::from_secs(90)));
        assert_eq!(send.to_string(), "1 call, 900 bytes, 2 minutes");
        let mut both = read;
        both += send;
        assert_eq!((both.calls, both.bytes), (3, 1_200_900));
        assert!((both.minutes - 91.0 / 60.0).abs() < 1e-9);
    }

    /// The day's 500 calls at 100 a minute.
    #[test]
    fn without_a_measurement_the_pace_is_the_published_one() {
        assert_eq!(Cost::new(500, 2_500, None).to_string(), "500 calls, 2.5 kB, 5 minutes");
        assert_eq!(Cost::new(100, 0, None).to_string(), "100 calls, 0 bytes, 1 minute");
    }
}
