//! The clocks by which the age of tokens is judged.

use std::time::{Duration, Instant, SystemTime};

/// Two clocks. The monotonic one never jumps, but may stand still while a computer sleeps; the wall clock goes on, but
/// people and networks set it. A token has ended when either says so.
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
