//! Comma separated values (RFC 4180), in UTF-8.
//!
//! Written here because an empty text and a missing answer must remain distinct: the first is `""`, the second is empty,
//! as polars, `DuckDB` and R read it. Timestamps are ISO 8601 with their offset.
//!
//! A file for spreadsheets begins with a byte order mark, without which Excel reads the code page of Windows, and its lines
//! end with CR and LF. Excel reads times only without `T` and `Z`, so they are those of the column's zone. It treats text that
//! begins like a formula as one, and executes it: `=HYPERLINK(...)`, typed by a respondent. So such text is prefixed with `'`, and
//! so is what it would read as another number or as a date: `00123`, `1.5`, `3-4`. That changes the text, so it is optional; `guard` has
//! the rule, by which files that come in are read as well. There is no line `sep=`: every other program reads it as the header.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Schema};

use super::FileOptions;
use super::cells::{WrittenCell, value};
use super::sink::RowWriter;
use crate::Warning;
use crate::guard;
use crate::table::zones::wall_clock;

/// A missing answer in a file with one column, where an empty line would be no row.
const MISSING: &str = "\"\"";
const BYTE_ORDER_MARK: &str = "\u{feff}";

pub(super) struct Csv<W> {
    to: W,
    scratch: Vec<u8>,
    dialect: Dialect,
    /// The name of the only column.
    only: Option<String>,
    /// Its texts that look like a missing answer.
    texts_like_missing: u64,
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
        let only = schema.fields().first().filter(|_| schema.fields().len() == 1);
        let only = only.map(|field| field.name().clone());
        Ok(Csv { to, scratch: Vec::new(), dialect, only, texts_like_missing: 0 })
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
                    WrittenCell::Null if columns.len() == 1 => line.extend_from_slice(MISSING.as_bytes()),
                    WrittenCell::Null => {}
                    WrittenCell::Text("") if columns.len() == 1 => {
                        self.texts_like_missing += 1;
                        line.extend_from_slice(MISSING.as_bytes());
                    }
                    WrittenCell::Text(value) => dialect.text(value, &mut line),
                    WrittenCell::Json => dialect.quote(&String::from_utf8_lossy(&self.scratch), &mut line),
                    WrittenCell::Plain { .. } => {
                        let time =
                            dialect.spreadsheet && matches!(array.data_type(), DataType::Timestamp(..));
                        let number = *array.data_type() == DataType::Float64;
                        if dialect.spreadsheet
                            && *array.data_type() == DataType::Int64
                            && guard::is_long(&self.scratch)
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
        self.to.flush()?;
        let count = self.texts_like_missing;
        let only = self.only.filter(|_| count > 0);
        let warning = only.map(|name| {
            Warning::new(
                &name,
                format!(
                    "{count} answers are the empty text, which in a file of one column is written like a missing answer: write another \
                     column beside it, such as `Id`"
                ),
            )
        });
        Ok(warning.into_iter().collect())
    }
}

impl Dialect {
    fn end(self, line: &mut Vec<u8>) {
        line.extend_from_slice(if self.spreadsheet { b"\r\n" } else { b"\n" });
    }

    fn text(self, text: &str, line: &mut Vec<u8>) {
        if self.spreadsheet && guard::is_needed(text) {
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
