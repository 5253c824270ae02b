//! A renewal that failed, and for how long it is not tried again.

use crate::error::Error;
use std::time::Duration;

/// After a credential was refused: the answer would be the same, and many wrong tries may lock an account.
pub(super) const REFUSED: Duration = Duration::from_secs(60);
/// After anything else: those who come a little later share the failure, instead of each trying again.
pub(super) const PAUSE: Duration = Duration::from_secs(5);

/// A failure that everybody shares who comes before the pause is over.
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
