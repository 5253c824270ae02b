//! Values as text, for CSV and JSON.

use std::io::Write as _;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType, TimestampNanosecondType,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use chrono::{DateTime, Datelike as _, FixedOffset, NaiveDate, SecondsFormat, Utc};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::column::cell::float_text;

/// A formatted value.
pub(super) enum WrittenCell<'a> {
    Null,
    /// A text, to be quoted as the format requires.
    Text(&'a str),
    /// Anything else, already in `scratch`: digits, `true`, a date.
    Plain {
        quoted: bool,
    },
    /// A list as JSON, in `scratch`.
    Json,
}

/// Formats the value of a row. Anything but text is written to `scratch`.
pub(super) fn value<'a>(array: &'a ArrayRef, row: usize, scratch: &mut Vec<u8>) -> WrittenCell<'a> {
    if array.is_null(row) {
        return WrittenCell::Null;
    }
    scratch.clear();
    // Writing to memory does not fail.
    let (_, quoted) = match array.data_type() {
        DataType::Boolean => (write!(scratch, "{}", array.as_boolean().value(row)), false),
        DataType::Int64 => (write!(scratch, "{}", array.as_primitive::<Int64Type>().value(row)), false),
        DataType::Float64 => {
            (write!(scratch, "{}", float_text(array.as_primitive::<Float64Type>().value(row))), false)
        }
        DataType::Date32 => {
            let days = array.as_primitive::<Date32Type>().value(row);
            (write!(scratch, "{}", NaiveDate::from_epoch_days(days).unwrap_or_default()), true)
        }
        DataType::Timestamp(TimeUnit::Microsecond, zone) => {
            let micros = array.as_primitive::<TimestampMicrosecondType>().value(row);
            (write!(scratch, "{}", iso(DateTime::from_timestamp_micros(micros), zone.as_deref())), true)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, zone) => {
            let nanos = array.as_primitive::<TimestampNanosecondType>().value(row);
            (write!(scratch, "{}", iso(Some(DateTime::from_timestamp_nanos(nanos)), zone.as_deref())), true)
        }
        DataType::List(_) => return list(&array.as_list::<i32>().value(row), scratch),
        DataType::Utf8 => return WrittenCell::Text(array.as_string::<i32>().value(row)),
        DataType::Dictionary(..) => return label(array, row),
        _ => return WrittenCell::Null,
    };
    WrittenCell::Plain { quoted }
}

fn label(array: &ArrayRef, row: usize) -> WrittenCell<'_> {
    let Some(dictionary) = array.as_dictionary_opt::<Int32Type>() else { return WrittenCell::Null };
    let key = usize::try_from(dictionary.keys().value(row)).ok();
    let labels = dictionary.values().as_string_opt::<i32>();
    key.zip(labels).map_or(WrittenCell::Null, |(key, labels)| WrittenCell::Text(labels.value(key)))
}

fn list(items: &ArrayRef, scratch: &mut Vec<u8>) -> WrittenCell<'static> {
    let texts: Vec<Option<&str>> = items.as_string_opt::<i32>().into_iter().flatten().collect();
    // Writing texts to memory does not fail.
    let _ = serde_json::to_writer(scratch, &texts);
    WrittenCell::Json
}

/// ISO 8601 with the offset of the zone; `Z` in UTC, and nothing without a zone.
fn iso(time: Option<DateTime<Utc>>, zone: Option<&str>) -> String {
    let time = time.unwrap_or_default();
    let Some(zone) = zone else { return time.format("%Y-%m-%dT%H:%M:%S%.f").to_string() };
    let local = offset(time, zone).map(|offset| time.with_timezone(&offset));
    match local.filter(|local| zone != "UTC" && (1..=9999).contains(&local.year())) {
        Some(local) => local.to_rfc3339_opts(SecondsFormat::AutoSi, true),
        None => time.to_rfc3339_opts(SecondsFormat::AutoSi, true),
    }
}

/// The offset of a zone at a time, if it can be written in minutes: before standard time, offsets have seconds. chrono's own time
/// zones would be 5 % of a wheel.
fn offset(time: DateTime<Utc>, zone: &str) -> Option<FixedOffset> {
    let time = Timestamp::from_second(time.timestamp()).ok()?;
    let seconds = TimeZone::get(zone).ok()?.to_offset(time).seconds();
    FixedOffset::east_opt(seconds).filter(|_| seconds % 60 == 0)
}
