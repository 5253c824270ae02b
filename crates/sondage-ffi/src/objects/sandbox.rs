//! A sandbox in this process. (Other processes use its control endpoints.)

use crate::language::{ArgResult, Language, Unit};
use crate::methods::kinds::{Blocking, Call};
use crate::methods::sandbox as platform;
use serde::Deserialize;
use serde_json::{Value, json};
use sondage::arguments::FilePath;
use sondage::error::Delivery;
use sondage::{Error, Result, Timestamp};
use sondage_sandbox::{
    Builder, Cause, Deliveries, DeliveryFault, Fault, FaultHandle, Fill, GivenRows, Profile,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A survey platform in this process.
#[derive(Clone)]
pub struct Sandbox(Arc<Held>);

struct Held {
    sandbox: Mutex<Option<sondage_sandbox::Sandbox>>,
    process: u32,
}

impl Held {
    fn lock(&self) -> MutexGuard<'_, Option<sondage_sandbox::Sandbox>> {
        self.sandbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops it and waits until its ports are closed.
    fn stop(&self) {
        let sandbox = self.lock().take();
        // After a fork its threads belong to the parent: there is nothing to wait for.
        if self.process != std::process::id() {
            std::mem::forget(sandbox);
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Sandbox {
    /// Starts one.
    pub fn start(builder: Builder) -> Result<Self> {
        let is_kept = builder.has_state();
        let failed = |error: std::io::Error| {
            if is_kept && error.kind() != std::io::ErrorKind::AddrInUse {
                return advised(
                    &error,
                    "No sandbox was started. Name another folder as `state`, or correct what is said.",
                );
            }
            if matches!(error.kind(), std::io::ErrorKind::InvalidData | std::io::ErrorKind::InvalidInput) {
                return Error::invalid_argument(error.to_string()).with_hint("No sandbox was started.");
            }
            let what = format!("the sandbox cannot start ({error})");
            Error::configuration(what).with_hint("Leave out `port` to get a free one.")
        };
        let sandbox = Mutex::new(Some(builder.start_blocking().map_err(failed)?));
        Ok(Self(Arc::new(Held { sandbox, process: std::process::id() })))
    }

    fn with<T>(&self, look: impl FnOnce(&sondage_sandbox::Sandbox) -> T) -> Result<T> {
        let stopped = || Error::invalid_argument("the sandbox has been stopped");
        self.0.lock().as_ref().map(look).ok_or_else(stopped)
    }

    /// Changes the clock, and stores the change.
    fn change_clock(&self, change: impl FnOnce(&sondage_sandbox::Clock)) -> Result<()> {
        self.with(|sandbox| change(&sandbox.clock()))?;
        self.with(sondage_sandbox::Sandbox::ensure_stored)?.map_err(not_done)
    }

    /// Waits until no delivery is due, or moves the clock until none is pending. The receiver may be in this process.
    fn deliver<L: Language>(
        &self,
        timeout: f64,
        wait: fn(&Deliveries, Duration) -> bool,
    ) -> ArgResult<Call<bool>, L> {
        let deliveries = self.with(sondage_sandbox::Sandbox::deliveries)?;
        let timeout = L::TIME.read("timeout", timeout.max(0.0))?;
        Ok(Box::pin(async move {
            let waited = tokio::task::spawn_blocking(move || wait(&deliveries, timeout)).await;
            waited.map_err(|_| Error::internal("the wait for deliveries ended unexpectedly"))
        }))
    }
}

/// People have answered, but that may not be stored.
fn not_done(why: std::io::Error) -> Error {
    if why.kind() == std::io::ErrorKind::Other {
        return Error::configuration(why.to_string())
            .with_delivery(Delivery::Answered)
            .with_hint("Do not make the call again.");
    }
    refused(why)
}

#[allow(clippy::needless_pass_by_value)] // for `map_err`
fn refused(why: std::io::Error) -> Error {
    advised(&why, "Correct the call and make it again.")
}

/// The error with its own advice, which begins with what was not done, or with another one.
fn advised(error: &std::io::Error, hint: &'static str) -> Error {
    let said = error.to_string();
    let advice = said.match_indices(". Nothing was ").map(|(at, _)| at).next();
    match advice.and_then(|at| said.split_at_checked(at)) {
        Some((what, advice)) => {
            Error::invalid_argument(what.to_owned()).with_hint(format!("{}.", &advice[2..]))
        }
        None => Error::invalid_argument(said).with_hint(hint),
    }
}

/// A part of the ledger.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerPart {
    /// `requests`, `effects` or `tokens`.
    part: String,
    /// An operation, or `*`.
    operation: String,
}

impl<L: Language> platform::sandbox::Methods<L> for Sandbox {
    fn facts(&self) -> ArgResult<Value, L> {
        Ok(self.with(|sandbox| json!(sandbox.facts()))?)
    }

    fn fault(&self, fault: Fault) -> ArgResult<FaultHandle, L> {
        Ok(self.with(|sandbox| sandbox.fault(fault))?)
    }

    fn clear_faults(&self) -> ArgResult<(), L> {
        Ok(self.with(sondage_sandbox::Sandbox::clear_faults)?)
    }

    fn ledger(&self, LedgerPart { part, operation }: LedgerPart) -> ArgResult<Value, L> {
        let ledger = self.with(sondage_sandbox::Sandbox::ledger)?;
        Ok(match part.as_str() {
            "requests" => json!(ledger.requests(&operation)),
            "effects" => json!(ledger.effects(&operation)),
            _ => json!(ledger.token_requests()),
        })
    }

    fn clear_ledger(&self) -> ArgResult<(), L> {
        Ok(self.with(|sandbox| sandbox.ledger().clear())?)
    }

    fn now(&self) -> ArgResult<Timestamp, L> {
        Ok(self.with(|sandbox| Timestamp(sandbox.clock().now()))?)
    }

    fn advance(&self, seconds: f64) -> ArgResult<(), L> {
        let time = Unit::Seconds.read("seconds", seconds.abs())?;
        Ok(self.change_clock(|clock| if seconds < 0.0 { clock.rewind(time) } else { clock.advance(time) })?)
    }

    fn set_time(&self, time: Option<Timestamp>) -> ArgResult<(), L> {
        Ok(self.change_clock(|clock| time.map_or_else(|| clock.reset(), |time| clock.set(time.0)))?)
    }

    fn freeze_time(&self, time: Timestamp) -> ArgResult<(), L> {
        Ok(self.change_clock(|clock| clock.freeze(time.0))?)
    }

    fn profile(&self) -> ArgResult<Profile, L> {
        Ok(self.with(sondage_sandbox::Sandbox::profile)?)
    }

    fn set_profile(&self, profile: Profile) -> ArgResult<(), L> {
        Ok(self.with(|sandbox| sandbox.change_profile(|current| *current = profile))?)
    }

    fn revoke_tokens(&self) -> ArgResult<(), L> {
        Ok(self.with(sondage_sandbox::Sandbox::revoke_tokens)?)
    }

    fn emit(&self, cause: Cause) -> ArgResult<bool, L> {
        Ok(self.with(|sandbox| sandbox.try_emit(cause))?.map_err(refused)?)
    }

    fn fill(&self, fill: Fill) -> ArgResult<Vec<String>, L> {
        Ok(self.with(|sandbox| sandbox.fill(&fill))?.map_err(not_done)?)
    }

    fn answer(&self, given: GivenRows) -> ArgResult<Vec<String>, L> {
        Ok(self.with(|sandbox| sandbox.answer(&given))?.map_err(not_done)?)
    }

    fn not_carried_out(&self, survey_id: i64) -> ArgResult<Vec<String>, L> {
        Ok(self.with(|sandbox| sandbox.not_carried_out(survey_id))?.map_err(refused)?)
    }

    fn snapshot(&self, folder: FilePath) -> ArgResult<(), L> {
        Ok(self.with(|sandbox| sandbox.snapshot(folder.0))?.map_err(refused)?)
    }

    fn restore(&self, folder: FilePath) -> ArgResult<(), L> {
        Ok(self.with(|sandbox| sandbox.restore(folder.0))?.map_err(refused)?)
    }

    fn reset(&self) -> ArgResult<(), L> {
        Ok(self.with(sondage_sandbox::Sandbox::reset)?.map_err(refused)?)
    }

    fn attempts(&self) -> ArgResult<Value, L> {
        Ok(self.with(|sandbox| json!(sandbox.deliveries().log()))?)
    }

    fn pending(&self) -> ArgResult<usize, L> {
        Ok(self.with(|sandbox| sandbox.deliveries().pending())?)
    }

    fn fault_deliveries(&self, fault: DeliveryFault) -> ArgResult<(), L> {
        Ok(self.with(|sandbox| sandbox.deliveries().fault(fault))?)
    }

    fn clear_deliveries(&self) -> ArgResult<(), L> {
        Ok(self.with(|sandbox| {
            sandbox.deliveries().clear_faults();
            sandbox.deliveries().clear();
        })?)
    }

    fn settle(&self, timeout: f64) -> ArgResult<Call<bool>, L> {
        self.deliver::<L>(timeout, Deliveries::settle)
    }

    fn drain(&self, timeout: f64) -> ArgResult<Call<bool>, L> {
        self.deliver::<L>(timeout, Deliveries::drain)
    }

    fn stop(&self) -> ArgResult<Blocking<()>, L> {
        let sandbox = self.0.clone();
        Ok(Box::new(move || {
            sandbox.stop();
            Ok(())
        }))
    }
}

impl<L: Language> platform::fault::Methods<L> for FaultHandle {
    fn hits(&self) -> ArgResult<u64, L> {
        Ok(self.hits())
    }

    fn remove(&self) -> ArgResult<(), L> {
        self.remove();
        Ok(())
    }
}
