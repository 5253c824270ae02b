//! Rows from the bytes of an Arrow stream or file, for languages without the C interface.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_ipc::reader::{FileReader, StreamReader, read_footer_length};
use arrow_ipc::{Block, RecordBatch as Head, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use sondage::{Error, Result};

/// A file begins and ends with these bytes; a stream does not.
const FILE: &[u8] = b"ARROW1";
/// The marker that may precede the length of a message.
const MARKER: [u8; 4] = [0xFF; 4];
/// The size of a file's trailer: the footer length, and [`FILE`].
const TRAILER: usize = 10;

/// The rows of an Arrow IPC stream, or of an Arrow file (Feather 2).
pub fn ipc_rows(bytes: Vec<u8>) -> Result<Box<dyn RecordBatchReader + Send>> {
    let open = || -> std::result::Result<Box<dyn RecordBatchReader + Send>, ArrowError> {
        if bytes.starts_with(FILE) {
            file(&bytes).ok_or_else(lies)?;
            let file = FileReader::try_new(Cursor::new(bytes), None)?;
            let schema = file.schema();
            Ok(rows(file, schema))
        } else {
            stream(&bytes).ok_or_else(lies)?;
            let stream = StreamReader::try_new(Cursor::new(bytes), None)?;
            let schema = stream.schema();
            Ok(rows(stream, schema))
        }
    };
    let opened = catch_unwind(AssertUnwindSafe(open)).unwrap_or_else(|_| Err(lies()));
    opened.map_err(|error| Error::invalid_argument(format!("the bytes are no Arrow stream or file: {error}")))
}

fn lies() -> ArrowError {
    ArrowError::IpcError("a buffer lies outside the message".to_owned())
}

/// Arrow panics on some invalid input: a panic becomes an error, after which nothing more is read.
fn rows(
    mut batches: impl Iterator<Item = std::result::Result<RecordBatch, ArrowError>> + Send + 'static,
    schema: SchemaRef,
) -> Box<dyn RecordBatchReader + Send> {
    let mut broken = false;
    let next = move || {
        if broken {
            return None;
        }
        catch_unwind(AssertUnwindSafe(|| batches.next())).unwrap_or_else(|_| {
            broken = true;
            Some(Err(lies()))
        })
    };
    Box::new(RecordBatchIterator::new(std::iter::from_fn(next), schema))
}

/// Whether every buffer of a stream lies within the body of its message. Arrow assumes this, and panics otherwise.
fn stream(mut rest: &[u8]) -> Option<()> {
    while !rest.is_empty() {
        match message(rest)? {
            0 => return Some(()),
            length => rest = rest.get(length..)?,
        }
    }
    Some(())
}

/// The same for a file, whose messages are listed in its footer.
fn file(bytes: &[u8]) -> Option<()> {
    let end = bytes.len().checked_sub(TRAILER)?;
    let length = read_footer_length(bytes.get(end..)?.try_into().ok()?).ok()?;
    let footer = root_as_footer(bytes.get(end.checked_sub(length)?..end)?).ok()?;
    let block = |block: &Block| {
        let at = usize::try_from(block.offset()).ok()?;
        let head = usize::try_from(block.metaDataLength()).ok()?;
        let body = usize::try_from(block.bodyLength()).ok()?;
        let whole = bytes.get(at..)?.get(..head.checked_add(body)?)?;
        message(whole).map(|_| ())
    };
    let batches = footer.recordBatches().into_iter().flatten();
    let mut blocks = footer.dictionaries().into_iter().flatten().chain(batches);
    blocks.try_for_each(block)
}

/// Checks the message at the start of `bytes`, and returns its length; 0 for the message that ends a stream.
fn message(bytes: &[u8]) -> Option<usize> {
    let marked = usize::from(bytes.starts_with(&MARKER)) * MARKER.len();
    let length = i32::from_le_bytes(*bytes.get(marked..)?.first_chunk()?);
    let head = usize::try_from(length).ok()?;
    if head == 0 {
        return Some(0);
    }
    let start = marked + 4;
    let message = root_as_message(bytes.get(start..start.checked_add(head)?)?).ok()?;
    let body = usize::try_from(message.bodyLength()).ok()?;
    bytes.get(start + head..)?.get(..body)?;
    let dictionary = || message.header_as_dictionary_batch()?.data();
    if let Some(batch) = message.header_as_record_batch().or_else(dictionary) {
        inside(batch, body)?;
    }
    Some(start + head + body)
}

fn inside(batch: Head<'_>, body: usize) -> Option<()> {
    let mut buffers = batch.buffers().into_iter().flatten();
    buffers.try_for_each(|buffer| {
        let at = usize::try_from(buffer.offset()).ok()?;
        let end = at.checked_add(usize::try_from(buffer.length()).ok()?)?;
        (end <= body).then_some(())
    })
}
