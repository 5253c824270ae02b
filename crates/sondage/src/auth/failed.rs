//! A failed renewal, and how long to wait before the next attempt.

use crate::error::Error;
use std::time::Duration;

/// After rejected credentials: the response would be the same, and many failed attempts may lock an account.
pub(super) const REFUSED: Duration = Duration::from_secs(60);
/// After any other failure: callers that arrive shortly afterwards share it instead of each trying again.
pub(super) const PAUSE: Duration = Duration::from_secs(5);

/// A failure that all callers share until the pause is over.
#[derive(Clone, Debug)]
pub(super) struct SharedFailure {
    pub error: Error,
    pub pause: Duration,
}

impl SharedFailure {
    pub(super) fn new(error: Error, pause: Duration) -> Self {
        Self { error, pause }
    }
}
