//! After a 429 the service asks the whole tenant to wait, not only the rejected call.
//!
//! While a gate is closed, calls wait or fail immediately; when its time is over, one call is sent first as a probe. If
//! the probe is not rejected with 429, all others follow. All clients in a process with the same service and tenant
//! share a gate.
//!
//! How long the service forbids calls and how long a call is willing to wait are two numbers: the gate keeps the first,
//! whole, and each call brings the second.

use crate::per_process::{Owned, PerProcess};
use arc_swap::ArcSwapOption;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

type Gates = HashMap<String, Weak<Gate>>;

/// The gates of this process. A map that is replaced, not locked, because a fork may happen at any moment.
static GATES: ArcSwapOption<Gates> = ArcSwapOption::const_empty();

/// Closed gates and the time until which they are closed. A program may create a client per call, so a pause must outlive
/// the client whose call was rejected.
static KEPT: ArcSwapOption<Vec<(Instant, Arc<Gate>)>> = ArcSwapOption::const_empty();

/// A pause that is longer by less than this is not reported as another pause: calls that were in progress together are
/// rejected within moments of each other.
const SAME_PAUSE: Duration = Duration::from_secs(1);

/// Holds back the calls of a tenant.
#[derive(Default)]
pub struct Gate(PerProcess<GateState>);

struct GateState {
    /// When the pause ends. It stays set afterwards, until a probe has been answered.
    until: ArcSwapOption<Instant>,
    /// The permit to send the probe when the pause is over.
    probe: Arc<Semaphore>,
}

/// The call that is sent first.
pub struct Probe {
    state: Arc<Owned<GateState>>,
    until: Arc<Instant>,
    _permit: OwnedSemaphorePermit,
}

/// The gate stays closed for longer than the call is willing to wait: for this time.
#[derive(Debug, PartialEq)]
pub struct Closed(pub Duration);

/// How long a call is willing to wait at a gate.
#[derive(Clone, Copy)]
pub struct WaitLimit {
    /// When the call must have ended.
    pub deadline: Instant,
    /// The longest rest of a pause that it waits for.
    pub longest: Duration,
}

impl Gate {
    /// The gate of a tenant at a service.
    pub fn of(base: &Url, tenant: &str) -> Arc<Self> {
        let key = format!("{} {tenant}", base.origin().ascii_serialization());
        loop {
            let gates = GATES.load();
            if let Some(gate) = gates.as_ref().and_then(|gates| gates.get(&key)).and_then(Weak::upgrade) {
                return gate;
            }
            let gate = Arc::<Self>::default();
            let mut all: Gates = gates.as_deref().cloned().unwrap_or_default();
            all.retain(|_, gate| gate.strong_count() > 0);
            all.insert(key.clone(), Arc::downgrade(&gate));
            let before = GATES.compare_and_swap(&*gates, Some(Arc::new(all)));
            if before.as_ref().map(Arc::as_ptr) == gates.as_ref().map(Arc::as_ptr) {
                return gate;
            }
        }
    }

    /// The rest of the pause. `None`: the gate is not closed.
    pub fn rest(&self) -> Option<Duration> {
        let until = self.state().until.load_full()?;
        Some(until.saturating_duration_since(Instant::now())).filter(|rest| !rest.is_zero())
    }

    /// Closes the gate for a while. Returns whether a pause has begun, or became longer.
    pub fn close(self: &Arc<Self>, wait: Duration) -> bool {
        let now = Instant::now();
        let until = now + wait;
        let later = |now: &Option<Arc<Instant>>| match now {
            Some(now) if **now >= until => Some(now.clone()),
            _ => Some(Arc::new(until)),
        };
        let before = self.state().until.rcu(later);
        let begins = before.as_ref().is_none_or(|before| **before <= now || **before + SAME_PAUSE <= until);
        KEPT.rcu(|kept| {
            let kept = kept.iter().flat_map(|kept| kept.iter()).filter(|(until, _)| *until > now).cloned();
            Some(Arc::new(kept.chain([(until, self.clone())]).collect()))
        });
        begins
    }

    /// Waits until the gate is open, or until this call may go as the probe; `waits` is called with the time before each
    /// wait for the end of a pause. A call that is not willing to wait that long gets the remaining time as an error.
    pub async fn pass(&self, limit: WaitLimit, waits: impl Fn(Duration)) -> Result<Option<Probe>, Closed> {
        let WaitLimit { deadline, longest } = limit;
        loop {
            let state = self.state();
            let Some(until) = state.until.load_full() else { return Ok(None) };
            let wait = until.saturating_duration_since(Instant::now());
            if !wait.is_zero() {
                if wait > longest || *until >= deadline {
                    return Err(Closed(wait));
                }
                waits(wait);
                tokio::time::sleep_until((*until).into()).await;
                continue;
            }
            let permit = tokio::time::timeout_at(deadline.into(), state.probe.clone().acquire_owned()).await;
            // The semaphore is never closed, so the only possible failure is the deadline.
            let Ok(Ok(permit)) = permit else { return Err(Closed(Duration::ZERO)) };
            if state.until.load().as_ref().is_some_and(|now| Arc::ptr_eq(now, &until)) {
                return Ok(Some(Probe { state, until, _permit: permit }));
            }
        }
    }

    fn state(&self) -> Arc<Owned<GateState>> {
        self.0.get(|parent| GateState {
            until: ArcSwapOption::new(parent.and_then(|parent| parent.until.load_full())),
            probe: Arc::new(Semaphore::new(1)),
        })
    }
}

impl Probe {
    /// The service accepted this call, so all others may follow. A probe that is dropped without this passes its
    /// permit to the next call.
    pub fn answered(self) {
        // If another 429 has arrived meanwhile, its pause stays.
        self.state.until.compare_and_swap(&self.until, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gate, and a call that waits for up to a minute.
    fn gate() -> (Arc<Gate>, WaitLimit) {
        let longest = Duration::from_secs(60);
        (Arc::default(), WaitLimit { deadline: Instant::now() + longest, longest })
    }

    async fn pass(gate: &Gate, limit: WaitLimit) -> Result<Option<Probe>, Closed> {
        gate.pass(limit, |_| ()).await
    }

    fn no_wait() -> WaitLimit {
        WaitLimit { longest: Duration::ZERO, ..gate().1 }
    }

    #[tokio::test]
    async fn one_call_goes_first_and_the_others_follow_its_answer() {
        let (gate, limit) = gate();
        assert!(pass(&gate, limit).await.unwrap().is_none(), "an open gate stops nobody");
        gate.close(Duration::from_millis(20));
        assert!(gate.rest().is_some());
        let probe = pass(&gate, limit).await.unwrap().expect("the first call goes alone");
        assert!(gate.rest().is_none(), "the time is over");
        let second = tokio::spawn({
            let gate = gate.clone();
            async move { pass(&gate, limit).await.unwrap().is_none() }
        });
        tokio::task::yield_now().await;
        assert!(!second.is_finished(), "it waits for the probe");
        probe.answered();
        assert!(second.await.unwrap(), "the gate is open");
    }

    #[tokio::test]
    async fn a_probe_that_never_left_hands_on_its_right() {
        let (gate, limit) = gate();
        gate.close(Duration::from_millis(1));
        drop(pass(&gate, limit).await.unwrap().expect("a probe"));
        assert!(pass(&gate, limit).await.unwrap().is_some(), "the next call is the probe");
    }

    #[tokio::test]
    async fn a_call_that_cannot_wait_is_told_for_how_long() {
        let (gate, limit) = gate();
        gate.close(Duration::from_secs(30));
        let soon = Duration::from_secs(5);
        let until_soon = WaitLimit { deadline: Instant::now() + soon, ..limit };
        for limit in [until_soon, WaitLimit { longest: soon, ..limit }, no_wait()] {
            let Closed(wait) = pass(&gate, limit).await.err().expect("closed");
            assert!(wait > Duration::from_secs(20) && wait <= Duration::from_secs(30), "{wait:?}");
        }
    }

    #[tokio::test]
    async fn the_longest_pause_counts() {
        let seconds = Duration::from_secs;
        for (first, second) in [(seconds(60), seconds(1)), (seconds(1), seconds(60))] {
            let (gate, _) = gate();
            assert!(gate.close(first));
            assert_eq!(gate.close(second), second > first, "a pause that becomes longer is reported again");
            let Closed(wait) = pass(&gate, no_wait()).await.err().expect("closed");
            assert!(wait > seconds(30), "{first:?}, then {second:?}: {wait:?}");
        }
    }

    #[test]
    fn a_pause_outlives_the_client_that_was_refused() {
        let base = Url::parse("https://two.example").unwrap();
        Gate::of(&base, "acme").close(Duration::from_secs(60));
        assert!(Gate::of(&base, "acme").rest().is_some(), "a client of the next call");
        assert!(Gate::of(&base, "alpine").rest().is_none());
        // An expired pause is removed when the next pause of any tenant is set.
        let gate = Gate::of(&base, "short");
        gate.close(Duration::from_millis(1));
        let short = Arc::downgrade(&gate);
        drop(gate);
        std::thread::sleep(Duration::from_millis(5));
        Gate::of(&base, "other").close(Duration::from_millis(1));
        assert!(short.upgrade().is_none() && Gate::of(&base, "acme").rest().is_some());
    }

    #[test]
    fn clients_of_one_tenant_share_a_gate() {
        let base = Url::parse("https://one.example").unwrap();
        let (one, same) = (Gate::of(&base, "acme"), Gate::of(&base, "acme"));
        assert!(Arc::ptr_eq(&one, &same) && !Arc::ptr_eq(&one, &Gate::of(&base, "alpine")));
    }
}
