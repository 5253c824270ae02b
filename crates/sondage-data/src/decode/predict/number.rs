//! Numbers, eight digits at a time.

use super::value::word_at;
use crate::column::Column;
use crate::column::cell::Cell;

/// Reads the number at `at`, whose first eight bytes are `word`, into the column. Returns where it ends.
#[inline(always)]
pub(super) fn read(bytes: &[u8], at: usize, word: u64, column: &mut Column, row: usize) -> Option<usize> {
    // Most answers are one-digit codes.
    let second = (word >> 8) as u8;
    if second == b',' || second == b'}' {
        let digit = (word & 0xF).cast_signed();
        return column.admit_int(row, digit).then_some(at + 1);
    }
    several_digits(bytes, at, word, false, column, row)
}

/// The number behind a minus sign at `at`.
pub(super) fn negative(bytes: &[u8], at: usize, column: &mut Column, row: usize) -> Option<usize> {
    let word = word_at(bytes, at + 1)?;
    several_digits(bytes, at + 1, word, true, column, row)
}

#[inline(always)]
fn several_digits(
    bytes: &[u8],
    at: usize,
    word: u64,
    minus: bool,
    column: &mut Column,
    row: usize,
) -> Option<usize> {
    let start = at - usize::from(minus);
    let (mut count, mut value) = digits(word);
    if count == 8 {
        let (more, low) = digits(word_at(bytes, at + 8)?);
        if more == 8 {
            return any(bytes, start, column, row);
        }
        value = value * POWERS[more] + low;
        count += more;
    }
    let leading_zero = word as u8 == b'0' && count > 1;
    if count == 0 || leading_zero {
        return None;
    }
    let end = at + count;
    match *bytes.get(end)? {
        b'.' => fraction(bytes, at, (count, value), minus, column, row),
        b'e' | b'E' => any(bytes, start, column, row),
        _ => {
            let value = value.cast_signed();
            column.admit_int(row, if minus { -value } else { value }).then_some(end)
        }
    }
}

/// The number at `at` has a decimal point after its `whole` digits.
#[inline(always)]
fn fraction(
    bytes: &[u8],
    at: usize,
    whole: (usize, u64),
    minus: bool,
    column: &mut Column,
    row: usize,
) -> Option<usize> {
    let (count, value) = whole;
    let point = at + count;
    let (places, low) = digits(word_at(bytes, point + 1)?);
    let end = point + 1 + places;
    let more = matches!(bytes.get(end)?, b'e' | b'E' | b'0'..=b'9');
    if places == 0 || more || count + places > 15 {
        return any(bytes, at - usize::from(minus), column, row);
    }
    // Both are exact, so the quotient is the nearest float.
    #[allow(clippy::cast_precision_loss)]
    let value = (value * POWERS[places] + low) as f64 / POWERS[places] as f64;
    column.admit_float(row, if minus { -value } else { value }).then_some(end)
}

const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The number of digits with which a word of text begins, and their value.
#[inline(always)]
fn digits(word: u64) -> (usize, u64) {
    let digits = word ^ 0x3030_3030_3030_3030;
    // The mask is correct up to the first non-digit; the carry of that byte affects only the bytes after it.
    let others = (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
    let count = others.trailing_zeros() as usize / 8;
    if count == 0 {
        return (0, 0);
    }
    // Shifted to the end of the word and padded with zeros, they are a number of eight digits.
    let eight = digits << (64 - 8 * count);
    let pairs = eight.wrapping_mul(10).wrapping_add(eight >> 8);
    let high = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(0x000F_4240_0000_0064);
    let low = ((pairs >> 16) & 0x0000_00FF_0000_00FF).wrapping_mul(0x0000_2710_0000_0001);
    (count, high.wrapping_add(low) >> 32)
}

/// A number of any length, parsed by the standard library.
#[cold]
#[inline(never)]
fn any(bytes: &[u8], at: usize, column: &mut Column, row: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let length =
        rest.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))?;
    let raw = std::str::from_utf8(&rest[..length]).ok()?;
    serde_json::from_str::<serde::de::IgnoredAny>(raw).ok()?;
    column.admit(row, Cell::read(raw).ok()?).then_some(at + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_counted_and_read() {
        for text in ["", "7", "42", "007", "1234567", "12345678"] {
            for tail in ["", ",", "}", ".", "e", ":", "/", "\u{7f}", "\0", "ÿ"] {
                let padded = format!("{text}{tail}        ");
                let word = word_at(padded.as_bytes(), 0).expect("eight bytes");
                assert_eq!(digits(word), (text.len(), text.parse().unwrap_or(0)), "{padded}");
            }
        }
    }
}
