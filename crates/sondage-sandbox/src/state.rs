//! The state of a sandbox, shared by all connections.

use crate::account::DataCenter;
use crate::clock::{Clock, ClockState};
use crate::delivery::DeliveryQueue;
use crate::fault::FaultRegistry;
use crate::ledger::Ledger;
use crate::profile::Profile;
use crate::storage::{StateFolder, StoredWorld};
use crate::tokens::TokenRegistry;
use crate::uploads::Uploads;
use crate::world::PlatformState;
use chrono::{DateTime, Utc};
use std::io;
use std::ops::{Deref, DerefMut};
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
    /// Files that were chosen in the console.
    pub(crate) uploads: Uploads,
    /// Whether webhooks may be sent to other machines.
    pub(crate) calls_anywhere: bool,
    addresses: Vec<(DataCenter, Address)>,
    profile: RwLock<Arc<Profile>>,
    world: RwLock<PlatformState>,
    tokens: Mutex<TokenRegistry>,
    state_folder: Mutex<Option<StateFolder>>,
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
            uploads: Uploads::default(),
            calls_anywhere: false,
            addresses,
            profile: RwLock::new(Arc::new(profile)),
            world: RwLock::new(world),
            tokens: Mutex::default(),
            state_folder: Mutex::default(),
            next_due: AtomicI64::new(i64::MAX),
        }
    }

    // A handler that panicked has at worst left one call partially applied. Other calls continue.

    pub(crate) fn world(&self) -> RwLockReadGuard<'_, PlatformState> {
        self.world.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The world, to be changed. If it is stored, its changes are written when the guard is dropped.
    pub(crate) fn world_mut(&self) -> WorldGuard<'_> {
        WorldGuard { world: self.world.write().unwrap_or_else(PoisonError::into_inner), shared: self }
    }

    fn state_folder(&self) -> MutexGuard<'_, Option<StateFolder>> {
        self.state_folder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores its changes in this folder from now on.
    pub(crate) fn store_in(&self, folder: StateFolder) {
        *self.state_folder() = Some(folder);
    }

    /// Releases the folder. What happens to the world later is not stored.
    pub(crate) fn close_state(&self) {
        drop(self.world_mut());
        *self.state_folder() = None;
    }

    /// Stores the time, which was changed without the world.
    pub(crate) fn store_clock(&self) {
        drop(self.world_mut());
    }

    /// An error if changes are made but not stored. They are stored with the next change, as soon as that is possible.
    pub(crate) fn check_stored(&self) -> Result<(), String> {
        let folder = self.state_folder();
        match folder.as_ref().and_then(StateFolder::failure) {
            Some(why) => Err(format!(
                "the change was made, but it is lost if this process ends now: {why}; make room there, or see to the folder: the next \
                 change stores this one, too"
            )),
            None => Ok(()),
        }
    }

    /// Puts another world in the place of this one. After an error nothing was changed.
    pub(crate) fn replace_world(&self, mut new: PlatformState, clock: ClockState) -> io::Result<()> {
        let mut world = self.world.write().unwrap_or_else(PoisonError::into_inner);
        for tenant in &mut new.tenants {
            if let Some(known) = world.tenant(&tenant.name) {
                tenant.client_secret.clone_from(&known.client_secret);
                tenant.users.clone_from(&known.users);
            }
        }
        if let Some(folder) = self.state_folder().as_mut() {
            folder.replace(&mut new, clock)?;
        }
        *world = new;
        self.clock.set_state(clock);
        self.wake_for(&world);
        Ok(())
    }

    /// The world at the start, if the folder of the sandbox has it.
    pub(crate) fn stored_start(&self) -> io::Result<Option<StoredWorld>> {
        self.state_folder().as_ref().map_or(Ok(None), StateFolder::start)
    }

    /// Schedules the wake-ups of a world that was read.
    pub(crate) fn wake_for(&self, world: &PlatformState) {
        let tenants = world.tenants.iter();
        let distributors =
            tenants.flat_map(|tenant| tenant.distributors.values().chain(tenant.reminders.values()));
        for distributor in distributors.filter(|distributor| distributor.executed.is_none()) {
            self.wake_at(distributor.scheduled);
        }
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

/// The world while it is changed.
pub(crate) struct WorldGuard<'a> {
    world: RwLockWriteGuard<'a, PlatformState>,
    shared: &'a ServerState,
}

impl Deref for WorldGuard<'_> {
    type Target = PlatformState;

    fn deref(&self) -> &PlatformState {
        &self.world
    }
}

impl DerefMut for WorldGuard<'_> {
    fn deref_mut(&mut self) -> &mut PlatformState {
        &mut self.world
    }
}

impl Drop for WorldGuard<'_> {
    fn drop(&mut self) {
        // Before the lock is released, so that the changes are written in their order.
        if let Some(folder) = self.shared.state_folder().as_mut() {
            folder.append(&mut self.world, self.shared.clock.state());
        }
    }
}
