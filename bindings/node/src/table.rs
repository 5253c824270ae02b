//! Interviews and members as tables: Arrow for many rows, objects for few.

use crate::error::thrown;
use crate::to_js::to_js;
use crate::work::Work;
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType};
use chrono::DateTime;
use napi::bindgen_prelude::{Buffer, JavaScriptClassExt, Unknown};
use napi::{Env, JsValue};
use napi_derive::napi;
use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};
use sondage::{Error, Timestamp};
use sondage_data::{FileFormat, Labels};
use std::collections::HashMap;

/// A table. It stays in the core until somebody takes its rows.
#[napi]
pub struct Table(sondage_data::Table);

/// The labels with this name.
pub fn labels_of(env: &Env, word: &str) -> napi::Result<Labels> {
    match word {
        "codes" => Ok(Labels::Codes),
        "labels" => Ok(Labels::Labels),
        "both" => Ok(Labels::Both),
        _ => Err(thrown(env, &Error::invalid_argument("labels must be true, false or \"both\""))),
    }
}

impl Table {
    pub fn of(table: sondage_data::Table) -> Self {
        Self(table)
    }
}

/// A table as a JavaScript object.
pub fn handed_over(env: &Env, table: sondage_data::Table) -> napi::Result<Unknown<'_>> {
    Ok(Table(table).into_instance(env)?.as_object(env).to_unknown())
}

#[napi]
impl Table {
    /// Rows.
    #[napi(getter)]
    pub fn length(&self) -> f64 {
        #[allow(clippy::cast_precision_loss)] // nobody holds 2^53 rows
        let rows = self.0.num_rows() as f64;
        rows
    }

    /// Names of the columns.
    #[napi(getter)]
    pub fn columns(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// What was kept without loss, but not as the survey promised.
    #[napi(getter)]
    pub fn warnings(&self) -> Vec<String> {
        self.0.warnings().map(ToString::to_string).collect()
    }

    /// What a column means, by the words of the Arrow field's metadata.
    #[napi(catch_unwind)]
    pub fn metadata(&self, column: String) -> HashMap<String, String> {
        let metadata = self.0.field(&column).map(|field| field.metadata().iter());
        metadata.into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    /// The codebook as a page to read.
    #[napi(catch_unwind)]
    pub fn codebook(&self) -> String {
        self.0.codebook().to_markdown()
    }

    /// The same rows with codes, labels or both.
    #[napi(catch_unwind)]
    pub fn with_labels(&self, env: &Env, labels: String) -> napi::Result<Table> {
        Ok(Self(self.0.with_labels(labels_of(env, &labels)?)))
    }

    /// The same rows with these columns, in this order.
    #[napi(catch_unwind)]
    pub fn select(&self, env: &Env, columns: Vec<String>) -> napi::Result<Table> {
        let chosen = self.0.select(&columns);
        chosen.map(Self).map_err(|error| thrown(env, &Error::invalid_argument(error.to_string())))
    }

    /// To a file. Gives its size.
    #[napi(catch_unwind)]
    pub fn save(&self, path: String, format: String) -> Work {
        let table = self.0.clone();
        Work::new(async move {
            let format = FileFormat::of_path(std::path::Path::new(&format!("file.{format}")));
            let format = format
                .ok_or_else(|| Error::invalid_argument("a file is parquet, csv or jsonl; name it so"))?;
            table.save(path, format)
        })
    }

    /// The rows as an Arrow IPC stream. JavaScript gets the memory itself.
    #[napi(catch_unwind)]
    pub fn ipc(&self, env: &Env) -> napi::Result<Buffer> {
        let written = || {
            let mut writer = StreamWriter::try_new(Vec::new(), &self.0.schema())?;
            self.0.batches().iter().try_for_each(|batch| writer.write(batch))?;
            writer.into_inner()
        };
        let bytes: Result<Vec<u8>, ArrowError> = written();
        bytes.map(Buffer::from).map_err(|error| thrown(env, &Error::internal(error.to_string())))
    }

    /// Some of the rows as plain objects.
    #[napi(catch_unwind)]
    pub fn rows<'env>(&self, env: &'env Env, first: u32, count: u32) -> napi::Result<Unknown<'env>> {
        let (mut first, mut count) = (first as usize, count as usize);
        let mut rows = Vec::new();
        for batch in self.0.batches() {
            let here = count.min(batch.num_rows().saturating_sub(first));
            rows.extend((first..first + here).map(|row| Row(batch, row)));
            (first, count) = (first.saturating_sub(batch.num_rows()), count - here);
        }
        to_js(env, &rows)
    }
}

/// A row of a batch.
struct Row<'a>(&'a RecordBatch, usize);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(batch, row) = self;
        let mut out = serializer.serialize_map(Some(batch.num_columns()))?;
        for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            out.serialize_entry(field.name(), &Cell(column.as_ref(), *row))?;
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
        let time = |micros| DateTime::from_timestamp_micros(micros).map(Timestamp);
        match column.data_type() {
            DataType::Null => serializer.serialize_none(),
            DataType::Boolean => serializer.serialize_bool(column.as_boolean().value(row)),
            DataType::Int64 => serializer.serialize_i64(column.as_primitive::<Int64Type>().value(row)),
            DataType::Float64 => serializer.serialize_f64(column.as_primitive::<Float64Type>().value(row)),
            DataType::Utf8 => serializer.serialize_str(column.as_string::<i32>().value(row)),
            DataType::Timestamp(..) => {
                time(column.as_primitive::<TimestampMicrosecondType>().value(row)).serialize(serializer)
            }
            DataType::Date32 => {
                let days = i64::from(column.as_primitive::<Date32Type>().value(row));
                time(days * 86_400_000_000).serialize(serializer)
            }
            DataType::Dictionary(..) => {
                let labels = column.as_dictionary::<Int32Type>();
                let label = labels.key(row).map(|key| Cell(labels.values().as_ref(), key));
                label.serialize(serializer)
            }
            other => Err(S::Error::custom(format!("a column of {other} has no form in JavaScript"))),
        }
    }
}
