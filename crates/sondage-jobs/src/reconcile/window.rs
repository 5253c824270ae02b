//! The time window, by the service's clock, in which an object must have been created to come from a call.

use chrono::{DateTime, TimeDelta, Utc};
use sondage::internals::call::sent_writes::SentWrite;
use sondage::model::{FieldValue, Timestamp};
use std::time::Duration;

/// The precision with which two clocks are compared by headers that have whole seconds, and responses with latency.
const SLACK: TimeDelta = TimeDelta::seconds(2);
/// The precision if the service never sends its time.
const WITHOUT_A_DATE: TimeDelta = TimeDelta::minutes(5);

/// The time window in which a call can have taken effect.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    from: DateTime<Utc>,
    to: DateTime<Utc>,
}

/// Where a time lies in relation to the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Before the call was sent.
    Before,
    /// Within the window.
    Within,
    /// After the service had finished the call.
    After,
    /// There is no time, or it cannot be read.
    Unclear,
}

impl Window {
    /// `quiet`: how long the service may still process a call after the last sign of it. `ahead`: how far the service's clock
    /// is ahead now.
    pub fn of(write: &SentWrite, quiet: Duration, ahead: Option<TimeDelta>) -> Self {
        let wall = DateTime::<Utc>::from(write.wall);
        let duration = TimeDelta::from_std(write.took() + quiet).unwrap_or(TimeDelta::MAX);
        // Both the earlier and the current offset of the clock count, because the clock may have been set in between.
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
            to: duration.checked_add(&(most + slack)).and_then(moved).unwrap_or(DateTime::<Utc>::MAX_UTC),
        }
    }

    /// Classifies a time.
    pub fn place(&self, time: Option<DateTime<Utc>>) -> Place {
        match time {
            None => Place::Unclear,
            Some(time) if time < self.from => Place::Before,
            Some(time) if time > self.to => Place::After,
            Some(_) => Place::Within,
        }
    }

    /// Classifies a time given as text.
    pub fn place_text(&self, text: Option<&str>) -> Place {
        self.place(text.and_then(|text| text.parse::<Timestamp>().ok()).map(|time| time.0))
    }

    /// Classifies a time in a response.
    pub fn place_value(&self, value: Option<&FieldValue>) -> Place {
        self.place_text(value.and_then(FieldValue::as_str))
    }
}
