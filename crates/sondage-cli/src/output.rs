//! How results are displayed: as text for people, or as JSON for programs.

use crate::progress;
use serde_json::{Value, json};
use sondage::Error;
use std::fmt::Display;
use std::io::{self, Write as _};

/// The output format.
#[derive(Clone, Copy)]
pub struct Output {
    /// Whether the format is JSON.
    pub json: bool,
}

impl Output {
    /// Prints a result: a line of JSON, or text.
    pub fn show(self, json: impl FnOnce() -> Value, text: impl Display) -> io::Result<()> {
        progress::end();
        let mut out = io::stdout().lock();
        if self.json { writeln!(out, "{}", json()) } else { writeln!(out, "{text}") }
    }

    /// Prints an error to standard error.
    pub fn fail(self, why: &io::Error) {
        progress::end();
        if !self.json {
            eprintln!("sondage: {why}");
            return;
        }
        let of_the_library =
            why.get_ref().and_then(|inner| inner.downcast_ref::<Error>()).map(Error::to_json);
        let told = of_the_library.unwrap_or_else(|| json!({ "code": "Command", "message": why.to_string() }));
        eprintln!("{told}");
    }

    /// Refuses `--json` for a command without a result.
    pub fn none(self, command: &str) -> io::Result<()> {
        if self.json {
            let what =
                format!("`sondage {command}` has no result that could be shown as JSON: leave out --json");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        Ok(())
    }
}

/// Converts an error of the library to one of a command.
pub fn failed(error: Error) -> io::Error {
    io::Error::other(error)
}
