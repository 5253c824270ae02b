//! Rows from the bytes of an Arrow stream or file, for languages without the C interface.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_ipc::reader::{FileReader, StreamReader, read_footer_length};
use arrow_ipc::{Block, root_as_footer, root_as_message};
use arrow_schema::ArrowError;
use sondage::{Error, Result};

type Batch = std::result::Result<RecordBatch, ArrowError>;

/// A file begins with these bytes; a stream does not.
const FILE: &[u8] = b"ARROW1";
/// The size of a file's trailer: the length of the footer, and [`FILE`].
const TRAILER: usize = 10;
/// The marker that may precede the length of a message.
const MARKER: [u8; 4] = [0xFF; 4];

/// The rows of an Arrow IPC stream, or of an Arrow file (Feather 2).
pub fn ipc_rows(bytes: Vec<u8>) -> Result<Box<dyn RecordBatchReader + Send>> {
    let open = || -> std::result::Result<Box<dyn RecordBatchReader + Send>, ArrowError> {
        Ok(if bytes.starts_with(FILE) {
            check_file(&bytes).ok_or_else(invalid)?;
            guarded(FileReader::try_new(Cursor::new(bytes), None)?)
        } else {
            check_stream(&bytes).ok_or_else(invalid)?;
            guarded(StreamReader::try_new(Cursor::new(bytes), None)?)
        })
    };
    let opened = catch_unwind(AssertUnwindSafe(open)).unwrap_or_else(|_| Err(invalid()));
    opened.map_err(|error| {
        Error::invalid_argument(format!("the bytes are not an Arrow stream or file: {error}"))
    })
}

/// Arrow panics on some other invalid input: a panic becomes an error, after which nothing more is read.
fn guarded(mut batches: impl RecordBatchReader + Send + 'static) -> Box<dyn RecordBatchReader + Send> {
    let schema = batches.schema();
    let mut failed = false;
    let next = move || {
        if failed {
            return None;
        }
        let batch: Option<Batch> =
            catch_unwind(AssertUnwindSafe(|| batches.next())).unwrap_or_else(|_| Some(Err(invalid())));
        failed = matches!(batch, Some(Err(_)));
        batch
    };
    Box::new(RecordBatchIterator::new(std::iter::from_fn(next), schema))
}

fn invalid() -> ArrowError {
    ArrowError::IpcError("a buffer lies outside the message".to_owned())
}

/// Whether every buffer of a stream lies within the body of its message. Arrow assumes this, and panics otherwise.
fn check_stream(mut rest: &[u8]) -> Option<()> {
    while !rest.is_empty() {
        match message_length(rest)? {
            0 => return Some(()),
            length => rest = rest.get(length..)?,
        }
    }
    Some(())
}

/// The same for a file, whose messages are listed in its footer.
fn check_file(bytes: &[u8]) -> Option<()> {
    let end = bytes.len().checked_sub(TRAILER)?;
    let length = read_footer_length(bytes.get(end..)?.try_into().ok()?).ok()?;
    let footer = root_as_footer(bytes.get(end.checked_sub(length)?..end)?).ok()?;
    let blocks =
        footer.dictionaries().into_iter().flatten().chain(footer.recordBatches().into_iter().flatten());
    let check = |block: &Block| {
        let start = usize::try_from(block.offset()).ok()?;
        let head = usize::try_from(block.metaDataLength()).ok()?;
        let body = usize::try_from(block.bodyLength()).ok()?;
        message_length(bytes.get(start..)?.get(..head.checked_add(body)?)?).map(drop)
    };
    blocks.map(check).collect()
}

/// Checks the message at the start of `bytes`, and returns its length; 0 for the message that ends a stream.
fn message_length(bytes: &[u8]) -> Option<usize> {
    let marker = usize::from(bytes.starts_with(&MARKER)) * MARKER.len();
    let length = i32::from_le_bytes(*bytes.get(marker..)?.first_chunk()?);
    let head = usize::try_from(length).ok()?;
    if head == 0 {
        return Some(0);
    }
    let start = marker + 4;
    let message = root_as_message(bytes.get(start..start.checked_add(head)?)?).ok()?;
    let body = usize::try_from(message.bodyLength()).ok()?;
    bytes.get(start + head..)?.get(..body)?;
    let dictionary = || message.header_as_dictionary_batch()?.data();
    let batch = message.header_as_record_batch().or_else(dictionary);
    for buffer in batch.into_iter().flat_map(|batch| batch.buffers().into_iter().flatten()) {
        let end =
            usize::try_from(buffer.offset()).ok()?.checked_add(usize::try_from(buffer.length()).ok()?)?;
        if end > body {
            return None;
        }
    }
    Some(start + head + body)
}
