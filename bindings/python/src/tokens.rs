//! Tokens from a Python function, and a token store in Python. Both may be `async`.

use crate::shutdown;
use futures_util::future::BoxFuture;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use sondage::auth::TokenProvider;
use sondage::{Error, Result, internals::runtime};
use sondage_ffi::TextStore;
use std::sync::{Arc, Mutex, PoisonError};

/// A token provider or store, or both, and the last caller: an `async` function runs on that caller's event loop, and every
/// function sees that caller's context variables.
#[derive(Clone)]
pub struct Provider(Arc<Inner>);

struct Inner {
    function: Option<Py<PyAny>>,
    store: Option<Py<PyAny>>,
    caller: Mutex<Option<Caller>>,
}

struct Caller {
    context: Py<PyAny>,
    event_loop: Option<Py<PyAny>>,
}

impl Provider {
    /// Calls a token provider, and the methods of a store; `None` if there is neither.
    pub fn new(function: Option<Py<PyAny>>, store: Option<Py<PyAny>>) -> Option<Self> {
        let any = function.is_some() || store.is_some();
        any.then(|| Self(Arc::new(Inner { function, store, caller: Mutex::default() })))
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

    /// Calls a function of `sondage._tokens` with the caller's object, context and event loop.
    fn ask<'py>(
        &self,
        py: Python<'py>,
        (function, of): (&str, &Py<PyAny>),
        more: impl IntoPyObject<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (context, event_loop) = match &*self.caller() {
            Some(caller) => (
                Some(caller.context.clone_ref(py)),
                caller.event_loop.as_ref().map(|event_loop| event_loop.clone_ref(py)),
            ),
            None => (None, None),
        };
        py.import("sondage._tokens")?.call_method1(function, (of, context, event_loop, more))
    }

    /// The same on a thread of the blocking pool, because the function may block.
    fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self, Python<'_>) -> PyResult<T> + Send + 'static,
    ) -> BoxFuture<'static, Result<T>> {
        let provider = self.clone();
        Box::pin(async move {
            let answer = runtime::handle().spawn_blocking(move || {
                let _permit = shutdown::attach_permit()?;
                Python::try_attach(|py| {
                    work(&provider, py).map_err(|raised| Error::authentication(raised.to_string()))
                })
            });
            let leaving = || Err(Error::authentication("the interpreter is shutting down"));
            answer.await.ok().flatten().unwrap_or_else(leaving)
        })
    }

    fn keep(
        &self,
        what: &'static str,
        key: String,
        text: Option<String>,
    ) -> BoxFuture<'static, Result<Option<String>>> {
        self.call(move |provider, py| match &provider.0.store {
            Some(store) => provider.ask(py, ("keep", store), (what, key, text))?.extract(),
            None => Ok(None),
        })
    }
}

impl TokenProvider for Provider {
    fn token(&self) -> BoxFuture<'_, Result<String>> {
        self.call(|provider, py| match &provider.0.function {
            Some(function) => provider.ask(py, ("ask", function), ())?.extract(),
            None => Ok(String::new()),
        })
    }
}

impl TextStore for Provider {
    fn load(&self, key: String) -> BoxFuture<'_, Result<Option<String>>> {
        self.keep("load", key, None)
    }

    fn save(&self, key: String, text: String) -> BoxFuture<'_, Result<()>> {
        Box::pin(async { self.keep("save", key, Some(text)).await.map(drop) })
    }

    fn forget(&self, key: String) -> BoxFuture<'_, Result<()>> {
        Box::pin(async { self.keep("forget", key, None).await.map(drop) })
    }
}
