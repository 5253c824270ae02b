//! Handles each event once, although it may be delivered twice.

use super::event::Event;
use crate::error::{Error, Result};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many events are remembered by default. An entry takes about 200 bytes.
const CAPACITY: usize = 100_000;

/// Remembers which events were handled. Clones share the memory. It is lost with the process: if that is too short, store
/// the keys in your own database, or save [`keys`](Self::keys) and pass them to [`remember`](Self::remember).
///
/// ```
/// use sondage::webhook::{Claim, Guard};
/// # fn handle(event: &sondage::webhook::Event) -> Result<(), std::io::Error> { Ok(()) }
/// # fn receive(guard: &Guard, event: &sondage::webhook::Event) -> u16 {
/// match guard.claim(event) {
///     Claim::New(ticket) => match handle(event) {
///         Ok(()) => { ticket.done(); 204 }
///         Err(_) => 500, // the ticket is dropped: the next delivery of this event is new again
///     },
///     Claim::Done => 204, // handled before
///     Claim::Busy => 503, // being handled at this moment; it may fail, so let the service try again
/// }
/// # }
/// ```
#[derive(Clone)]
pub struct Guard(Arc<Mutex<Memory>>);

struct Memory {
    /// False while the event is being handled.
    done: HashMap<String, bool>,
    order: VecDeque<String>,
    capacity: usize,
}

/// The result of claiming an event.
#[derive(Debug)]
pub enum Claim {
    /// New, and yours to handle. Call [done](Ticket::done) afterwards.
    New(Ticket),
    /// Already handled.
    Done,
    /// Somebody else is handling it.
    Busy,
}

/// The right to handle an event. If it is dropped without [`done`](Self::done), the event can be claimed again.
#[derive(Debug)]
#[must_use]
pub struct Ticket {
    guard: Guard,
    keys: Vec<String>,
    finished: bool,
}

impl Default for Guard {
    fn default() -> Self {
        Self::of(CAPACITY)
    }
}

impl Guard {
    /// Remembers this many of the latest events, at least 1. Default: 100,000.
    pub fn new(capacity: usize) -> Result<Self> {
        if capacity == 0 {
            return Err(Error::invalid_argument("`capacity` must be at least 1, and is 0").with_hint(
                "It is how many events are recognised when they arrive again. Leave it out for 100,000.",
            ));
        }
        Ok(Self::of(capacity))
    }

    fn of(capacity: usize) -> Self {
        Self(Arc::new(Mutex::new(Memory { done: HashMap::new(), order: VecDeque::new(), capacity })))
    }

    /// Claims an event.
    pub fn claim(&self, event: &Event) -> Claim {
        self.claim_keys(event.keys().map(str::to_owned).collect())
    }

    /// The same by the event's keys: [`Event::key`] and [`Event::also`].
    pub fn claim_keys(&self, keys: Vec<String>) -> Claim {
        let mut memory = self.memory();
        match keys.iter().filter_map(|key| memory.done.get(key)).copied().reduce(|a, b| a || b) {
            Some(true) => return Claim::Done,
            Some(false) => return Claim::Busy,
            None => memory.done.extend(keys.iter().map(|key| (key.clone(), false))),
        }
        drop(memory);
        Claim::New(Ticket { guard: self.clone(), keys, finished: false })
    }

    /// Whether an event was handled.
    pub fn knows(&self, event: &Event) -> bool {
        let memory = self.memory();
        event.keys().any(|key| memory.done.get(key) == Some(&true))
    }

    /// Marks events as handled, by their keys.
    pub fn remember(&self, keys: impl IntoIterator<Item = String>) {
        let mut memory = self.memory();
        keys.into_iter().for_each(|key| memory.finish(key));
    }

    /// The keys of the events that were handled, the oldest first.
    pub fn keys(&self) -> Vec<String> {
        self.memory().order.iter().cloned().collect()
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    fn finish(&mut self, key: String) {
        if self.done.insert(key.clone(), true) != Some(true) {
            self.order.push_back(key);
        }
        while self.order.len() > self.capacity {
            if let Some(oldest) = self.order.pop_front() {
                self.done.remove(&oldest);
            }
        }
    }
}

impl Ticket {
    /// Marks the event as handled: it cannot be claimed again.
    pub fn done(mut self) {
        self.finished = true;
        let keys = std::mem::take(&mut self.keys);
        self.guard.remember(keys);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if !self.finished {
            let mut memory = self.guard.memory();
            for key in &self.keys {
                if memory.done.get(key) == Some(&false) {
                    memory.done.remove(key);
                }
            }
        }
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("events", &self.memory().order.len()).finish()
    }
}
