//! The log of deliveries. A URL may contain a secret, so only its host is recorded.

use super::queue::QueuedDelivery;
use chrono::{DateTime, Utc};
use serde::Serialize;

/// One attempt to notify a subscriber.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Attempt {
    /// By the sandbox's clock.
    pub at: DateTime<Utc>,
    /// Number of the event: the same in all attempts, but different for each subscriber.
    pub event: u64,
    /// The registration.
    pub web_hook_id: String,
    /// The account.
    pub tenant: String,
    /// What happened.
    pub event_type: String,
    /// Host and port.
    pub to: String,
    /// 1 for the first.
    pub attempt: u32,
    /// The result.
    pub outcome: Outcome,
    /// The status of the response.
    pub status: Option<u16>,
    /// The time of the next attempt; none if there is none.
    pub next: Option<DateTime<Utc>>,
}

impl Attempt {
    /// Its parts with tabs between them: event, type, registration, address, attempt, result, status, time, next time.
    #[doc(hidden)] // for the test packages of Kotlin and Swift
    pub fn line(&self) -> String {
        let told = serde_json::to_value(self).unwrap_or_default();
        let part = |name: &str| match &told[name] {
            serde_json::Value::Null => String::new(),
            serde_json::Value::String(text) => text.replace(['\t', '\n'], " "),
            other => other.to_string(),
        };
        ["event", "eventType", "webHookId", "to", "attempt", "outcome", "status", "at", "next"]
            .map(part)
            .join("\t")
    }
}

/// What the console shows of an attempt in addition.
#[derive(Clone, Debug)]
pub(crate) struct AttemptDetails {
    /// The event, to send it again.
    pub(super) job: QueuedDelivery,
    /// The beginning of the response.
    pub(crate) answer: Option<String>,
    /// Why there is no response.
    pub(crate) reason: Option<String>,
}

impl AttemptDetails {
    /// What was sent, or would have been.
    pub(crate) fn body(&self) -> &[u8] {
        &self.job.body
    }
}

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Outcome {
    /// A status from 200 to 299.
    Delivered,
    /// Another status. Redirects are not followed.
    Refused,
    /// No connection, or no response in time.
    Failed,
    /// A fault dropped it.
    Silent,
    /// The address is on another machine, so nothing was sent.
    NotSent,
    /// The registration no longer exists, so nothing was sent.
    Gone,
}
