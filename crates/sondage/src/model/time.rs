//! Points in time, as the API writes them in fields. (Conditions write them differently: see [`crate::condition`].)

use chrono::{DateTime, NaiveDate, NaiveDateTime, SecondsFormat, Utc};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use std::{fmt, str::FromStr};

/// The name by which a language binding recognises a timestamp while a model crosses the border.
pub const TIMESTAMP: &str = "$sondage::Timestamp";

/// The same for a day: a newtype around a point in time at its beginning.
pub const DAY: &str = "$sondage::Day";

/// A point in time, in UTC. On the wire it is ISO 8601 (`2024-05-01T12:30:00Z`); a time without an offset is read as
/// UTC, which is what the service means (spec 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub DateTime<Utc>);

impl Timestamp {
    /// Now, by the computer's clock.
    pub fn now() -> Self {
        Self(Utc::now())
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
        if let Ok(time) = DateTime::parse_from_rfc3339(text) {
            return Ok(Self(time.to_utc()));
        }
        for format in WITHOUT_OFFSET {
            if let Ok(time) = NaiveDateTime::parse_from_str(text, format) {
                return Ok(Self(time.and_utc()));
            }
        }
        NaiveDate::parse_from_str(text, "%Y-%m-%d")
            .ok()
            .and_then(|day| day.and_hms_opt(0, 0, 0))
            .map(|time| Self(time.and_utc()))
            .ok_or_else(|| format!("`{text}` is not a point in time such as 2024-05-01T12:30:00Z"))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(TIMESTAMP, &self.to_string())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Timestamp;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a point in time such as 2024-05-01T12:30:00Z")
            }
            fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Timestamp, D::Error> {
                inner.deserialize_str(self)
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Timestamp, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_newtype_struct(TIMESTAMP, Reader)
    }
}
