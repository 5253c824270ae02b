//! Rows, compressed by bytecode: eight codes, and then the values that no code has, eight bytes each.

use std::io::{self, Write};
use std::ops::Range;

use super::variable::{SEGMENT, slots};
use crate::export::labelled::{Calendar, Values};

/// Seconds from 1582-10-14, where the clock of SPSS begins, to 1970-01-01.
const EPOCH: i64 = 12_219_379_200;
const DAY: i64 = 86_400;
const MICROS: i64 = 1_000_000;

/// Whole seconds: a fraction of a second has no exact number here, and readers truncate what they show.
#[allow(clippy::cast_precision_loss)] // seconds are exact
const CALENDAR: Calendar = Calendar {
    day: |day| (i64::from(day) * DAY + EPOCH) as f64,
    time: |micros| (micros.div_euclid(MICROS) + EPOCH) as f64,
};

/// How many codes stand together.
const CODES: usize = 8;
const END: u8 = 0;
/// What is added to a whole number to make its code.
const BIAS: i32 = 100;
const VALUE: u8 = 253;
const BLANKS: u8 = 254;
const NOTHING: u8 = 255;
const BLANK: [u8; 8] = *b"        ";

/// The numbers of a column with their codes, which are made column by column: that is faster than row by row. Without any, it has texts.
struct Numbers {
    values: Vec<f64>,
    codes: Vec<u8>,
}

impl Numbers {
    fn of(column: &Values<'_>, rows: Range<usize>) -> Self {
        let values = column.numbers(rows, &CALENDAR);
        let codes = values.iter().map(|number| code_of(*number)).collect();
        Self { values, codes }
    }
}

fn code_of(number: f64) -> u8 {
    #[allow(clippy::cast_possible_truncation)] // compared with the number
    let whole = number as i32;
    // A negative zero is no code: it would lose its sign.
    let is_code = (-99..=151).contains(&whole) && f64::from(whole).to_bits() == number.to_bits();
    match u8::try_from(whole.saturating_add(BIAS)) {
        Ok(code) if is_code => code,
        _ if number.is_finite() => VALUE,
        _ => NOTHING,
    }
}

/// Encodes values. A group is eight codes, and then the values of those that have none: its codes are filled in where they stand.
#[derive(Debug, Default)]
pub(super) struct Packer {
    /// Complete groups, and the one that is being filled.
    packed: Vec<u8>,
    /// Where the codes of this group stand.
    group: usize,
    /// How many codes this group has.
    count: usize,
}

impl Packer {
    /// How many bytes are in complete groups.
    pub(super) fn complete(&self) -> usize {
        if self.count == 0 { self.packed.len() } else { self.group }
    }

    /// Takes the complete groups.
    pub(super) fn write_to(&mut self, to: &mut impl Write) -> io::Result<()> {
        let complete = self.complete();
        to.write_all(&self.packed[..complete])?;
        self.packed.drain(..complete);
        self.group = 0;
        Ok(())
    }

    fn code(&mut self, code: u8) {
        if self.count == 0 {
            self.group = self.packed.len();
            self.packed.extend_from_slice(&[END; CODES]);
        }
        self.packed[self.group + self.count] = code;
        self.count = (self.count + 1) % CODES;
    }

    fn value(&mut self, bytes: [u8; 8]) {
        self.code(VALUE);
        self.packed.extend_from_slice(&bytes);
    }

    /// A text, dealt to its segments and filled up with blanks.
    fn text(&mut self, text: &[u8], segments: &[usize]) {
        let mut rest = text;
        for width in segments {
            let (part, others) = rest.split_at(rest.len().min(SEGMENT));
            rest = others;
            let slots = slots(*width);
            let (pieces, last) = part.as_chunks();
            for piece in pieces {
                self.piece(*piece);
            }
            if !last.is_empty() {
                let mut piece = BLANK;
                piece[..last.len()].copy_from_slice(last);
                self.piece(piece);
            }
            for _ in part.len().div_ceil(BLANK.len())..slots {
                self.code(BLANKS);
            }
        }
    }

    fn piece(&mut self, piece: [u8; 8]) {
        if piece == BLANK { self.code(BLANKS) } else { self.value(piece) }
    }

    /// Rows of these columns, each with the widths of its segments.
    pub(super) fn rows(&mut self, columns: &[Values<'_>], segments: &[Vec<usize>], rows: Range<usize>) {
        let numbers: Vec<Numbers> = columns.iter().map(|column| Numbers::of(column, rows.clone())).collect();
        for (place, row) in rows.enumerate() {
            for ((column, numbers), segments) in columns.iter().zip(&numbers).zip(segments) {
                match (column, numbers.codes.get(place)) {
                    (_, Some(&VALUE)) => self.value(numbers.values[place].to_le_bytes()),
                    (_, Some(code)) => self.code(*code),
                    (column, None) => self.text(column.text(row).as_bytes(), segments),
                }
            }
        }
    }

    /// Ends the last group, whose codes were set to [`END`] when it began.
    pub(super) fn end(&mut self) {
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{ArrayRef, Float64Array};
    use std::sync::Arc;

    #[test]
    fn numbers_that_have_a_code_take_a_byte() {
        let numbers =
            [Some(-99.0), Some(0.0), Some(151.0), Some(152.0), Some(0.5), Some(-0.0), None, Some(f64::NAN)];
        let array: ArrayRef = Arc::new(Float64Array::from(numbers.to_vec()));
        let mut packer = Packer::default();
        packer.rows(&[Values::of(&array)], &[Vec::new()], 0..numbers.len());
        let expected =
            [&[1, 100, 251, 253, 253, 253, 255, 255][..], &152f64.to_le_bytes(), &0.5f64.to_le_bytes()]
                .concat();
        assert_eq!(*packer.packed, [&expected[..], &(-0.0f64).to_le_bytes()].concat());
    }

    #[test]
    fn a_long_text_fills_its_segments() {
        let mut packer = Packer::default();
        let text = "x".repeat(300);
        // 300 bytes are two segments, of 255 and of 48 bytes.
        packer.text(text.as_bytes(), &[255, 48]);
        packer.end();
        let mut counts = [0; 256];
        packer.packed.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
        let (values, codes) = (counts[usize::from(b'x')], counts[usize::from(VALUE)]);
        assert_eq!((values, codes), (300, 32 + 6));
    }
}
