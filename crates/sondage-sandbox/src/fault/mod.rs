//! Fault injection: failures of networks, proxies and services.

mod decompression_bomb;
mod distort;
mod registry;
mod target;

pub(crate) use decompression_bomb::decompression_bomb;
pub(crate) use distort::{distort, turn_back};
pub use registry::FaultHandle;
pub(crate) use registry::FaultRegistry;
pub(crate) use target::check as check_target;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// A fault, and the calls that it hits.
///
/// ```
/// use sondage_sandbox::Fault;
/// // The next two calls are turned away, and the client is told to wait a second.
/// let busy = Fault::on("ReadMemberList").times(2).status(429).header("Retry-After", "1");
/// // The members are created, and then the line is dead.
/// let cut = Fault::on("CreateMembers").cut_after_effect();
/// # let _ = (busy, cut);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fault {
    /// The operation that it hits: a name of the operation table, `"token"`, `"authorize"` or `"jwks"`, `"link"` for any page
    /// behind a link, a path, `"*"` for every call, or `"connection"` for a connection before anything is read from it.
    #[serde(deserialize_with = "target::read")]
    pub on: String,
    /// How many matching calls pass unaffected before the first is hit.
    #[serde(default)]
    pub skip: u64,
    /// How many calls are hit; none means every one. Default: 1.
    #[serde(default = "once")]
    pub times: Option<u64>,
    /// Milliseconds to wait before anything else happens.
    #[serde(default)]
    pub delay_ms: u64,
    /// Whether the call takes effect although its response does not say so. Some faults imply it.
    #[serde(default)]
    pub after_effect: bool,
    /// What happens.
    #[serde(default)]
    pub action: FaultAction,
}

#[allow(clippy::unnecessary_wraps)] // serde requires a default of the field's own type.
fn once() -> Option<u64> {
    Some(1)
}

/// What a fault does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub enum FaultAction {
    /// Only the delay.
    #[default]
    Delay,
    /// Responds with this status, as a gateway in front of the service does. Without a body, an envelope is sent.
    Status {
        /// The status.
        status: u16,
        /// Headers to add.
        #[serde(default)]
        headers: BTreeMap<String, String>,
        /// The body, as plain text unless a header says otherwise.
        #[serde(default)]
        body: Option<String>,
    },
    /// Closes the connection.
    Cut {
        /// When.
        at: CutPoint,
        /// Whether to close it with a reset (RST) instead of an orderly close (FIN).
        #[serde(default)]
        reset: bool,
    },
    /// Sends half of the response and then nothing more, without closing the connection.
    Stall,
    /// A complete response whose JSON stops in the middle.
    TruncatedJson,
    /// Bytes that are not HTTP.
    Garbage,
    /// A response with JSON headers and a random body.
    GarbageBody,
    /// An HTML page with status 200.
    Html,
    /// Plain text, with status 200.
    Text,
    /// A small gzip body that grows to 1 GiB.
    GzipBomb,
    /// A body that claims to be gzip and is not.
    BrokenGzip,
    /// A wrong `totalCount`.
    TotalCount {
        /// Its value.
        value: i64,
    },
    /// Sends the page before the requested one.
    RepeatPage,
    /// The response without `isSuccess`, `errorMessage` and `errorCode`.
    NoEnvelope,
    /// Unknown fields in every object of the response.
    UnknownFields,
    /// Unknown values in every enumeration of the response.
    UnknownEnums,
    /// Status 200 and `isSuccess: false`.
    NotSuccess {
        /// `errorCode`
        error_code: String,
        /// `errorMessage`
        error_message: String,
    },
    /// Status 200 with this body as JSON, whatever it is.
    Body {
        /// The body.
        text: String,
    },
}

/// When a connection is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum CutPoint {
    /// After the head of the request, before its body is read: it cannot take effect.
    BeforeRequest,
    /// After the whole request took effect, before a byte of the response.
    AfterEffect,
    /// In the middle of the response.
    MidAnswer,
}

impl Fault {
    /// A fault that hits the next call of one operation; see [`Fault::on`](#structfield.on) for what can be named.
    pub fn on(operation: impl Into<String>) -> Self {
        let on = operation.into();
        Self { on, skip: 0, times: Some(1), delay_ms: 0, after_effect: false, action: FaultAction::Delay }
    }

    /// Hits this many calls instead of one.
    #[must_use]
    pub fn times(mut self, times: u64) -> Self {
        self.times = Some(times);
        self
    }

    /// Hits every call.
    #[must_use]
    pub fn every(mut self) -> Self {
        self.times = None;
        self
    }

    /// Lets this many calls pass first.
    #[must_use]
    pub fn skip(mut self, calls: u64) -> Self {
        self.skip = calls;
        self
    }

    /// Waits before anything else happens.
    #[must_use]
    pub fn delay(mut self, by: Duration) -> Self {
        self.delay_ms = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        self
    }

    /// Lets the call take effect although its response does not say so.
    #[must_use]
    pub fn after_effect(mut self) -> Self {
        self.after_effect = true;
        self
    }

    /// Does this.
    #[must_use]
    pub fn action(mut self, action: FaultAction) -> Self {
        self.action = action;
        self
    }

    /// Answers with a status.
    #[must_use]
    pub fn status(self, status: u16) -> Self {
        self.action(FaultAction::Status { status, headers: BTreeMap::new(), body: None })
    }

    /// Adds a header to [`status`](Self::status).
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        if let FaultAction::Status { headers, .. } = &mut self.action {
            headers.insert(name.into(), value.into());
        }
        self
    }

    /// Gives [`status`](Self::status) a body.
    #[must_use]
    pub fn body(mut self, text: impl Into<String>) -> Self {
        if let FaultAction::Status { body, .. } = &mut self.action {
            *body = Some(text.into());
        }
        self
    }

    /// Closes the connection before the request is read: it cannot take effect.
    #[must_use]
    pub fn cut_before_request(self) -> Self {
        self.action(FaultAction::Cut { at: CutPoint::BeforeRequest, reset: false })
    }

    /// Closes the connection after the effect, before any response.
    #[must_use]
    pub fn cut_after_effect(self) -> Self {
        self.action(FaultAction::Cut { at: CutPoint::AfterEffect, reset: false })
    }

    /// Closes the connection in the middle of the response.
    #[must_use]
    pub fn cut_mid_answer(self) -> Self {
        self.action(FaultAction::Cut { at: CutPoint::MidAnswer, reset: false })
    }

    /// Makes the close a reset (RST).
    #[must_use]
    pub fn reset(mut self) -> Self {
        if let FaultAction::Cut { reset, .. } = &mut self.action {
            *reset = true;
        }
        self
    }

    /// Whether the handler is executed.
    pub(crate) fn takes_effect(&self) -> bool {
        self.after_effect
            || match &self.action {
                FaultAction::Delay
                | FaultAction::Stall
                | FaultAction::TruncatedJson
                | FaultAction::TotalCount { .. }
                | FaultAction::RepeatPage
                | FaultAction::NoEnvelope
                | FaultAction::UnknownFields
                | FaultAction::UnknownEnums => true,
                FaultAction::Cut { at, .. } => *at != CutPoint::BeforeRequest,
                _ => false,
            }
    }
}
