//! Webhooks behind `sondage.webhooks`: the core judges, and hands its verdicts over as JSON.

use crate::work::Work;
use crate::{classes, error};
use chrono::{DateTime, Utc};
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde::Serialize;
use sondage::model::EventType;
use sondage::webhook::{Claim, Event, Guard, Hook, Missed, Strategy, Ticket};
use sondage::{Client, Error, Json, Result, Timestamp};
use std::sync::{Mutex, PoisonError};

/// A webhook: what is registered and what is accepted.
#[pyclass(frozen, name = "Hook", module = "sondage._native")]
pub struct NativeHook(Hook);

#[pymethods]
impl NativeHook {
    #[new]
    fn new(py: Python<'_>, settings: &str) -> PyResult<Self> {
        crate::logging::connect(py);
        made(py, settings.parse()).map(Self)
    }

    /// A new address that nobody can guess.
    #[staticmethod]
    fn obscure(py: Python<'_>) -> PyResult<Self> {
        crate::logging::connect(py);
        made(py, Strategy::obscure_url().and_then(Hook::new)).map(Self)
    }

    /// Everything, secrets too, as JSON.
    fn settings(&self) -> String {
        self.0.to_json().reveal().to_owned()
    }

    fn accepting(&self, py: Python<'_>, previous: &Self) -> PyResult<Self> {
        made(py, self.0.clone().accepting(previous.0.strategy().clone())).map(Self)
    }

    fn for_event(&self, name: &str) -> Self {
        Self(self.0.clone().for_event(name))
    }

    fn max_body(&self, bytes: usize) -> Self {
        Self(self.0.clone().max_body(bytes))
    }

    fn url(&self, py: Python<'_>, base: &str) -> PyResult<String> {
        made(py, self.0.url(base))
    }

    fn token(&self) -> String {
        self.0.security_token().reveal().to_owned()
    }

    fn strategy(&self) -> &'static str {
        self.0.strategy().name()
    }

    fn ends(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.0.ends().map(|time| classes::datetime(py, time).map(Bound::unbind)).transpose()
    }

    /// The verdict as JSON. Refusals are verdicts, not exceptions.
    fn judge(
        &self,
        py: Python<'_>,
        url: &Bound<'_, PyString>,
        headers: Vec<(String, Vec<u8>)>,
        body: &[u8],
        now: Option<f64>,
    ) -> String {
        // Halves of surrogate pairs are in no address that anybody has made.
        let url = url.to_string_lossy();
        #[allow(clippy::cast_possible_truncation)] // seconds fit for 200,000 years
        let now = now.and_then(|seconds| DateTime::from_timestamp_micros((seconds * 1e6) as i64));
        py.detach(|| json(&self.0.judge(now.unwrap_or_else(Utc::now), &url, headers, body)))
    }
}

/// Remembers which events were handled.
#[pyclass(frozen, name = "Guard", module = "sondage._native")]
pub struct NativeGuard(Guard);

#[pymethods]
impl NativeGuard {
    #[new]
    fn new(capacity: usize) -> Self {
        Self(Guard::new(capacity))
    }

    /// `new`, `done` or `busy`, and the right to handle it when it is new.
    fn claim(&self, keys: Vec<String>) -> (&'static str, Option<NativeTicket>) {
        match self.0.claim_keys(keys) {
            Claim::New(ticket) => ("new", Some(NativeTicket(Mutex::new(Some(ticket))))),
            Claim::Done => ("done", None),
            Claim::Busy => ("busy", None),
        }
    }

    fn remember(&self, keys: Vec<String>) {
        self.0.remember(keys);
    }

    fn keys(&self) -> Vec<String> {
        self.0.keys()
    }
}

/// The right to handle an event.
#[pyclass(frozen, name = "Ticket", module = "sondage._native")]
pub struct NativeTicket(Mutex<Option<Ticket>>);

#[pymethods]
impl NativeTicket {
    /// The event was handled, or it was not and the next one is new again.
    fn end(&self, done: bool) {
        let ticket = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(ticket) = ticket.filter(|_| done) {
            ticket.done();
        }
    }
}

/// Reads the entity of an event again.
pub fn confirm(client: &Client, raw: String, name: Option<String>, columns: Vec<String>) -> Work {
    let client = client.clone();
    text(async move {
        let raw = Json::parse(raw).map_err(|_| Error::invalid_argument("the event is not JSON"))?;
        let event = Event::kept(raw, name.map(EventType::from).as_ref())?;
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        event.confirm(&client, &columns).await
    })
}

/// Finds what no callback told.
pub fn missed(
    client: &Client,
    survey: i64,
    since: &str,
    columns: Vec<String>,
    guard: Option<&NativeGuard>,
) -> Work {
    let (client, since) = (client.clone(), since.parse::<Timestamp>());
    let guard = guard.map(|guard| guard.0.clone());
    text(async move {
        let mut job = Missed::of_survey(survey, since.map_err(Error::invalid_argument)?).columns(columns);
        if let Some(guard) = &guard {
            job = job.unknown_to(guard);
        }
        job.read(&client).await
    })
}

/// Work whose result is handed over as JSON.
fn text<T: Serialize + Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Work {
    Work::new(work, |py, value| Ok(PyString::new(py, &json(&value)).into_any().unbind()))
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn made<T>(py: Python<'_>, result: Result<T>) -> PyResult<T> {
    result.map_err(|error| error::raise(py, &error))
}
