//! Tokens from a Python function, which may be `async`.

use crate::shutdown;
use futures_util::future::BoxFuture;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use sondage::auth::TokenProvider;
use sondage::{Error, Result, internals::runtime};
use std::sync::{Arc, Mutex, PoisonError};

/// A token provider, and its last caller: an `async` function runs on that caller's event loop, and every function sees
/// that caller's context variables.
#[derive(Clone)]
pub struct Provider(Arc<Inner>);

struct Inner {
    function: Py<PyAny>,
    caller: Mutex<Option<Caller>>,
}

struct Caller {
    context: Py<PyAny>,
    event_loop: Option<Py<PyAny>>,
}

impl Provider {
    /// A provider that calls `function`.
    pub fn new(function: Py<PyAny>) -> Self {
        Self(Arc::new(Inner { function, caller: Mutex::default() }))
    }

    /// Records the caller. `event_loop`: whether the caller runs on one.
    pub fn note(&self, py: Python<'_>, event_loop: bool) -> PyResult<()> {
        static LOOP: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let context =
            py.import(intern!(py, "contextvars"))?.call_method0(intern!(py, "copy_context"))?.unbind();
        let running = || PyResult::Ok(LOOP.import(py, "asyncio", "get_running_loop")?.call0()?.unbind());
        let event_loop = event_loop.then(running).transpose()?;
        let before = self.caller().replace(Caller { context, event_loop });
        drop(before);
        Ok(())
    }

    fn caller(&self) -> std::sync::MutexGuard<'_, Option<Caller>> {
        self.0.caller.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, py: Python<'_>) -> PyResult<String> {
        let (context, event_loop) = match &*self.caller() {
            Some(caller) => (
                Some(caller.context.clone_ref(py)),
                caller.event_loop.as_ref().map(|event_loop| event_loop.clone_ref(py)),
            ),
            None => (None, None),
        };
        let asked =
            py.import("sondage._tokens")?.call_method1("ask", (&self.0.function, context, event_loop))?;
        asked.extract()
    }
}

impl TokenProvider for Provider {
    fn token(&self) -> BoxFuture<'_, Result<String>> {
        let provider = self.clone();
        Box::pin(async move {
            // The function may block, so it runs on a thread of the blocking pool.
            let asked = runtime::handle().spawn_blocking(move || {
                let _permit = shutdown::attach_permit()?;
                Python::try_attach(|py| {
                    provider.ask(py).map_err(|raised| Error::authentication(raised.to_string()))
                })
            });
            let leaving = || Err(Error::authentication("the interpreter is shutting down"));
            asked.await.ok().flatten().unwrap_or_else(leaving)
        })
    }
}
