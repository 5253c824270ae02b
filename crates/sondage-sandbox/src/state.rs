//! The state of a sandbox, shared by all connections.

use crate::account::DataCenter;
use crate::clock::Clock;
use crate::delivery::DeliveryQueue;
use crate::fault::FaultRegistry;
use crate::ledger::Ledger;
use crate::profile::Profile;
use crate::tokens::TokenRegistry;
use crate::world::PlatformState;
use chrono::{DateTime, Utc};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The addresses of one data center.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(crate) api: String,
    pub(crate) auth: String,
}

/// The state shared by all connections.
pub(crate) struct ServerState {
    pub(crate) clock: Clock,
    pub(crate) ledger: Ledger,
    pub(crate) faults: FaultRegistry,
    pub(crate) control_key: String,
    /// The key in the address of the console.
    pub(crate) console_key: String,
    pub(crate) desk: DeliveryQueue,
    /// Whether webhooks may be sent to other machines.
    pub(crate) calls_anywhere: bool,
    addresses: Vec<(DataCenter, Address)>,
    profile: RwLock<Arc<Profile>>,
    world: RwLock<PlatformState>,
    tokens: Mutex<TokenRegistry>,
    /// When the next scheduled distribution is due, in milliseconds since 1970.
    next_due: AtomicI64,
}

impl ServerState {
    pub(crate) fn new(profile: Profile, world: PlatformState, addresses: Vec<(DataCenter, Address)>) -> Self {
        Self {
            clock: Clock::default(),
            ledger: Ledger::default(),
            faults: FaultRegistry::default(),
            control_key: crate::random::secret(),
            console_key: crate::random::secret(),
            desk: DeliveryQueue::default(),
            calls_anywhere: false,
            addresses,
            profile: RwLock::new(Arc::new(profile)),
            world: RwLock::new(world),
            tokens: Mutex::default(),
            next_due: AtomicI64::new(i64::MAX),
        }
    }

    // A handler that panicked has at worst left one call partially applied. Other calls continue.

    pub(crate) fn world(&self) -> RwLockReadGuard<'_, PlatformState> {
        self.world.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn world_mut(&self) -> RwLockWriteGuard<'_, PlatformState> {
        self.world.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn tokens(&self) -> MutexGuard<'_, TokenRegistry> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn profile(&self) -> Arc<Profile> {
        Arc::clone(&self.profile.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn set_profile(&self, profile: Profile) {
        *self.profile.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(profile);
    }

    pub(crate) fn address(&self, data_center: DataCenter) -> &Address {
        let address = self.addresses.iter().find(|(known, _)| *known == data_center);
        // Both data centers have addresses from the start.
        &address.unwrap_or(&self.addresses[0]).1
    }

    /// Schedules a wake-up for a distribution.
    pub(crate) fn wake_at(&self, time: DateTime<Utc>) {
        self.next_due.fetch_min(time.timestamp_millis(), Ordering::SeqCst);
    }

    /// Takes the wake-up if its time has come: something may be due now.
    pub(crate) fn take_due(&self) -> Option<DateTime<Utc>> {
        let now = self.clock.now();
        if self.next_due.load(Ordering::SeqCst) > now.timestamp_millis() {
            return None;
        }
        self.next_due.store(i64::MAX, Ordering::SeqCst);
        Some(now)
    }
}
