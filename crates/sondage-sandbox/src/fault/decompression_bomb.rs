//! A gzip body of about 1 MB that grows to 1 GiB.

use bytes::Bytes;
use flate2::{Compress, Compression, Crc, FlushCompress};

const CHUNK: usize = 1 << 20;
const CHUNKS: usize = 1 << 10;

/// One MiB of zeros is compressed once, up to a byte boundary, and repeated.
pub(crate) fn decompression_bomb() -> Bytes {
    let zeros = vec![0_u8; CHUNK];
    let mut deflate = Compress::new(Compression::best(), false);
    let mut chunk = Vec::with_capacity(CHUNK / 64);
    let _ = deflate.compress_vec(&zeros, &mut chunk, FlushCompress::Full);
    let mut crc = Crc::new();
    crc.update(&zeros);
    let mut body = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];
    let mut total = Crc::new();
    for _ in 0..CHUNKS {
        body.extend_from_slice(&chunk);
        total.combine(&crc);
    }
    // An empty last block, then checksum and length.
    body.extend([0x03, 0x00]);
    body.extend(total.sum().to_le_bytes());
    body.extend(u32::try_from(CHUNK * CHUNKS).unwrap_or(0).to_le_bytes());
    body.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn is_small_and_grows_to_a_gibibyte() {
        let body = decompression_bomb();
        assert!(body.len() < 2 << 20, "{} bytes", body.len());
        let mut gzip = flate2::read::GzDecoder::new(&body[..]);
        let (mut buffer, mut grown) = (vec![1_u8; 1 << 20], 0);
        loop {
            let read = gzip.read(&mut buffer).unwrap();
            assert!(buffer[..read].iter().all(|byte| *byte == 0));
            grown += read;
            if read == 0 {
                break;
            }
        }
        assert_eq!(grown, CHUNK * CHUNKS);
    }
}
