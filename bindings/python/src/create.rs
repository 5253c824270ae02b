//! Members from tables of anybody's.

use crate::error;
use crate::work::Work;
use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sondage::{Client, Error};
use sondage_data::{Creation, Tables, csv_rows};
use std::path::PathBuf;

/// Creates members from what `__arrow_c_stream__` gives, or from the CSV file at a path.
pub fn create(client: &Client, panel_id: i64, rows: &Bound<'_, PyAny>, chunk: usize) -> PyResult<Work> {
    let py = rows.py();
    let creation = client.create_members_from(panel_id).chunk(chunk);
    let rows: Box<dyn RecordBatchReader + Send> = if let Ok(capsule) = rows.cast::<PyCapsule>() {
        Box::new(stream(capsule)?)
    } else {
        let path: PathBuf = rows.extract()?;
        Box::new(csv_rows(&path).map_err(|e| error::raise(py, &e))?)
    };
    let work = async move { creation.run(rows).await };
    Ok(Work::new(work, told))
}

/// The stream inside a capsule, which is empty from then on.
#[allow(unsafe_code)]
fn stream(capsule: &Bound<'_, PyCapsule>) -> PyResult<RecordBatchStreamReader> {
    let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds such a stream (Arrow PyCapsule interface); it is moved out, and what stays
    // behind is marked as released.
    let reader = unsafe { RecordBatchStreamReader::from_raw(stream.as_ptr()) };
    reader.map_err(|e| PyTypeError::new_err(e.to_string()))
}

type ToldChunk = (usize, usize, Vec<Option<i64>>, Vec<Option<String>>, Option<Py<PyAny>>);

/// The chunks, and why the rest was not sent.
fn told(py: Python<'_>, report: Creation) -> PyResult<Py<PyAny>> {
    let raised = |error: &Error| error::raise(py, error).into_value(py).into_any();
    let chunks: Vec<ToldChunk> = report
        .chunks
        .into_iter()
        .map(|chunk| {
            let issues = chunk.issues.into_iter().map(|issue| issue.error_message).collect();
            (chunk.first_row, chunk.rows, chunk.ids, issues, chunk.error.as_ref().map(raised))
        })
        .collect();
    let stopped = report.stopped.as_ref().map(raised);
    Ok((chunks, stopped).into_pyobject(py)?.into_any().unbind())
}
