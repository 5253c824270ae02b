//! Results on their way to asyncio.
//!
//! A call that is finished leaves its result here, without touching the interpreter. The first one into an empty box
//! wakes one thread, which attaches once and hands everything that has gathered meanwhile to the event loops.

use crate::gate;
use crate::language::Ready;
use crate::work::finish;
use arc_swap::ArcSwapOption;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use sondage::Result;
use sondage::runtime::{self, Task};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The futures of one event loop, and what they are waiting for.
type Batch = Vec<(Py<PyAny>, Result<Ready>)>;

struct Letter {
    event_loop: Py<PyAny>,
    future: Py<PyAny>,
    result: Result<Ready>,
}

/// The box of one process: a forked child begins with an empty one, and with a lock that nobody holds.
struct Outbox {
    process: u32,
    letters: Mutex<Vec<Letter>>,
}

static OUTBOX: ArcSwapOption<Outbox> = ArcSwapOption::const_empty();

fn outbox() -> Arc<Outbox> {
    let process = std::process::id();
    loop {
        let current = OUTBOX.load();
        if let Some(outbox) = current.as_ref().filter(|outbox| outbox.process == process) {
            return outbox.clone();
        }
        let fresh = Arc::new(Outbox { process, letters: Mutex::default() });
        // What the parent's box holds belongs to the parent.
        std::mem::forget(OUTBOX.compare_and_swap(&current, Some(fresh)));
    }
}

fn letters(outbox: &Outbox) -> MutexGuard<'_, Vec<Letter>> {
    outbox.letters.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts work whose result goes to a future of the running event loop. Cancelling the future ends the work.
pub fn start(
    py: Python<'_>,
    work: impl Future<Output = Result<Ready>> + Send + 'static,
) -> PyResult<Bound<'_, PyAny>> {
    static RUNNING: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let event_loop = RUNNING.import(py, "asyncio", "get_running_loop")?.call0()?;
    let future = event_loop.call_method0("create_future")?;
    let letter = (event_loop.unbind(), future.clone().unbind());
    let task = runtime::spawn(async move {
        let result = runtime::spawn(work).await;
        post(letter.0, letter.1, result);
        Ok(())
    });
    future.call_method1("add_done_callback", (Stop(Mutex::new(Some(task))),))?;
    Ok(future)
}

fn post(event_loop: Py<PyAny>, future: Py<PyAny>, result: Result<Ready>) {
    let outbox = outbox();
    let first = {
        let mut letters = letters(&outbox);
        letters.push(Letter { event_loop, future, result });
        letters.len() == 1
    };
    if first {
        runtime::handle().spawn_blocking(move || {
            if let Some(_pass) = gate::enter() {
                Python::try_attach(|py| hand_over(py, &outbox));
            }
        });
    }
}

fn hand_over(py: Python<'_>, outbox: &Outbox) {
    let mut batches: HashMap<usize, (Py<PyAny>, Batch)> = HashMap::new();
    for Letter { event_loop, future, result } in std::mem::take(&mut *letters(outbox)) {
        let batch = batches.entry(event_loop.as_ptr() as usize).or_insert_with(|| (event_loop, Vec::new()));
        batch.1.push((future, result));
    }
    for (event_loop, batch) in batches.into_values() {
        // A loop that was closed meanwhile refuses, and nobody waits there any more.
        let _ = event_loop.call_method1(py, "call_soon_threadsafe", (Delivery(Mutex::new(batch)),));
    }
}

/// Runs on the event loop: gives each future its result.
#[pyclass(frozen)]
struct Delivery(Mutex<Batch>);

#[pymethods]
impl Delivery {
    fn __call__(&self, py: Python<'_>) -> PyResult<()> {
        let batch = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for (future, result) in batch {
            let future = future.bind(py);
            if future.call_method0("done")?.is_truthy()? {
                continue;
            }
            match finish(py, result) {
                Ok(value) => future.call_method1("set_result", (value,))?,
                Err(raised) => future.call_method1("set_exception", (raised.into_value(py),))?,
            };
        }
        Ok(())
    }
}

/// Called when a future is done: a cancelled one ends its work. (A write that has left goes on, as the core sees to.)
#[pyclass(frozen)]
struct Stop(Mutex<Option<Task<()>>>);

#[pymethods]
impl Stop {
    fn __call__(&self, _future: &Bound<'_, PyAny>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}
