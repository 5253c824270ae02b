//! Timestamps in the format of the API's fields. (Conditions use another format: see [`crate::condition`].)

use chrono::{
    DateTime, Datelike as _, NaiveDate, NaiveDateTime, SecondsFormat, TimeDelta, Timelike as _, Utc,
};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use std::{fmt, str::FromStr};

/// The serde name by which a language binding recognises a timestamp.
pub const TIMESTAMP: &str = "$sondage::Timestamp";

/// The same for a date: a newtype around a timestamp at midnight.
pub const DAY: &str = "$sondage::Day";

/// A timestamp, in UTC. On the wire it is ISO 8601 (`2024-05-01T12:30:00Z`); a time without an offset is read as UTC,
/// which is what the service means.
///
/// It lies in the years 1 to 9999 in UTC, the range that every language supports; text outside that range is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub DateTime<Utc>);

impl Timestamp {
    /// The current time, by the computer's clock.
    pub fn now() -> Self {
        Self(Utc::now())
    }

    /// A time in the range of all languages: the years 1 to 9999. A leap second is mapped to the following second, as
    /// clocks do.
    pub fn of(time: DateTime<Utc>) -> Option<Self> {
        let time = match time.nanosecond().checked_sub(1_000_000_000) {
            Some(rest) => time.with_nanosecond(rest)?.checked_add_signed(TimeDelta::seconds(1))?,
            None => time,
        };
        (1..=9999).contains(&time.year()).then_some(Self(time))
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(time: DateTime<Utc>) -> Self {
        Self(time)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }
}

impl FromStr for Timestamp {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const WITHOUT_OFFSET: [&str; 2] = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"];
        let offset = || DateTime::parse_from_rfc3339(text).ok().map(|time| time.to_utc());
        let without = |format| NaiveDateTime::parse_from_str(text, format).ok().map(|time| time.and_utc());
        let day = || Some(NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0)?.and_utc());
        let time = offset().or_else(|| WITHOUT_OFFSET.into_iter().find_map(without)).or_else(day);
        time.and_then(Self::of)
            .ok_or_else(|| format!("{} is not a timestamp such as 2024-05-01T12:30:00Z", attempt(text)))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let time = Self::of(self.0)
            .ok_or_else(|| serde::ser::Error::custom("a timestamp is not in the years 1 to 9999"))?;
        serializer.serialize_newtype_struct(TIMESTAMP, &time.to_string())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TimestampVisitor;
        impl<'de> Visitor<'de> for TimestampVisitor {
            type Value = Timestamp;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a timestamp such as 2024-05-01T12:30:00Z")
            }
            fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Timestamp, D::Error> {
                inner.deserialize_str(self)
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Timestamp, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_newtype_struct(TIMESTAMP, TimestampVisitor)
    }
}

/// The error for text that is not a time. Text that does not look like a time may be a misplaced secret, and is not
/// shown.
fn attempt(text: &str) -> String {
    let like = |c: char| c.is_ascii_digit() || "+-:.,/TZtz ".contains(c);
    if text.len() <= 40 && text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(like) {
        return format!("`{text}`");
    }
    format!("a text of {} characters", text.chars().count())
}
