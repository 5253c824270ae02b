//! Interviews and members as Arrow tables, handed over without a copy.

mod cells;

use crate::error;
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatchIterator, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sondage::Error;
use sondage_data::Labels;
use std::collections::HashMap;
use std::path::PathBuf;

/// A table. It stays in the core: whoever takes it shares its memory.
#[pyclass(frozen, module = "sondage._native")]
pub struct Table(sondage_data::Table);

impl Table {
    pub fn handed_over(py: Python<'_>, table: sondage_data::Table) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Table(table))?.into_any())
    }
}

/// The labels with this name.
pub fn labels_of(py: Python<'_>, word: &str) -> PyResult<Labels> {
    Ok(match word {
        "codes" => Labels::Codes,
        "labels" => Labels::Labels,
        "both" => Labels::Both,
        other => {
            let what = format!("labels must be True, False or \"both\", not {other:?}");
            return Err(error::raise(py, &Error::invalid_argument(what)));
        }
    })
}

#[pymethods]
#[allow(clippy::needless_pass_by_value)] // a list of Python's is always copied
impl Table {
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// Names of the columns.
    fn columns(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// What each column means, by the words of the Arrow field's metadata.
    fn metadata(&self, column: &str) -> Option<HashMap<String, String>> {
        let field = self.0.field(column)?;
        Some(field.metadata().iter().map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    /// Rows as lists of plain values.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        count: usize,
    ) -> PyResult<Vec<Vec<Bound<'py, PyAny>>>> {
        cells::rows(py, self.0.batches(), first, count)
    }

    /// Of each column of labels: all that it can say, in order.
    fn categories(&self) -> HashMap<String, Vec<String>> {
        let schema = self.0.schema();
        let Some(batch) = self.0.batches().first() else { return HashMap::new() };
        let labelled = schema.fields().iter().zip(batch.columns()).filter_map(|(field, column)| {
            let values = column.as_any_dictionary_opt()?.values();
            let values = values.as_string_opt::<i32>()?;
            Some((
                field.name().clone(),
                values.iter().map(|value| value.unwrap_or_default().to_owned()).collect(),
            ))
        });
        labelled.collect()
    }

    /// What was kept without loss, but not as the survey promised.
    fn warnings(&self) -> Vec<String> {
        self.0.warnings().map(ToString::to_string).collect()
    }

    /// The same rows with codes, labels or both.
    fn with_labels(&self, py: Python<'_>, labels: &str) -> PyResult<Self> {
        let labels = labels_of(py, labels)?;
        Ok(py.detach(|| Self(self.0.with_labels(labels))))
    }

    /// The same rows with these columns, in this order.
    fn select(&self, py: Python<'_>, columns: Vec<String>) -> PyResult<Self> {
        let chosen = self.0.select(&columns);
        chosen.map(Self).map_err(|e| error::raise(py, &Error::invalid_argument(e.to_string())))
    }

    /// To a file. Gives its size.
    fn save(&self, py: Python<'_>, path: PathBuf, format: &str) -> PyResult<u64> {
        let format = crate::queries::format_of(py, format)?;
        py.detach(|| self.0.save(path, format)).map_err(|e| error::raise(py, &e))
    }

    /// What the columns mean.
    fn codebook(&self) -> Codebook {
        Codebook(self.0.codebook())
    }

    /// The rows for whoever understands Arrow.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol allows us to give our own schema: it is the consumer's part to cast.
        let _ = requested_schema;
        stream(py, self.0.reader())
    }

    /// The columns and their types.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.0.schema().as_ref())
            .map_err(|e| error::raise(py, &Error::internal(e.to_string())))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}

/// The codebook of a table.
#[pyclass(frozen, module = "sondage._native")]
pub struct Codebook(sondage_data::Codebook);

#[pymethods]
impl Codebook {
    /// As a page to read.
    fn to_markdown(&self) -> String {
        self.0.to_markdown()
    }

    /// As a table of texts, a line for each column.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batch = self.0.to_batch().map_err(|e| error::raise(py, &Error::internal(e.to_string())))?;
        let schema = batch.schema();
        stream(py, RecordBatchIterator::new([Ok(batch)], schema))
    }
}

fn stream(py: Python<'_>, reader: impl RecordBatchReader + Send + 'static) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
}
