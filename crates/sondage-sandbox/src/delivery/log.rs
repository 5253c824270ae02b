//! The record of deliveries. An address may be a secret, so only its host is written down.

use chrono::{DateTime, Utc};
use serde::Serialize;

/// One attempt to tell a subscriber.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Attempt {
    /// By the sandbox's clock.
    pub at: DateTime<Utc>,
    /// Number of the event; the same in all attempts, different for each subscriber.
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
    /// What came of it.
    pub outcome: Outcome,
    /// The status of the answer.
    pub status: Option<u16>,
    /// When the next attempt will be made; none when there will be none.
    pub next: Option<DateTime<Utc>>,
}

/// What came of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Outcome {
    /// A status from 200 to 299.
    Delivered,
    /// Another status. Redirects are not followed.
    Refused,
    /// No connection, or no answer in time.
    Failed,
    /// A fault swallowed it.
    Silent,
    /// The address leads beyond this machine, so nothing was sent.
    NotSent,
    /// The registration is gone, so nothing was sent.
    Gone,
}
