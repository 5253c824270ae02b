//! The cells of a batch as parameters of a statement of `SQLite`.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Date32Type, Float64Type, Int64Type, TimestampMicrosecondType, TimestampNanosecondType,
};
use arrow_array::{
    Array as _, ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, StringArray,
    TimestampMicrosecondArray, TimestampNanosecondArray,
};
use arrow_schema::{DataType, TimeUnit};
use chrono::{DateTime, Datelike as _, SecondsFormat, Timelike as _, Utc};
use rusqlite::Statement;
use rusqlite::types::{Null, ToSqlOutput, ValueRef};

/// The values of a column.
pub enum Cells<'a> {
    Bools(&'a BooleanArray),
    Integers(&'a Int64Array),
    Floats(&'a Float64Array),
    Texts(&'a StringArray),
    Dates(&'a Date32Array),
    Micros(&'a TimestampMicrosecondArray),
    Nanos(&'a TimestampNanosecondArray),
    Nulls,
}

impl<'a> Cells<'a> {
    pub fn of(column: &'a ArrayRef) -> Self {
        match column.data_type() {
            DataType::Boolean => Self::Bools(column.as_boolean()),
            DataType::Int64 => Self::Integers(column.as_primitive::<Int64Type>()),
            DataType::Float64 => Self::Floats(column.as_primitive::<Float64Type>()),
            DataType::Utf8 => Self::Texts(column.as_string::<i32>()),
            DataType::Date32 => Self::Dates(column.as_primitive::<Date32Type>()),
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                Self::Micros(column.as_primitive::<TimestampMicrosecondType>())
            }
            DataType::Timestamp(TimeUnit::Nanosecond, _) => {
                Self::Nanos(column.as_primitive::<TimestampNanosecondType>())
            }
            _ => Self::Nulls,
        }
    }

    /// Binds the value of a row to a parameter, counted from 1.
    pub fn bind(&self, row: usize, to: &mut Statement<'_>, parameter: usize) -> rusqlite::Result<()> {
        match self {
            Self::Bools(cells) if cells.is_valid(row) => to.raw_bind_parameter(parameter, cells.value(row)),
            Self::Integers(cells) if cells.is_valid(row) => {
                to.raw_bind_parameter(parameter, cells.value(row))
            }
            Self::Floats(cells) if cells.is_valid(row) => to.raw_bind_parameter(parameter, cells.value(row)),
            Self::Texts(cells) if cells.is_valid(row) => to.raw_bind_parameter(parameter, cells.value(row)),
            Self::Dates(cells) if cells.is_valid(row) => {
                let day = cells.value_as_date(row).map(|day| day.to_string());
                to.raw_bind_parameter(parameter, day)
            }
            Self::Micros(cells) if cells.is_valid(row) => {
                bind_time(DateTime::from_timestamp_micros(cells.value(row)), to, parameter)
            }
            Self::Nanos(cells) if cells.is_valid(row) => {
                bind_time(Some(DateTime::from_timestamp_nanos(cells.value(row))), to, parameter)
            }
            _ => to.raw_bind_parameter(parameter, Null),
        }
    }
}

fn bind_time(time: Option<DateTime<Utc>>, to: &mut Statement<'_>, parameter: usize) -> rusqlite::Result<()> {
    let Some(time) = time else { return to.raw_bind_parameter(parameter, Null) };
    match spelled(time) {
        Some(text) => to.raw_bind_parameter(parameter, ToSqlOutput::Borrowed(ValueRef::Text(&text))),
        None => to.raw_bind_parameter(parameter, time.to_rfc3339_opts(SecondsFormat::Micros, true)),
    }
}

/// As RFC 3339 writes years of four digits: chrono takes five times as long, which is a tenth of storing a survey.
fn spelled(time: DateTime<Utc>) -> Option<[u8; 27]> {
    let year = u32::try_from(time.year()).ok().filter(|year| *year <= 9_999)?;
    let micros = time.nanosecond() / 1_000;
    let pairs = [
        (0, year / 100),
        (2, year % 100),
        (5, time.month()),
        (8, time.day()),
        (11, time.hour()),
        (14, time.minute()),
        (17, time.second()),
        (20, micros / 10_000),
        (22, micros / 100 % 100),
        (24, micros % 100),
    ];
    let mut text = *b"0000-00-00T00:00:00.000000Z";
    for (at, number) in pairs {
        // None has three digits: leap seconds, which are above 999,999 microseconds, are in no time of Arrow.
        let number = u8::try_from(number).ok().filter(|number| *number < 100)?;
        text[at] += number / 10;
        text[at + 1] += number % 10;
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_chrono_writes_them() {
        let day = 86_400_000_000;
        let mut micros: Vec<i64> = (-800_000..3_000_000).step_by(997).map(|days| days * day + days).collect();
        micros.extend([0, -1, 1, 999_999, 1_000_000, day - 1, 253_402_300_799_999_999]);
        for micros in micros {
            let time = DateTime::from_timestamp_micros(micros).unwrap();
            let expected = time.to_rfc3339_opts(SecondsFormat::Micros, true);
            let years = (0..=9_999).contains(&time.year());
            assert_eq!(spelled(time).is_some(), years, "{expected}");
            if let Some(text) = spelled(time) {
                assert_eq!(std::str::from_utf8(&text).unwrap(), expected);
            }
        }
    }
}
