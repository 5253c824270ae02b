//! The sandbox's clock, which a test can move.

use crate::state::ServerState;
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// 200 years in microseconds: beyond that, dates overflow.
const FARTHEST: i64 = 200 * 365 * 86_400 * 1_000_000;

/// The time by which the sandbox judges tokens, codes and schedules, and which it writes into `createdAt`.
///
/// It is the computer's clock plus an offset that can be changed at any time: a token's 30 minutes pass with one call. Or it stands
/// still, so that whatever happens has the same time in every run. Clones share the time.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    state: Arc<Mutex<ClockState>>,
    /// Who stores a change of the time at once.
    keeper: Weak<ServerState>,
}

/// How a clock shows the time: what a stored sandbox has of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockState {
    /// The offset to the computer's clock in microseconds.
    Running { offset: i64 },
    /// The time in microseconds since 1970.
    Frozen { at: i64 },
}

impl Default for ClockState {
    fn default() -> Self {
        Self::Running { offset: 0 }
    }
}

impl ClockState {
    fn now(self) -> DateTime<Utc> {
        let real = Utc::now();
        match self {
            Self::Running { offset } => {
                real.checked_add_signed(TimeDelta::microseconds(offset)).unwrap_or(real)
            }
            Self::Frozen { at } => DateTime::from_timestamp_micros(at).unwrap_or(real),
        }
    }
}

/// The offset with which the clock shows this time now.
fn offset_of(time: DateTime<Utc>) -> i64 {
    let offset = time.signed_duration_since(Utc::now()).num_microseconds().unwrap_or(0);
    offset.clamp(-FARTHEST, FARTHEST)
}

impl Clock {
    /// The same clock, whose changes this sandbox stores.
    pub(crate) fn kept_by(&self, keeper: &Arc<ServerState>) -> Self {
        Self { state: Arc::clone(&self.state), keeper: Arc::downgrade(keeper) }
    }

    fn keep(&self) {
        if let Some(keeper) = self.keeper.upgrade() {
            keeper.store_clock();
        }
    }

    /// The time now, to the microsecond.
    pub fn now(&self) -> DateTime<Utc> {
        self.change(|_| ()).now()
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.shift(i64::try_from(by.as_micros()).unwrap_or(i64::MAX));
        self.keep();
    }

    /// Moves the clock back.
    pub fn rewind(&self, by: Duration) {
        self.shift(i64::try_from(by.as_micros()).unwrap_or(i64::MAX).saturating_neg());
        self.keep();
    }

    /// Moves the clock by a number of seconds, backwards if it is negative.
    pub fn advance_seconds(&self, seconds: i64) {
        self.shift(seconds.saturating_mul(1_000_000));
        self.keep();
    }

    /// Sets the time. The clock continues from there.
    pub fn set(&self, to: DateTime<Utc>) {
        self.set_offset(offset_of(to));
        self.keep();
    }

    /// Sets the time, and stops the clock there. It can still be moved; after [`set`](Self::set) and [`reset`](Self::reset) it runs
    /// again.
    pub fn freeze(&self, at: DateTime<Utc>) {
        self.freeze_at(at.timestamp_micros());
        self.keep();
    }

    /// Resets it to the computer's clock.
    pub fn reset(&self) {
        self.set_offset(0);
        self.keep();
    }

    pub(crate) fn state(&self) -> ClockState {
        self.change(|_| ())
    }

    /// Continues as another clock.
    pub(crate) fn set_state(&self, state: ClockState) {
        match state {
            ClockState::Running { offset } => self.set_offset(offset),
            ClockState::Frozen { at } => self.freeze_at(at),
        }
    }

    fn set_offset(&self, micros: i64) {
        let offset = micros.clamp(-FARTHEST, FARTHEST);
        self.change(|state| *state = ClockState::Running { offset });
    }

    fn freeze_at(&self, at: i64) {
        let real = Utc::now().timestamp_micros();
        let at = at.clamp(real - FARTHEST, real + FARTHEST);
        self.change(|state| *state = ClockState::Frozen { at });
    }

    fn shift(&self, micros: i64) {
        self.change(|state| match state {
            ClockState::Running { offset } => {
                *offset = offset.saturating_add(micros).clamp(-FARTHEST, FARTHEST);
            }
            ClockState::Frozen { at } => {
                let real = Utc::now().timestamp_micros();
                *at = at.saturating_add(micros).clamp(real - FARTHEST, real + FARTHEST);
            }
        });
    }

    /// The state after a change of it.
    fn change(&self, change: impl FnOnce(&mut ClockState)) -> ClockState {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        *state
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

    #[test]
    fn a_frozen_clock_stands_still_until_it_is_moved() {
        let clock = Clock::default();
        let day = DateTime::from_timestamp(1_700_000_000, 0).unwrap();
        clock.freeze(day);
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(clock.now(), day);
        clock.advance_seconds(-60);
        assert_eq!(clock.now(), day - TimeDelta::seconds(60));
        clock.advance_seconds(i64::MAX);
        assert!(clock.now() < Utc::now() + TimeDelta::days(201 * 365), "a very large jump is limited");
        clock.set(day);
        std::thread::sleep(Duration::from_millis(2));
        assert!(clock.now() > day, "it runs again");
    }
}
