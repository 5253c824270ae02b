//! Displays timestamps in a time zone.

use std::fmt;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{TimestampMicrosecondType, TimestampNanosecondType};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::BaseColumn;

/// There is no time zone with this name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoSuchTimeZone {
    /// The name that was given.
    pub name: String,
}

impl fmt::Display for NoSuchTimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no time zone {:?}; its name in the IANA data base is needed, as in \"Europe/Zurich\"",
            self.name
        )
    }
}

impl std::error::Error for NoSuchTimeZone {}

/// The name of a time zone, as the IANA data base writes it.
pub(super) fn zone(name: &str) -> Result<Arc<str>, NoSuchTimeZone> {
    let zone = TimeZone::get(name).ok();
    let zone_name = zone.as_ref().and_then(TimeZone::iana_name).map(Arc::from);
    zone_name.ok_or_else(|| NoSuchTimeZone { name: name.to_owned() })
}

/// The same instants in this time zone, without a copy: only the type changes.
pub(super) fn column(column: &BaseColumn, zone: &Arc<str>) -> BaseColumn {
    let arrays = column.arrays.iter().map(|array| array_in(array, zone)).collect();
    let data_type = match column.field.data_type() {
        DataType::Timestamp(unit, Some(_)) => DataType::Timestamp(*unit, Some(Arc::clone(zone))),
        other => other.clone(),
    };
    let field = Arc::new(column.field.as_ref().clone().with_data_type(data_type));
    BaseColumn { field, arrays, ..column.clone() }
}

/// The times as clocks in their zone show them, without the zone.
pub(super) fn without(column: &BaseColumn) -> BaseColumn {
    let arrays = column.arrays.iter().map(wall_clock).collect();
    let data_type = match column.field.data_type() {
        DataType::Timestamp(unit, _) => DataType::Timestamp(*unit, None),
        other => other.clone(),
    };
    let field = Arc::new(column.field.as_ref().clone().with_data_type(data_type));
    BaseColumn { field, arrays, ..column.clone() }
}

/// Microseconds from the beginning of year 1 to the end of year 9999, which programs can hold.
const YEARS: std::ops::RangeInclusive<i64> = -62_135_596_800_000_000..=253_402_300_799_999_999;

/// The same for the times of an array; other arrays are unchanged. A time that would be in another year than 1 to 9999 stays in UTC.
pub(crate) fn wall_clock(array: &ArrayRef) -> ArrayRef {
    let DataType::Timestamp(unit, Some(zone)) = array.data_type() else { return Arc::clone(array) };
    // The name was looked up when the column got it.
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    let offset = |seconds: i64| {
        let time = Timestamp::from_second(seconds).unwrap_or_default();
        i64::from(zone.to_offset(time).seconds())
    };
    if *unit == TimeUnit::Nanosecond {
        let local =
            |nanos: i64| nanos.saturating_add(offset(nanos.div_euclid(1_000_000_000)) * 1_000_000_000);
        let times = array.as_primitive::<TimestampNanosecondType>();
        return Arc::new(times.unary::<_, TimestampNanosecondType>(local));
    }
    let local = |micros: i64| {
        let local = micros.saturating_add(offset(micros.div_euclid(1_000_000)) * 1_000_000);
        if YEARS.contains(&local) { local } else { micros }
    };
    Arc::new(array.as_primitive::<TimestampMicrosecondType>().unary::<_, TimestampMicrosecondType>(local))
}

fn array_in(array: &ArrayRef, zone: &Arc<str>) -> ArrayRef {
    match array.data_type() {
        DataType::Timestamp(TimeUnit::Microsecond, Some(_)) => {
            Arc::new(array.as_primitive::<TimestampMicrosecondType>().clone().with_timezone(Arc::clone(zone)))
        }
        DataType::Timestamp(TimeUnit::Nanosecond, Some(_)) => {
            Arc::new(array.as_primitive::<TimestampNanosecondType>().clone().with_timezone(Arc::clone(zone)))
        }
        _ => Arc::clone(array),
    }
}
