//! A journal in Python: an object that the caller provides.

use crate::shutdown;
use pyo3::exceptions::PyBlockingIOError;
use pyo3::prelude::*;
use sondage::error::CallersError;
use sondage_ffi::LineStore;
use std::io;

/// A journal behind a function of `sondage._journals`.
pub struct Journal(pub Py<PyAny>);

impl LineStore for Journal {
    fn ask(&mut self, what: &'static str, lines: &[String]) -> io::Result<Vec<String>> {
        let permit = shutdown::attach_permit();
        let reply = permit.and_then(|_permit| {
            Python::try_attach(|py| {
                let answer = self.0.call1(py, (what, lines)).and_then(|answer| answer.extract(py));
                answer.map_err(|raised| failed(py, raised))
            })
        });
        reply.unwrap_or_else(|| Err(io::Error::other("the interpreter is shutting down")))
    }
}

/// The caller's own exception becomes the cause of the library's.
fn failed(py: Python<'_>, raised: PyErr) -> io::Error {
    if raised.is_instance_of::<PyBlockingIOError>(py) {
        return io::ErrorKind::ResourceBusy.into();
    }
    io::Error::other(CallersError::of(raised))
}
