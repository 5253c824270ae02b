//! Faults that can be injected between the platform and a receiver.

use serde::{Deserialize, Serialize};

/// A fault, and the events that it hits.
///
/// ```
/// use sondage_sandbox::{DeliveryAction, DeliveryFault};
/// // Every tenth event comes three times.
/// let twice = DeliveryFault::every(10, DeliveryAction::Duplicate { copies: 2 });
/// // The next five are never sent.
/// let silence = DeliveryFault::next(5, DeliveryAction::Silence);
/// # let _ = (twice, silence);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeliveryFault {
    /// The event type that it hits. Default: all.
    #[serde(default)]
    pub on: Option<String>,
    /// Hits one of this many events. 1: each.
    #[serde(default = "one")]
    pub every: u64,
    /// How many events are hit; none means no limit.
    #[serde(default)]
    pub times: Option<u64>,
    /// What happens.
    pub action: DeliveryAction,
    /// Events that matched so far.
    #[serde(skip)]
    pub(super) seen: u64,
}

fn one() -> u64 {
    1
}

/// What a fault does to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub enum DeliveryAction {
    /// Sends duplicates at the same time.
    Duplicate {
        /// The number of duplicates.
        copies: u32,
    },
    /// Sends it after the next event.
    Reorder,
    /// Sends it later.
    Delay {
        /// Seconds by the sandbox's clock.
        seconds: u32,
    },
    /// Never sends it: it can only be found by polling.
    Silence,
}

impl DeliveryFault {
    /// Hits each of the following events.
    pub fn next(times: u64, action: DeliveryAction) -> Self {
        Self { on: None, every: 1, times: Some(times), action, seen: 0 }
    }

    /// Hits one of this many events, on every attempt.
    pub fn every(every: u64, action: DeliveryAction) -> Self {
        Self { on: None, every, times: None, action, seen: 0 }
    }

    /// Hits events of this type only.
    #[must_use]
    pub fn on(mut self, event_type: impl Into<String>) -> Self {
        self.on = Some(event_type.into());
        self
    }

    /// Whether it hits this event.
    pub(super) fn hits(&mut self, event_type: &str) -> bool {
        if self.times == Some(0) || self.on.as_ref().is_some_and(|on| on != event_type) {
            return false;
        }
        self.seen += 1;
        let hit = self.seen.is_multiple_of(self.every.max(1));
        if hit && let Some(times) = &mut self.times {
            *times -= 1;
        }
        hit
    }
}
