//! Decodes a response, and keeps its bytes for a later caller.

use super::reader::{Reader, Unreadable, Verdict};
use bytes::{Bytes, BytesMut};

/// A reader, and the bytes that it was given.
pub struct Tee<R> {
    reader: R,
    bytes: BytesMut,
}

impl<R> Tee<R> {
    /// Keeps the bytes that are passed to this reader.
    pub fn new(reader: R) -> Self {
        Self { reader, bytes: BytesMut::new() }
    }
}

impl<R: Reader> Reader for Tee<R> {
    type Output = (R::Output, Bytes);

    const HELD: bool = R::HELD;

    fn feed(&mut self, piece: &[u8]) -> Result<(), Unreadable> {
        self.bytes.extend_from_slice(piece);
        self.reader.feed(piece)
    }

    fn finish(self) -> Result<Verdict<Self::Output>, Unreadable> {
        let Self { reader, bytes } = self;
        Ok(match reader.finish()? {
            Verdict::Success(value) => Verdict::Success((value, bytes.freeze())),
            Verdict::Refused(envelope) => Verdict::Refused(envelope),
        })
    }
}
