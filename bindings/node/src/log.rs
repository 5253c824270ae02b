//! Forwards the library's log to a JavaScript function.

#![allow(dead_code)] // only JavaScript calls it

use log::{Level, LevelFilter, Log, Metadata, Record};
use napi::Status;
use napi::bindgen_prelude::{FnArgs, Function};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi_derive::napi;
use sondage::internals::notes::TerminalNotes;
use std::sync::{Mutex, PoisonError};

/// Level, target and message of a record.
type Args = FnArgs<(String, String, String)>;

/// The maximum number of records that wait for JavaScript. Further ones are dropped.
const WAITING: usize = 1000;

/// Unreferenced: it does not keep the process alive.
type Sink = ThreadsafeFunction<Args, (), Args, Status, false, true, WAITING>;

static SINK: Mutex<Option<Sink>> = Mutex::new(None);

/// Installs the logger of this library. Until the program sets a function, warnings are printed like those of Node.js,
/// unless they are disabled there.
#[napi_derive::module_init]
fn begin() {
    // Nothing else in this library installs a logger.
    let _ = log::set_logger(&ToSink);
    log::set_max_level(unheard());
}

/// The log level if no function is set.
fn unheard() -> LevelFilter {
    let silent = std::env::var_os("NODE_NO_WARNINGS").is_some_and(|said| said == "1");
    if silent { LevelFilter::Off } else { LevelFilter::Warn }
}

/// Forwards the records of all clients of this process to `function`, which replaces an earlier one; none, if there is no
/// function. It never throws itself. `level`: records of lower severity are dropped.
#[napi(catch_unwind)]
pub fn log_to(function: Option<Function<'_, Args, ()>>, level: String) -> napi::Result<()> {
    let sink = match function {
        Some(function) => {
            let sink = function.build_threadsafe_function().weak::<true>().max_queue_size::<WAITING>();
            Some(sink.build()?)
        }
        None => None,
    };
    let level = if sink.is_some() { level.parse().unwrap_or(LevelFilter::Info) } else { unheard() };
    *SINK.lock().unwrap_or_else(PoisonError::into_inner) = sink;
    log::set_max_level(level);
    Ok(())
}

struct ToSink;

impl Log for ToSink {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().split("::").next() == Some("sondage") && metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let sink = SINK.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sink) = &*sink else { return TerminalNotes("(sondage) Warning: ").log(record) };
        let level = match record.level() {
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug | Level::Trace => "debug",
        };
        let record = (level.to_owned(), record.target().to_owned(), record.args().to_string());
        sink.call(record.into(), ThreadsafeFunctionCallMode::NonBlocking);
    }

    fn flush(&self) {}
}
