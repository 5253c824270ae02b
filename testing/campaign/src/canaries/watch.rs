//! Captures everything that is logged in this process, at every level, by this library and its dependencies.

use std::fmt::{self, Write as _};
use std::sync::{Mutex, Once, PoisonError};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};

static LINES: Mutex<String> = Mutex::new(String::new());

struct KeptLog;

fn keep(line: fmt::Arguments<'_>) {
    let _ = writeln!(LINES.lock().unwrap_or_else(PoisonError::into_inner), "{line}");
}

impl log::Log for KeptLog {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        keep(format_args!("{} {}: {}", record.level(), record.target(), record.args()));
    }

    fn flush(&self) {}
}

impl tracing::Subscriber for KeptLog {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut WrittenLog(span.metadata().target()));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut WrittenLog("span"));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        event.record(&mut WrittenLog(event.metadata().target()));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct WrittenLog(&'static str);

impl Visit for WrittenLog {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        keep(format_args!("{} {field}: {value:?}", self.0));
    }
}

/// Starts capturing.
pub fn start() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if log::set_logger(&KeptLog).is_ok() {
            log::set_max_level(log::LevelFilter::Trace);
        }
        let _ = tracing::subscriber::set_global_default(KeptLog);
    });
}

/// The lines logged since the last call.
pub fn taken() -> String {
    std::mem::take(&mut *LINES.lock().unwrap_or_else(PoisonError::into_inner))
}
