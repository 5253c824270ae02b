//! Reads an answer, and keeps its bytes for somebody who asks later.

use super::reader::{Reader, Unreadable, Verdict};
use bytes::{Bytes, BytesMut};

/// A reader, and the bytes that it was fed.
pub struct Tee<R> {
    reader: R,
    bytes: BytesMut,
}

impl<R> Tee<R> {
    /// Keeps what this reader is fed.
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
