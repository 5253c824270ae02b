//! What a call gives back: the typed value, or the whole answer.

use crate::to_python;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use serde::Serialize;
use sondage::Answer;

/// The value of an answer; when the `whole` answer is wanted, `sondage.Answer` with status, headers and text.
pub fn to_python<T: Serialize>(py: Python<'_>, answer: &Answer<T>, whole: bool) -> PyResult<Py<PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let value = to_python::to_python(py, &answer.value)?;
    if !whole {
        return Ok(value.unbind());
    }
    let headers = PyDict::new(py);
    for name in answer.headers.keys() {
        let values =
            answer.headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
        headers.set_item(name.as_str(), values.collect::<Vec<_>>().join(", "))?;
    }
    let parts = (value, answer.status, headers, answer.text(), answer.attempts);
    CLASS.import(py, "sondage._answer", "Answer")?.call1(parts).map(Bound::unbind)
}
