//! The core's error as a Python exception.

use crate::language::Python3;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use sondage::Error;
use sondage_ffi::Failure;
use sondage_python_values::to_python;

/// The exception for an error, with all its data.
pub fn raise(py: Python<'_>, error: &Error) -> PyErr {
    static MADE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let exception = || {
        let failure = to_python(py, &Failure::of::<Python3>(error))?;
        MADE.import(py, "sondage._error", "made")?.call1((failure,))
    };
    let made = exception().map_or_else(|broken| broken, PyErr::from_value);
    // An exception from code of the caller.
    let raised = std::error::Error::source(error).and_then(|source| source.downcast_ref::<PyErr>());
    if let Some(raised) = raised {
        made.set_cause(py, Some(raised.clone_ref(py)));
    }
    made
}
