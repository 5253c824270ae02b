//! The trace of one call while it is made.

use super::recorder::since;
use super::{ActiveCall, Arrivals, CallPurpose, TraceEntry, TraceKind, Tracer};
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
    purpose: CallPurpose,
    active: ActiveCall,
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
        purpose: CallPurpose,
        attempts: u32,
        parent: Option<Arc<str>>,
        id: String,
    ) -> Self {
        let id = id + purpose.suffix();
        Self {
            tracer: tracer.clone(),
            on: tracer.is_on(),
            active: tracer.pending_calls().begin(operation.clone(), id.clone(), purpose, attempts),
            operation,
            purpose,
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

    /// A request is sent, whose response may be silent for `limit`.
    pub fn sends(&mut self, bytes: usize, limit: Duration) {
        self.sent_at = Some(Instant::now());
        self.attempts += 1;
        self.active.sends(self.attempts, limit);
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

    /// Notes when bytes of a response arrive.
    pub fn arrivals(&self) -> Arrivals {
        self.active.arrivals()
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
        let error = error.filter(|kind| !self.is_answered_by(*kind));
        let received = self.received.load(Relaxed) - self.received_before;
        let entry = self.entry(TraceKind::Attempt, error.map(ErrorKind::as_str));
        let (sent, milliseconds) = (bytes as u64, since(sent_at));
        self.tracer.record(TraceEntry { sent, received, milliseconds, ..entry });
    }

    /// Called before the next attempt, or before a wait for the end of a pause that the service requested.
    pub fn waits(&self, wait: Duration, error: ErrorKind) {
        self.active.waits(self.attempts, wait);
        // Logged in any case: waits have a log level of their own.
        let entry = self.entry(TraceKind::Wait, Some(error.as_str()));
        let milliseconds = wait.as_secs_f64() * 1000.0;
        self.tracer.record(TraceEntry { sent: 0, received: 0, milliseconds, ..entry });
    }

    /// The call is over.
    pub fn ended<T>(mut self, result: &Result<Response<T>>) {
        let error = result.as_ref().err().map(crate::Error::kind).filter(|kind| !self.is_answered_by(*kind));
        self.end(error.map(ErrorKind::as_str));
    }

    /// Whether a failure is what the call asks: that there is no such page.
    fn is_answered_by(&self, error: ErrorKind) -> bool {
        self.purpose == CallPurpose::CheckOfEnd && error == ErrorKind::Api
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
            purpose: self.purpose.as_str().map(str::to_owned),
            server: Some(self.tracer.server().to_owned()),
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
        let name = Cow::Borrowed("ReadPanel");
        let mut trace = CallTrace::begin(tracer, name, CallPurpose::Result, 3, None, id());
        trace.sends(16, Duration::from_secs(200));
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
