//! Any bytes as a compressed response, in chunks of any size: decompressed as by flate2's own reader, or an error.

use flate2::read::MultiGzDecoder;
use sondage::internals::transport::fuzzing::gunzip;
use std::io::Read as _;

/// Longer output is a decompression bomb, which another limit handles.
const LIMIT: usize = 1 << 20;

pub fn run(data: &[u8]) {
    let Some((&piece, bytes)) = data.split_first() else { return };
    let ours = gunzip(bytes, usize::from(piece), LIMIT);
    let mut plain = Vec::new();
    let theirs = MultiGzDecoder::new(bytes).take(LIMIT as u64 + 1).read_to_end(&mut plain);
    if let Some(ours) = ours {
        assert!(theirs.is_ok() && plain == ours, "both readers decompress to the same text");
    }
}
