//! How values cross the border: what comes from the core is given, what comes from a user is taken, and may be wrong.
//!
//! uniffi knows no values, only types: so this is a pair of traits, which the generated models implement, and not a
//! serializer as for Python and Node.js.

use crate::{Map, SondageError};
use chrono::{DateTime, Datelike};
use indexmap::IndexMap;
use sondage::arguments::FilePath;
use sondage::error::camel;
use sondage::model::Extra;
use sondage::{Error, Json, Secret, Timestamp};
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A value of the core on its way to Kotlin or Swift.
pub trait Give<T> {
    /// What the user sees.
    fn give(self) -> T;
}

/// A value of a user on its way to the core.
pub trait Take<T> {
    /// What the core works with.
    fn take(self) -> Result<T, Wrong>;
}

/// A value that cannot be taken: where it stands in the argument, and what is wrong with it.
#[derive(Debug)]
pub struct Wrong {
    place: String,
    what: String,
    /// What the core says of it, which knows the place itself.
    error: Option<Error>,
}

impl Wrong {
    /// A value that is wrong.
    pub fn new(what: impl Into<String>) -> Self {
        Self { place: String::new(), what: what.into(), error: None }
    }

    /// A value that the core has refused already, in its own words.
    pub fn refused(error: Error) -> Self {
        Self { error: Some(error), ..Self::new("") }
    }

    /// Says in which field it stands. `name` is the name in Rust.
    #[must_use]
    pub fn in_field(mut self, name: &str) -> Self {
        let dot = if self.place.is_empty() || self.place.starts_with('[') { "" } else { "." };
        self.place = format!("{}{dot}{}", camel(name), self.place);
        self
    }

    fn at(mut self, index: &str) -> Self {
        let dot = if self.place.is_empty() || self.place.starts_with('[') { "" } else { "." };
        self.place = format!("[{index}]{dot}{}", self.place);
        self
    }

    /// The error for the caller of an operation.
    pub fn into_error(self, operation: &str) -> Error {
        self.into_argument_error().in_operation(operation)
    }

    /// The error for the caller of something else.
    pub fn into_argument_error(self) -> Error {
        let wrong = || Error::invalid_argument(format!("`{}` {}", self.place, self.what));
        self.error.unwrap_or_else(wrong)
    }
}

macro_rules! same {
    ($($type:ty),*) => { $(
        impl Give<$type> for $type {
            fn give(self) -> $type {
                self
            }
        }
        impl Take<$type> for $type {
            fn take(self) -> Result<$type, Wrong> {
                Ok(self)
            }
        }
    )* };
}
same!((), bool, i64, f64, Duration, String, Secret, sondage::model::Condition);

impl<From: Give<To>, To> Give<Option<To>> for Option<From> {
    fn give(self) -> Option<To> {
        self.map(Give::give)
    }
}

impl<From: Take<To>, To> Take<Option<To>> for Option<From> {
    fn take(self) -> Result<Option<To>, Wrong> {
        self.map(Take::take).transpose()
    }
}

impl<From: Give<To>, To> Give<Vec<To>> for Vec<From> {
    fn give(self) -> Vec<To> {
        self.into_iter().map(Give::give).collect()
    }
}

impl<From: Take<To>, To> Take<Vec<To>> for Vec<From> {
    fn take(self) -> Result<Vec<To>, Wrong> {
        let take = |(index, value): (usize, From)| value.take().map_err(|wrong| wrong.at(&index.to_string()));
        self.into_iter().enumerate().map(take).collect()
    }
}

impl<From: Give<To>, To> Give<Map<To>> for IndexMap<String, From> {
    fn give(self) -> Map<To> {
        Map(self.into_iter().map(|(key, value)| (key, value.give())).collect())
    }
}

impl<From: Take<To>, To> Take<IndexMap<String, To>> for Map<From> {
    fn take(self) -> Result<IndexMap<String, To>, Wrong> {
        let take = |(key, value): (String, From)| {
            let value = value.take().map_err(|wrong| wrong.at(&format!("{key:?}")))?;
            Ok((key, value))
        };
        self.0.into_iter().map(take).collect()
    }
}

macro_rules! counts {
    ($($type:ty),*) => { $(
        impl Give<i64> for $type {
            fn give(self) -> i64 {
                i64::try_from(self).unwrap_or(i64::MAX)
            }
        }
    )* };
}
counts!(usize, u64);

impl Take<usize> for i64 {
    fn take(self) -> Result<usize, Wrong> {
        usize::try_from(self).map_err(|_| Wrong::new(format!("cannot be {self}")))
    }
}

/// A time is counted in seconds among options.
impl Take<f64> for Duration {
    fn take(self) -> Result<f64, Wrong> {
        Ok(self.as_secs_f64())
    }
}

impl Take<FilePath> for String {
    fn take(self) -> Result<FilePath, Wrong> {
        Ok(FilePath::from(self))
    }
}

impl Give<String> for PathBuf {
    fn give(self) -> String {
        self.display().to_string()
    }
}

impl Give<SondageError> for Error {
    fn give(self) -> SondageError {
        self.into()
    }
}

impl Give<String> for Json {
    fn give(self) -> String {
        self.as_str().to_owned()
    }
}

impl Take<Json> for String {
    fn take(self) -> Result<Json, Wrong> {
        Json::parse(self).map_err(|error| Wrong::new(format!("is not JSON ({error})")))
    }
}

impl Give<Map<String>> for Extra {
    fn give(self) -> Map<String> {
        Map(self.iter().map(|(name, value)| (name.clone(), value.as_str().to_owned())).collect())
    }
}

impl Take<Extra> for Map<String> {
    fn take(self) -> Result<Extra, Wrong> {
        let fields: IndexMap<String, Json> = Take::take(self)?;
        let mut extra = Extra::default();
        for (name, value) in fields {
            extra.insert(name, value);
        }
        Ok(extra)
    }
}

impl Give<SystemTime> for Timestamp {
    fn give(self) -> SystemTime {
        self.0.into()
    }
}

impl Take<Timestamp> for SystemTime {
    fn take(self) -> Result<Timestamp, Wrong> {
        let (seconds, nanoseconds) = match self.duration_since(UNIX_EPOCH) {
            Ok(since) => (i64::try_from(since.as_secs()), since.subsec_nanos()),
            Err(error) => {
                let before = error.duration();
                let whole = i64::try_from(before.as_secs()).map(i64::wrapping_neg);
                if before.subsec_nanos() == 0 {
                    (whole, 0)
                } else {
                    (whole.map(|seconds| seconds - 1), 1_000_000_000 - before.subsec_nanos())
                }
            }
        };
        let time = seconds.ok().and_then(|seconds| DateTime::from_timestamp(seconds, nanoseconds));
        time.filter(|time| (1..=9999).contains(&time.year()))
            .map(Timestamp)
            .ok_or_else(|| Wrong::new("is not a time between the years 1 and 9999"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_found_where_it_stands() {
        let texts = Map([("a".to_owned(), vec!["1".to_owned(), "{".to_owned()])].into_iter().collect());
        let wrong = Take::<IndexMap<String, Vec<Json>>>::take(texts).unwrap_err().in_field("more_fields");
        let error = wrong.into_error("DoIt");
        assert!(error.what().starts_with("`moreFields[\"a\"][1]` is not JSON"), "{error}");
        assert_eq!(error.operation(), Some("DoIt"));
    }

    #[test]
    fn times_beyond_the_calendar_are_refused() {
        for far in [UNIX_EPOCH + Duration::from_secs(1 << 61), UNIX_EPOCH - Duration::from_secs(1 << 61)] {
            assert!(Take::<Timestamp>::take(far).is_err());
        }
        let step = Duration::from_millis(1_700_000_000_123);
        for time in [UNIX_EPOCH + step, UNIX_EPOCH - step, UNIX_EPOCH] {
            let there: Timestamp = time.take().unwrap();
            assert_eq!(there.give(), time);
        }
    }
}
