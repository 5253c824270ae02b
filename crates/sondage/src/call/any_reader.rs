//! A reader with its type erased, so that the code of a call is compiled once and not once per operation, which made
//! the library larger by a fifth.

use super::reader::{Reader, Unreadable, Verdict};
use crate::error::{Error, Result};
use crate::readable::Readable;
use bytes::{Bytes, BytesMut};
use std::any::Any;
use std::result::Result as Decoded;

/// Makes a reader for each attempt of a call.
pub type NewReader = Box<dyn Fn() -> AnyReader + Send + Sync>;

/// Reads one response.
pub struct AnyReader {
    decoder: Box<dyn Decoder>,
    held: bool,
    kept: Option<BytesMut>,
}

/// What a reader has decoded.
pub struct AnyValue {
    value: Box<dyn Any + Send>,
    /// The bytes of the response, if the reader keeps them.
    pub kept: Bytes,
}

impl AnyReader {
    /// Hides the type of a reader.
    pub fn of<R: Reader>(reader: R) -> Self {
        Self { decoder: Box::new(reader), held: R::HELD, kept: None }
    }

    /// Keeps the bytes of the response for a caller that needs them later.
    #[must_use]
    pub fn keeping(self) -> Self {
        Self { kept: Some(BytesMut::new()), ..self }
    }

    /// As [`Reader::HELD`].
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// As [`Reader::feed`].
    pub fn feed(&mut self, piece: &[u8]) -> Decoded<(), Unreadable> {
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(piece);
        }
        self.decoder.take(piece)
    }

    /// As [`Reader::finish`].
    pub fn finish(self) -> Decoded<Verdict<AnyValue>, Unreadable> {
        let (kept, _) = Readable::body(&self.kept.unwrap_or_default().freeze());
        Ok(match self.decoder.end()? {
            Verdict::Success(value) => Verdict::Success(AnyValue { value, kept }),
            Verdict::Refused(envelope) => Verdict::Refused(envelope),
        })
    }
}

impl AnyValue {
    /// The value, of the type that the reader decodes.
    pub fn into_value<T: 'static>(self) -> Result<T> {
        let value = self.value.downcast().map(|value| *value);
        value.map_err(|_| Error::internal("a response was decoded as something else"))
    }
}

/// What a reader does, without its type.
trait Decoder: Send {
    fn take(&mut self, piece: &[u8]) -> Decoded<(), Unreadable>;
    fn end(self: Box<Self>) -> Decoded<Verdict<Box<dyn Any + Send>>, Unreadable>;
}

impl<R: Reader> Decoder for R {
    fn take(&mut self, piece: &[u8]) -> Decoded<(), Unreadable> {
        self.feed(piece)
    }

    fn end(self: Box<Self>) -> Decoded<Verdict<Box<dyn Any + Send>>, Unreadable> {
        Ok(match self.finish()? {
            Verdict::Success(value) => Verdict::Success(Box::new(value)),
            Verdict::Refused(envelope) => Verdict::Refused(envelope),
        })
    }
}
