//! Rows of the caller's, however they come.

use crate::args::Attachment;
use crate::bytes::{Bytes, Place};
use crate::language::Language;
use arrow_array::RecordBatchReader;
use indexmap::IndexMap;
use serde::Deserialize;
use sondage::jobs::Rows;
use sondage::model::FieldValue;
use sondage::{Error, Result};
use sondage_data::{csv_rows, ipc_rows, object_rows};

/// Rows that came as a value, in one of these forms. Those of a language that hands tables over come beside it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Source {
    /// A CSV file.
    path: Option<Place>,
    /// The bytes of an Arrow stream or file.
    ipc: Option<Bytes>,
    /// Objects.
    objects: Option<Vec<IndexMap<String, FieldValue>>>,
}

/// The rows.
pub fn rows<L: Language>(
    with: Attachment<'_, L>,
    source: Option<Source>,
) -> Result<Box<dyn RecordBatchReader + Send>> {
    match (with, source) {
        (Attachment::Rows(rows), _) => Ok(rows),
        (_, Some(Source { path: Some(path), .. })) => Ok(Box::new(csv_rows(&path.0)?)),
        (_, Some(Source { ipc: Some(bytes), .. })) => ipc_rows(bytes.0),
        (_, Some(Source { objects: Some(objects), .. })) => Ok(Box::new(object_rows(&Rows::of(objects))?)),
        _ => Err(Error::invalid_argument("there are no rows")),
    }
}
