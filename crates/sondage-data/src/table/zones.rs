//! Displays timestamps in a time zone.

use std::fmt;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{TimestampMicrosecondType, TimestampNanosecondType};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use chrono_tz::Tz;

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

pub(super) fn zone(name: &str) -> Result<Tz, NoSuchTimeZone> {
    name.parse().map_err(|_| NoSuchTimeZone { name: name.to_owned() })
}

/// The same instants in this time zone, without a copy: only the type changes.
pub(super) fn column(column: &BaseColumn, zone: Tz) -> BaseColumn {
    let arrays = column.arrays.iter().map(|array| array_in(array, zone)).collect();
    let data_type = match column.field.data_type() {
        DataType::Timestamp(unit, Some(_)) => DataType::Timestamp(*unit, Some(zone.name().into())),
        other => other.clone(),
    };
    let field = Arc::new(column.field.as_ref().clone().with_data_type(data_type));
    BaseColumn { field, arrays, variable: column.variable.clone(), nested: column.nested, json: column.json }
}

fn array_in(array: &ArrayRef, zone: Tz) -> ArrayRef {
    match array.data_type() {
        DataType::Timestamp(TimeUnit::Microsecond, Some(_)) => {
            Arc::new(array.as_primitive::<TimestampMicrosecondType>().clone().with_timezone(zone.name()))
        }
        DataType::Timestamp(TimeUnit::Nanosecond, Some(_)) => {
            Arc::new(array.as_primitive::<TimestampNanosecondType>().clone().with_timezone(zone.name()))
        }
        _ => Arc::clone(array),
    }
}
