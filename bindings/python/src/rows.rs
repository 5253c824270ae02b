//! Rows through the Arrow C interface, without a copy, in both directions.

use crate::error;
use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_schema::Schema;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sondage::Error;

/// Rows from any Arrow producer.
pub type Reader = Box<dyn RecordBatchReader + Send>;

/// The rows as an Arrow capsule.
pub fn stream(py: Python<'_>, reader: Reader) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
}

/// Their columns.
pub fn schema<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let schema =
        FFI_ArrowSchema::try_from(schema).map_err(|e| error::raise(py, &Error::internal(e.to_string())))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// Moves the rows out of a capsule, which is then empty.
#[allow(unsafe_code)]
pub fn of(capsule: &Bound<'_, PyCapsule>) -> PyResult<RecordBatchStreamReader> {
    let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds such a stream (Arrow PyCapsule interface); it is moved out, and the original
    // is marked as released.
    let reader = unsafe { RecordBatchStreamReader::from_raw(stream.as_ptr()) };
    reader.map_err(|e| PyTypeError::new_err(e.to_string()))
}
