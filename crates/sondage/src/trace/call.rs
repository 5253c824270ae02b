//! The trace of one call while it is made.

use super::recorder::since;
use super::{TraceEntry, TraceKind, Tracer};
use crate::error::{ErrorKind, Result};
use crate::response::Response;
use std::borrow::Cow;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A call in progress. If it is dropped before it has ended, its caller has given up.
pub(crate) struct CallTrace {
    tracer: Tracer,
    /// Whether entries are recorded or observed.
    on: bool,
    operation: Cow<'static, str>,
    parent: Option<Arc<str>>,
    /// The id of the call.
    pub id: String,
    begun: Instant,
    /// When the last request was sent.
    sent_at: Option<Instant>,
    attempts: u64,
    status: Option<u16>,
    sent: u64,
    received: Arc<AtomicU64>,
    /// Bytes received before the last request.
    received_before: u64,
    request_id: Option<String>,
    ended: bool,
}

impl CallTrace {
    pub fn begin(
        tracer: &Tracer,
        operation: Cow<'static, str>,
        parent: Option<Arc<str>>,
        id: String,
    ) -> Self {
        Self {
            tracer: tracer.clone(),
            on: tracer.is_on(),
            operation,
            parent,
            id,
            begun: Instant::now(),
            sent_at: None,
            attempts: 0,
            status: None,
            sent: 0,
            received: Arc::default(),
            received_before: 0,
            request_id: None,
            ended: false,
        }
    }

    /// A request is sent.
    pub fn sends(&mut self, bytes: usize) {
        self.sent_at = Some(Instant::now());
        self.attempts += 1;
        self.sent += bytes as u64;
        self.received_before = self.received.load(Relaxed);
        (self.status, self.request_id) = (None, None);
    }

    /// The status and the headers of a response have arrived.
    pub fn hears(&mut self, status: u16, request_id: impl FnOnce() -> Option<String>) {
        self.status = Some(status);
        if self.on {
            self.request_id = request_id();
        }
    }

    /// Counts the bytes of a response.
    pub fn meter(&self) -> impl FnOnce(u64) + Send + 'static + use<> {
        let received = Arc::clone(&self.received);
        move |bytes| {
            received.fetch_add(bytes, Relaxed);
        }
    }

    /// The attempt is over. Nothing is recorded if no request was sent.
    pub fn attempt(&mut self, bytes: usize, error: Option<ErrorKind>) {
        let Some(sent_at) = self.sent_at.take().filter(|_| self.on) else { return };
        let received = self.received.load(Relaxed) - self.received_before;
        let entry = self.entry(TraceKind::Attempt, error.map(ErrorKind::as_str));
        let (sent, milliseconds) = (bytes as u64, since(sent_at));
        self.tracer.record(TraceEntry { sent, received, milliseconds, ..entry });
    }

    /// Called before the next attempt, or before a wait for the end of a pause that the service requested.
    pub fn waits(&self, wait: Duration, error: ErrorKind) {
        // Logged in any case: waits have a log level of their own.
        let entry = self.entry(TraceKind::Wait, Some(error.as_str()));
        let milliseconds = wait.as_secs_f64() * 1000.0;
        self.tracer.record(TraceEntry { sent: 0, received: 0, milliseconds, ..entry });
    }

    /// The call is over.
    pub fn ended<T>(mut self, result: &Result<Response<T>>) {
        self.end(result.as_ref().err().map(|error| error.kind().as_str()));
    }

    fn end(&mut self, error: Option<&'static str>) {
        self.ended = true;
        if self.on {
            self.tracer.record(self.entry(TraceKind::Call, error));
        }
    }

    fn entry(&self, kind: TraceKind, error: Option<&'static str>) -> TraceEntry {
        TraceEntry {
            call_id: Some(self.id.clone()),
            parent: self.parent.as_deref().map(str::to_owned),
            attempts: self.attempts,
            status: self.status.map(i64::from),
            sent: self.sent,
            received: self.received.load(Relaxed),
            milliseconds: since(self.begun),
            request_id: self.request_id.clone(),
            error: error.map(str::to_owned),
            ..TraceEntry::new(kind, &self.operation)
        }
    }
}

/// Does what this many calls of one attempt do for the trace, for `cargo xtask bench trace`.
pub fn trace_calls(tracer: &Tracer, calls: usize, id: fn() -> String, answer: &Result<Response<()>>) {
    for _ in 0..calls {
        let mut trace = CallTrace::begin(tracer, Cow::Borrowed("ReadPanel"), None, id());
        trace.sends(16);
        let meter = trace.meter();
        trace.hears(200, || None);
        meter(600);
        trace.attempt(16, None);
        black_box(trace).ended(answer);
    }
}

impl Drop for CallTrace {
    fn drop(&mut self) {
        if !self.ended {
            self.end(Some("cancelled"));
        }
    }
}
