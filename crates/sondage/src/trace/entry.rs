//! The entry of each step.

use super::recorder::since;
use crate::error::ErrorKind;
use crate::model::Timestamp;
use sondage_macros::{report, words};
use std::fmt;
use std::time::Instant;

/// A part of a client's trace, the oldest entry first.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trace {
    /// The entries.
    pub entries: Vec<TraceEntry>,
    /// Pass it as `after` to read what comes next.
    pub next: u64,
    /// The number of entries after `after` that are no longer kept, because more than `trace_entries` followed them.
    pub missed: u64,
}

/// One step of a client. It contains no secret and no personal data.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TraceEntry {
    /// The number of the entry: the client's first entry is 0.
    pub number: u64,
    /// When it ended; for `"wait"`, when it began.
    pub at: Timestamp,
    /// What was done. `"attempt"`: a request was sent, with or without a response. `"wait"`: a call waits before its next
    /// attempt, or until a pause is over that the service requested. `"call"`: a call ended, after all its attempts. `"page"`: a page of a list was read. `"token"`: a token was
    /// requested. `"step"`: a job has finished a chunk of its rows, one call of a plan, or one document or object.
    pub kind: TraceKind,
    /// The API's name of the operation; for `"step"`, the name of the job, for example `"import_members"`; `"doctor"` for a request
    /// by which the doctor checks whether a server responds. Empty for `"token"`.
    pub operation: String,
    /// The id of the call, the same for all its attempts; each request carries it as `X-Correlation-Id`. `None` for `"page"`,
    /// `"token"`, `"step"` and `"doctor"`.
    pub call_id: Option<String>,
    /// What the call is for, if it is not for its own result: `"check of the end"` for one that shows that a list is whole. The service
    /// may refuse it, which is no error: the page does not exist.
    pub purpose: Option<String>,
    /// The host of the service that a request is sent to; for `"token"`, that of the authentication server. `None` for `"page"` and
    /// `"step"`.
    pub server: Option<String>,
    /// The span of the caller, as a W3C `traceparent`, if it has named one.
    pub parent: Option<String>,
    /// The number of attempts so far. 0 for a call of which nothing was sent yet.
    pub attempts: u64,
    /// HTTP status of the last response. `None`: there was none.
    pub status: Option<i64>,
    /// Bytes of the bodies of requests.
    pub sent: u64,
    /// Bytes of responses, after decompression.
    pub received: u64,
    /// How long it took, in milliseconds; for `"wait"`, how long it will take at most.
    pub milliseconds: f64,
    /// The rows of a page; the rows, members or documents of a step.
    pub rows: Option<u64>,
    /// The service's id of the last request, if it names one.
    pub request_id: Option<String>,
    /// The kind of the error with which it ended, or `"cancelled"` if its caller gave up before the end. `None`: it succeeded.
    pub error: Option<String>,
}

/// What an entry is about.
#[words]
#[non_exhaustive]
pub enum TraceKind {
    /// A request was sent, with or without a response.
    Attempt,
    /// A call waits before its next attempt, or until a pause is over that the service requested.
    Wait,
    /// A call ended, after all its attempts.
    Call,
    /// A page of a list was read.
    Page,
    /// A token was requested.
    Token,
    /// A job has finished a part of its work.
    Step,
}

impl TraceEntry {
    /// An entry of this kind with the current time. It gets its number when it is recorded.
    pub(super) fn new(kind: TraceKind, operation: &str) -> Self {
        Self {
            number: 0,
            at: Timestamp::now(),
            kind,
            operation: operation.to_owned(),
            call_id: None,
            purpose: None,
            server: None,
            parent: None,
            attempts: 0,
            status: None,
            sent: 0,
            received: 0,
            milliseconds: 0.0,
            rows: None,
            request_id: None,
            error: None,
        }
    }

    /// A request without a token that checks whether a server responds. It belongs to no call.
    pub(crate) fn probe(status: Option<u16>, begun: Instant) -> Self {
        Self {
            attempts: 1,
            status: status.map(i64::from),
            milliseconds: since(begun),
            error: status.is_none().then(|| ErrorKind::Network.as_str().to_owned()),
            ..Self::new(TraceKind::Attempt, "doctor")
        }
    }
}

/// The line of a log.
impl fmt::Display for TraceEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, operation, call_id, attempts, status, sent, received, milliseconds, .. } = self;
        let name = if operation.is_empty() { "token" } else { operation.as_str() };
        write!(f, "{name}: {}", kind.as_str())?;
        if matches!(kind, TraceKind::Attempt | TraceKind::Wait) {
            write!(f, " {attempts}")?;
        }
        if let Some(status) = status {
            write!(f, " {status}")?;
        }
        if let Some(error) = &self.error {
            write!(f, " {error}")?;
        }
        write!(f, " {milliseconds:.1} ms")?;
        if matches!(kind, TraceKind::Attempt | TraceKind::Call) {
            write!(f, ", {sent} B sent, {received} B received")?;
        }
        if let Some(rows) = self.rows {
            write!(f, ", {rows} rows")?;
        }
        if let Some(id) = &self.request_id {
            write!(f, ", request {id}")?;
        }
        if let Some(purpose) = &self.purpose {
            write!(f, ", {purpose}")?;
        }
        call_id.as_ref().map_or(Ok(()), |id| write!(f, ", call {id}"))
    }
}
