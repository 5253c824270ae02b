//! The sandbox behind `sondage.Sandbox`.

use crate::error;
use crate::from_python::from_python;
use chrono::{DateTime, Utc};
use pyo3::prelude::*;
use serde::Serialize;
use sondage::{Error, Timestamp};
use sondage_sandbox::{Builder, Cause, DeliveryFault, Fault, FaultHandle, Profile, Sandbox};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A survey platform in this process.
#[pyclass(frozen, name = "Sandbox", module = "sondage._native")]
pub struct NativeSandbox {
    sandbox: Mutex<Option<Sandbox>>,
    process: u32,
}

impl NativeSandbox {
    fn held(&self) -> MutexGuard<'_, Option<Sandbox>> {
        self.sandbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, py: Python<'_>, look: impl FnOnce(&Sandbox) -> T) -> PyResult<T> {
        let stopped = || error::raise(py, &Error::invalid_argument("the sandbox has been stopped"));
        self.held().as_ref().map(look).ok_or_else(stopped)
    }
}

impl Drop for NativeSandbox {
    fn drop(&mut self) {
        // After a fork its threads are the parent's: there is nobody to wait for.
        if self.process != std::process::id() {
            std::mem::forget(self.held().take());
        }
    }
}

#[pymethods]
impl NativeSandbox {
    #[new]
    fn new(py: Python<'_>, settings: &Bound<'_, PyAny>) -> PyResult<Self> {
        let builder: Builder = from_python(settings).map_err(|fault| fault.raise(py, "Sandbox"))?;
        let sandbox = py.detach(|| builder.start_blocking())?;
        Ok(Self { sandbox: Mutex::new(Some(sandbox)), process: std::process::id() })
    }

    /// Addresses, credentials and ids of the demo account, as JSON.
    fn facts(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |sandbox| serde_json::to_string(&sandbox.facts()).unwrap_or_default())
    }

    /// Puts a fault in the way of coming calls.
    fn fault(&self, py: Python<'_>, fault: &Bound<'_, PyAny>) -> PyResult<NativeFault> {
        let fault: Fault = from_python(fault).map_err(|fault| fault.raise(py, "Sandbox"))?;
        self.with(py, |sandbox| NativeFault(sandbox.fault(fault)))
    }

    fn clear_faults(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, Sandbox::clear_faults)
    }

    /// A part of the ledger, as JSON: `requests`, `effects` or `tokens`.
    fn ledger(&self, py: Python<'_>, part: &str, operation: &str) -> PyResult<String> {
        fn json<T: Serialize>(rows: &[T]) -> String {
            serde_json::to_string(rows).unwrap_or_default()
        }
        self.with(py, |sandbox| {
            let ledger = sandbox.ledger();
            match part {
                "requests" => json(&ledger.requests(operation)),
                "effects" => json(&ledger.effects(operation)),
                _ => json(&ledger.token_requests()),
            }
        })
    }

    fn clear_ledger(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |sandbox| sandbox.ledger().clear())
    }

    /// The sandbox's time.
    fn now(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let now: DateTime<Utc> = self.with(py, |sandbox| sandbox.clock().now())?;
        crate::classes::datetime(py, now.into()).map(Bound::unbind)
    }

    /// Lets time pass.
    fn advance(&self, py: Python<'_>, seconds: f64) -> PyResult<()> {
        let by = Duration::try_from_secs_f64(seconds).map_err(|_| {
            error::raise(py, &Error::invalid_argument(format!("time cannot pass by {seconds} seconds")))
        })?;
        self.with(py, |sandbox| sandbox.clock().advance(by))
    }

    /// Sets the time; none: back to the computer's.
    fn set_time(&self, py: Python<'_>, time: &Bound<'_, PyAny>) -> PyResult<()> {
        let time: Option<Timestamp> =
            from_python(time).map_err(|fault| fault.under("time").raise(py, "Sandbox"))?;
        self.with(py, |sandbox| match time {
            Some(time) => sandbox.clock().set(time.0),
            None => sandbox.clock().reset(),
        })
    }

    /// Changes how it behaves where nothing is published.
    fn set_profile(&self, py: Python<'_>, profile: &Bound<'_, PyAny>) -> PyResult<()> {
        let profile: Profile = from_python(profile).map_err(|fault| fault.raise(py, "Sandbox"))?;
        self.with(py, |sandbox| sandbox.change_profile(|current| *current = profile))
    }

    /// Ends every token at once.
    fn revoke_tokens(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, Sandbox::revoke_tokens)
    }

    /// Lets something happen on the platform. `False` when there is no such interview, member or survey.
    fn happen(&self, py: Python<'_>, cause: &Bound<'_, PyAny>) -> PyResult<bool> {
        let cause: Cause = from_python(cause).map_err(|fault| fault.raise(py, "Sandbox"))?;
        self.with(py, |sandbox| sandbox.happen(cause))
    }

    /// Attempts to tell subscribers, what is pending, and when the next is due, as JSON.
    fn deliveries(&self, py: Python<'_>) -> PyResult<String> {
        let told = self.with(py, Sandbox::deliveries)?;
        let (log, pending, due) = (told.log(), told.pending(), told.next_due());
        Ok(serde_json::json!({ "attempts": log, "pending": pending, "due": due }).to_string())
    }

    /// Puts a fault in the way of coming events.
    fn delivery_fault(&self, py: Python<'_>, fault: &Bound<'_, PyAny>) -> PyResult<()> {
        let fault: DeliveryFault = from_python(fault).map_err(|fault| fault.raise(py, "Sandbox"))?;
        self.with(py, |sandbox| sandbox.deliveries().fault(fault))
    }

    /// Forgets faults and log.
    fn clear_deliveries(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |sandbox| {
            sandbox.deliveries().clear_faults();
            sandbox.deliveries().clear();
        })
    }

    /// Waits for what is due, or lets time pass until nothing is left.
    fn settle(&self, py: Python<'_>, patience: f64, run_out: bool) -> PyResult<bool> {
        let told = self.with(py, Sandbox::deliveries)?;
        let patience = Duration::try_from_secs_f64(patience).unwrap_or_default();
        // The receiver may be in this process, and needs the interpreter.
        Ok(py.detach(|| if run_out { told.run_out(patience) } else { told.settle(patience) }))
    }

    /// Stops it and waits until the ports are closed.
    fn stop(&self, py: Python<'_>) {
        let sandbox = self.held().take();
        if self.process == std::process::id() {
            py.detach(|| drop(sandbox));
        } else {
            std::mem::forget(sandbox);
        }
    }
}

/// A fault that was put into a sandbox.
#[pyclass(frozen, name = "Fault", module = "sondage._native")]
pub struct NativeFault(FaultHandle);

#[pymethods]
impl NativeFault {
    /// How many calls it has hit.
    #[getter]
    fn hits(&self) -> u64 {
        self.0.hits()
    }

    /// Takes it away.
    fn remove(&self) {
        self.0.remove();
    }
}
