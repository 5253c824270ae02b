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
    exception().map_or_else(|broken| broken, PyErr::from_value)
}
