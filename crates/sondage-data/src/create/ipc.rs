//! Rows from the bytes of an Arrow stream or file, as languages without the C interface hand them over.

use std::io::Cursor;

use arrow_array::{RecordBatchIterator, RecordBatchReader};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::ArrowError;
use sondage::{Error, Result};

/// With these bytes a file begins; a stream does not.
const FILE: &[u8] = b"ARROW1";

/// The rows of an Arrow IPC stream, or of an Arrow file (Feather 2).
pub fn ipc_rows(bytes: Vec<u8>) -> Result<Box<dyn RecordBatchReader + Send>> {
    let failed = |error: ArrowError| {
        Error::invalid_argument(format!("the bytes are no Arrow stream or file: {error}"))
    };
    if !bytes.starts_with(FILE) {
        return Ok(Box::new(StreamReader::try_new(Cursor::new(bytes), None).map_err(failed)?));
    }
    let file = FileReader::try_new(Cursor::new(bytes), None).map_err(failed)?;
    let schema = file.schema();
    Ok(Box::new(RecordBatchIterator::new(file, schema)))
}
