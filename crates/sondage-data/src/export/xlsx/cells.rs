//! Cells, within the limits of Excel.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Float64Type, Int64Type, TimestampMicrosecondType, TimestampNanosecondType,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use indexmap::IndexMap;
use rust_xlsxwriter::{Format, Worksheet, XlsxError};

use crate::error::Warning;
use crate::export::cells::{WrittenCell, value};

/// The longest text, in units of UTF-16.
const TEXT: usize = 32_767;
/// The greatest integer of 15 digits: Excel shows no more of them.
const DIGITS: u64 = 999_999_999_999_999;
/// The day of 1970-01-01, counted from the end of 1899.
const EPOCH: f64 = 25_569.0;
/// Days before 1900-03-01 are one off, because Excel's year 1900 has a 29th of February.
const FIRST_DAY: f64 = 61.0;
const MILLIS_OF_DAY: f64 = 86_400_000.0;
const MICROS: i64 = 1_000;
const NANOS: i64 = 1_000_000;
/// Names of columns in a warning.
const SHOWN: usize = 20;

/// How cells look.
pub(super) struct Formats {
    pub(super) head: Format,
    pub(super) day: Format,
    pub(super) time: Format,
}

/// What is changed for the limits of Excel: how often, by column.
#[derive(Debug, Default)]
pub(super) struct Changes {
    cut: IndexMap<String, usize>,
    early: IndexMap<String, usize>,
    wide: IndexMap<String, usize>,
}

impl Changes {
    /// Writes a text, cut if it is too long.
    pub(super) fn text(
        &mut self,
        sheet: &mut Worksheet,
        (row, column): (u32, u16),
        name: &str,
        text: &str,
    ) -> Result<(), XlsxError> {
        let text = with_line_breaks(text);
        let fitting = fitting(&text);
        if fitting.len() < text.len() {
            note(&mut self.cut, name);
        }
        sheet.write_string(row, column, fitting).map(|_| ())
    }

    /// A warning for each kind of change.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let told = [
            (
                &self.cut,
                [
                    "text was longer than 32,767 characters and is cut",
                    "texts were longer than 32,767 characters and are cut",
                ],
            ),
            (
                &self.early,
                [
                    "day or time before 1900-03-01 is written as text",
                    "days or times before 1900-03-01 are written as text",
                ],
            ),
            (
                &self.wide,
                [
                    "number of more than 15 digits is written as text",
                    "numbers of more than 15 digits are written as text",
                ],
            ),
        ];
        let warning = |(columns, [one, many]): (&IndexMap<String, usize>, [&str; 2])| {
            let count: usize = columns.values().sum();
            let names: Vec<&str> = columns.keys().map(String::as_str).take(SHOWN).collect();
            let more = columns.len() - names.len();
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            let told = if count == 1 { one } else { many };
            (count > 0).then(|| Warning::general(format!("{count} {told} ({}{more})", names.join(", "))))
        };
        told.into_iter().filter_map(warning).collect()
    }
}

fn note(columns: &mut IndexMap<String, usize>, name: &str) {
    match columns.get_mut(name) {
        Some(count) => *count += 1,
        None => _ = columns.insert(name.to_owned(), 1),
    }
}

/// A text with the line breaks of a cell. A CR would be written as `_x000D_`, which most readers take for text.
fn with_line_breaks(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The beginning of a text, as long as a cell can have, with whole characters.
fn fitting(text: &str) -> &str {
    if text.len() <= TEXT {
        return text;
    }
    let mut length = 0;
    let mut signs = text.char_indices();
    let end = signs.find(|(_, sign)| {
        length += sign.len_utf16();
        length > TEXT
    });
    end.map_or(text, |(end, _)| &text[..end])
}

/// Writes the value of a row of a column; nothing if it is missing. Times have no zone.
#[allow(clippy::cast_precision_loss)] // longer numbers are texts
pub(super) fn put(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    (array, at): (&ArrayRef, usize),
    name: &str,
    formats: &Formats,
    changes: &mut Changes,
    scratch: &mut Vec<u8>,
) -> Result<(), XlsxError> {
    if *array.data_type() == DataType::Null || array.is_null(at) {
        return Ok(());
    }
    let days = match array.data_type() {
        DataType::Int64 => {
            let number = array.as_primitive::<Int64Type>().value(at);
            if number.unsigned_abs() <= DIGITS {
                return sheet.write_number(row, column, number as f64).map(|_| ());
            }
            note(&mut changes.wide, name);
            None
        }
        DataType::Float64 => {
            let number = array.as_primitive::<Float64Type>().value(at);
            if !number.is_finite() {
                return Ok(());
            }
            return sheet.write_number(row, column, number).map(|_| ());
        }
        DataType::Boolean => {
            return sheet.write_boolean(row, column, array.as_boolean().value(at)).map(|_| ());
        }
        DataType::Date32 => {
            Some((f64::from(array.as_primitive::<Date32Type>().value(at)) + EPOCH, &formats.day))
        }
        DataType::Timestamp(unit, _) => {
            let millis = if *unit == TimeUnit::Nanosecond {
                array.as_primitive::<TimestampNanosecondType>().value(at).div_euclid(NANOS)
            } else {
                array.as_primitive::<TimestampMicrosecondType>().value(at).div_euclid(MICROS)
            };
            Some((millis as f64 / MILLIS_OF_DAY + EPOCH, &formats.time))
        }
        _ => None,
    };
    if let Some((day, format)) = days {
        if day >= FIRST_DAY {
            return sheet.write_number_with_format(row, column, day, format).map(|_| ());
        }
        note(&mut changes.early, name);
    }
    match value(array, at, scratch) {
        WrittenCell::Null => Ok(()),
        WrittenCell::Text(text) => changes.text(sheet, (row, column), name, text),
        WrittenCell::Json | WrittenCell::Plain { .. } => {
            let text = String::from_utf8_lossy(scratch);
            changes.text(sheet, (row, column), name, &text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_by_its_units_in_utf_16() {
        assert_eq!(fitting("a"), "a");
        assert_eq!(fitting(&"ä".repeat(TEXT)).chars().count(), TEXT);
        assert_eq!(fitting(&"ä".repeat(TEXT + 1)).chars().count(), TEXT);
        // A surrogate pair is never divided.
        assert_eq!(fitting(&"\u{1f642}".repeat(TEXT)).chars().count(), TEXT / 2);
    }
}
