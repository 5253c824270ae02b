//! Events that are remembered until the process ends.

use super::store::{ClaimState, EventStore};
use crate::error::Result;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

pub(super) struct Memory {
    events: Mutex<Events>,
    capacity: usize,
}

#[derive(Default)]
struct Events {
    states: HashMap<String, State>,
    /// Those that were handled, the oldest first.
    order: VecDeque<String>,
}

enum State {
    ClaimedBy(String),
    Done(SystemTime),
}

impl Memory {
    pub(super) fn new(capacity: usize) -> Self {
        Self { events: Mutex::default(), capacity }
    }

    fn events(&self) -> MutexGuard<'_, Events> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventStore for Memory {
    fn claim(&self, keys: &[String], owner: &str) -> Result<ClaimState> {
        let mut events = self.events();
        let mut is_busy = false;
        for key in keys {
            match events.states.get(key) {
                Some(State::Done(_)) => return Ok(ClaimState::Done),
                Some(State::ClaimedBy(_)) => is_busy = true,
                None => {}
            }
        }
        if is_busy {
            return Ok(ClaimState::Busy);
        }
        events.states.extend(keys.iter().map(|key| (key.clone(), State::ClaimedBy(owner.to_owned()))));
        Ok(ClaimState::New)
    }

    fn done(&self, keys: &[String]) -> Result<()> {
        let mut events = self.events();
        for key in keys {
            let earlier = events.states.insert(key.clone(), State::Done(SystemTime::now()));
            if !matches!(earlier, Some(State::Done(_))) {
                events.order.push_back(key.clone());
            }
            while events.order.len() > self.capacity {
                events.forget_oldest();
            }
        }
        Ok(())
    }

    fn release(&self, keys: &[String], owner: &str) -> Result<()> {
        let mut events = self.events();
        for key in keys {
            if matches!(events.states.get(key), Some(State::ClaimedBy(claimant)) if claimant == owner) {
                events.states.remove(key);
            }
        }
        Ok(())
    }

    fn is_done(&self, key: &str) -> Result<bool> {
        Ok(matches!(self.events().states.get(key), Some(State::Done(_))))
    }

    fn keys(&self) -> Result<Vec<String>> {
        Ok(self.events().order.iter().cloned().collect())
    }

    fn prune(&self, before: SystemTime) -> Result<u64> {
        let mut events = self.events();
        let mut forgotten = 0;
        while let Some(State::Done(when)) = events.order.front().and_then(|oldest| events.states.get(oldest))
            && *when < before
        {
            events.forget_oldest();
            forgotten += 1;
        }
        Ok(forgotten)
    }
}

impl Events {
    fn forget_oldest(&mut self) {
        if let Some(oldest) = self.order.pop_front() {
            self.states.remove(&oldest);
        }
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("events", &self.events().order.len()).finish()
    }
}
