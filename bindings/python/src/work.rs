//! Work of the core that ends in a Python object, and waiting for it.

use crate::{error, gate, outbox};
use pyo3::prelude::*;
use sondage::{Error, Result, runtime};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A result that becomes a Python object once somebody is attached.
pub type Ready = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

type Doing = Pin<Box<dyn Future<Output = Result<Ready>> + Send>>;

/// How long a wait goes on before it looks whether Ctrl-C was pressed.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Something that is to be done: wait for it, or let asyncio wait.
#[pyclass(frozen, module = "sondage._native")]
pub struct Work(Mutex<Option<Doing>>);

impl Work {
    /// Work whose result `convert` turns into a Python object.
    pub fn new<T: Send + 'static>(
        work: impl Future<Output = Result<T>> + Send + 'static,
        convert: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
    ) -> Self {
        let work = async move {
            let value = work.await?;
            Ok(Box::new(move |py: Python<'_>| convert(py, value)) as Ready)
        };
        Self(Mutex::new(Some(Box::pin(work))))
    }

    fn take(&self) -> Doing {
        let work = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        work.unwrap_or_else(|| Box::pin(async { Err(Error::internal("the same work was begun twice")) }))
    }
}

#[pymethods]
impl Work {
    /// Waits without the GIL. Ctrl-C ends the wait, and so does an exception of `tick`, which is called now and then.
    #[pyo3(signature = (tick = None))]
    #[allow(clippy::needless_pass_by_value)] // Python hands over objects
    pub fn wait(&self, py: Python<'_>, tick: Option<Py<PyAny>>) -> PyResult<Py<PyAny>> {
        let work = self.take();
        let (result, _pass) = py.detach(|| {
            let result = runtime::block_on_checking(work, LOOK_UP, || {
                let _pass = gate::come_back();
                Python::attach(|py| {
                    py.check_signals()?;
                    tick.as_ref().map_or(Ok(()), |tick| tick.call0(py).map(drop))
                })
            });
            (result, gate::come_back())
        });
        finish(py, result?)
    }

    /// Starts it, and gives a future of the running event loop.
    pub fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        outbox::start(py, self.take())
    }
}

/// The Python object, or the exception. A panic is an exception like any other.
pub fn finish(py: Python<'_>, result: Result<Ready>) -> PyResult<Py<PyAny>> {
    let made = catch_unwind(AssertUnwindSafe(|| match result {
        Ok(ready) => ready(py),
        Err(error) => Err(error::raise(py, &error)),
    }));
    made.unwrap_or_else(|panic| Err(error::raise(py, &runtime::panicked(panic.as_ref()))))
}
