//! Decompresses a response while it arrives.
//!
//! The HTTP library could do that too, but passes the text on in chunks of 4 KiB, each in its own buffer. Here one buffer
//! serves the whole response, so that the text is still in the processor's cache when it is read.

use super::failure::{Failure, FailureCause};
use crate::error::Delivery;
use bytes::{Buf, Bytes};
use flate2::{Decompress, FlushDecompress, Status};
use http::HeaderMap;
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, HeaderValue};

/// The size of the first chunk, small because most responses are small.
const SMALL: usize = 8 << 10;
/// The size of all other chunks. Twice as much is no faster, half of it a tenth slower.
const LARGE: usize = 128 << 10;

/// The `Accept-Encoding` header of a request.
pub(super) fn accept() -> HeaderMap {
    HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static("gzip"))])
}

/// A decompressor for one response.
pub(super) struct Gunzip {
    stream: Decompress,
    /// Compressed bytes that have arrived and are not processed yet.
    rest: Bytes,
    piece: Vec<u8>,
    /// How many of them have been processed.
    taken: u64,
    /// The gzip stream, or one of several concatenated ones, has ended with the right checksum.
    ended: bool,
}

impl Gunzip {
    /// Makes a decompressor if the headers say that the response is compressed. The headers are then changed to describe
    /// the decompressed text.
    pub fn of(headers: &mut HeaderMap) -> Option<Self> {
        let encoding = headers.get(CONTENT_ENCODING)?.as_bytes();
        if !encoding.eq_ignore_ascii_case(b"gzip") && !encoding.eq_ignore_ascii_case(b"x-gzip") {
            return None;
        }
        headers.remove(CONTENT_ENCODING);
        headers.remove(CONTENT_LENGTH);
        let piece = Vec::with_capacity(SMALL);
        Some(Self { stream: stream(), rest: Bytes::new(), piece, taken: 0, ended: false })
    }

    /// Takes the next bytes that have arrived, once [`step`](Self::step) has nothing left.
    pub fn feed(&mut self, arrived: Bytes) {
        self.rest = arrived;
    }

    /// Decompresses the next chunk. `false` when it needs more input.
    pub fn step(&mut self) -> Result<bool, Failure> {
        // A chunk that fills the buffer may have left output behind.
        let mut more = !self.piece.is_empty() && self.piece.len() == self.piece.capacity();
        self.piece.clear();
        if more && self.piece.capacity() < LARGE {
            self.piece = Vec::with_capacity(LARGE);
        }
        more |= !self.rest.is_empty();
        while more && self.piece.is_empty() {
            if std::mem::take(&mut self.ended) {
                if self.rest.is_empty() {
                    self.ended = true;
                    break;
                }
                self.stream = stream();
            }
            let before = self.stream.total_in();
            let status = self.stream.decompress_vec(&self.rest, &mut self.piece, FlushDecompress::None);
            let status = status.map_err(|error| unreadable(error.message()))?;
            let consumed = self.stream.total_in() - before;
            self.taken += consumed;
            self.rest.advance(usize::try_from(consumed).unwrap_or(usize::MAX).min(self.rest.len()));
            self.ended = status == Status::StreamEnd;
            more = !self.rest.is_empty() && consumed > 0;
        }
        Ok(!self.piece.is_empty())
    }

    /// The number of compressed bytes consumed so far.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// The chunk that was decompressed last.
    pub fn piece(&self) -> &[u8] {
        &self.piece
    }

    /// The input has ended.
    pub fn end(&self) -> Result<(), Failure> {
        if self.ended {
            return Ok(());
        }
        let what = "the connection ended before the response was complete (its compressed data were cut off)";
        Err(Failure::new(Delivery::Unknown, what, FailureCause::Cut))
    }
}

fn stream() -> Decompress {
    Decompress::new_gzip(15)
}

fn unreadable(reason: Option<&str>) -> Failure {
    let what = format!("the response could not be decoded ({})", reason.unwrap_or("it is not gzip"));
    Failure::new(Delivery::Unknown, what, FailureCause::Unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write as _;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn text(bytes: &[u8], cut: usize) -> Result<Vec<u8>, Failure> {
        let mut headers = HeaderMap::from_iter([(CONTENT_ENCODING, HeaderValue::from_static("gzip"))]);
        let mut gunzip = Gunzip::of(&mut headers).unwrap();
        assert!(headers.is_empty());
        let mut text = Vec::new();
        for arrived in bytes.chunks(cut) {
            gunzip.feed(Bytes::copy_from_slice(arrived));
            while gunzip.step()? {
                text.extend_from_slice(gunzip.piece());
            }
        }
        gunzip.end().map(|()| text)
    }

    fn long() -> Vec<u8> {
        (0..200_000_u32).flat_map(|number| (number.wrapping_mul(2_654_435_761) >> 20).to_le_bytes()).collect()
    }

    #[test]
    fn the_text_is_the_same_however_it_is_cut() {
        let zeros = vec![0; 3 * LARGE];
        for whole in [&b""[..], b"{}", &vec![b'x'; SMALL], &long(), &zeros, &zeros[..LARGE]] {
            let packed = gzip(whole);
            for cut in [1, 7, 1000, packed.len()] {
                assert!(text(&packed, cut).unwrap() == whole, "{} bytes in pieces of {cut}", whole.len());
            }
        }
    }

    /// A small response takes little memory, and a large one comes in few chunks.
    #[test]
    fn pieces_are_large_after_the_first() {
        let mut headers = HeaderMap::from_iter([(CONTENT_ENCODING, HeaderValue::from_static("gzip"))]);
        let mut gunzip = Gunzip::of(&mut headers).unwrap();
        gunzip.feed(gzip(&vec![0; SMALL + 2 * LARGE + 1]).into());
        let mut lengths = Vec::new();
        while gunzip.step().unwrap() {
            lengths.push(gunzip.piece().len());
        }
        assert_eq!(lengths, [SMALL, LARGE, LARGE, 1]);
    }

    #[test]
    fn parts_may_follow_each_other() {
        let packed = [gzip(b"one, "), gzip(b""), gzip(b"two")].concat();
        for cut in 1..packed.len() {
            assert_eq!(text(&packed, cut).unwrap(), b"one, two");
        }
    }

    #[test]
    fn what_is_cut_or_spoilt_is_told_apart() {
        let packed = gzip(&long());
        for length in [0, 1, 9, 500, packed.len() - 8, packed.len() - 1] {
            assert_eq!(text(&packed[..length], 1000).unwrap_err().cause, FailureCause::Cut, "{length}");
        }
        for place in [0, 2, packed.len() - 1, packed.len() - 5] {
            let mut spoilt = packed.clone();
            spoilt[place] ^= 0xff;
            assert_eq!(text(&spoilt, 1000).unwrap_err().cause, FailureCause::Unreadable, "{place}");
        }
        assert_eq!(
            text(&[packed, b"garbage".to_vec()].concat(), 1000).unwrap_err().cause,
            FailureCause::Unreadable
        );
    }

    #[test]
    fn what_is_not_compressed_is_left_alone() {
        for encoding in ["br", "identity", "gzip, br"] {
            let mut headers = HeaderMap::from_iter([(CONTENT_ENCODING, HeaderValue::from_static(encoding))]);
            assert!(Gunzip::of(&mut headers).is_none() && headers.len() == 1);
        }
    }
}
