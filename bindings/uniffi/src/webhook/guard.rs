//! Handles each event once, although it may be delivered twice.

use crate::SondageError;
use crate::convert::IntoFfi as _;
use sondage::webhook::{Claim as Core, Guard as Memory, Ticket};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Remembers which events were handled: the latest ones in memory, or all in a folder. Between machines, store the key of each event in
/// your database, with a unique constraint, in the transaction that handles the event.
#[derive(uniffi::Object)]
pub struct Guard(Memory);

/// The result of claiming an event.
#[derive(Clone, Copy, Debug, uniffi::Enum)]
pub enum ClaimState {
    /// New, and yours to handle.
    New,
    /// Already handled.
    Done,
    /// Another caller is handling it, and may fail.
    Busy,
}

/// The right to handle an event, or why there is none.
#[derive(uniffi::Object)]
pub struct Claim {
    state: ClaimState,
    ticket: Mutex<Option<Ticket>>,
}

impl Guard {
    /// The remembered events.
    pub fn memory(&self) -> &Memory {
        &self.0
    }
}

#[uniffi::export]
impl Guard {
    /// Remembers events until the process ends.
    ///
    /// - `capacity`: How many.
    #[uniffi::constructor(default(capacity = 100000))]
    pub fn new(capacity: i64) -> Result<Arc<Self>, SondageError> {
        Ok(Arc::new(Self(Memory::new(super::number("capacity", capacity)?)?)))
    }

    /// Remembers events in a folder, across restarts and for all processes that use it.
    ///
    /// - `folder`: Its path. It is created if it is missing. `prune` removes old events.
    /// - `lease`: How long an event stays claimed by a process that was killed while it handled it. It must be longer than handling
    ///   an event ever takes. Default: ten minutes.
    #[uniffi::constructor(default(lease = None))]
    pub fn in_folder(folder: String, lease: Option<Duration>) -> Result<Arc<Self>, SondageError> {
        Ok(Arc::new(Self(Memory::in_folder(
            folder,
            Memory::checked_lease(lease.map(|lease| lease.as_secs_f64()))?,
        )?)))
    }

    /// Claims an event, by its keys: `key` and `also`.
    ///
    /// - `keys`: The keys.
    pub fn claim_keys(&self, keys: Vec<String>) -> Result<Arc<Claim>, SondageError> {
        let (state, ticket) = match self.0.claim_keys(keys)? {
            Core::New(ticket) => (ClaimState::New, Some(ticket)),
            Core::Done => (ClaimState::Done, None),
            Core::Busy => (ClaimState::Busy, None),
        };
        Ok(Arc::new(Claim { state, ticket: Mutex::new(ticket) }))
    }

    /// Marks events as handled, by their keys.
    ///
    /// - `keys`: The keys.
    pub fn remember(&self, keys: Vec<String>) -> Result<(), SondageError> {
        Ok(self.0.remember(keys)?)
    }

    /// The keys of the handled events, oldest first.
    pub fn keys(&self) -> Result<Vec<String>, SondageError> {
        Ok(self.0.keys()?)
    }

    /// Forgets events that were handled longer ago than this number of days, and claims that ended then. Returns how many. The service
    /// repeats a delivery for some hours; a month is safe.
    ///
    /// - `days`: The age.
    pub fn prune(&self, days: f64) -> Result<i64, SondageError> {
        Ok(self.0.prune_days(days)?.into_ffi())
    }
}

#[uniffi::export]
impl Claim {
    /// The result.
    pub fn state(&self) -> ClaimState {
        self.state
    }

    /// Marks the event as handled: it cannot be claimed again.
    pub fn done(&self) -> Result<(), SondageError> {
        Ok(self.take().map_or(Ok(()), Ticket::done)?)
    }

    /// Reports that it was not handled, so that its next delivery is new again. After `done` this has no effect.
    pub fn release(&self) {
        drop(self.take());
    }
}

impl Claim {
    fn take(&self) -> Option<Ticket> {
        self.ticket.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
