//! Parquet, compressed with Snappy, which every reader knows.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::sink::Rows;

/// Rows of a row group, at most: what a reader takes at once, and what is in memory here.
const GROUP_ROWS: usize = 1 << 17;
/// Encoded bytes of a row group, at most.
const GROUP_BYTES: usize = 16 << 20;

pub(super) struct Parquet<W: Write + Send> {
    writer: ArrowWriter<W>,
    schema: SchemaRef,
}

impl<W: Write + Send> Parquet<W> {
    pub(super) fn new(to: W, schema: &Schema) -> io::Result<Self> {
        let schema = Arc::new(Schema::new_with_metadata(
            schema.fields().iter().map(typed).collect::<Vec<FieldRef>>(),
            schema.metadata().clone(),
        ));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .set_max_row_group_bytes(Some(GROUP_BYTES))
            .set_created_by(concat!("sondage ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let writer = ArrowWriter::try_new(to, Arc::clone(&schema), Some(properties)).map_err(plain)?;
        Ok(Parquet { writer, schema })
    }
}

/// Not every reader knows a column that has no type: what nobody answered is a column of texts.
fn typed(field: &FieldRef) -> FieldRef {
    match field.data_type() {
        DataType::Null => Arc::new(Field::clone(field).with_data_type(DataType::Utf8)),
        _ => Arc::clone(field),
    }
}

/// The error of the disk, where there is one below.
fn plain(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

impl<W: Write + Send> Rows for Parquet<W> {
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
