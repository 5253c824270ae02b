//! The core's log in Python's `logging`, under the logger `sondage`.

use crate::gate;
use log::{LevelFilter, Log, Metadata, Record};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

struct Gated(pyo3_log::Logger);

impl Log for Gated {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.0.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if let Some(_pass) = gate::enter() {
            self.0.log(record);
        }
    }

    fn flush(&self) {}
}

/// Connects the log, once: with the first client, because `import sondage` should not import `logging`.
pub fn connect(py: Python<'_>) {
    static CONNECTED: AtomicBool = AtomicBool::new(false);
    if CONNECTED.swap(true, Ordering::SeqCst) {
        return;
    }
    let Ok(logger) = pyo3_log::Logger::new(py, pyo3_log::Caching::Loggers) else { return };
    let logger = logger.filter(LevelFilter::Off).filter_target("sondage".to_owned(), LevelFilter::Debug);
    if log::set_boxed_logger(Box::new(Gated(logger))).is_ok() {
        log::set_max_level(LevelFilter::Debug);
    }
}
