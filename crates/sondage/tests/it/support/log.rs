//! The log of this program, which has one logger for all tests: what is logged while a test captures it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A line of the log.
#[derive(Clone)]
pub struct LogLine {
    pub level: log::Level,
    pub target: String,
    pub message: String,
}

#[derive(Default)]
struct Captured {
    captures: usize,
    lines: Vec<LogLine>,
}

static CAPTURED: Mutex<Captured> = Mutex::new(Captured { captures: 0, lines: Vec::new() });

struct Logger;

impl log::Log for Logger {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let mut captured = captured();
        if captured.captures > 0 {
            captured.lines.push(LogLine {
                level: record.level(),
                target: record.target().to_owned(),
                message: record.args().to_string(),
            });
        }
    }

    fn flush(&self) {}
}

fn captured() -> MutexGuard<'static, Captured> {
    CAPTURED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Captures everything that is logged, at every level, until it is dropped: by all tests that run meanwhile.
pub struct LogCapture {
    first: usize,
}

impl LogCapture {
    pub fn begin() -> Self {
        // The tests of this program share one logger: whoever comes first installs it.
        let _ = log::set_logger(&Logger);
        let mut captured = captured();
        captured.captures += 1;
        log::set_max_level(log::LevelFilter::Trace);
        Self { first: captured.lines.len() }
    }

    pub fn lines(&self) -> Vec<LogLine> {
        captured().lines[self.first..].to_vec()
    }

    /// The lines as text, `LEVEL target: message`. A line break in a message is `NEWLINE`.
    pub fn text(&self) -> String {
        text_of(&self.lines())
    }

    /// The text since the last call, without the handshakes that other tests make meanwhile: they have several lines.
    pub fn read(&mut self) -> String {
        let mut lines = self.lines();
        self.first += lines.len();
        lines.retain(|line| !line.target.starts_with("rustls"));
        text_of(&lines)
    }

    /// Whether a line of this level or a more severe one contains all of these.
    pub fn has(&self, level: log::Level, parts: &[&str]) -> bool {
        self.lines()
            .iter()
            .any(|line| line.level <= level && parts.iter().all(|part| line.message.contains(part)))
    }
}

impl Drop for LogCapture {
    fn drop(&mut self) {
        let mut captured = captured();
        captured.captures -= 1;
        if captured.captures == 0 {
            captured.lines = Vec::new();
            log::set_max_level(log::LevelFilter::Off);
        }
    }
}

fn text_of(lines: &[LogLine]) -> String {
    let text = |line: &LogLine| {
        format!("{} {}: {}\n", line.level, line.target, line.message.replace('\n', "NEWLINE"))
    };
    lines.iter().map(text).collect()
}
