//! The core's error as a Python exception.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use sondage::Error;

/// The exception for an error, with everything that is known about it.
pub fn raise(py: Python<'_>, error: &Error) -> PyErr {
    exception(py, error).unwrap_or_else(|broken| broken)
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    static CLASSES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let class = CLASSES.import(py, "sondage._errors", "BY_KIND")?.get_item(error.kind().as_str())?;
    let Some(class) = class else {
        return Ok(pyo3::exceptions::PyRuntimeError::new_err(error.to_string()));
    };
    let exception = class.call1((error.to_string(),))?;
    exception.setattr("operation", error.operation())?;
    exception.setattr("attempts", error.attempts())?;
    exception.setattr("status", error.status())?;
    exception.setattr("error_code", error.error_code())?;
    exception.setattr("error_message", error.error_message())?;
    exception.setattr("request_id", error.request_id())?;
    exception.setattr("delivery", error.delivery().as_str())?;
    exception.setattr("safe_to_repeat", error.safe_to_repeat())?;
    exception.setattr("retry_after", error.retry_after().map(|wait| wait.as_secs_f64()))?;
    exception.setattr("hint", error.hint())?;
    exception.setattr("reconcile", error.reconcile())?;
    Ok(PyErr::from_value(exception))
}
