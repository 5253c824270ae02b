//! Comma separated values (RFC 4180), in UTF-8.
//!
//! Written here because an empty text and a missing answer must remain distinct: the first is `""`, the second is empty,
//! as polars, `DuckDB` and R read it. Timestamps are ISO 8601 in UTC.
//!
//! A spreadsheet treats text that begins like a formula as one, and executes it: `=HYPERLINK(...)`, typed by a
//! respondent. In a file for spreadsheets, such text is prefixed with `'`. That changes the text, so it is optional.

use std::io::{self, Write};

use arrow_array::RecordBatch;
use arrow_schema::Schema;

use super::cells::{WrittenCell, value};
use super::sink::RowWriter;

pub(super) struct Csv<W> {
    to: W,
    scratch: Vec<u8>,
    spreadsheet: bool,
}

impl<W: Write> Csv<W> {
    pub(super) fn new(mut to: W, schema: &Schema, spreadsheet: bool) -> io::Result<Self> {
        let mut line = Vec::new();
        for (place, field) in schema.fields().iter().enumerate() {
            if place > 0 {
                line.push(b',');
            }
            text(field.name(), spreadsheet, &mut line);
        }
        line.push(b'\n');
        to.write_all(&line)?;
        Ok(Csv { to, scratch: Vec::new(), spreadsheet })
    }
}

impl<W: Write + Send> RowWriter for Csv<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let mut line = Vec::new();
        for row in 0..batch.num_rows() {
            line.clear();
            for (place, array) in batch.columns().iter().enumerate() {
                if place > 0 {
                    line.push(b',');
                }
                match value(array, row, &mut self.scratch) {
                    // In a file with one column, an empty cell would be an empty line, which readers skip.
                    WrittenCell::Null if batch.num_columns() == 1 => line.extend_from_slice(b"NA"),
                    WrittenCell::Null => {}
                    WrittenCell::Text(value) => text(value, self.spreadsheet, &mut line),
                    WrittenCell::Json => quote(&String::from_utf8_lossy(&self.scratch), &mut line),
                    WrittenCell::Plain { .. } => line.extend_from_slice(&self.scratch),
                }
            }
            line.push(b'\n');
            self.to.write_all(&line)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.to.flush()
    }
}

fn text(text: &str, spreadsheet: bool, line: &mut Vec<u8>) {
    if spreadsheet && is_formula(text) { quote(&format!("'{text}"), line) } else { quote(text, line) }
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

fn quote(text: &str, line: &mut Vec<u8>) {
    let special = |byte: u8| matches!(byte, b',' | b'"' | b'\n' | b'\r');
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
