//! The completion queue for asyncio.
//!
//! A finished call pushes its result into the queue of its event loop, without touching the interpreter. The first result in
//! an empty queue wakes the loop, which then drains the queue on its own thread.

use crate::language::HostValue;
use crate::waker::Waker;
use crate::work::finish;
use pyo3::exceptions::PyStopIteration;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};
use sondage::Result;
use sondage::internals::runtime::{self, Task};
use sondage_ffi::CompletionQueue;
use std::cell::RefCell;
use std::sync::Arc;

/// Futures with their results, for one event loop, and its waker.
struct Loop {
    completions: CompletionQueue<(Py<PyAny>, Result<HostValue>)>,
    waker: Waker,
}

/// A process, an event loop in it, and the queue of that loop.
type Known = (u32, Py<PyWeakrefReference>, Arc<Loop>);

thread_local! {
    /// The last loop that ran on this thread. A forked child starts with a new queue, because another thread of the
    /// parent may hold the queue's lock.
    static LAST: RefCell<Option<Known>> = const { RefCell::new(None) };
}

impl Loop {
    /// The queue of the event loop that runs on this thread.
    fn of(event_loop: &Bound<'_, PyAny>) -> PyResult<Arc<Self>> {
        let (py, process) = (event_loop.py(), std::process::id());
        let cached = LAST.with_borrow(|last| {
            let (parent, python, ours) = last.as_ref()?;
            let same = *parent == process && python.bind(py).upgrade()?.is(event_loop);
            same.then(|| ours.clone())
        });
        if let Some(ours) = cached {
            return Ok(ours);
        }
        let ours = Arc::new(Self { completions: CompletionQueue::default(), waker: Waker::new()? });
        ours.waker.register(event_loop, Drain(ours.clone()));
        let python = PyWeakrefReference::new(event_loop)?.unbind();
        let before = LAST.replace(Some((process, python, ours.clone())));
        if before.as_ref().is_some_and(|(parent, ..)| *parent != process) {
            // The content of the parent's queue belongs to the parent.
            std::mem::forget(before);
        }
        Ok(ours)
    }
}

/// Runs on the event loop: sets the result of each future.
#[pyclass(frozen)]
pub struct Drain(Arc<Loop>);

#[pymethods]
impl Drain {
    fn __call__(&self, py: Python<'_>) -> PyResult<()> {
        self.0.waker.drain();
        for (future, result) in self.0.completions.drain() {
            let future = future.bind(py);
            if future.call_method0(intern!(py, "done"))?.is_truthy()? {
                continue;
            }
            match finish(py, result) {
                Ok(value) => future.call_method1(intern!(py, "set_result"), (value,))?,
                Err(raised) => future.call_method1(intern!(py, "set_exception"), (raised.into_value(py),))?,
            };
        }
        Ok(())
    }
}

/// Starts work whose result goes to the running event loop.
pub fn start(
    py: Python<'_>,
    work: impl Future<Output = Result<HostValue>> + Send + 'static,
) -> PyResult<Waiting> {
    static RUNNING: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let event_loop = RUNNING.import(py, "asyncio", "get_running_loop")?.call0()?;
    let ours = Loop::of(&event_loop)?;
    let future = event_loop.call_method0(intern!(py, "create_future"))?.unbind();
    let theirs = future.clone_ref(py);
    let task = runtime::spawn(async move {
        let result = runtime::caught(work).await;
        if ours.completions.push((theirs, result)) {
            ours.waker.wake(|| Drain(ours.clone()));
        }
        Ok(())
    });
    Ok(Waiting { future, _task: task })
}

/// Awaited work. Cancelling its task drops it, which cancels the call. (A write that was sent continues: the core sees to
/// that.)
#[pyclass(frozen, module = "sondage._native")]
pub struct Waiting {
    future: Py<PyAny>,
    _task: Task<()>,
}

#[pymethods]
impl Waiting {
    fn __await__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// The iterator of a future: first the future itself, which wakes the task when it is done; then its result.
    fn __next__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let future = self.future.bind(py);
        if !future.call_method0(intern!(py, "done"))?.is_truthy()? {
            future.setattr(intern!(py, "_asyncio_future_blocking"), true)?;
            return Ok(self.future.clone_ref(py));
        }
        let result = future.call_method0(intern!(py, "result"))?;
        Err(PyStopIteration::new_err((result.unbind(),)))
    }
}
