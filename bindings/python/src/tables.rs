//! Interviews and members as Arrow tables, handed over without a copy.

use crate::error;
use crate::lists::read;
use crate::work::Work;
use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use serde::Deserialize;
use sondage::condition::Expression;
use sondage::{Client, Error, Timestamp};
use sondage_data::{Labels, Tables};

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

/// What can be chosen about a table of members.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Members {
    fields: Option<Vec<String>>,
    r#where: Option<Expression>,
    interviews: bool,
    page_size: Option<i64>,
    check_count: Option<bool>,
    definition: Option<bool>,
    language: Option<String>,
}

/// Sets what was chosen, and leaves the rest as it is.
macro_rules! choose {
    ($query:ident: $($chosen:expr => $method:ident;)*) => {
        $(if let Some(value) = $chosen { $query = $query.$method(value); })*
    };
}

/// The interviews of a survey.
pub fn interviews(client: &Client, id: &Bound<'_, PyAny>, choices: &Bound<'_, PyAny>) -> PyResult<Work> {
    let (id, choices): (i64, Interviews) = read(id, choices, "ReadInterviewListCompact")?;
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

/// The members of a panel.
pub fn members(client: &Client, id: &Bound<'_, PyAny>, choices: &Bound<'_, PyAny>) -> PyResult<Work> {
    let (id, choices): (i64, Members) = read(id, choices, "ReadMemberList")?;
    let mut query = client.member_table(id);
    choose! { query:
        choices.fields => fields;
        choices.r#where => filter;
        choices.page_size => page_size;
        choices.check_count => check_count;
    }
    if choices.interviews {
        query = query.with_interviews();
    }
    if choices.definition == Some(true) {
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
impl Table {
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// Names of the columns.
    fn columns(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// What each column means, by the words of the Arrow field's metadata.
    fn metadata(&self, column: &str) -> Option<std::collections::HashMap<String, String>> {
        let field = self.0.field(column)?;
        Some(field.metadata().iter().map(|(key, value)| (key.to_string(), value.to_string())).collect())
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

    /// The codebook as Markdown.
    fn codebook(&self) -> String {
        self.0.codebook().to_markdown()
    }

    /// The rows for whoever understands Arrow.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol allows us to give our own schema: it is the consumer's part to cast.
        let _ = requested_schema;
        let reader: Box<dyn RecordBatchReader + Send> = Box::new(self.0.reader());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
    }

    /// The columns and their types.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.0.schema().as_ref())
            .map_err(|e| error::raise(py, &Error::internal(e.to_string())))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}
