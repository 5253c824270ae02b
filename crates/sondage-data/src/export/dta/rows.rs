//! Rows, and the table of their long texts.

use super::variable::{DtaVariable, Type, is_same};
use crate::export::labelled::{Calendar, Values};

/// Days and milliseconds from 1960-01-01, where the calendar of Stata begins, to 1970-01-01.
const EPOCH_DAYS: i32 = 3_653;
const EPOCH_MILLIS: i64 = 315_619_200_000;
const MICROS: i64 = 1_000;

/// Missing values without a letter. The one of a letter follows at its place in the alphabet.
const MISSING_BYTE: u8 = 101;
const MISSING_INT: i16 = 32_741;
const MISSING_LONG: i32 = 0x7fff_ffe5;
const MISSING_DOUBLE: u64 = 0x7fe0_0000_0000_0000;
const LETTER_STEP: u32 = 40;
/// A long text in UTF-8 with a NUL behind it.
const TEXT: u8 = 130;

#[allow(clippy::cast_precision_loss)] // milliseconds of the years 1 to 9999 are exact
const CALENDAR: Calendar = Calendar {
    day: |day| f64::from(day + EPOCH_DAYS),
    time: |micros| (micros.div_euclid(MICROS) + EPOCH_MILLIS) as f64,
};

/// Appends the value of a variable in the row with this number, from 1. Long texts go to their table.
pub(super) fn append(
    (place, variable): (usize, &DtaVariable),
    values: &Values<'_>,
    (row, number): (usize, u64),
    bytes: &mut Vec<u8>,
    long_texts: &mut Vec<u8>,
) {
    match variable.data_type {
        Type::Text(width) => {
            let end = bytes.len() + usize::from(width);
            bytes.extend(values.text(row).as_bytes());
            bytes.resize(end, 0);
        }
        Type::LongText => {
            let text = values.text(row);
            if text.is_empty() {
                bytes.extend([0; 8]);
                return;
            }
            let place = u16::try_from(place + 1).unwrap_or(u16::MAX);
            bytes.extend(place.to_le_bytes());
            bytes.extend(&number.to_le_bytes()[..6]);
            long_texts.extend(b"GSO");
            long_texts.extend(u32::from(place).to_le_bytes());
            long_texts.extend(number.to_le_bytes());
            long_texts.push(TEXT);
            let length = u32::try_from(text.len() + 1).unwrap_or(u32::MAX);
            long_texts.extend(length.to_le_bytes());
            long_texts.extend(text.as_bytes());
            long_texts.push(0);
        }
        _ => append_number(variable, values.number(row, &CALENDAR), bytes),
    }
}

#[allow(clippy::cast_possible_truncation)] // the type is that of all values
fn append_number(variable: &DtaVariable, number: Option<f64>, bytes: &mut Vec<u8>) {
    let letter_of = |number: f64| variable.letters.iter().find(|(code, _)| is_same(*code, number));
    let letter = match number {
        None => Some(0),
        Some(number) => letter_of(number).map(|(_, letter)| *letter),
    };
    let number = number.unwrap_or_default();
    match (variable.data_type, letter) {
        (Type::Byte, Some(letter)) => bytes.push(MISSING_BYTE + letter),
        (Type::Byte, None) => bytes.extend((number as i8).to_le_bytes()),
        (Type::Int, Some(letter)) => bytes.extend((MISSING_INT + i16::from(letter)).to_le_bytes()),
        (Type::Int, None) => bytes.extend((number as i16).to_le_bytes()),
        (Type::Long, Some(letter)) => bytes.extend((MISSING_LONG + i32::from(letter)).to_le_bytes()),
        (Type::Long, None) => bytes.extend((number as i32).to_le_bytes()),
        (_, Some(letter)) => {
            bytes.extend((MISSING_DOUBLE + (u64::from(letter) << LETTER_STEP)).to_le_bytes());
        }
        (_, None) => {
            let is_beyond = !number.is_finite() || number.to_bits() >= MISSING_DOUBLE && number > 0.0;
            let bits = if is_beyond { MISSING_DOUBLE } else { number.to_bits() };
            bytes.extend(bits.to_le_bytes());
        }
    }
}
