//! How to find out what a call did when its outcome is unknown.

use super::prepared::Call;
use crate::error::{Error, ErrorKind, Text};
use crate::text;
use std::time::{Duration, Instant};

/// A call that ends this long before its deadline was ended by it.
const DEADLINE_SLACK: Duration = Duration::from_millis(20);

impl Call {
    /// Whether a condition of the request names a custom variable with its prefix.
    pub fn names_custom_variable(&self) -> bool {
        memchr::memmem::find(&self.body, b"\"identifier\":\"custom.").is_some()
    }

    /// The advice for an error whose outcome is unknown.
    pub fn advice(&self) -> Option<Text> {
        let by_hand = Text::from(self.reconcile?);
        if self.evidence.is_none_or(<[_]>::is_empty) {
            return Some(by_hand);
        }
        Some(text!("`reconcile` with this `write_id` finds out what happened. By hand: {by_hand}"))
    }
}

/// The error says that the deadline of the call has passed, if that ended it.
pub(super) fn named_deadline(call: &Call, error: Error, limit: Duration) -> Error {
    let has_passed = error.timed_out() && Instant::now() + DEADLINE_SLACK >= call.deadline;
    if !has_passed || error.kind() != ErrorKind::Network {
        return error;
    }
    let limit =
        Duration::from_millis(100) * u32::try_from((limit.as_millis() + 50) / 100).unwrap_or(u32::MAX);
    error.with_hint(format!(
        "The deadline of the call, {limit:?}, has passed. Check the connection, or raise `deadline`."
    ))
}
