//! Options for finding out what a write did.

use sondage_macros::options;

/// Of which write to find out what it did, and how.
#[options]
pub struct ReconcileOptions {
    /// The `write_id` of the error.
    pub write_id: String,
    /// How long after the last that was heard of a call the service may still be at work. Left out: three minutes. With less, a
    /// write that is still under way there may be said not to have happened.
    pub quiet: Option<f64>,
    /// How long to wait at most, when it is too early to tell. Left out: as long as it takes. With 0 it is looked once, and
    /// `again_in` says how long to wait.
    pub wait: Option<f64>,
    /// The name under which the service keeps what this login makes, as its `createdBy` shows it. Left out: the user name of a
    /// password, or the client id (assumed).
    pub created_by: Option<String>,
}
