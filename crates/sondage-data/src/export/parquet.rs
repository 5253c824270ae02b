//! Parquet, compressed with Snappy, which every reader supports.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use arrow_schema::{DataType, Field, FieldRef, Metadata, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use serde_json::{Map, Value, json};

use super::sink::RowWriter;
use super::waiting::WaitingRoom;
use crate::meaning::ValueLabel;
use crate::table::metadata;

/// The maximum number of rows in a row group, which readers load at once.
const GROUP_ROWS: usize = 1 << 17;
/// The maximum encoded size of a row group, in bytes.
const GROUP_BYTES: usize = 16 << 20;
/// The maximum rows and bytes of a column's page, and bytes of its dictionary: these are in memory, for every column.
const PAGE_ROWS: usize = 8192;
const PAGE_BYTES: usize = 128 << 10;
const DICTIONARY_BYTES: usize = 512 << 10;

pub(super) struct Parquet<W: Write + Send> {
    writer: ArrowWriter<W>,
    schema: SchemaRef,
}

impl<W: Write + Send> Parquet<W> {
    pub(super) fn new(to: W, schema: &Schema, waiting: Option<&Path>) -> io::Result<Self> {
        let schema = Arc::new(Schema::new_with_metadata(
            schema.fields().iter().map(typed).collect::<Vec<FieldRef>>(),
            with_pandas(schema),
        ));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .set_max_row_group_bytes(Some(GROUP_BYTES))
            .set_data_page_row_count_limit(PAGE_ROWS)
            .set_data_page_size_limit(PAGE_BYTES)
            .set_dictionary_page_size_limit(DICTIONARY_BYTES)
            // Statistics per page would stay in memory until the end.
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_created_by(concat!("sondage ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let mut options = ArrowWriterOptions::new().with_properties(properties);
        if let Some(path) = waiting {
            options = options.with_page_store_factory(Arc::new(WaitingRoom::new(path)?));
        }
        let writer = ArrowWriter::try_new_with_options(to, Arc::clone(&schema), options).map_err(plain)?;
        Ok(Parquet { writer, schema })
    }
}

/// The metadata of a schema with the labels of its columns, as pandas keeps `DataFrame.attrs` in its own files: then
/// `pandas.read_parquet` returns them.
fn with_pandas(schema: &Schema) -> Metadata {
    let (mut labels, mut values) = (Map::new(), Map::new());
    for field in schema.fields() {
        if let Some(label) = field.metadata().get(metadata::LABEL) {
            labels.insert(field.name().clone(), label.as_str().into());
        }
        if let Some(text) = field.metadata().get(metadata::VALUES)
            && let Ok(known) = serde_json::from_str::<Vec<ValueLabel>>(text)
        {
            let pairs: Map<String, Value> =
                known.into_iter().map(|value| (value.code, value.label.into())).collect();
            values.insert(field.name().clone(), pairs.into());
        }
    }
    let mut out = schema.metadata().clone();
    if !labels.is_empty() || !values.is_empty() {
        out.insert("PANDAS_ATTRS", json!({ "labels": labels, "values": values }).to_string());
    }
    out
}

/// Not every reader supports a column of the type Null: a column without answers is written as text.
fn typed(field: &FieldRef) -> FieldRef {
    match field.data_type() {
        DataType::Null => Arc::new(Field::clone(field).with_data_type(DataType::Utf8)),
        _ => Arc::clone(field),
    }
}

/// The underlying I/O error, if there is one.
fn plain(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

impl<W: Write + Send> RowWriter for Parquet<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let column = |(array, field): (&ArrayRef, &FieldRef)| match array.data_type() {
            DataType::Null => new_null_array(field.data_type(), array.len()),
            _ => Arc::clone(array),
        };
        let columns = batch.columns().iter().zip(self.schema.fields()).map(column).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)
            .map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(plain)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.writer.finish().map_err(plain)?;
        self.writer.inner_mut().flush()
    }
}
