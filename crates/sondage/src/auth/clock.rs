//! The clocks that decide whether a token has expired.

use std::time::{Duration, Instant, SystemTime};

/// Two clocks. The monotonic clock never jumps, but may stop while a computer sleeps; the wall clock runs on, but
/// people and networks adjust it. A token has expired when either clock says so.
pub trait Clock: Send + Sync {
    /// Time since some fixed point.
    fn monotonic(&self) -> Duration;

    /// The time of day.
    fn wall(&self) -> SystemTime;
}

/// The computer's clocks.
#[derive(Clone, Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn monotonic(&self) -> Duration {
        self.0.elapsed()
    }

    fn wall(&self) -> SystemTime {
        SystemTime::now()
    }
}
