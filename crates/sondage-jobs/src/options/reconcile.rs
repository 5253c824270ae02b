//! Options for finding out whether a write took effect.

use sondage_macros::options;
use std::time::Duration;

/// The write to reconcile, and how.
#[options]
pub struct ReconcileOptions {
    /// The `write_id` of the error.
    pub write_id: String,
    /// How long the service may still be processing a call after the last sign of it. Default: three minutes. With a shorter
    /// time, a write that is still being processed may be reported as not done.
    pub quiet: Option<Duration>,
    /// The maximum time to wait while the result is not certain. Default: until it is certain. With 0 the account is read
    /// once, and `again_in` says how long to wait.
    pub wait: Option<Duration>,
    /// The name that the service records for objects created with this login, as in `created_by`. Default: the user name of a
    /// password, or the client id (assumed).
    pub created_by: Option<String>,
}
