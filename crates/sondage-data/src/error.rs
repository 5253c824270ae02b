//! The error for a response that cannot be decoded: where, and what is wrong there.

use std::fmt;

use serde::{Deserialize, Serialize};
use sondage::Error;
use sondage::error::Text;
use sondage::text;

/// A response that cannot be decoded, and where decoding failed.
///
/// It contains positions, never contents: a response contains what people said.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeError {
    /// The page number, if the decoder was told one.
    pub page: Option<u64>,
    /// The noun for a row: `interview` or `member`.
    pub row_word: &'static str,
    /// The row within its page, counted from 1.
    pub row: Option<u64>,
    /// The column, in the service's own spelling.
    pub column: Option<String>,
    /// The offset from the start of the response in bytes, after decompression.
    pub offset: Option<u64>,
    /// What is wrong.
    pub detail: Box<Text>,
}

impl DecodeError {
    /// An error without a position yet; the layers above add it.
    pub(crate) fn new(detail: impl Into<Text>) -> Self {
        DecodeError {
            page: None,
            row_word: "row",
            row: None,
            column: None,
            offset: None,
            detail: Box::new(detail.into()),
        }
    }

    pub(crate) fn at(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }

    pub(crate) fn in_column(mut self, column: &str) -> Self {
        self.column = Some(column.to_owned());
        self
    }

    /// The error with the parts of its text.
    pub fn text(&self) -> Text {
        let mut locations = Vec::new();
        if let Some(page) = self.page {
            locations.push(format!("page {page}"));
        }
        if let Some(row) = self.row {
            locations.push(format!("{} {row}", self.row_word));
        }
        if let Some(column) = &self.column {
            locations.push(format!("column {column}"));
        }
        if let Some(offset) = self.offset {
            locations.push(format!("byte {offset}"));
        }
        let detail = &self.detail;
        if locations.is_empty() { Text::clone(detail) } else { text!("{}: {detail}", locations.join(", ")) }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl std::error::Error for DecodeError {}

/// A value that was kept without loss but differs from the code plan, for example a word in a numeric column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Warning {
    /// The column, if it concerns one.
    pub column: Option<String>,
    /// What was found and how it was handled, in a sentence.
    pub detail: String,
}

impl Warning {
    pub(crate) fn new(column: &str, detail: impl Into<String>) -> Self {
        Warning { column: Some(column.to_owned()), detail: detail.into() }
    }

    pub(crate) fn general(detail: impl Into<String>) -> Self {
        Warning { column: None, detail: detail.into() }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.column {
            Some(column) => write!(f, "column {column}: {}", self.detail),
            None => f.write_str(&self.detail),
        }
    }
}

/// A response that was complete and of the right format, but from which no table can be made.
pub(crate) fn unexpected(error: &dyn std::error::Error) -> Error {
    Error::unexpected_response(error.to_string())
}
