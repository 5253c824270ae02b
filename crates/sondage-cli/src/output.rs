//! How results are displayed: as text for people, or as JSON for programs.

use crate::progress;
use serde_json::{Value, json};
use sondage::Error;
use sondage::error::Wording;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::time::Duration;

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
    pub fn fail(self, why: &io::Error, wording: &Wording) {
        progress::end();
        let of_the_library = why.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
        match (self.json, of_the_library) {
            (false, Some(error)) => eprintln!("sondage: {}", error.told(wording).message),
            (false, None) => eprintln!("sondage: {why}"),
            (true, Some(error)) => eprintln!("{}", json!(error.facts(wording, |wait| wait.as_secs_f64()))),
            (true, None) => eprintln!("{}", json!({ "code": "Command", "message": why.to_string() })),
        }
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

/// Reads a time from the command line.
pub fn seconds(option: &str, number: f64) -> io::Result<Duration> {
    Duration::try_from_secs_f64(number).map_err(|_| {
        let what = format!("{option} must be a number of seconds, not {number}. Nothing was sent.");
        io::Error::new(io::ErrorKind::InvalidInput, what)
    })
}
