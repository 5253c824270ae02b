//! Reads one value into its column.

use serde::de::IgnoredAny;
use sondage::internals::readable::halves;

use super::{number, text};
use crate::column::Column;
use crate::column::cell::{Cell, compact};
use crate::column::timestamps::Moment;
use crate::decode::scan::{Scan, Scanned};

/// The eight bytes at `at`; none near the end of the input.
#[inline(always)]
pub(super) fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Reads the value at `at` into the column, as the first of this row. Returns where it ends.
#[inline(always)]
pub(super) fn read(bytes: &[u8], at: usize, column: &mut Column, row: usize) -> Option<usize> {
    let word = word_at(bytes, at)?;
    match word as u8 {
        b'0'..=b'9' => number::read(bytes, at, word, column, row),
        b'"' if column.expects_moments() => moment(bytes, at + 1, column, row),
        b'"' => column.admit_text(row, |out| text::read(bytes, at + 1, out)),
        b'n' if word as u32 == u32::from_le_bytes(*b"null") => column.admit_null(row).then_some(at + 4),
        b't' if word as u32 == u32::from_le_bytes(*b"true") => column.admit_bool(row, true).then_some(at + 4),
        b'f' if (word >> 8) as u32 == u32::from_le_bytes(*b"alse") => {
            column.admit_bool(row, false).then_some(at + 5)
        }
        b'-' => number::negative(bytes, at, column, row),
        b'[' if (word >> 8) as u8 == b']' => column.admit_brackets(row, "[]").then_some(at + 2),
        b'{' if (word >> 8) as u8 == b'}' => column.admit_brackets(row, "{}").then_some(at + 2),
        b'[' | b'{' => nested(bytes, at, column, row),
        _ => None,
    }
}

/// Reads the text behind an opening quote into a column of timestamps.
#[inline(never)]
fn moment(bytes: &[u8], at: usize, column: &mut Column, row: usize) -> Option<usize> {
    // The buffer ends here: a truncated timestamp must not be classified as text yet.
    let longest = bytes.get(at..=at + Moment::LONGEST)?;
    match Moment::read(longest) {
        Some((moment, length)) if longest[length] == b'"' => {
            column.admit_moment(row, moment).then_some(at + length + 1)
        }
        _ => column.admit_text(row, |out| text::read(bytes, at, out)),
    }
}

/// With more brackets than this, the row is left to the ordinary decoder, which counts the depth.
const BRACKETS: usize = 64;

/// An array or object, kept as its JSON text.
#[inline(never)]
fn nested(bytes: &[u8], at: usize, column: &mut Column, row: usize) -> Option<usize> {
    let Scanned::End(end) = Scan::default().run(bytes, at) else { return None };
    let raw = std::str::from_utf8(bytes.get(at..end)?).ok()?;
    let brackets = raw.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
    if brackets > BRACKETS || !halves(raw.as_bytes()).is_empty() {
        return None;
    }
    serde_json::from_str::<IgnoredAny>(raw).ok()?;
    column.admit(row, Cell::Nested(compact(raw))).then_some(end)
}

/// Appends the character of the escape after a backslash; `at` is the byte after it. Returns where it ends.
#[cold]
#[inline(never)]
pub(super) fn decode_escape(bytes: &[u8], at: usize, out: &mut Vec<u8>) -> Option<usize> {
    let plain = match *bytes.get(at)? {
        same @ (b'"' | b'\\' | b'/') => same,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'f' => 12,
        b'r' => b'\r',
        b'u' => return unicode(bytes, at + 1, out),
        _ => return None,
    };
    out.push(plain);
    Some(at + 1)
}

/// Four hexadecimal digits at `at`, or eight in two escapes.
fn unicode(bytes: &[u8], at: usize, out: &mut Vec<u8>) -> Option<usize> {
    let first = four_digits(bytes, at)?;
    let (code, end) = if (0xD800..0xDC00).contains(&first) {
        if bytes.get(at + 4..at + 6)? != b"\\u" {
            return None;
        }
        let second = four_digits(bytes, at + 6)?;
        if !(0xDC00..0xE000).contains(&second) {
            return None;
        }
        (0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00), at + 10)
    } else {
        (first, at + 4)
    };
    let character = char::from_u32(code)?;
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    Some(end)
}

fn four_digits(bytes: &[u8], at: usize) -> Option<u32> {
    let digit = |sum: u32, byte: &u8| Some(sum * 16 + char::from(*byte).to_digit(16)?);
    bytes.get(at..at + 4)?.iter().try_fold(0, digit)
}
