//! How to find out what a call did when its outcome is unknown.

use super::prepared::Call;
use crate::error::Text;
use crate::text;

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
