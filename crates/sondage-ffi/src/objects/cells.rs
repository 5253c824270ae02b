//! Cells of a table as plain values, for callers without another package.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType, TimestampNanosecondType,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use chrono::{DateTime, SecondsFormat, Utc};
use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};
use sondage::Timestamp;
use sondage::arguments::RowsOptions;
use sondage::model::DAY;
use sondage_data::Table;

const MICROS_A_DAY: i64 = 86_400_000_000;

/// Some rows of a table.
pub struct Rows {
    pub table: Table,
    pub part: RowsOptions,
}

impl Serialize for Rows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let RowsOptions { mut first, mut count, named, .. } = self.part;
        let mut rows = serializer.serialize_seq(None)?;
        for batch in self.table.batches() {
            let here = count.min(batch.num_rows().saturating_sub(first));
            for row in first..first + here {
                rows.serialize_element(&Row(batch, row, named))?;
            }
            (first, count) = (first.saturating_sub(batch.num_rows()), count - here);
        }
        rows.end()
    }
}

struct Row<'a>(&'a RecordBatch, usize, bool);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(batch, row, named) = self;
        let cells = batch.columns().iter().map(|column| Cell(column.as_ref(), row));
        if !named {
            return serializer.collect_seq(cells);
        }
        let mut out = serializer.serialize_map(Some(batch.num_columns()))?;
        for (field, cell) in batch.schema_ref().fields().iter().zip(cells) {
            out.serialize_entry(field.name(), &cell)?;
        }
        out.end()
    }
}

struct Cell<'a>(&'a dyn Array, usize);

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(column, row) = self;
        if column.is_null(row) {
            return serializer.serialize_none();
        }
        match column.data_type() {
            DataType::Null => serializer.serialize_none(),
            DataType::Boolean => serializer.serialize_bool(column.as_boolean().value(row)),
            DataType::Int64 => serializer.serialize_i64(column.as_primitive::<Int64Type>().value(row)),
            DataType::Float64 => serializer.serialize_f64(column.as_primitive::<Float64Type>().value(row)),
            DataType::Utf8 => serializer.serialize_str(column.as_string::<i32>().value(row)),
            DataType::LargeUtf8 => serializer.serialize_str(column.as_string::<i64>().value(row)),
            DataType::Timestamp(TimeUnit::Nanosecond, zone) => {
                let nanos = column.as_primitive::<TimestampNanosecondType>().value(row);
                moment(DateTime::from_timestamp_nanos(nanos), zone.is_some(), serializer)
            }
            DataType::Timestamp(_, zone) => {
                let micros = column.as_primitive::<TimestampMicrosecondType>().value(row);
                match DateTime::from_timestamp_micros(micros) {
                    Some(time) => moment(time, zone.is_some(), serializer),
                    None => serializer.serialize_none(),
                }
            }
            DataType::Date32 => {
                let days = i64::from(column.as_primitive::<Date32Type>().value(row));
                let Some(time) = DateTime::from_timestamp_micros(days * MICROS_A_DAY) else {
                    return serializer.serialize_none();
                };
                match Timestamp::of(time) {
                    Some(day) => serializer.serialize_newtype_struct(DAY, &day),
                    None => serializer.collect_str(&time.date_naive()),
                }
            }
            DataType::Dictionary(..) => {
                let labels = column.as_dictionary::<Int32Type>();
                labels.key(row).map(|key| Cell(labels.values().as_ref(), key)).serialize(serializer)
            }
            DataType::List(_) => {
                let items = column.as_list::<i32>().value(row);
                serializer.collect_seq((0..items.len()).map(|item| Cell(items.as_ref(), item)))
            }
            other => {
                Err(S::Error::custom(format!("a column of {other} cannot be converted to plain values")))
            }
        }
    }
}

/// A timestamp; as text if its year is outside the range of some language.
fn moment<S: Serializer>(time: DateTime<Utc>, zoned: bool, serializer: S) -> Result<S::Ok, S::Error> {
    match Timestamp::of(time) {
        Some(time) => time.serialize(serializer),
        None if !zoned => serializer.collect_str(&time.format("%Y-%m-%dT%H:%M:%S%.f")),
        None => serializer.collect_str(&time.to_rfc3339_opts(SecondsFormat::AutoSi, true)),
    }
}
