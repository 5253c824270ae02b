//! Options for reading a trace.

use sondage_macros::options;
use std::time::Duration;

/// Which part of a trace to read.
#[options]
pub struct TraceOptions {
    /// The number of the first entry to read: `next` of the part that was read before.
    #[wire(default = 0)]
    pub after: i64,
    /// How long to wait for an entry if there is none yet. Default: not at all.
    pub wait: Option<Duration>,
}
