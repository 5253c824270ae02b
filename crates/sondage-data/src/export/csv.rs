//! Comma separated values (RFC 4180), in UTF-8.
//!
//! Written here because an empty text and a missing answer must remain distinct: the first is `""`, the second is empty,
//! as polars, `DuckDB` and R read it. Timestamps are ISO 8601 with their offset.
//!
//! A file for spreadsheets begins with a byte order mark, without which Excel reads the code page of Windows, and its lines
//! end with CR and LF. Excel reads times only without `T` and `Z`, so they are those of the column's zone. It treats text that
//! begins like a formula as one, and executes it: `=HYPERLINK(...)`, typed by a respondent. So such text is prefixed with `'`, and
//! so is an integer of more than 15 digits, which it would round. That changes the text, so it is optional. There is no line `sep=`: every other program reads it as the header.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Schema};

use super::FileOptions;
use super::cells::{WrittenCell, value};
use super::sink::RowWriter;
use crate::Warning;
use crate::table::zones::wall_clock;

const BYTE_ORDER_MARK: &str = "\u{feff}";
/// Excel keeps no more digits of a number.
const MOST_DIGITS: usize = 15;

pub(super) struct Csv<W> {
    to: W,
    scratch: Vec<u8>,
    dialect: Dialect,
}

#[derive(Clone, Copy)]
struct Dialect {
    spreadsheet: bool,
    separator: u8,
    decimal: u8,
}

impl<W: Write> Csv<W> {
    pub(super) fn new(mut to: W, schema: &Schema, options: &FileOptions) -> io::Result<Self> {
        let separator = options.separator.and_then(|sign| u8::try_from(sign).ok()).unwrap_or(b',');
        let decimal = options.decimal.and_then(|sign| u8::try_from(sign).ok()).unwrap_or(b'.');
        let dialect = Dialect { spreadsheet: options.spreadsheet, separator, decimal };
        let mut line = Vec::new();
        if options.bom.unwrap_or(dialect.spreadsheet) {
            line.extend_from_slice(BYTE_ORDER_MARK.as_bytes());
        }
        for (place, field) in schema.fields().iter().enumerate() {
            if place > 0 {
                line.push(separator);
            }
            dialect.text(field.name(), &mut line);
        }
        dialect.end(&mut line);
        to.write_all(&line)?;
        Ok(Csv { to, scratch: Vec::new(), dialect })
    }
}

impl<W: Write + Send> RowWriter for Csv<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let dialect = self.dialect;
        let local =
            |array: &ArrayRef| if dialect.spreadsheet { wall_clock(array) } else { Arc::clone(array) };
        let columns: Vec<ArrayRef> = batch.columns().iter().map(local).collect();
        let mut line = Vec::new();
        for row in 0..batch.num_rows() {
            line.clear();
            for (place, array) in columns.iter().enumerate() {
                if place > 0 {
                    line.push(dialect.separator);
                }
                match value(array, row, &mut self.scratch) {
                    // In a file with one column, an empty cell would be an empty line, which readers skip.
                    WrittenCell::Null if columns.len() == 1 => line.extend_from_slice(b"NA"),
                    WrittenCell::Null => {}
                    WrittenCell::Text(value) => dialect.text(value, &mut line),
                    WrittenCell::Json => dialect.quote(&String::from_utf8_lossy(&self.scratch), &mut line),
                    WrittenCell::Plain { .. } => {
                        let time =
                            dialect.spreadsheet && matches!(array.data_type(), DataType::Timestamp(..));
                        let number = *array.data_type() == DataType::Float64;
                        if dialect.spreadsheet
                            && *array.data_type() == DataType::Int64
                            && is_long(&self.scratch)
                        {
                            line.push(b'\'');
                        }
                        let plain = |&byte: &u8| match byte {
                            b'T' if time => b' ',
                            b'.' if number || time => dialect.decimal,
                            _ => byte,
                        };
                        line.extend(self.scratch.iter().map(plain));
                    }
                }
            }
            dialect.end(&mut line);
            self.to.write_all(&line)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<Vec<Warning>> {
        self.to.flush().map(|()| Vec::new())
    }
}

impl Dialect {
    fn end(self, line: &mut Vec<u8>) {
        line.extend_from_slice(if self.spreadsheet { b"\r\n" } else { b"\n" });
    }

    fn text(self, text: &str, line: &mut Vec<u8>) {
        if self.spreadsheet && (is_formula(text) || is_long(text.trim().as_bytes())) {
            self.quote(&format!("'{text}"), line);
        } else {
            self.quote(text, line);
        }
    }

    fn quote(self, text: &str, line: &mut Vec<u8>) {
        let special = |byte: u8| byte == self.separator || matches!(byte, b'"' | b'\n' | b'\r');
        // Some readers strip leading and trailing blanks unless they are quoted.
        let bare = !text.is_empty() && !text.bytes().any(special) && text.trim() == text;
        if bare {
            line.extend_from_slice(text.as_bytes());
            return;
        }
        line.push(b'"');
        for byte in text.bytes() {
            if byte == b'"' {
                line.push(b'"');
            }
            line.push(byte);
        }
        line.push(b'"');
    }
}

/// Whether a spreadsheet would round a number: an integer of more than 15 digits.
fn is_long(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let first = digits.iter().position(|digit| *digit != b'0').unwrap_or(digits.len());
    digits.iter().all(u8::is_ascii_digit) && digits.len() - first > MOST_DIGITS
}

/// Whether a spreadsheet may treat a text as a formula. A number is not one, whatever its sign.
fn is_formula(text: &str) -> bool {
    // The full-width characters of East Asian keyboards start formulas as well.
    let begins = text
        .starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    let number = || {
        let digits = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
        text.bytes().all(digits) && text.parse::<f64>().is_ok()
    };
    begins && !number()
}
