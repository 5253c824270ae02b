//! Imports members from Arrow tables, each once; and the outcome of each row as a table.

mod lent;

use std::sync::Arc;

use arrow_array::{Int64Array, RecordBatch, RecordBatchReader, StringArray};
use arrow_schema::ArrowError;
use sondage::model::FieldValue;
use sondage::{Error, Result};
use sondage_jobs::{ImportReport, ImportRow, RowStream, RowsFormat, TakeRow};

use crate::create::{UnreadFile, add_lines, rows_format, source};
use crate::error::unexpected;
use crate::table::{Table, metadata};

/// The rows of an Arrow table, or of a CSV file by [`csv_rows`](crate::csv_rows), for
/// [`Import::run_stream`](sondage_jobs::Import). One batch is in memory at a time.
///
/// A column of a type that members cannot have is an error.
pub fn row_stream<R: RecordBatchReader + Send + 'static>(rows: R) -> Result<impl RowStream + use<R>> {
    let schema = rows.schema();
    if let Some(field) = schema.fields().iter().find(|field| !source::is_known(field.data_type())) {
        let (name, kind) = (field.name(), field.data_type());
        let what = format!("the column {name:?} has the type {kind}, which members cannot have");
        return Err(Error::invalid_argument(what));
    }
    let names = schema.fields().iter().map(|field| field.name().clone()).collect();
    let format = rows_format(&schema);
    Ok(ImportRows { reader: Box::new(rows), names, format, batch: None })
}

type Batch = std::result::Result<RecordBatch, ArrowError>;

struct ImportRows {
    reader: Box<dyn RecordBatchReader + Send>,
    names: Vec<String>,
    format: Option<RowsFormat>,
    /// A batch, and the index of its next row.
    batch: Option<(RecordBatch, usize)>,
}

impl RowStream for ImportRows {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn rows_format(&self) -> Option<RowsFormat> {
        self.format.clone()
    }

    fn next_row(&mut self, row: &mut Vec<FieldValue>) -> Result<bool> {
        row.clear();
        let Some((batch, next)) = self.refill()? else { return Ok(false) };
        row.extend(batch.columns().iter().map(|array| source::value(array, *next)));
        *next += 1;
        Ok(true)
    }

    fn next_rows(&mut self, take: &mut TakeRow<'_>) -> Result<bool> {
        let Some((batch, next)) = self.refill()? else { return Ok(false) };
        let begin = *next;
        let count = lent::MOST.min(batch.num_rows() - begin);
        lent::rows(batch, begin..begin + count, take)?;
        *next += count;
        Ok(true)
    }
}

impl ImportRows {
    /// The batch with the next row, and the row's index in it.
    fn refill(&mut self) -> Result<Option<&mut (RecordBatch, usize)>> {
        while self.batch.as_ref().is_none_or(|(batch, next)| *next >= batch.num_rows()) {
            let Some(batch) = self.reader.next() else { return Ok(None) };
            let batch = source::checked(unless_told(batch)?).map_err(|why| unreadable(&why))?;
            add_lines(&mut self.format, &batch);
            self.batch = Some((batch, 0));
        }
        Ok(self.batch.as_mut())
    }
}

/// Returns the error of a file that cannot be read as its own, with what to do.
fn unless_told(batch: Batch) -> Result<Batch> {
    match batch {
        Err(ArrowError::ExternalError(error)) => match error.downcast::<UnreadFile>() {
            Ok(error) => Err((*error).into()),
            Err(error) => Ok(Err(ArrowError::ExternalError(error))),
        },
        batch => Ok(batch),
    }
}

fn unreadable(why: &str) -> Error {
    Error::invalid_argument(sondage::text!("the rows cannot be read ({why})")).with_hint("Nothing was sent.")
}

/// The description of the column `line` of tables.
pub(crate) const LINE: &str =
    "The line of the file in which the row begins, counted from 1; of a workbook, the row of the sheet.";

/// The outcome of each row of an import, as a table: the columns `row`, `line`, `status`, `id`, `reason` and
/// `attributed`.
pub fn import_table(report: &ImportReport) -> Result<Table> {
    // The report is read again for each column: a copy of a million rows would take more memory than the table.
    let number = |row: ImportRow| Some(i64::try_from(row.row).unwrap_or(i64::MAX));
    let numbers: Int64Array = report.rows().map(number).collect();
    let lines: Int64Array =
        report.rows().map(|row| row.line.and_then(|line| i64::try_from(line).ok())).collect();
    let statuses: StringArray = report.rows().map(|row| Some(row.status.as_str())).collect();
    let ids: Int64Array = report.rows().map(|row| row.id).collect();
    let reasons: StringArray = report.rows().map(|row| row.reason).collect();
    let ways: StringArray = report.rows().map(|row| row.attributed.as_str()).collect();
    let columns: [(&str, &str, arrow_array::ArrayRef); 6] = [
        ("row", "The row, counted from 0; from 1 in a report of the command.", Arc::new(numbers)),
        ("line", LINE, Arc::new(lines)),
        ("status", "What became of it.", Arc::new(statuses)),
        ("id", "Number of the member.", Arc::new(ids)),
        ("reason", "Why, where the status does not say it.", Arc::new(reasons)),
        ("attributed", "How it is known: by the answer, or by reading the members back.", Arc::new(ways)),
    ];
    let columns =
        columns.into_iter().map(|(name, what, array)| (name, metadata::of_list(what, false), false, array));
    Table::plain(columns, report.len()).map_err(|error| unexpected(&error))
}
