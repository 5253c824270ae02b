//! Parquet, compressed with Snappy, which every reader supports.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnWriter, ArrowRowGroupWriterFactory, ArrowWriterOptions, compute_leaves,
};
use parquet::basic::Compression;
use parquet::column::page_store::{InMemoryPageStore, PageStore};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;

use super::categories::CategoryChunk;
use super::footer::FooterWriter;
use super::pandas;
use super::sink::RowWriter;
use super::waiting::WaitingRoom;
use crate::Warning;
use crate::table::metadata;
use crate::table::unavailable::{UnavailableOfFile, UnavailableRows, UnavailableText};

/// The maximum number of rows in a row group, which readers load at once.
const GROUP_ROWS: usize = 1 << 17;
/// The maximum encoded size of a row group, in bytes.
const GROUP_BYTES: usize = 16 << 20;
/// The maximum rows and bytes of a column's page, and bytes of its dictionary: these are in memory, for every column.
const PAGE_ROWS: usize = 8192;
const PAGE_BYTES: usize = 128 << 10;
const DICTIONARY_BYTES: usize = 512 << 10;
/// The most columns with a dictionary each: an empty one takes 30 KiB.
const MOST_DICTIONARIES: usize = 2_000;

pub(crate) struct Parquet<W: Write + Send> {
    file: SerializedFileWriter<FooterWriter<W>>,
    groups: ArrowRowGroupWriterFactory,
    schema: SchemaRef,
    /// For columns of labels: all labels, in their order.
    categories: Vec<Option<ArrayRef>>,
    waiting: Option<Arc<WaitingRoom>>,
    group: Option<RowGroup>,
    unavailable: UnavailableOfFile,
}

/// A row group that is not complete.
struct RowGroup {
    rows: usize,
    columns: Vec<ColumnChunk>,
}

/// A column of a row group.
enum ColumnChunk {
    Plain(Box<ArrowColumnWriter>),
    Categories(CategoryChunk),
}

impl<W: Write + Send> Parquet<W> {
    pub(crate) fn new(
        to: W,
        schema: &Schema,
        categories: Vec<Option<ArrayRef>>,
        waiting: Option<&Path>,
    ) -> io::Result<Self> {
        let fields = schema.fields().iter().zip(&categories);
        let fields = fields.map(|(field, categories)| typed(field, categories.as_ref()));
        let metadata = pandas::with_metadata(schema);
        let schema = Arc::new(Schema::new_with_metadata(fields.collect::<Vec<FieldRef>>(), metadata));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_data_page_row_count_limit(PAGE_ROWS)
            .set_data_page_size_limit(PAGE_BYTES)
            .set_dictionary_page_size_limit(DICTIONARY_BYTES)
            .set_dictionary_enabled(schema.fields().len() <= MOST_DICTIONARIES)
            // Statistics per page would stay in memory until the end.
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_created_by(concat!("sondage ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let mut options = ArrowWriterOptions::new().with_properties(properties);
        let waiting = waiting.map(WaitingRoom::new).transpose()?.map(Arc::new);
        if let Some(room) = &waiting {
            options = options.with_page_store_factory(Arc::<WaitingRoom>::clone(room));
        }
        let writer = ArrowWriter::try_new_with_options(FooterWriter::new(to), Arc::clone(&schema), options)
            .map_err(plain)?;
        let (file, groups) = writer.into_serialized_writer().map_err(plain)?;
        let unavailable = UnavailableOfFile::default();
        Ok(Parquet { file, groups, schema, categories, waiting, group: None, unavailable })
    }

    /// Adds metadata of the file.
    pub(crate) fn describe(&mut self, key: &str, text: String) {
        self.file.append_key_value_metadata(KeyValue::new(key.to_owned(), text));
    }

    /// A row group without rows.
    fn group(&self) -> Result<RowGroup, ParquetError> {
        let number = self.file.flushed_row_groups().len();
        let writers = self.groups.create_column_writers(number)?;
        // No type of these tables has more than one column in the file.
        let column = |(writer, categories): (ArrowColumnWriter, &Option<ArrayRef>)| match categories {
            None => ColumnChunk::Plain(Box::new(writer)),
            Some(labels) => {
                let pages: Box<dyn PageStore> = match &self.waiting {
                    Some(room) => room.pages(),
                    None => Box::new(InMemoryPageStore::default()),
                };
                ColumnChunk::Categories(CategoryChunk::new(Arc::clone(labels), PAGE_ROWS, pages))
            }
        };
        Ok(RowGroup { rows: 0, columns: writers.into_iter().zip(&self.categories).map(column).collect() })
    }

    /// Writes rows, in as many row groups as their limits require.
    fn append(&mut self, mut batch: RecordBatch) -> Result<(), ParquetError> {
        while batch.num_rows() > 0 {
            let mut group = match self.group.take() {
                Some(group) => group,
                None => self.group()?,
            };
            let rows = batch.num_rows().min(group.room());
            group.write(&self.schema, &batch.slice(0, rows))?;
            batch = batch.slice(rows, batch.num_rows() - rows);
            let full = group.room() == 0;
            self.group = Some(group);
            if full {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        let Some(group) = self.group.take() else { return Ok(()) };
        let descriptors = self.file.schema_descr().columns().to_vec();
        let mut to = self.file.next_row_group()?;
        for (column, descriptor) in group.columns.into_iter().zip(descriptors) {
            match column {
                ColumnChunk::Plain(writer) => writer.close()?.append_to_row_group(&mut to)?,
                ColumnChunk::Categories(labels) => labels.append(descriptor, &mut to)?,
            }
        }
        to.close().map(|_| ())
    }
}

impl RowGroup {
    /// How many more rows fit, going by the average size of those in it.
    fn room(&self) -> usize {
        let rows = GROUP_ROWS - self.rows;
        if self.rows == 0 {
            return rows;
        }
        let size = |column: &ColumnChunk| match column {
            ColumnChunk::Plain(writer) => writer.get_estimated_total_bytes(),
            ColumnChunk::Categories(labels) => labels.bytes(),
        };
        let bytes: usize = self.columns.iter().map(size).sum();
        let room = GROUP_BYTES.saturating_sub(bytes).checked_div(bytes / self.rows);
        rows.min(room.unwrap_or(rows))
    }

    fn write(&mut self, schema: &Schema, batch: &RecordBatch) -> Result<(), ParquetError> {
        self.rows += batch.num_rows();
        let columns = self.columns.iter_mut().zip(schema.fields()).zip(batch.columns());
        for ((column, field), array) in columns {
            match column {
                ColumnChunk::Categories(labels) => labels.write(array)?,
                ColumnChunk::Plain(writer) => {
                    for leaf in compute_leaves(field, array)? {
                        writer.write(&leaf)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The metadata by which polars recognises an `Enum`: the categories in their order, each after its length in bytes.
const POLARS_ENUM: &str = "_PL_ENUM_VALUES2";

/// The field as files have it. Not every reader supports a column of the type Null: a column without answers is written as
/// text.
fn typed(field: &FieldRef, categories: Option<&ArrayRef>) -> FieldRef {
    let mut field = Field::clone(field);
    if *field.data_type() == DataType::Null {
        field.set_data_type(DataType::Utf8);
    }
    if let Some(labels) = categories {
        let labels = labels.as_string::<i32>().iter().flatten();
        let labels: Vec<String> = labels.map(|label| format!("{};{label}", label.len())).collect();
        field.metadata_mut().insert(POLARS_ENUM, labels.concat());
    }
    Arc::new(field)
}

/// The most columns that the warning names.
const NAMED: usize = 20;

/// The warning about a file without the reasons of missing answers.
fn without_reasons(columns: &[String]) -> Warning {
    let more = columns.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let named = columns[..columns.len().min(NAMED)].join(", ");
    Warning::general(format!(
        "the Parquet file does not say which missing answers are \"not available\", because there are too many of them (in {} columns: \
         {named}{more}). Write fewer rows to a file, or the reasons as columns, with `with_missing(.., show=\"reason\")` (`withMissing` in \
         Node.js)",
        columns.len()
    ))
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
    fn note(&mut self, unavailable: &[UnavailableRows<'_>]) {
        let name = |column: usize| self.schema.field(column).name().as_str();
        self.unavailable.note(name, unavailable);
    }

    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let column = |(array, field): (&ArrayRef, &FieldRef)| match array.data_type() {
            DataType::Null => new_null_array(field.data_type(), array.len()),
            _ => Arc::clone(array),
        };
        let columns = batch.columns().iter().zip(self.schema.fields()).map(column).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)
            .map_err(io::Error::other)?;
        self.unavailable.count(&batch);
        self.append(batch).map_err(plain)
    }

    fn finish(mut self: Box<Self>) -> io::Result<Vec<Warning>> {
        self.flush().map_err(plain)?;
        let mut warning = None;
        match std::mem::take(&mut self.unavailable).into_text() {
            UnavailableText::Nothing => {}
            UnavailableText::Text(text) => {
                self.file.append_key_value_metadata(KeyValue::new(metadata::UNAVAILABLE.to_owned(), text));
            }
            UnavailableText::TooMuch(columns) => warning = Some(without_reasons(&columns)),
        }
        self.file.inner_mut().hold();
        self.file.finish().map_err(plain)?;
        self.file.inner_mut().complete(self.schema.fields().len())?;
        Ok(warning.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_that_are_too_many_for_a_file_are_said() {
        let schema = Schema::new(vec![Field::new("q", DataType::Int64, true)]);
        let finished = |rows: usize| {
            let mut file = Parquet::new(Vec::new(), &schema, vec![None], None).expect("a file");
            file.note(&[UnavailableRows {
                column: 0,
                code: "9999999".into(),
                declared: false,
                rows: (0..rows).collect(),
            }]);
            file.note(&[UnavailableRows {
                column: 0,
                code: "9999999".into(),
                declared: false,
                rows: vec![rows],
            }]);
            Box::new(file).finish().expect("written")
        };
        assert!(finished(1_000).is_empty());
        let warning = finished(5_000_000)[0].to_string();
        assert!(warning.contains("too many of them (in 1 columns: q)"), "{warning}");
    }
}
