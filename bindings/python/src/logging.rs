//! Forwards the core's log to Python's `logging`, under the logger `sondage`.

use crate::shutdown;
use log::{Level, LevelFilter, Log, Metadata, Record};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3_log::{Caching, Logger};

/// Connects to `logging` with the first visible record, so that programs without log output do not import it.
struct Gated(PyOnceLock<Logger>);

impl Gated {
    /// Drops records that nobody can have requested: before `logging` is imported, only warnings are shown.
    fn logger(&self, py: Python<'_>, level: Level) -> PyResult<Option<&Logger>> {
        let unheard = || PyResult::Ok(!py.import("sys")?.getattr("modules")?.contains("logging")?);
        if level > Level::Warn && self.0.get(py).is_none() && unheard()? {
            return Ok(None);
        }
        let connected = self.0.get_or_try_init(py, || {
            let logger = Logger::new(py, Caching::Loggers)?.filter(LevelFilter::Off);
            PyResult::Ok(logger.filter_target("sondage".to_owned(), LevelFilter::Debug))
        });
        connected.map(Some)
    }
}

impl Log for Gated {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().split("::").next() == Some("sondage")
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        if let Some(_permit) = shutdown::attach_permit() {
            Python::try_attach(|py| {
                // If `logging` cannot be imported, calls continue without it.
                if let Ok(Some(logger)) = self.logger(py, record.level()) {
                    logger.log(record);
                }
            });
        }
    }

    fn flush(&self) {}
}

/// Installs the logger, with the first client. Later calls have no effect.
pub fn connect() {
    if log::set_boxed_logger(Box::new(Gated(PyOnceLock::new()))).is_ok() {
        log::set_max_level(LevelFilter::Debug);
    }
}
