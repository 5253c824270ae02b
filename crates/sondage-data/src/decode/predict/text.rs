//! Texts, sixteen bytes at a time.

use wide::u8x16;

use super::value::decode_escape;

/// Appends the text behind an opening quote to `out`; `at` is its first byte. Says where the byte behind the closing quote
/// is. `None` for anything that is no text, and `out` may then hold a part of it.
#[inline(always)]
pub(super) fn read(bytes: &[u8], mut at: usize, out: &mut Vec<u8>) -> Option<usize> {
    let start = out.len();
    let mut beyond_ascii = 0;
    loop {
        let block: &[u8; 16] = bytes.get(at..)?.first_chunk()?;
        out.extend_from_slice(block);
        let (stops, high) = look(*block);
        if stops == 0 {
            beyond_ascii |= high;
            at += 16;
            continue;
        }
        let length = stops.trailing_zeros() as usize;
        beyond_ascii |= high & ((1 << length) - 1);
        out.truncate(out.len() - 16 + length);
        at += length;
        match *bytes.get(at)? {
            b'"' => break,
            b'\\' => at = decode_escape(bytes, at + 1, out)?,
            _ => return None,
        }
    }
    if beyond_ascii != 0 && std::str::from_utf8(out.get(start..)?).is_err() {
        return None;
    }
    Some(at + 1)
}

/// One bit for each byte: those that end or interrupt a text, and those beyond ASCII.
#[inline(always)]
fn look(block: [u8; 16]) -> (u32, u32) {
    let block = u8x16::new(block);
    let control = block.min(u8x16::splat(0x1F)).simd_eq(block);
    let stops = block.simd_eq(u8x16::splat(b'"')) | block.simd_eq(u8x16::splat(b'\\')) | control;
    (stops.to_bitmask(), block.to_bitmask())
}
