//! Rows from the caller, in any form.

use crate::call::args::Attachment;
use crate::language::Language;
use arrow_array::RecordBatchReader;
use sondage::{Error, Result};
use sondage_data::{Csv, file_rows, ipc_rows, object_rows, row_stream};
use sondage_jobs::options::RowSource;
use sondage_jobs::{RowStream, Rows};

/// The rows.
pub fn rows<L: Language>(
    with: Attachment<'_, L>,
    source: Option<RowSource>,
) -> Result<Box<dyn RecordBatchReader + Send>> {
    match (with, source) {
        (Attachment::Rows(rows), _) => Ok(rows),
        (_, Some(RowSource { path: Some(path), separator, encoding, decimal, guarded, sheet, .. })) => {
            let mut csv = Csv::new();
            (csv.separator, csv.encoding, csv.decimal, csv.guarded) = (separator, encoding, decimal, guarded);
            file_rows(&path.0, &csv, sheet.as_deref())
        }
        (_, Some(RowSource { ipc: Some(bytes), .. })) => ipc_rows(bytes.0),
        (_, Some(RowSource { objects: Some(objects), .. })) => Ok(Box::new(object_rows(&Rows::of(objects))?)),
        _ => Err(Error::invalid_argument("there are no rows")),
    }
}

/// The rows one after the other. Columns of rows from objects may mix types.
pub fn stream<L: Language>(with: Attachment<'_, L>, source: Option<RowSource>) -> Result<Box<dyn RowStream>> {
    match (with, source) {
        (Attachment::None, Some(RowSource { objects: Some(objects), .. })) => {
            Ok(Box::new(Rows::of(objects).stream()))
        }
        (with, source) => Ok(Box::new(row_stream(rows(with, source)?)?)),
    }
}
