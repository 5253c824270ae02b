//! Work of the core that ends in a Python object, and how it is awaited.

use crate::completions::Waiting;
use crate::handle::ready;
use crate::language::{HostValue, Python3};
use crate::tokens::Provider;
use crate::{completions, error, shutdown};
use pyo3::prelude::*;
use sondage::{Client, Error, Result, internals::runtime};
use sondage_ffi::interrupted;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

type Doing = sondage_ffi::Work<Python3>;

/// The interval at which a wait checks for Ctrl-C.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Pending work: wait for it, or await it with asyncio.
#[pyclass(frozen, module = "sondage._native")]
pub struct Work {
    doing: Mutex<Option<Doing>>,
    /// Receives the waiting caller: an async provider runs on its event loop.
    provider: Option<Provider>,
    /// The client whose calls it makes, if it is known.
    client: Option<Client>,
}

impl Work {
    /// Work of a client with this token provider.
    pub fn new(work: Doing, provider: Option<Provider>, client: Option<Client>) -> Self {
        Self { doing: Mutex::new(Some(work)), provider, client }
    }

    /// Adds to Ctrl-C, and to the exception of any other signal handler, what it has ended.
    fn describe(&self, py: Python<'_>, interrupt: &PyErr) {
        // Python 3.10 has no notes.
        if let Some(client) = &self.client {
            let _ = interrupt.value(py).call_method1("add_note", (interrupted(client),));
        }
    }

    /// Takes the work for a caller who waits for it. `event_loop`: whether the caller runs on one.
    fn take(&self, py: Python<'_>, event_loop: bool) -> PyResult<Doing> {
        if let Some(provider) = &self.provider {
            provider.note(py, event_loop)?;
        }
        let work = self.doing.lock().unwrap_or_else(PoisonError::into_inner).take();
        work.ok_or_else(|| error::raise(py, &Error::internal("the same work was begun twice")))
    }
}

#[pymethods]
impl Work {
    /// Waits without the GIL. Ctrl-C ends the wait, and so does an exception from `tick`, which is called periodically.
    #[pyo3(signature = (tick = None))]
    #[allow(clippy::needless_pass_by_value)] // Python hands over objects
    pub fn wait(&self, py: Python<'_>, tick: Option<Py<PyAny>>) -> PyResult<Py<PyAny>> {
        let work = self.take(py, false)?;
        let (result, _permit) = py.detach(|| {
            let result = runtime::block_on_checking(work, LOOK_UP, || {
                let _permit = shutdown::reacquire();
                Python::attach(|py| {
                    py.check_signals().inspect_err(|interrupt| self.describe(py, interrupt))?;
                    tick.as_ref().map_or(Ok(()), |tick| tick.call0(py).map(drop))
                })
            });
            (result, shutdown::reacquire())
        });
        let provider = self.provider.clone();
        finish(py, result?.map(|output| ready(output, provider)))
    }

    /// Starts it, for a task of the running event loop.
    pub fn start(&self, py: Python<'_>) -> PyResult<Waiting> {
        let (work, provider) = (self.take(py, true)?, self.provider.clone());
        completions::start(py, async move { work.await.map(|output| ready(output, provider)) })
    }
}

/// The Python object, or the exception. A panic is an exception like any other.
pub fn finish(py: Python<'_>, result: Result<HostValue>) -> PyResult<Py<PyAny>> {
    let value = catch_unwind(AssertUnwindSafe(|| match result {
        Ok(ready) => ready(py),
        Err(error) => Err(error::raise(py, &error)),
    }));
    value.unwrap_or_else(|panic| Err(error::raise(py, &runtime::panicked(panic.as_ref()))))
}
