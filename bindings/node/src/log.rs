//! Forwards the library's log to JavaScript functions.

#![allow(dead_code)] // only JavaScript calls it

use log::{Level, LevelFilter, Log, Metadata, Record};
use napi::bindgen_prelude::{FnArgs, Function};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Env, Status};
use napi_derive::napi;
use sondage::internals::notes::TerminalNotes;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Level, target and message of a record.
type Args = FnArgs<(String, String, String)>;

/// The maximum number of records that wait for JavaScript. Further ones are dropped.
const WAITING: usize = 1000;

/// Unreferenced: it does not keep the process alive.
type Waiting = ThreadsafeFunction<Args, (), Args, Status, false, true, WAITING>;

/// The function of an environment (the main thread, or a worker), and the level that it asked for.
struct Sink {
    env: usize,
    level: LevelFilter,
    function: Waiting,
}

static SINKS: Mutex<Vec<Sink>> = Mutex::new(Vec::new());

/// The functions of environments that still exist; the level follows from them.
fn living() -> MutexGuard<'static, Vec<Sink>> {
    let mut sinks = SINKS.lock().unwrap_or_else(PoisonError::into_inner);
    sinks.retain(|sink| !sink.function.aborted());
    log::set_max_level(sinks.iter().map(|sink| sink.level).max().unwrap_or_else(unheard));
    sinks
}

/// Installs the logger of this library. Until the program sets a function, warnings are printed like those of Node.js,
/// unless they are disabled there.
#[napi_derive::module_init]
fn begin() {
    // Nothing else in this library installs a logger.
    let _ = log::set_logger(&ToSinks);
    drop(living());
}

/// The log level if no function is set.
fn unheard() -> LevelFilter {
    let silent = std::env::var_os("NODE_NO_WARNINGS").is_some_and(|said| said == "1");
    if silent { LevelFilter::Off } else { LevelFilter::Warn }
}

/// Forwards the records of all clients of this process to `function`, which replaces an earlier one of this environment;
/// none, if there is no function. It never throws itself. `level`: records of lower severity are dropped.
#[napi(catch_unwind)]
pub fn log_to(env: &Env, function: Option<Function<'_, Args, ()>>, level: String) -> napi::Result<()> {
    let function = function.map(|function| {
        function.build_threadsafe_function().weak::<true>().max_queue_size::<WAITING>().build()
    });
    let (env, level) = (env.raw() as usize, level.parse().unwrap_or(LevelFilter::Info));
    let sink = function.transpose()?.map(|function| Sink { env, level, function });
    let mut sinks = living();
    sinks.retain(|sink| sink.env != env);
    sinks.extend(sink);
    drop(sinks);
    drop(living());
    Ok(())
}

struct ToSinks;

impl Log for ToSinks {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().split("::").next() == Some("sondage") && metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let sinks = living();
        if sinks.is_empty() && record.level() <= log::max_level() {
            return TerminalNotes("(sondage) Warning: ").log(record);
        }
        let level = match record.level() {
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug | Level::Trace => "debug",
        };
        for sink in sinks.iter().filter(|sink| record.level() <= sink.level) {
            let record = (level.to_owned(), record.target().to_owned(), record.args().to_string());
            sink.function.call(record.into(), ThreadsafeFunctionCallMode::NonBlocking);
        }
    }

    fn flush(&self) {}
}
