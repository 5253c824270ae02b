//! How an event was received.

use sondage_macros::words;

/// How an event was received.
#[words]
#[non_exhaustive]
pub enum Source {
    /// The service called.
    Delivered,
    /// [`Missed`](super::Missed) found it by polling.
    Reconciled,
}
