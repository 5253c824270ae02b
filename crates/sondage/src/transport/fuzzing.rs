//! Entry points of this folder for the fuzzer. They are compiled for the fuzzer only.

use super::gunzip::Gunzip;
use bytes::Bytes;
use http::header::{CONTENT_ENCODING, HeaderMap, HeaderValue};

/// Decompresses a response that arrives in chunks of this size, up to a limit. `None`: it cannot be decompressed.
pub fn gunzip(bytes: &[u8], piece: usize, limit: usize) -> Option<Vec<u8>> {
    let mut headers = HeaderMap::from_iter([(CONTENT_ENCODING, HeaderValue::from_static("gzip"))]);
    let mut gunzip = Gunzip::of(&mut headers).expect("the header says so");
    let mut out = Vec::new();
    for piece in bytes.chunks(piece.max(1)) {
        gunzip.feed(Bytes::copy_from_slice(piece));
        while gunzip.step().ok()? {
            out.extend_from_slice(gunzip.piece());
            if out.len() > limit {
                return None;
            }
        }
    }
    gunzip.end().ok().map(|()| out)
}
