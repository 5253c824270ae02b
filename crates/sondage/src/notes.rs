//! Warnings for who sits at a terminal, where a program has no log of its own to hand them to.

use log::{Level, LevelFilter, Log, Metadata, Record};
use std::io::{Write as _, stderr};

/// Writes warnings to standard error, each after these words.
struct TerminalNotes(&'static str);

/// From now on this library's warnings are written to standard error, unless the process has another log.
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
            // A terminal that is gone has nobody who reads.
            let _ = writeln!(stderr(), "{}{}", self.0, record.args());
        }
    }

    fn flush(&self) {}
}
