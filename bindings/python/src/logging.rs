//! Forwards the core's log to Python's `logging`, under the logger `sondage`.

use crate::shutdown;
use log::{Level, LevelFilter, Log, Metadata, Record};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3_log::{Caching, Logger};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The target of the lines for each call, attempt and page.
const CALLS: &str = "sondage::call";

/// Whether these lines are visible. It is checked by the thread that makes a call, which holds the GIL anyway, so that
/// worker threads need not wait for the GIL.
static READ: AtomicBool = AtomicBool::new(false);

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
        let target = metadata.target();
        target.split("::").next() == Some("sondage")
            && (metadata.level() < Level::Debug || target != CALLS || READ.load(Relaxed))
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

/// Checks whether the lines of calls are visible. It costs about 100 ns.
pub fn look(py: Python<'_>) {
    static LOGGER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    READ.store(wanted(py, &LOGGER).unwrap_or(false), Relaxed);
}

fn wanted(py: Python<'_>, logger: &PyOnceLock<Py<PyAny>>) -> PyResult<bool> {
    let Some(logger) = logger.get(py) else {
        if py.import("sys")?.getattr("modules")?.contains("logging")? {
            let calls_logger =
                py.import("logging")?.call_method1("getLogger", (CALLS.replace("::", "."),))?;
            let _ = logger.set(py, calls_logger.unbind());
            return wanted(py, logger);
        }
        return Ok(false);
    };
    // The level DEBUG.
    logger.bind(py).call_method1("isEnabledFor", (10,))?.is_truthy()
}
