//! A growing column of a list, of the type that its field's schema defines.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray, TimestampMicrosecondArray,
    TimestampNanosecondArray,
};
use chrono::{DateTime, Timelike as _, Utc};
use serde::Deserialize;
use serde_json::value::RawValue;
use sondage::internals::schema::Type;
use sondage::model::Timestamp;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListColumnKind {
    Bool,
    Int,
    Float,
    Text,
    Time,
    Json,
}

impl ListColumnKind {
    /// `None` for secrets, which must not be displayed.
    pub(super) fn of(ty: &Type) -> Option<Self> {
        Some(match ty {
            Type::Bool => ListColumnKind::Bool,
            Type::Int => ListColumnKind::Int,
            Type::Float => ListColumnKind::Float,
            Type::Text | Type::Enum(_) => ListColumnKind::Text,
            Type::Secret => return None,
            Type::Timestamp => ListColumnKind::Time,
            Type::FieldValue | Type::Json | Type::List(_) | Type::Map(_) | Type::Model(_) => {
                ListColumnKind::Json
            }
            Type::Optional(inner) => return ListColumnKind::of(inner),
        })
    }
}

/// The values so far.
pub(super) enum ListColumn {
    Bool(Vec<Option<bool>>),
    Int(Vec<Option<i64>>),
    Float(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
    Time(Vec<Option<DateTime<Utc>>>),
    Json(Vec<Option<String>>),
}

impl ListColumn {
    pub(super) fn new(kind: ListColumnKind) -> Self {
        match kind {
            ListColumnKind::Bool => ListColumn::Bool(Vec::new()),
            ListColumnKind::Int => ListColumn::Int(Vec::new()),
            ListColumnKind::Float => ListColumn::Float(Vec::new()),
            ListColumnKind::Text => ListColumn::Text(Vec::new()),
            ListColumnKind::Time => ListColumn::Time(Vec::new()),
            ListColumnKind::Json => ListColumn::Json(Vec::new()),
        }
    }

    pub(super) fn is_json(&self) -> bool {
        matches!(self, ListColumn::Json(_))
    }

    /// Adds a value. Absent and `null` are null.
    pub(super) fn push(&mut self, value: Option<&RawValue>) -> serde_json::Result<()> {
        match self {
            ListColumn::Bool(values) => values.push(read(value)?),
            ListColumn::Int(values) => values.push(read(value)?),
            ListColumn::Float(values) => values.push(read(value)?),
            ListColumn::Text(values) => values.push(read(value)?),
            ListColumn::Time(values) => values.push(read::<Timestamp>(value)?.map(|time| time.0)),
            ListColumn::Json(values) => {
                values.push(value.map(RawValue::get).filter(|json| *json != "null").map(str::to_owned));
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> ArrayRef {
        match self {
            ListColumn::Bool(values) => Arc::new(BooleanArray::from(values)),
            ListColumn::Int(values) => Arc::new(Int64Array::from(values)),
            ListColumn::Float(values) => Arc::new(Float64Array::from(values)),
            ListColumn::Text(values) | ListColumn::Json(values) => Arc::new(StringArray::from(values)),
            ListColumn::Time(values) => times(&values),
        }
    }
}

fn read<'a, T: Deserialize<'a>>(value: Option<&'a RawValue>) -> serde_json::Result<Option<T>> {
    value.map_or(Ok(None), |value| serde_json::from_str(value.get()))
}

/// Microseconds, or nanoseconds if a time has finer digits (.NET writes seven) and all values are in their range.
fn times(values: &[Option<DateTime<Utc>>]) -> ArrayRef {
    let finer = values.iter().flatten().any(|time| time.nanosecond() % 1_000 != 0);
    let nanos = || values.iter().map(|time| time.map(|time| time.timestamp_nanos_opt()));
    if finer && nanos().flatten().all(|nanos| nanos.is_some()) {
        let nanos = nanos().map(Option::flatten).collect::<TimestampNanosecondArray>();
        return Arc::new(nanos.with_timezone("UTC"));
    }
    let micros = values.iter().map(|time| time.map(|time| time.timestamp_micros()));
    Arc::new(micros.collect::<TimestampMicrosecondArray>().with_timezone("UTC"))
}
