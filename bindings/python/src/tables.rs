//! Interviews and members as Arrow tables, handed over without a copy.

mod cells;

use crate::error;
use crate::lists::{self, read};
use crate::work::Work;
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatchIterator, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use serde::Deserialize;
use sondage::condition::Expression;
use sondage::{Client, Error, Timestamp};
use sondage_data::{Labels, Tables};
use std::collections::HashMap;

/// What can be chosen about a table of interviews.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Interviews {
    fields: Option<Vec<String>>,
    r#where: Option<Expression>,
    state: Option<String>,
    updated_since: Option<Timestamp>,
    page_size: Option<i64>,
    check_count: Option<bool>,
    structured: bool,
    code_plan: Option<bool>,
}

/// Sets what was chosen, and leaves the rest as it is.
macro_rules! choose {
    ($query:ident: $($chosen:expr => $method:ident;)*) => {
        $(if let Some(value) = $chosen { $query = $query.$method(value); })*
    };
}

/// The interviews of a survey.
pub fn interviews(client: &Client, id: &Bound<'_, PyAny>, choices: &Bound<'_, PyAny>) -> PyResult<Work> {
    let (id, choices): (i64, Interviews) = read(("survey_id", id), choices, "interviews")?;
    let mut query = client.interviews(id);
    choose! { query:
        choices.fields => fields;
        choices.r#where => filter;
        choices.state.as_deref() => state;
        choices.updated_since => updated_since;
        choices.page_size => page_size;
        choices.check_count => check_count;
    }
    if choices.structured {
        query = query.structured();
    }
    if choices.code_plan == Some(false) {
        query = query.without_code_plan();
    }
    Ok(Work::new(async move { query.table().await }, handed_over))
}

/// The members of a panel. With `definition`, types and labels come from the panel, by one more call.
pub fn members(client: &Client, id: &Bound<'_, PyAny>, choices: &Bound<'_, PyAny>) -> PyResult<Work> {
    let (query, choices) = lists::query(client, id, choices)?;
    let mut query = client.member_table(query);
    if choices.definition {
        query = query.with_definition(choices.language.as_deref());
    }
    Ok(Work::new(async move { query.table().await }, handed_over))
}

fn handed_over(py: Python<'_>, table: sondage_data::Table) -> PyResult<Py<PyAny>> {
    Ok(Py::new(py, Table(table))?.into_any())
}

/// A table. It stays in the core: whoever takes it shares its memory.
#[pyclass(frozen, module = "sondage._native")]
pub struct Table(sondage_data::Table);

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
        let labels = match labels {
            "codes" => Labels::Codes,
            "labels" => Labels::Labels,
            "both" => Labels::Both,
            other => {
                let what = format!("labels must be True, False or \"both\", not {other:?}");
                return Err(error::raise(py, &Error::invalid_argument(what)));
            }
        };
        Ok(py.detach(|| Self(self.0.with_labels(labels))))
    }

    /// The same rows with these columns, in this order.
    fn select(&self, py: Python<'_>, columns: Vec<String>) -> PyResult<Self> {
        let chosen = self.0.select(&columns);
        chosen.map(Self).map_err(|e| error::raise(py, &Error::invalid_argument(e.to_string())))
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
