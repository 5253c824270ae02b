//! Prints warnings for a person at a terminal, if the program has no logger of its own.

use log::{Level, LevelFilter, Log, Metadata, Record};
use std::io::{Write as _, stderr};

/// A logger that writes warnings to standard error, each after this prefix.
#[derive(Debug)]
pub struct TerminalNotes(pub &'static str);

/// Writes this library's warnings to standard error from now on, unless the process has another logger.
pub fn to_stderr(prefix: &'static str) {
    if log::set_boxed_logger(Box::new(TerminalNotes(prefix))).is_ok() {
        log::set_max_level(LevelFilter::Warn);
    }
}

impl Log for TerminalNotes {
    fn enabled(&self, about: &Metadata<'_>) -> bool {
        about.level() <= Level::Warn && about.target().starts_with("sondage")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            // If the terminal is closed, nobody reads the warning.
            let _ = writeln!(stderr(), "{}{}", self.0, record.args());
        }
    }

    fn flush(&self) {}
}
