//! How results are displayed: as text for people, or as JSON for programs.

use crate::look::BAD;
use crate::progress;
use serde_json::{Value, json};
use sondage::error::Wording;
use sondage::{Error, ErrorKind};
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
        let mut out = anstream::stdout().lock();
        if self.json { writeln!(out, "{}", in_seconds(json())) } else { writeln!(out, "{text}") }
    }

    /// Prints an error to standard error.
    pub fn fail(self, why: &io::Error, wording: &Wording) {
        progress::end();
        let of_the_library = why.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
        match (self.json, of_the_library) {
            (false, Some(error)) => {
                anstream::eprintln!("{BAD}sondage:{BAD:#} {}", error.told(wording).message);
            }
            (false, None) => anstream::eprintln!("{BAD}sondage:{BAD:#} {why}"),
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

/// A result with the duration of its `cost` in seconds, like all durations here.
fn in_seconds(mut result: Value) -> Value {
    if let Some(Value::Object(cost)) = result.get_mut("cost")
        && let Some(minutes) = cost.remove("minutes")
    {
        let seconds = minutes.as_f64().map(|minutes| minutes * 60.0);
        cost.insert("seconds".to_owned(), json!(seconds));
    }
    result
}

/// Converts an error of the library to one of a command. One about an argument has the exit code of wrong arguments, whoever has found
/// it: the service does not know a name or an id, or the library has looked it up before.
pub fn failed(error: Error) -> io::Error {
    let is_refused = matches!(error.status(), Some(400 | 404)) && error.changed_nothing();
    let about_an_argument = error.kind() == ErrorKind::InvalidArgument || is_refused;
    io::Error::new(if about_an_argument { io::ErrorKind::InvalidInput } else { io::ErrorKind::Other }, error)
}

/// The error that stopped a job. Something may have been sent, so it is not one of wrong arguments.
pub fn stopped(error: Error) -> io::Error {
    io::Error::other(error)
}

/// Refuses an argument.
pub fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
