//! The sandbox's clock, which a test can move.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// 200 years in microseconds: beyond that, dates overflow.
const FARTHEST: i64 = 200 * 365 * 86_400 * 1_000_000;

/// The time by which the sandbox judges tokens, codes and schedules, and which it writes into `createdAt`.
///
/// It is the computer's clock plus an offset that can be changed at any time: a token's 30 minutes pass with one call.
/// Clones share the offset.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// The offset to the computer's clock in microseconds.
    ahead: Arc<AtomicI64>,
}

impl Clock {
    /// The time now, to the microsecond.
    pub fn now(&self) -> DateTime<Utc> {
        let real = Utc::now();
        real.checked_add_signed(TimeDelta::microseconds(self.ahead.load(Ordering::SeqCst))).unwrap_or(real)
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.shift(i64::try_from(by.as_micros()).unwrap_or(i64::MAX));
    }

    /// Moves the clock back.
    pub fn rewind(&self, by: Duration) {
        self.shift(i64::try_from(by.as_micros()).unwrap_or(i64::MAX).saturating_neg());
    }

    /// Moves the clock by a number of seconds, backwards if it is negative.
    pub fn advance_seconds(&self, seconds: i64) {
        self.shift(seconds.saturating_mul(1_000_000));
    }

    /// Sets the time. The clock continues from there.
    pub fn set(&self, to: DateTime<Utc>) {
        let ahead = to.signed_duration_since(Utc::now()).num_microseconds().unwrap_or(0);
        self.ahead.store(ahead.clamp(-FARTHEST, FARTHEST), Ordering::SeqCst);
    }

    /// Resets it to the computer's clock.
    pub fn reset(&self) {
        self.ahead.store(0, Ordering::SeqCst);
    }

    /// The offset to the computer's clock in microseconds.
    pub(crate) fn offset(&self) -> i64 {
        self.ahead.load(Ordering::SeqCst)
    }

    pub(crate) fn set_offset(&self, micros: i64) {
        self.ahead.store(micros.clamp(-FARTHEST, FARTHEST), Ordering::SeqCst);
    }

    fn shift(&self, micros: i64) {
        let add = |ahead: i64| Some(ahead.saturating_add(micros).clamp(-FARTHEST, FARTHEST));
        let _ = self.ahead.fetch_update(Ordering::SeqCst, Ordering::SeqCst, add);
    }
}

/// The service's format of a timestamp in a field: ISO 8601, UTC, milliseconds.
// API 13.2
pub(crate) fn wire(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_and_can_be_set() {
        let clock = Clock::default();
        let start = clock.now();
        clock.clone().advance(Duration::from_secs(3600));
        assert!((clock.now() - start).num_seconds() >= 3600);
        let day = DateTime::from_timestamp(1_700_000_000, 0).unwrap();
        clock.set(day);
        assert!((clock.now() - day).num_seconds() < 5);
        clock.advance_seconds(i64::MAX);
        assert!(clock.now() < Utc::now() + TimeDelta::days(201 * 365), "a very large jump is limited");
        clock.reset();
        assert!((Utc::now() - clock.now()).num_seconds().abs() < 5);
    }
}
