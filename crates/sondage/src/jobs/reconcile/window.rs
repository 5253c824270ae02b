//! When something must have been made to come from a call, by the clock of the service.

use crate::call::memory::SentWrite;
use crate::model::{FieldValue, Timestamp};
use chrono::{DateTime, TimeDelta, Utc};
use std::time::Duration;

/// How well two clocks are compared by headers that count whole seconds, and answers that were on their way.
const SLACK: TimeDelta = TimeDelta::seconds(2);
/// The same when the service never says what time it is.
const WITHOUT_A_DATE: TimeDelta = TimeDelta::minutes(5);

/// The time in which a call can have had its effect.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    from: DateTime<Utc>,
    to: DateTime<Utc>,
}

/// Where a time lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The call was not sent yet.
    Before,
    /// The call can have done it.
    Within,
    /// The service was done with the call.
    After,
    /// There is no time, or none that can be read.
    Unclear,
}

impl Window {
    /// `quiet`: how long the service may be at work after the last that was heard of a call. `ahead`: by how much the service's
    /// clock is ahead now.
    pub fn of(write: &SentWrite, quiet: Duration, ahead: Option<TimeDelta>) -> Self {
        let wall = DateTime::<Utc>::from(write.wall);
        let done = TimeDelta::from_std(write.took() + quiet).unwrap_or(TimeDelta::MAX);
        // What the clock said before counts, and what it says now: somebody may have set it meanwhile.
        let zero = TimeDelta::zero();
        let (least, most, slack) = match (write.ahead, ahead) {
            (Some(one), Some(other)) => (one.min(other), one.max(other), SLACK),
            (Some(only), None) => (only, only, SLACK),
            (None, Some(only)) => (only.min(zero), only.max(zero), SLACK),
            (None, None) => (zero, zero, WITHOUT_A_DATE),
        };
        let moved = |by: TimeDelta| wall.checked_add_signed(by);
        Self {
            from: moved(least - slack).unwrap_or(DateTime::<Utc>::MIN_UTC),
            to: done.checked_add(&(most + slack)).and_then(moved).unwrap_or(DateTime::<Utc>::MAX_UTC),
        }
    }

    /// Where a time lies.
    pub fn place(&self, time: Option<DateTime<Utc>>) -> Place {
        match time {
            None => Place::Unclear,
            Some(time) if time < self.from => Place::Before,
            Some(time) if time > self.to => Place::After,
            Some(_) => Place::Within,
        }
    }

    /// The same of a text.
    pub fn place_text(&self, text: Option<&str>) -> Place {
        self.place(text.and_then(|text| text.parse::<Timestamp>().ok()).map(|time| time.0))
    }

    /// The same of an answer.
    pub fn place_value(&self, value: Option<&FieldValue>) -> Place {
        self.place_text(value.and_then(FieldValue::as_str))
    }
}
