//! Conversion of values across the FFI boundary. Values of the core always convert; values of a user may be invalid.
//!
//! uniffi has typed values only: so conversion is a pair of traits, which the generated models implement, and not a
//! serialiser as for Python and Node.js.

use crate::{FieldValue, Map, SondageError};
use chrono::{DateTime, Datelike};
use indexmap::IndexMap;
use sondage::arguments::FilePath;
use sondage::error::camel;
use sondage::model::Extra;
use sondage::{Error, Json, Secret, Timestamp};
use sondage_jobs::options::{JournalPlace, RowSource};
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A value of the core to be converted for Kotlin or Swift.
pub trait IntoFfi<T> {
    /// The user's type.
    fn into_ffi(self) -> T;
}

/// A value of a user to be converted for the core.
pub trait TryFromFfi<T> {
    /// The core's type.
    fn try_from_ffi(self) -> Result<T, ConversionError>;
}

/// Converts the argument with this name.
pub fn argument<T>(name: &str, value: impl TryFromFfi<T>) -> Result<T, Error> {
    value.try_from_ffi().map_err(|wrong| wrong.in_field(name).into_argument_error())
}

/// An invalid value: its path in the argument, and what is wrong with it.
#[derive(Debug)]
pub struct ConversionError {
    place: String,
    what: String,
    /// The core's error, which knows the path itself.
    error: Option<Error>,
}

impl ConversionError {
    /// A value that is wrong.
    pub fn new(what: impl Into<String>) -> Self {
        Self { place: String::new(), what: what.into(), error: None }
    }

    /// A value that the core has refused, with its error.
    pub fn refused(error: Error) -> Self {
        Self { error: Some(error), ..Self::new("") }
    }

    /// Adds the field to the path. `name` is the name in Rust.
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

    /// The error for other callers.
    pub fn into_argument_error(self) -> Error {
        let wrong = || Error::invalid_argument(format!("`{}` {}", self.place, self.what));
        self.error.unwrap_or_else(wrong)
    }
}

macro_rules! same {
    ($($type:ty),*) => { $(
        impl IntoFfi<$type> for $type {
            fn into_ffi(self) -> $type {
                self
            }
        }
        impl TryFromFfi<$type> for $type {
            fn try_from_ffi(self) -> Result<$type, ConversionError> {
                Ok(self)
            }
        }
    )* };
}
same!((), bool, i64, f64, Duration, String, Secret, sondage::model::Condition);

impl<From: IntoFfi<To>, To> IntoFfi<Option<To>> for Option<From> {
    fn into_ffi(self) -> Option<To> {
        self.map(IntoFfi::into_ffi)
    }
}

impl<From: TryFromFfi<To>, To> TryFromFfi<Option<To>> for Option<From> {
    fn try_from_ffi(self) -> Result<Option<To>, ConversionError> {
        self.map(TryFromFfi::try_from_ffi).transpose()
    }
}

impl<From: IntoFfi<To>, To> IntoFfi<Vec<To>> for Vec<From> {
    fn into_ffi(self) -> Vec<To> {
        self.into_iter().map(IntoFfi::into_ffi).collect()
    }
}

impl<From: TryFromFfi<To>, To> TryFromFfi<Vec<To>> for Vec<From> {
    fn try_from_ffi(self) -> Result<Vec<To>, ConversionError> {
        let take = |(index, value): (usize, From)| {
            value.try_from_ffi().map_err(|wrong| wrong.at(&index.to_string()))
        };
        self.into_iter().enumerate().map(take).collect()
    }
}

impl<From: IntoFfi<To>, To> IntoFfi<Map<To>> for IndexMap<String, From> {
    fn into_ffi(self) -> Map<To> {
        Map(self.into_iter().map(|(key, value)| (key, value.into_ffi())).collect())
    }
}

impl<From: TryFromFfi<To>, To> TryFromFfi<IndexMap<String, To>> for Map<From> {
    fn try_from_ffi(self) -> Result<IndexMap<String, To>, ConversionError> {
        let take = |(key, value): (String, From)| {
            let value = value.try_from_ffi().map_err(|wrong| wrong.at(&format!("{key:?}")))?;
            Ok((key, value))
        };
        self.0.into_iter().map(take).collect()
    }
}

macro_rules! counts {
    ($($type:ty),*) => { $(
        impl IntoFfi<i64> for $type {
            fn into_ffi(self) -> i64 {
                i64::try_from(self).unwrap_or(i64::MAX)
            }
        }
    )* };
}
counts!(usize, u64);

impl TryFromFfi<usize> for i64 {
    fn try_from_ffi(self) -> Result<usize, ConversionError> {
        usize::try_from(self).map_err(|_| ConversionError::new(format!("cannot be {self}")))
    }
}

/// In options, a time is a number of seconds.
impl TryFromFfi<f64> for Duration {
    fn try_from_ffi(self) -> Result<f64, ConversionError> {
        Ok(self.as_secs_f64())
    }
}

impl TryFromFfi<JournalPlace> for String {
    fn try_from_ffi(self) -> Result<JournalPlace, ConversionError> {
        Ok(JournalPlace::from(self))
    }
}

impl TryFromFfi<FilePath> for String {
    fn try_from_ffi(self) -> Result<FilePath, ConversionError> {
        Ok(FilePath::from(self))
    }
}

impl TryFromFfi<RowSource> for Vec<Map<FieldValue>> {
    fn try_from_ffi(self) -> Result<RowSource, ConversionError> {
        Ok(RowSource { objects: Some(self.try_from_ffi()?), ..RowSource::default() })
    }
}

impl IntoFfi<String> for PathBuf {
    fn into_ffi(self) -> String {
        self.display().to_string()
    }
}

impl IntoFfi<SondageError> for Error {
    fn into_ffi(self) -> SondageError {
        self.into()
    }
}

impl IntoFfi<String> for Json {
    fn into_ffi(self) -> String {
        self.as_str().to_owned()
    }
}

impl TryFromFfi<Json> for String {
    fn try_from_ffi(self) -> Result<Json, ConversionError> {
        Json::parse(self).map_err(|error| ConversionError::new(format!("is not JSON ({error})")))
    }
}

impl IntoFfi<Map<String>> for Extra {
    fn into_ffi(self) -> Map<String> {
        Map(self.iter().map(|(name, value)| (name.clone(), value.as_str().to_owned())).collect())
    }
}

impl TryFromFfi<Extra> for Map<String> {
    fn try_from_ffi(self) -> Result<Extra, ConversionError> {
        let fields: IndexMap<String, Json> = TryFromFfi::try_from_ffi(self)?;
        let mut extra = Extra::default();
        for (name, value) in fields {
            extra.insert(name, value);
        }
        Ok(extra)
    }
}

impl IntoFfi<SystemTime> for Timestamp {
    fn into_ffi(self) -> SystemTime {
        self.0.into()
    }
}

impl TryFromFfi<Timestamp> for SystemTime {
    fn try_from_ffi(self) -> Result<Timestamp, ConversionError> {
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
            .ok_or_else(|| ConversionError::new("is not a time between the years 1 and 9999"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_found_where_it_stands() {
        let texts = Map([("a".to_owned(), vec!["1".to_owned(), "{".to_owned()])].into_iter().collect());
        let wrong = TryFromFfi::<IndexMap<String, Vec<Json>>>::try_from_ffi(texts)
            .unwrap_err()
            .in_field("more_fields");
        let error = wrong.into_error("DoIt");
        assert!(error.what().starts_with("`moreFields[\"a\"][1]` is not JSON"), "{error}");
        assert_eq!(error.operation(), Some("DoIt"));
    }

    #[test]
    fn times_beyond_the_calendar_are_refused() {
        for far in [UNIX_EPOCH + Duration::from_secs(1 << 61), UNIX_EPOCH - Duration::from_secs(1 << 61)] {
            assert!(TryFromFfi::<Timestamp>::try_from_ffi(far).is_err());
        }
        let step = Duration::from_millis(1_700_000_000_123);
        for time in [UNIX_EPOCH + step, UNIX_EPOCH - step, UNIX_EPOCH] {
            let converted: Timestamp = time.try_from_ffi().unwrap();
            assert_eq!(converted.into_ffi(), time);
        }
    }
}
