//! What a guard needs of the place where it remembers events.

use crate::error::Result;
use std::fmt::Debug;
use std::time::SystemTime;

/// Where a [`Guard`](super::Guard) remembers events. Every method is atomic, also between processes that share the store. An event has
/// one or two keys, which are texts of at most some hundred characters.
pub trait EventStore: Debug + Send + Sync {
    /// Claims an event for an owner, all of its keys or none:
    ///
    /// - [`Done`](ClaimState::Done) if one of the keys is done;
    /// - [`Busy`](ClaimState::Busy) if one of them is claimed, and that lease has not ended;
    /// - otherwise they are claimed, and the event is [`New`](ClaimState::New).
    fn claim(&self, keys: &[String], owner: &str) -> Result<ClaimState>;

    /// Marks keys as done, whoever has claimed them.
    fn done(&self, keys: &[String]) -> Result<()>;

    /// Gives keys back that this owner has claimed. Those that are done, or claimed by another owner since, stay as they are.
    fn release(&self, keys: &[String], owner: &str) -> Result<()>;

    /// Whether a key is done.
    fn is_done(&self, key: &str) -> Result<bool>;

    /// The keys that are done, the oldest first.
    fn keys(&self) -> Result<Vec<String>>;

    /// Forgets keys that were done before a time, and claims whose leases ended before it. Returns how many.
    fn prune(&self, before: SystemTime) -> Result<u64>;
}

/// The answer of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimState {
    /// Claimed by this call.
    New,
    /// Already handled.
    Done,
    /// Claimed by another owner.
    Busy,
}
