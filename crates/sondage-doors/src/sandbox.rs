//! A sandbox inside the process. (From outside it is moved by its control endpoints.)

use crate::given::Call;
use crate::language::Language;
use crate::outcome::{Done, Gift, Outcome};
use crate::thing::Verbs;
use serde_json::json;
use sondage::{Error, Result, Timestamp};
use sondage_sandbox::{Builder, Ledger, Profile, Sandbox};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A survey platform in this process.
#[derive(Clone)]
pub struct Running(Arc<Held>);

struct Held {
    sandbox: Mutex<Option<Sandbox>>,
    process: u32,
}

impl Held {
    fn lock(&self) -> MutexGuard<'_, Option<Sandbox>> {
        self.sandbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends it and waits until its ports are closed.
    fn stop(&self) {
        let sandbox = self.lock().take();
        // After a fork its threads are the parent's: there is nobody to wait for.
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

impl Running {
    /// Starts one.
    pub fn start(builder: Builder) -> Result<Self> {
        let failed = |error: std::io::Error| {
            let what = format!("the sandbox cannot start ({error})");
            Error::configuration(what).with_hint("Leave out `port` to get a free one.")
        };
        let sandbox = Mutex::new(Some(builder.start_blocking().map_err(failed)?));
        Ok(Self(Arc::new(Held { sandbox, process: std::process::id() })))
    }

    fn with<T>(&self, look: impl FnOnce(&Sandbox) -> T) -> Result<T> {
        let stopped = || Error::invalid_argument("the sandbox has been stopped");
        self.0.lock().as_ref().map(look).ok_or_else(stopped)
    }

    /// A part of the ledger: the requests for tokens, or what an operation has asked for or done.
    fn ledger<L: Language>(&self, part: &str, operation: &str) -> Done<L> {
        let ledger: Ledger = self.with(Sandbox::ledger)?;
        match part {
            "requests" => Outcome::told(ledger.requests(operation)),
            "effects" => Outcome::told(ledger.effects(operation)),
            _ => Outcome::told(ledger.token_requests()),
        }
    }

    /// Waits until nothing is due any more, or lets time pass until nothing is left. The receiver may be in this process.
    fn settle<L: Language>(&self, patience: f64, run_out: bool) -> Done<L> {
        let (told, patience) = (self.with(Sandbox::deliveries)?, L::TIME.read("patience", patience)?);
        Outcome::here(move || {
            let settled = if run_out { told.run_out(patience) } else { told.settle(patience) };
            Ok(Gift::value(settled))
        })
    }
}

impl<L: Language> Verbs<L> for Running {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        let all = "Sandbox";
        match call.verb {
            "facts" => {
                let facts = self.with(|sandbox| json!(sandbox.facts()))?;
                Outcome::told(facts)
            }
            "fault" => {
                let fault = call.read_of(all, "")?;
                Outcome::thing(self.with(|sandbox| sandbox.fault(fault))?)
            }
            "clearFaults" => Outcome::value(self.with(Sandbox::clear_faults)?),
            "ledger" => {
                let (part, operation): (String, String) = call.read_of(all, "")?;
                self.ledger(&part, &operation)
            }
            "clearLedger" => Outcome::value(self.with(|sandbox| sandbox.ledger().clear())?),
            "now" => Outcome::value(self.with(|sandbox| Timestamp(sandbox.clock().now()))?),
            "advance" => {
                let time = L::TIME.read("time", call.read_of(all, "seconds")?)?;
                Outcome::value(self.with(|sandbox| sandbox.clock().advance(time))?)
            }
            "setTime" => {
                let time: Option<Timestamp> = call.read_of(all, "time")?;
                Outcome::value(self.with(|sandbox| match time {
                    Some(time) => sandbox.clock().set(time.0),
                    None => sandbox.clock().reset(),
                })?)
            }
            "setProfile" => {
                let profile: Profile = call.read_of(all, "")?;
                Outcome::value(self.with(|sandbox| sandbox.change_profile(|current| *current = profile))?)
            }
            "revokeTokens" => Outcome::value(self.with(Sandbox::revoke_tokens)?),
            "happen" => {
                let cause = call.read_of(all, "")?;
                Outcome::value(self.with(|sandbox| sandbox.happen(cause))?)
            }
            "deliveries" => {
                let told = self.with(Sandbox::deliveries)?;
                let (log, pending, due) = (told.log(), told.pending(), told.next_due());
                let told = json!({ "attempts": log, "pending": pending, "due": due });
                Outcome::told(told)
            }
            "deliveryFault" => {
                let fault = call.read_of(all, "")?;
                Outcome::value(self.with(|sandbox| sandbox.deliveries().fault(fault))?)
            }
            "clearDeliveries" => Outcome::value(self.with(|sandbox| {
                sandbox.deliveries().clear_faults();
                sandbox.deliveries().clear();
            })?),
            "settle" => self.settle(call.read_of(all, "patience")?, false),
            "runOut" => self.settle(call.read_of(all, "patience")?, true),
            "stop" => {
                let held = self.0.clone();
                Outcome::here(move || {
                    held.stop();
                    Ok(Gift::value(()))
                })
            }
            _ => Err(call.unknown()),
        }
    }
}
