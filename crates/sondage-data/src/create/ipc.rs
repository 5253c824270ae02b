//! Rows from the bytes of an Arrow stream or file, for languages without the C interface.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{Block, Footer, RecordBatch as Head, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use sondage::{Error, Result};

use crate::ipc::{Decoder, MARKER, Stream, read};

type Batch = std::result::Result<RecordBatch, ArrowError>;

/// A file begins and ends with these bytes; a stream does not.
const FILE: &[u8] = b"ARROW1";
/// The size of a file's trailer: the footer length, and [`FILE`].
const TRAILER: usize = 10;

/// The rows of an Arrow IPC stream, or of an Arrow file (Feather 2).
pub fn ipc_rows(bytes: Vec<u8>) -> Result<Box<dyn RecordBatchReader + Send>> {
    let open = || -> std::result::Result<Box<dyn RecordBatchReader + Send>, ArrowError> {
        if bytes.starts_with(FILE) {
            let (batches, schema) = file(bytes)?;
            Ok(rows(batches, schema))
        } else {
            stream(&bytes).ok_or_else(lies)?;
            let stream = Stream::new(Cursor::new(bytes))?;
            let schema = stream.schema();
            Ok(rows(stream, schema))
        }
    };
    let opened = catch_unwind(AssertUnwindSafe(open)).unwrap_or_else(|_| Err(lies()));
    opened.map_err(|error| {
        Error::invalid_argument(format!("the bytes are not an Arrow stream or file: {error}"))
    })
}

fn lies() -> ArrowError {
    ArrowError::IpcError("a buffer lies outside the message".to_owned())
}

/// Arrow panics on some invalid input: a panic becomes an error, after which nothing more is read.
fn rows(
    mut batches: impl Iterator<Item = Batch> + Send + 'static,
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

/// The rows of a file, whose messages are listed in its footer and are checked in the same way.
fn file(bytes: Vec<u8>) -> std::result::Result<(impl Iterator<Item = Batch> + Send, SchemaRef), ArrowError> {
    let footer = footer(&bytes).ok_or_else(lies)?;
    let mut decoder = Decoder::new(footer.schema().ok_or_else(lies)?)?;
    for at in places(&bytes, footer.dictionaries().into_iter().flatten()).ok_or_else(lies)? {
        at_place(&mut decoder, &bytes[at..])?;
    }
    let batches = places(&bytes, footer.recordBatches().into_iter().flatten()).ok_or_else(lies)?;
    let schema = decoder.schema();
    let rows = move |at| at_place(&mut decoder, &bytes[at..])?.ok_or_else(lies);
    Ok((batches.into_iter().map(rows), schema))
}

fn footer(bytes: &[u8]) -> Option<Footer<'_>> {
    let end = bytes.len().checked_sub(TRAILER)?;
    let length = read_footer_length(bytes.get(end..)?.try_into().ok()?).ok()?;
    root_as_footer(bytes.get(end.checked_sub(length)?..end)?).ok()
}

/// Where the messages of blocks begin.
fn places<'a>(bytes: &[u8], blocks: impl Iterator<Item = &'a Block>) -> Option<Vec<usize>> {
    let range = |block: &Block| {
        let at = usize::try_from(block.offset()).ok()?;
        let head = usize::try_from(block.metaDataLength()).ok()?;
        let body = usize::try_from(block.bodyLength()).ok()?;
        message(bytes.get(at..)?.get(..head.checked_add(body)?)?).map(|_| at)
    };
    blocks.map(range).collect()
}

fn at_place(decoder: &mut Decoder, mut bytes: &[u8]) -> std::result::Result<Option<RecordBatch>, ArrowError> {
    let mut head = Vec::new();
    let (message, body) = read(&mut bytes, &mut head)?.ok_or_else(lies)?;
    decoder.take(message, &body)
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
