//! Reads the messages of Arrow IPC.
//!
//! Arrow's own readers merge dictionaries of any type that arrive in parts; the code for all types was 4 % of a wheel. Here parts
//! are merged if they are texts; others are refused.

use std::collections::HashMap;
use std::io::Read;
use std::sync::Arc;

use arrow_array::{Array as _, ArrayRef, GenericStringArray, OffsetSizeTrait, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::read_record_batch;
use arrow_ipc::{DictionaryBatch, Message, MetadataVersion, root_as_message};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

/// The marker that may precede the length of a message.
pub(crate) const MARKER: [u8; 4] = [0xFF; 4];
/// The body grows with the bytes that arrive, because the announced length may be wrong.
const RESERVED: usize = 1 << 20;

/// The rows of messages.
pub(crate) struct Decoder {
    schema: SchemaRef,
    dictionaries: HashMap<i64, ArrayRef>,
}

impl Decoder {
    pub fn new(schema: arrow_ipc::Schema<'_>) -> Result<Self, ArrowError> {
        if !schema.endianness().equals_to_target_endianness() {
            return Err(broken("its byte order is not that of this machine"));
        }
        Ok(Self { schema: Arc::new(try_fb_to_schema(schema)?), dictionaries: HashMap::new() })
    }

    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// The rows of a message; `None` for a dictionary, which is kept for later rows.
    pub fn take(&mut self, message: Message<'_>, body: &Buffer) -> Result<Option<RecordBatch>, ArrowError> {
        let version = message.version();
        if let Some(batch) = message.header_as_record_batch() {
            let rows = read_record_batch(body, batch, self.schema(), &self.dictionaries, None, &version)?;
            return Ok(Some(rows));
        }
        match message.header_as_dictionary_batch() {
            Some(batch) => self.keep(batch, body, version).map(|()| None),
            None => Err(broken("a message holds neither rows nor a dictionary")),
        }
    }

    fn keep(
        &mut self,
        batch: DictionaryBatch<'_>,
        body: &Buffer,
        version: MetadataVersion,
    ) -> Result<(), ArrowError> {
        #[allow(deprecated, reason = "the ids are those of the messages, which nothing else knows")]
        let fields = self.schema.fields_with_dict_id(batch.id());
        let Some(DataType::Dictionary(_, kind)) = fields.first().map(|field| field.data_type()) else {
            return Err(broken("a dictionary belongs to no column"));
        };
        let schema = Schema::new(vec![Field::new("", kind.as_ref().clone(), true)]);
        let rows = batch.data().ok_or_else(|| broken("a dictionary is empty"))?;
        let rows = read_record_batch(body, rows, Arc::new(schema), &self.dictionaries, None, &version)?;
        let mut values = Arc::clone(rows.column(0));
        if batch.isDelta() {
            let earlier = self.dictionaries.get(&batch.id());
            values = joined(earlier.ok_or_else(|| broken("a dictionary lacks its first part"))?, &values)?;
        }
        self.dictionaries.insert(batch.id(), values);
        Ok(())
    }
}

fn joined(first: &ArrayRef, second: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    texts::<i32>(first, second).or_else(|| texts::<i64>(first, second)).ok_or_else(|| {
        let kind = first.data_type();
        broken(&format!("a dictionary of the type {kind} arrives in parts, which only one of texts can"))
    })
}

fn texts<O: OffsetSizeTrait>(first: &ArrayRef, second: &ArrayRef) -> Option<ArrayRef> {
    let texts = |array: &ArrayRef| array.as_any().downcast_ref::<GenericStringArray<O>>().cloned();
    let (first, second) = (texts(first)?, texts(second)?);
    Some(Arc::new(first.iter().chain(second.iter()).collect::<GenericStringArray<O>>()))
}

fn broken(what: &str) -> ArrowError {
    ArrowError::IpcError(what.to_owned())
}

/// The rows of a stream.
pub(crate) struct Stream<R> {
    from: R,
    head: Vec<u8>,
    decoder: Decoder,
    done: bool,
}

impl<R: Read> Stream<R> {
    pub fn new(mut from: R) -> Result<Self, ArrowError> {
        let mut head = Vec::new();
        let message = read(&mut from, &mut head)?.ok_or_else(|| broken("the stream is empty"))?.0;
        let schema =
            message.header_as_schema().ok_or_else(|| broken("the stream does not begin with a schema"))?;
        let decoder = Decoder::new(schema)?;
        Ok(Self { from, head, decoder, done: false })
    }

    pub fn schema(&self) -> SchemaRef {
        self.decoder.schema()
    }

    fn rows(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        while let Some((message, body)) = read(&mut self.from, &mut self.head)? {
            if let Some(rows) = self.decoder.take(message, &body)? {
                return Ok(Some(rows));
            }
        }
        Ok(None)
    }
}

impl<R: Read> Iterator for Stream<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let rows = self.rows().transpose();
        self.done = !matches!(rows, Some(Ok(_)));
        rows
    }
}

/// The next message of a stream and its body. `None`: the stream has ended.
pub(crate) fn read<'a>(
    from: &mut impl Read,
    head: &'a mut Vec<u8>,
) -> Result<Option<(Message<'a>, Buffer)>, ArrowError> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        // A stream may end without an end marker.
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
        result => result?,
    }
    if length == MARKER {
        from.read_exact(&mut length)?;
    }
    let length =
        usize::try_from(i32::from_le_bytes(length)).map_err(|_| broken("a message has a negative length"))?;
    if length == 0 {
        return Ok(None);
    }
    head.clear();
    exactly(from, length, head)?;
    let message =
        root_as_message(head).map_err(|error| broken(&format!("a message is not valid ({error})")))?;
    let length = usize::try_from(message.bodyLength()).map_err(|_| broken("a body has a negative length"))?;
    let mut body = Vec::with_capacity(length.min(RESERVED));
    exactly(from, length, &mut body)?;
    Ok(Some((message, Buffer::from_vec(body))))
}

fn exactly(from: &mut impl Read, length: usize, into: &mut Vec<u8>) -> Result<(), ArrowError> {
    let read = from.take(length as u64).read_to_end(into)?;
    if read == length { Ok(()) } else { Err(broken("it ends within a message")) }
}
