//! The log of the library, for an application.

use crate::{ProviderError, SondageError};
use log::{Level, LevelFilter, Log, Metadata, Record};
use sondage::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The severity of a log record.
#[derive(Clone, Copy, Debug, uniffi::Enum)]
pub enum LogLevel {
    /// Something failed.
    Error,
    /// Somebody should look: a list that was read again, a webhook whose credential expires soon.
    Warn,
    /// What the library does automatically: a retried call, a renewed token.
    Info,
    /// An exchange with the service.
    Debug,
}

/// A log record. It contains no secret and no answers of respondents.
#[derive(Debug, uniffi::Record)]
pub struct LogRecord {
    /// How much it matters.
    pub level: LogLevel,
    /// The part of the library that wrote it, for example `sondage::call::engine`.
    pub target: String,
    /// What happened.
    pub message: String,
}

/// Receives log records. It is called on a thread of its own, one record after the other, and may be slow: records that it
/// cannot keep up with are dropped, and a record reports how many. Exceptions are ignored.
#[uniffi::export(callback_interface)]
pub trait LogSink: Send + Sync {
    /// Takes a record.
    ///
    /// - `record`: The record.
    fn log(&self, record: LogRecord) -> Result<(), ProviderError>;
}

/// The maximum number of records that wait for a sink.
const WAITING: usize = 1000;

/// The current sink.
static SINK: Mutex<Option<SyncSender<LogRecord>>> = Mutex::new(None);
/// The number of records dropped since the last one that was not.
static LEFT_OUT: AtomicUsize = AtomicUsize::new(0);

/// Forwards the log of the library, from all clients of this process, to a sink, which replaces an earlier one.
///
/// - `sink`: Receives the records. Default: none.
/// - `level`: Records of lower severity are dropped.
#[uniffi::export(default(sink = None, level = None))]
pub fn log_to(sink: Option<Box<dyn LogSink>>, level: Option<LogLevel>) -> Result<(), SondageError> {
    let waiting = sink.map(begin).transpose()?;
    let filter = match (&waiting, level.unwrap_or(LogLevel::Info)) {
        (None, _) => LevelFilter::Off,
        (Some(_), LogLevel::Error) => LevelFilter::Error,
        (Some(_), LogLevel::Warn) => LevelFilter::Warn,
        (Some(_), LogLevel::Info) => LevelFilter::Info,
        (Some(_), LogLevel::Debug) => LevelFilter::Debug,
    };
    *SINK.lock().unwrap_or_else(PoisonError::into_inner) = waiting;
    // Only the first call has an effect. Nothing else in this library installs a logger.
    let _ = log::set_logger(&ToSink);
    log::set_max_level(filter);
    Ok(())
}

fn begin(sink: Box<dyn LogSink>) -> sondage::Result<SyncSender<LogRecord>> {
    let (sender, records) = sync_channel(WAITING);
    let named = thread::Builder::new().name("sondage-log".to_owned());
    let begun = named.spawn(move || hand_over(sink.as_ref(), &records));
    begun.map(|_| sender).map_err(|error| {
        Error::configuration("the operating system cannot start a thread for the log").caused_by(&error)
    })
}

/// Until another sink replaces this one.
fn hand_over(sink: &dyn LogSink, records: &Receiver<LogRecord>) {
    for record in records {
        let left_out = LEFT_OUT.swap(0, Ordering::Relaxed);
        if left_out > 0 {
            let message = format!("{left_out} records were left out, because the sink of the log is slow");
            let _ = sink.log(LogRecord { level: LogLevel::Warn, target: "sondage".to_owned(), message });
        }
        let _ = sink.log(record);
    }
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
        let level = match record.level() {
            Level::Error => LogLevel::Error,
            Level::Warn => LogLevel::Warn,
            Level::Info => LogLevel::Info,
            Level::Debug | Level::Trace => LogLevel::Debug,
        };
        let record =
            LogRecord { level, target: record.target().to_owned(), message: record.args().to_string() };
        let sink = SINK.lock().unwrap_or_else(PoisonError::into_inner);
        if sink.as_ref().is_some_and(|waiting| waiting.try_send(record).is_err()) {
            LEFT_OUT.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn flush(&self) {}
}
