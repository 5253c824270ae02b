//! Texts, sixteen bytes at a time.

use wide::u8x16;

use super::value::decode_escape;

/// Appends the text after an opening quote to `out`; `at` is its first byte. Returns the position after the closing quote.
/// `None` if it is not a valid string; `out` may then hold a part of it.
///
/// The bytes are valid UTF-8, and quotes and backslashes are never part of a multi-byte character: so the appended bytes
/// are valid UTF-8 as well.
#[inline(always)]
pub(super) fn read(bytes: &[u8], mut at: usize, out: &mut Vec<u8>) -> Option<usize> {
    loop {
        let block: &[u8; 16] = bytes.get(at..)?.first_chunk()?;
        out.extend_from_slice(block);
        let stops = stops(*block);
        if stops == 0 {
            at += 16;
            continue;
        }
        let length = stops.trailing_zeros() as usize;
        out.truncate(out.len() - 16 + length);
        at += length;
        match *bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at = decode_escape(bytes, at + 1, out)?,
            _ => return None,
        }
    }
}

/// One bit for each byte that ends or interrupts a text.
#[inline(always)]
fn stops(block: [u8; 16]) -> u32 {
    let block = u8x16::new(block);
    let control = block.min(u8x16::splat(0x1F)).simd_eq(block);
    let stops = block.simd_eq(u8x16::splat(b'"')) | block.simd_eq(u8x16::splat(b'\\')) | control;
    stops.to_bitmask()
}
