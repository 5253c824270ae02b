//! Handles each event once, although it may be delivered twice.

mod folder;
mod memory;
mod store;

pub use store::{ClaimState, EventStore};

use super::event::Event;
use crate::error::{Error, Result};
use crate::hex;
use folder::Folder;
use memory::Memory;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fmt, io};

/// How many events are remembered by default. An entry takes about 200 bytes.
const CAPACITY: usize = 100_000;

/// How long an event stays claimed by default.
const LEASE: Duration = Duration::from_secs(600);

/// Remembers which events were handled: in memory, in a folder, or in a [store](EventStore) of your own. Clones share it.
///
/// ```
/// use sondage::webhook::{Claim, Guard};
/// # fn handle(event: &sondage::webhook::Event) -> Result<(), std::io::Error> { Ok(()) }
/// # fn receive(guard: &Guard, event: &sondage::webhook::Event) -> u16 {
/// match guard.claim(event) {
///     Ok(Claim::New(ticket)) => match handle(event) {
///         Ok(()) => if ticket.done().is_ok() { 204 } else { 503 },
///         Err(_) => 500, // the ticket is dropped: the next delivery of this event is new again
///     },
///     Ok(Claim::Done) => 204, // handled before
///     Ok(Claim::Busy) => 503, // being handled at this moment; it may fail, so let the service try again
///     Err(_) => 503, // the store cannot be used: let the service try again
/// }
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Guard(Arc<dyn EventStore>);

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
#[must_use]
pub struct Ticket {
    store: Arc<dyn EventStore>,
    keys: Vec<String>,
    owner: String,
}

impl Default for Guard {
    fn default() -> Self {
        Self::with_store(Memory::new(CAPACITY))
    }
}

impl Guard {
    /// Remembers this many of the latest events, at least 1, until the process ends. Default: 100,000.
    pub fn new(capacity: usize) -> Result<Self> {
        if capacity == 0 {
            return Err(Error::invalid_argument("`capacity` must be at least 1, and is 0").with_hint(
                "It is how many events are recognised when they arrive again. Leave it out for 100,000.",
            ));
        }
        Ok(Self::with_store(Memory::new(capacity)))
    }

    /// Remembers events in a folder, which is created if it is missing: across restarts and deployments, and for all processes that
    /// use the folder, on one machine or on a shared disk that has locks. Each event is a file of about 200 bytes that only its owner can
    /// read; it contains the key of the event, which is a digest. [`prune`](Self::prune) removes old ones.
    ///
    /// `lease`: how long an event stays claimed by a worker that neither finishes nor gives it back, because it was killed: at least
    /// a second, and longer than handling an event ever takes. After that the next delivery is new again.
    pub fn in_folder(folder: impl Into<PathBuf>, lease: Duration) -> Result<Self> {
        Ok(Self::with_store(Folder::open(folder.into(), long_enough(lease)?)?))
    }

    /// A lease as the languages give it, in seconds. Default: ten minutes.
    #[doc(hidden)] // for the bindings
    pub fn checked_lease(seconds: Option<f64>) -> Result<Duration> {
        let lease = seconds.map_or(Ok(LEASE), Duration::try_from_secs_f64);
        long_enough(
            lease.map_err(|_| Error::invalid_argument("`lease` is not a duration. Nothing was made."))?,
        )
    }

    /// Remembers events in a store of your own, such as a database that several machines share.
    pub fn with_store(store: impl EventStore + 'static) -> Self {
        Self(Arc::new(store))
    }

    /// Claims an event. If the store cannot be used, the event was not claimed: refuse the delivery, and the service sends it again.
    pub fn claim(&self, event: &Event) -> Result<Claim> {
        self.claim_keys(event.keys().map(str::to_owned).collect())
    }

    /// The same by the event's keys: [`Event::key`] and [`Event::also`].
    pub fn claim_keys(&self, keys: Vec<String>) -> Result<Claim> {
        let mut random = [0; 16];
        getrandom::fill(&mut random)
            .map_err(|error| Error::internal(format!("no random numbers ({error})")))?;
        let owner = hex::hex(&random);
        Ok(match self.0.claim(&keys, &owner)? {
            ClaimState::New => Claim::New(Ticket { store: Arc::clone(&self.0), keys, owner }),
            ClaimState::Done => Claim::Done,
            ClaimState::Busy => Claim::Busy,
        })
    }

    /// Whether an event was handled.
    pub fn knows(&self, event: &Event) -> Result<bool> {
        event.keys().try_fold(false, |known, key| Ok(known || self.0.is_done(key)?))
    }

    /// Marks events as handled, by their keys.
    pub fn remember(&self, keys: impl IntoIterator<Item = String>) -> Result<()> {
        self.0.done(&keys.into_iter().collect::<Vec<String>>())
    }

    /// The keys of the events that were handled, the oldest first.
    pub fn keys(&self) -> Result<Vec<String>> {
        self.0.keys()
    }

    /// Forgets events that were handled longer ago than this, and claims that ended then. Returns how many. The service repeats a
    /// delivery for some hours; a month is safe.
    pub fn prune(&self, older_than: Duration) -> Result<u64> {
        self.0.prune(SystemTime::now().checked_sub(older_than).unwrap_or(UNIX_EPOCH))
    }

    /// The same by days, as the languages say it.
    #[doc(hidden)] // for the bindings
    pub fn prune_days(&self, days: f64) -> Result<u64> {
        let older_than = Duration::try_from_secs_f64(days * 86_400.0);
        let refused = |_| {
            Error::invalid_argument(format!(
                "`days` must be a number of days, and is {days}. Nothing was forgotten."
            ))
        };
        self.prune(older_than.map_err(refused)?)
    }
}

/// The error of a store that the caller provides. `name`: its type; `kind`: that of its error, whose text may have a password.
#[doc(hidden)] // for the bindings
pub fn store_failed(name: &str, kind: &str, error: &io::Error) -> Error {
    Error::configuration(format!(
        "the store of events {name} cannot be used ({kind}). The event was not handled, or is not marked as handled"
    ))
    .with_hint("Refuse the delivery (503), so that the service sends it again.")
    .caused_by(error)
}

fn long_enough(lease: Duration) -> Result<Duration> {
    if lease >= Duration::from_secs(1) {
        return Ok(lease);
    }
    let message = format!("`lease` must be at least one second, and is {lease:?}");
    Err(Error::invalid_argument(message).with_hint(
        "It must be longer than handling an event ever takes, because another worker takes the event over then.",
    ))
}

impl Ticket {
    /// Marks the event as handled: it cannot be claimed again. If the store cannot be used, the event stays claimed until its lease
    /// ends: do not tell the service that it was handled.
    pub fn done(mut self) -> Result<()> {
        let keys = std::mem::take(&mut self.keys);
        self.store.done(&keys)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if !self.keys.is_empty()
            && let Err(error) = self.store.release(&self.keys, &self.owner)
        {
            log::warn!(target: "sondage::webhook", "an event stays claimed until its lease ends: {error}");
        }
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket").field("keys", &self.keys).finish_non_exhaustive()
    }
}
