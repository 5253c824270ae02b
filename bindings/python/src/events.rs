//! A store of events in Python: an object that the caller provides.

use crate::shutdown;
use pyo3::prelude::*;
use sondage::error::CallersError;
use sondage::webhook::{self, ClaimState, EventStore};
use sondage::{Error, Result};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fmt, io};

/// A store behind a function of `sondage._event_stores`.
pub struct Events {
    /// The name of its class.
    pub name: String,
    pub ask: Py<PyAny>,
    pub lease: Duration,
}

impl Events {
    fn ask<T>(&self, what: &'static str, keys: &[String], owner: &str, number: f64) -> Result<T>
    where
        T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>,
    {
        let permit = shutdown::attach_permit();
        let reply = permit.and_then(|_permit| {
            Python::try_attach(|py| {
                let answer = self.ask.call1(py, (what, keys, owner, number));
                let answer = answer.and_then(|answer| answer.extract(py));
                answer.map_err(|raised: PyErr| {
                    let kind =
                        raised.get_type(py).name().map_or_else(|_| String::new(), |name| name.to_string());
                    (kind, io::Error::other(CallersError::of(raised)))
                })
            })
        });
        let ending = "the interpreter is shutting down";
        let reply = reply.unwrap_or_else(|| Err((ending.to_owned(), io::Error::other(ending))));
        reply.map_err(|(kind, error)| webhook::store_failed(&self.name, &kind, &error))
    }
}

impl EventStore for Events {
    fn claim(&self, keys: &[String], owner: &str) -> Result<ClaimState> {
        let state: String = self.ask("claim", keys, owner, self.lease.as_secs_f64())?;
        match state.as_str() {
            "new" => Ok(ClaimState::New),
            "done" => Ok(ClaimState::Done),
            "busy" => Ok(ClaimState::Busy),
            _ => Err(Error::internal("the answer of a store was not checked")),
        }
    }

    fn done(&self, keys: &[String]) -> Result<()> {
        self.ask::<bool>("done", keys, "", 0.0).map(drop)
    }

    fn release(&self, keys: &[String], owner: &str) -> Result<()> {
        self.ask::<bool>("release", keys, owner, 0.0).map(drop)
    }

    fn is_done(&self, key: &str) -> Result<bool> {
        self.ask("is_done", &[key.to_owned()], "", 0.0)
    }

    fn keys(&self) -> Result<Vec<String>> {
        self.ask("keys", &[], "", 0.0)
    }

    fn prune(&self, before: SystemTime) -> Result<u64> {
        let before = before.duration_since(UNIX_EPOCH).unwrap_or_default();
        self.ask("prune", &[], "", before.as_secs_f64())
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("name", &self.name).finish_non_exhaustive()
    }
}
