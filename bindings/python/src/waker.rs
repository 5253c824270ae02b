//! How a thread of the core wakes an event loop.

use crate::completions::Drain;
use crate::shutdown;
use pyo3::prelude::*;
use sondage::internals::runtime;
use std::io::{PipeReader, PipeWriter, Read as _, Write as _};
use std::sync::{Arc, OnceLock};

/// A pipe that the loop listens to: a wake-up is a byte, and no thread has to wait for the interpreter. Loops that cannot
/// listen to a pipe, such as that of Windows, are called from a thread that attaches instead.
pub struct Waker {
    /// Both ends are dropped together, so nobody writes to a broken pipe.
    pipe: (PipeReader, PipeWriter),
    called: OnceLock<Arc<Py<PyAny>>>,
}

impl Waker {
    pub fn new() -> PyResult<Self> {
        Ok(Self { pipe: std::io::pipe()?, called: OnceLock::new() })
    }

    /// Makes the loop drain its queue when it is woken.
    pub fn register(&self, event_loop: &Bound<'_, PyAny>, drain: Drain) {
        let listen = || {
            let pipe = number(&self.pipe.0);
            event_loop.py().import("os")?.call_method1("set_blocking", (pipe, false))?;
            event_loop.call_method1("add_reader", (pipe, drain))
        };
        if listen().is_err() {
            let _ = self.called.set(Arc::new(event_loop.clone().unbind()));
        }
    }

    /// Wakes the loop. `drain`: the function that is called on a loop without a pipe.
    pub fn wake(&self, drain: impl FnOnce() -> Drain) {
        let Some(event_loop) = self.called.get().cloned() else {
            let _ = (&self.pipe.1).write(&[0]);
            return;
        };
        let drain = drain();
        runtime::handle().spawn_blocking(move || {
            if let Some(_permit) = shutdown::attach_permit() {
                // If the loop was closed meanwhile, it raises; nobody waits for the results any more.
                Python::try_attach(|py| event_loop.call_method1(py, "call_soon_threadsafe", (drain,)));
            }
        });
    }

    /// The loop has seen the wake-up.
    pub fn drain(&self) {
        if self.called.get().is_none() {
            let _ = (&self.pipe.0).read(&mut [0; 64]);
        }
    }
}

#[cfg(unix)]
fn number(pipe: &PipeReader) -> i32 {
    std::os::fd::AsRawFd::as_raw_fd(pipe)
}

/// This loop cannot listen to a pipe.
#[cfg(not(unix))]
fn number(_: &PipeReader) -> i32 {
    -1
}
