//! A page as a file: an Arrow IPC stream of its columns, before types were assigned.

use std::io::{Read, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, Field, Metadata, Schema};
use serde::{Deserialize, Serialize};

use crate::column::Column;
use crate::column::seen::SeenKinds;
use crate::decode::chunk::Chunk;
use crate::decode::names::{ColumnName, ColumnNames, ValueLocation};
use crate::decode::page::{Page, PayloadLayout};
use crate::decode::replaced::Replaced;
use crate::error::Warning;
use crate::meaning::{CodePlan, Survey, Variable};
use crate::table::typed;

/// The key of the schema that holds the [`PageHead`].
const HEAD: &str = "sondage.page";

/// Rows that are read back at a time. Allocators reuse buffers of this size; large buffers of varying sizes fragment the
/// heap, so that memory would grow with the list although nothing is kept.
const PIECE: usize = 1024;

/// The metadata of a page.
#[derive(Serialize, Deserialize)]
struct PageHead {
    form: PayloadLayout,
    survey: Survey,
    plan: Option<Vec<Variable>>,
    warnings: Vec<Warning>,
    #[serde(default)]
    replaced: Replaced,
    columns: Vec<StoredColumn>,
}

#[derive(Serialize, Deserialize)]
struct StoredColumn {
    place: ValueLocation,
    name: String,
    field_type: Option<String>,
    field_type_varies: bool,
    seen: u8,
}

/// Writes a page.
pub(crate) fn write(mut page: Page, to: impl Write) -> Result<(), ArrowError> {
    let kinds: Vec<SeenKinds> =
        (0..page.names.list().len()).map(|number| seen(&page.chunks, number)).collect();
    let (mut chunks, mut fields) = (Vec::new(), None);
    for chunk in std::mem::take(&mut page.chunks) {
        let rows = chunk.rows;
        let columns: Vec<ArrayRef> = arrays(chunk, &kinds)?;
        fields
            .get_or_insert_with(|| columns.iter().map(|array| array.data_type().clone()).collect::<Vec<_>>());
        chunks.push((rows, columns));
    }
    let field = |(number, kind)| Field::new(format!("{number}"), kind, true);
    let fields: Vec<Field> = fields.unwrap_or_default().into_iter().enumerate().map(field).collect();
    let metadata = Metadata::from([(HEAD, head(&page, &kinds)?)]);
    let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
    let mut writer = StreamWriter::try_new(to, &schema)?;
    for (rows, columns) in chunks {
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&schema), columns, &options)?;
        for from in (0..rows).step_by(PIECE) {
            writer.write(&batch.slice(from, PIECE.min(rows - from)))?;
        }
    }
    writer.finish()
}

fn head(page: &Page, kinds: &[SeenKinds]) -> Result<String, ArrowError> {
    let column = |(column, seen): (&ColumnName, &SeenKinds)| StoredColumn {
        place: column.place,
        name: column.name.to_string(),
        field_type: column.field_type.as_deref().map(str::to_owned),
        field_type_varies: column.field_type_varies,
        seen: seen.bits(),
    };
    let head = PageHead {
        form: page.form(),
        survey: page.survey().clone(),
        plan: page.code_plan().map(|plan| plan.variables().cloned().collect()),
        warnings: page.warnings().to_vec(),
        replaced: page.replaced().clone(),
        columns: page.names.list().iter().zip(kinds).map(column).collect(),
    };
    serde_json::to_string(&head).map_err(|error| ArrowError::ExternalError(Box::new(error)))
}

/// The kinds of values that a column has held in any chunk.
pub(crate) fn seen(chunks: &[Chunk], number: usize) -> SeenKinds {
    let columns = chunks.iter().filter_map(|chunk| chunk.columns.get(number));
    columns.fold(SeenKinds::default(), |seen, column| seen.union(column.seen()))
}

fn arrays(chunk: Chunk, kinds: &[SeenKinds]) -> Result<Vec<ArrayRef>, ArrowError> {
    let rows = chunk.rows;
    let missing = kinds.len().saturating_sub(chunk.columns.len());
    let columns = chunk.columns.into_iter().chain(std::iter::repeat_with(Column::new).take(missing));
    let columns = columns.zip(kinds).map(|(mut column, seen)| {
        column.pad_nulls(rows);
        column.widen(*seen);
        typed::array(column)
    });
    columns.collect()
}

/// Reads a page.
pub(crate) fn read(from: impl Read) -> Result<Page, ArrowError> {
    let reader = StreamReader::try_new(from, None)?;
    let schema = reader.schema();
    let broken = |what: &str| ArrowError::IpcError(format!("a stored page {what}"));
    let text = schema.metadata().get(HEAD).ok_or_else(|| broken("has no header"))?;
    let head: PageHead =
        serde_json::from_str(text).map_err(|_| broken("has a header that cannot be read"))?;
    let mut names = ColumnNames::default();
    let adopt = |column: &StoredColumn| {
        names.adopt(&ColumnName {
            place: column.place,
            name: column.name.as_str().into(),
            field_type: column.field_type.as_deref().map(Into::into),
            field_type_varies: column.field_type_varies,
        })
    };
    let numbers: Vec<usize> = head.columns.iter().map(adopt).collect();
    let mut chunks = Vec::new();
    for batch in reader {
        let batch = batch?;
        let mut chunk = Chunk { rows: batch.num_rows(), ..Chunk::default() };
        for ((array, stored), &number) in batch.columns().iter().zip(&head.columns).zip(&numbers) {
            let column = Column::of_array(array, SeenKinds::of_bits(stored.seen));
            *chunk.column(number) = column.ok_or_else(|| broken("has a column of an unknown type"))?;
        }
        chunks.push(chunk);
    }
    let plan = head.plan.map(CodePlan::new);
    let about = Page::of_head(head.form, head.survey, plan, head.warnings, head.replaced);
    Ok(Page::of_parts(head.form, names, chunks, about))
}
