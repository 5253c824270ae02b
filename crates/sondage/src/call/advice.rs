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
    let limit = shown(limit);
    error.with_hint(format!(
        "The deadline of the call, {limit}, has passed. Check the connection, or raise `deadline`."
    ))
}

/// What was left of a deadline when its call began, as the caller wrote it: some microseconds had passed.
fn shown(limit: Duration) -> String {
    match limit.as_micros().div_ceil(1000).max(1) {
        ms @ ..1000 => format!("{ms} ms"),
        ms if (ms + 50) / 100 % 10 == 0 => format!("{} s", (ms + 50) / 1000),
        ms => format!("{}.{} s", (ms + 50) / 1000, (ms + 50) / 100 % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_named_as_it_was_given() {
        let named = |micros| shown(Duration::from_micros(micros));
        let all = [0, 480, 29_990, 499_995, 999_600, 1_499_990, 29_999_900].map(named);
        assert_eq!(all, ["1 ms", "1 ms", "30 ms", "500 ms", "1 s", "1.5 s", "30 s"]);
    }
}
