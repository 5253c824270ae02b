//! The registered faults.

use super::Fault;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The faults of one sandbox. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct FaultRegistry(Arc<Mutex<Vec<Armed>>>);

#[derive(Debug)]
struct Armed {
    number: u64,
    fault: Fault,
    /// The number of matching calls, including those that were let pass.
    seen: u64,
    hits: u64,
}

/// A fault that was added to a sandbox.
#[derive(Clone, Debug)]
pub struct FaultHandle {
    number: u64,
    registry: FaultRegistry,
}

impl FaultRegistry {
    pub(crate) fn put(&self, fault: Fault) -> FaultHandle {
        if let Err(why) = super::target::check(&fault.on) {
            panic!("{why}");
        }
        let mut faults = self.faults();
        let number = faults.last().map_or(1, |last| last.number + 1);
        faults.push(Armed { number, fault, seen: 0, hits: 0 });
        FaultHandle { number, registry: self.clone() }
    }

    /// The number of each fault, the fault, and how many calls it has hit.
    pub(crate) fn all(&self) -> Vec<(u64, Fault, u64)> {
        self.faults().iter().map(|armed| (armed.number, armed.fault.clone(), armed.hits)).collect()
    }

    /// Removes one.
    pub(crate) fn remove(&self, number: u64) {
        self.faults().retain(|armed| armed.number != number);
    }

    /// Removes all faults.
    pub(crate) fn clear(&self) {
        self.faults().clear();
    }

    /// The fault for one call: the first that matches and is not used up.
    pub(crate) fn take(&self, operation: &str, path: &str) -> Option<Fault> {
        for armed in self.faults().iter_mut() {
            let on = armed.fault.on.as_str();
            let matches = on == operation || on == path || (on == "*" && operation != "connection");
            if !matches || armed.fault.times.is_some_and(|times| armed.hits >= times) {
                continue;
            }
            armed.seen += 1;
            if armed.seen > armed.fault.skip {
                armed.hits += 1;
                return Some(armed.fault.clone());
            }
        }
        None
    }

    fn faults(&self) -> MutexGuard<'_, Vec<Armed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FaultHandle {
    /// How many calls it has hit.
    pub fn hits(&self) -> u64 {
        self.registry.faults().iter().find(|armed| armed.number == self.number).map_or(0, |armed| armed.hits)
    }

    /// Removes it.
    pub fn remove(&self) {
        self.registry.remove(self.number);
    }
}
