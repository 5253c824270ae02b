//! How the file was read from which rows are.

use crate::row_lines::RowLines;
use sondage::error::{Error, Result};
use sondage::text;

/// How a file was read: what its rows look like, as recognised or as named by the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowsFormat {
    /// Of a CSV file: the separator, `,`, `;`, `tab` or another sign.
    pub separator: Option<String>,
    /// Of a CSV file: the encoding, `utf-8`, `utf-16le`, `windows-1252` or another name of the WHATWG encoding standard.
    pub encoding: Option<String>,
    /// What separates the decimals of its numbers, `.` or `,`; of a workbook, of the numbers in its texts. Nothing if no number has decimals.
    pub decimal: Option<String>,
    /// Of a workbook: the name of the sheet.
    pub sheet: Option<String>,
    /// The lines of the rows that were read.
    pub(crate) lines: RowLines,
}

impl RowsFormat {
    /// A CSV file. `decimal` is what the caller has named.
    #[doc(hidden)] // for sondage-data
    pub fn csv(
        separator: impl Into<String>,
        encoding: impl Into<String>,
        decimal: Option<&str>,
    ) -> Result<Self> {
        let decimal = sign(decimal)?;
        Ok(Self {
            separator: Some(separator.into()),
            encoding: Some(encoding.into()),
            decimal,
            ..Self::default()
        })
    }

    /// A sheet of a workbook. `decimal` is what the caller has named.
    #[doc(hidden)] // for sondage-data
    pub fn workbook(sheet: impl Into<String>, decimal: Option<&str>) -> Result<Self> {
        Ok(Self { sheet: Some(sheet.into()), decimal: sign(decimal)?, ..Self::default() })
    }

    /// The line of the file, counted from 1, in which a row begins that was read; of a workbook, the row of the sheet.
    pub fn line(&self, row: usize) -> Option<u64> {
        self.lines.line(row)
    }

    /// The lines of the rows that were read so far.
    #[doc(hidden)] // for sondage-data
    pub fn lines_mut(&mut self) -> &mut RowLines {
        &mut self.lines
    }

    /// What a report says about it; nothing about a file with commas in UTF-8.
    pub fn note(&self) -> String {
        let mut parts = Vec::new();
        if let (Some(separator), Some(encoding)) = (&self.separator, &self.encoding)
            && (separator != "," || encoding != "utf-8")
        {
            parts.push(format!("the separator {separator:?} and the encoding {encoding}"));
        }
        if self.decimal.as_deref() == Some(",") {
            parts.push("decimal commas".to_owned());
        }
        if let Some(sheet) = &self.sheet {
            let commas = if parts.is_empty() { "" } else { ", whose texts were read with decimal commas" };
            return format!("; the rows are from the sheet {sheet:?}{commas}");
        }
        if parts.is_empty() {
            return String::new();
        }
        format!("; the file was read with {}", parts.join(" and with "))
    }
}

/// The sign before decimals that a caller has named.
fn sign(decimal: Option<&str>) -> Result<Option<String>> {
    if let Some(other) = decimal.filter(|decimal| ![",", "."].contains(decimal)) {
        let what = text!("`decimal` is {other:?}, which does not separate decimals");
        return Err(
            Error::invalid_argument(what).with_hint("Nothing was sent. Name \",\" or \".\" as `decimal`.")
        );
    }
    Ok(decimal.map(ToOwned::to_owned))
}

/// A row in a sentence: `row 3 (line 5)`, or `row 3 (row 5 of the sheet)`; `row 3` if it is not from a file. `first_row` is the number of
/// the first row.
pub(crate) fn named(format: Option<&RowsFormat>, row: usize, first_row: u32) -> String {
    let number = row + usize::try_from(first_row).unwrap_or_default();
    match format.and_then(|format| Some((format.line(row)?, format.sheet.is_some()))) {
        Some((line, false)) => format!("row {number} (line {line})"),
        Some((line, true)) => format!("row {number} (row {line} of the sheet)"),
        None => format!("row {number}"),
    }
}
