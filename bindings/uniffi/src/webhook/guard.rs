//! Handling each event once, although it may come twice.

use crate::SondageError;
use sondage::webhook::{Claim as Core, Guard as Memory, Ticket};
use std::sync::{Arc, Mutex, PoisonError};

/// Remembers which events were handled, the last ones, until the process ends. Across restarts and machines keep the key of
/// an event in your database, unique, in the transaction that handles the event.
#[derive(uniffi::Object)]
pub struct Guard(Memory);

/// What a guard knows about an event.
#[derive(Clone, Copy, Debug, uniffi::Enum)]
pub enum ClaimState {
    /// It is new, and yours.
    New,
    /// It was handled.
    Done,
    /// Somebody else is handling it, and may fail.
    Busy,
}

/// The right to handle an event, or why there is none.
#[derive(uniffi::Object)]
pub struct Claim {
    state: ClaimState,
    ticket: Mutex<Option<Ticket>>,
}

impl Guard {
    /// The memory itself.
    pub fn memory(&self) -> &Memory {
        &self.0
    }
}

#[uniffi::export]
impl Guard {
    /// Remembers so many events.
    #[uniffi::constructor(default(capacity = 100000))]
    pub fn new(capacity: i64) -> Result<Arc<Self>, SondageError> {
        Ok(Arc::new(Self(Memory::new(super::number("capacity", capacity)?))))
    }

    /// Asks for the right to handle an event, by its keys: `key` and `also`.
    pub fn claim_keys(&self, keys: Vec<String>) -> Result<Arc<Claim>, SondageError> {
        let (state, ticket) = match self.0.claim_keys(keys) {
            Core::New(ticket) => (ClaimState::New, Some(ticket)),
            Core::Done => (ClaimState::Done, None),
            Core::Busy => (ClaimState::Busy, None),
        };
        Ok(Arc::new(Claim { state, ticket: Mutex::new(ticket) }))
    }

    /// Takes events as handled, by their keys.
    pub fn remember(&self, keys: Vec<String>) -> Result<(), SondageError> {
        self.0.remember(keys);
        Ok(())
    }

    /// The keys of the events that were handled, the oldest first.
    pub fn keys(&self) -> Vec<String> {
        self.0.keys()
    }
}

#[uniffi::export]
impl Claim {
    /// What is known.
    pub fn state(&self) -> ClaimState {
        self.state
    }

    /// The event was handled: it will not be handed out again.
    pub fn done(&self) {
        if let Some(ticket) = self.take() {
            ticket.done();
        }
    }

    /// It was not handled, and the next delivery is new again. After `done` it does nothing.
    pub fn release(&self) {
        drop(self.take());
    }
}

impl Claim {
    fn take(&self) -> Option<Ticket> {
        self.ticket.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
