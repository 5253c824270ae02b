//! Options of a single call.

use crate::call::once::KeptOnce;
use crate::model::Json;
use indexmap::IndexMap;
use std::sync::Arc;
use std::time::Duration;

/// Options of the calls that are made through [`crate::Client::with`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CallOptions {
    /// How long a call may take in total, including waiting, retries and the token request; for a list, each page.
    /// Default: the client's `deadline`.
    pub deadline: Option<Duration>,
    /// Additional fields for the body that this version of the library does not know. A field that it knows is refused
    /// here.
    pub extra: IndexMap<String, Json>,
    /// The span of the caller, as a W3C `traceparent`. Entries of the trace name it; it is not sent.
    pub parent: Option<Arc<str>>,
    /// What knows the writes that were sent under a key.
    pub(crate) once: Option<KeptOnce>,
    /// The number under which a write that must never be repeated is kept, when it was noted before it is sent.
    pub(crate) write_id: Option<String>,
}

impl CallOptions {
    /// No options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how long a call may take in total.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Names the span of the caller, as a W3C `traceparent`, in the trace.
    #[must_use]
    pub fn parent(mut self, parent: impl Into<Arc<str>>) -> Self {
        self.parent = Some(parent.into());
        self
    }

    /// Adds a field to the body.
    #[must_use]
    pub fn extra(mut self, name: impl Into<String>, value: Json) -> Self {
        self.extra.insert(name.into(), value);
        self
    }
}
