//! Permissions of files, and the options of their formats.

use sondage::{Error, Result};

use super::FileFormat;

/// How a file is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileOptions {
    /// Gives the file the process's usual permissions (its umask). Otherwise only its owner can read it, because it
    /// contains respondents' answers.
    pub shared: bool,
    /// CSV that a spreadsheet opens as it is: it begins with a byte order mark, lines end with CR and LF, times are those of the
    /// table's time zone without `T` and `Z`, and text that begins like a formula (`=`, `+`, `-`, `@`, a tab or a line break) and
    /// is not a number gets a leading `'`. Otherwise all text is written unchanged, which is right for programs.
    pub spreadsheet: bool,
    /// What separates the cells of a CSV file: `,`, `;`, `|` or a tab. Spreadsheets of countries with a decimal comma expect `;`.
    /// Default: `,`.
    pub separator: Option<char>,
    /// The decimal sign of a CSV file: `.` or `,`. Default: `.`.
    pub decimal: Option<char>,
    /// Whether a CSV file begins with a byte order mark. Default: if it is for spreadsheets.
    pub bom: Option<bool>,
    /// The column that weights the rows of an SPSS file. Default: the file has no weight.
    pub weight: Option<String>,
}

impl FileOptions {
    /// Sets whether the file gets the process's usual permissions (its umask).
    #[must_use]
    pub fn shared(mut self, shared: bool) -> Self {
        self.shared = shared;
        self
    }

    /// Sets whether the file is CSV for a spreadsheet.
    #[must_use]
    pub fn spreadsheet(mut self, spreadsheet: bool) -> Self {
        self.spreadsheet = spreadsheet;
        self
    }

    /// Sets what separates the cells of a CSV file.
    #[must_use]
    pub fn separator(mut self, separator: char) -> Self {
        self.separator = Some(separator);
        self
    }

    /// Sets the decimal sign of a CSV file: `.` or `,`.
    #[must_use]
    pub fn decimal(mut self, decimal: char) -> Self {
        self.decimal = Some(decimal);
        self
    }

    /// Sets whether a CSV file begins with a byte order mark.
    #[must_use]
    pub fn bom(mut self, bom: bool) -> Self {
        self.bom = Some(bom);
        self
    }

    /// Sets the column that weights the rows of an SPSS file.
    #[must_use]
    pub fn weight(mut self, column: impl Into<String>) -> Self {
        self.weight = Some(column.into());
        self
    }

    pub(super) fn check(&self, format: FileFormat) -> Result<()> {
        self.check_signs()?;
        if self.weight.is_some() && format != FileFormat::Sav {
            return Err(Error::invalid_argument("only a file of SPSS says which column weights its rows")
                .with_hint("Name the file .sav; in other files the weight is a column like any other."));
        }
        let option = match self {
            _ if format == FileFormat::Csv => return Ok(()),
            FileOptions { spreadsheet: true, .. } => "is written for spreadsheets",
            FileOptions { separator: Some(_), .. } => "has a separator",
            FileOptions { decimal: Some(_), .. } => "has a decimal sign",
            FileOptions { bom: Some(_), .. } => "has a byte order mark",
            _ => return Ok(()),
        };
        Err(Error::invalid_argument(format!("only CSV {option}")).with_hint("Name the file .csv."))
    }
}
