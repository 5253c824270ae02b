//! A call before it is made.

use crate::operation::{Effect, Gone};
use crate::trace::CallPurpose;
use bytes::Bytes;
use http::HeaderMap;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A call, ready to be made.
#[derive(Clone)]
pub struct Call {
    /// The API's name of the operation.
    pub name: Cow<'static, str>,
    /// What the setting `operations` must list: the name, or for an operation that is not in the table its path.
    pub permitted_as: Cow<'static, str>,
    /// The possible paths of the operation, the likeliest first.
    pub paths: Vec<Cow<'static, str>>,
    /// The effect of the operation.
    pub effect: Effect,
    /// How to find out what happened when the outcome is unknown.
    pub reconcile: Option<&'static str>,
    /// For a write that is never retried: the fields that identify its effect.
    pub evidence: Option<&'static [&'static str]>,
    /// The error code with which a retried deletion shows that the earlier attempt took effect.
    pub gone: Option<Gone>,
    /// The query string, for operations whose request is sent in the query.
    pub query: Option<String>,
    /// The body.
    pub body: Bytes,
    /// When the caller stops waiting.
    pub deadline: Instant,
    /// The maximum number of attempts, if it is not the client's.
    pub attempts: Option<u32>,
    /// How long one attempt may take.
    pub timeout: Option<Duration>,
    /// Additional headers of the caller. Their values may be secrets.
    pub headers: HeaderMap,
    /// What the call is for.
    pub purpose: CallPurpose,
    /// The span of the caller.
    pub parent: Option<Arc<str>>,
}

/// Prints neither body nor query: they contain secrets and personal data.
impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, paths, effect, body, .. } = self;
        f.debug_struct("Call")
            .field("name", name)
            .field("paths", paths)
            .field("effect", effect)
            .field("body", &format_args!("{} bytes", body.len()))
            .finish_non_exhaustive()
    }
}
