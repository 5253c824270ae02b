//! The one class for everything that has verbs.

use crate::language::{Python3, Ready};
use crate::outbox::Waiting;
use crate::tokens::Provider;
use crate::work::Work;
use crate::{error, rows};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sondage::Error;
use sondage_doors::client::Client;
use sondage_doors::{Call, Gift, Outcome, With, operations};

/// A client, a query, a table, a sandbox, ...
#[pyclass(frozen, module = "sondage._native")]
pub struct Thing {
    thing: sondage_doors::Thing<Python3>,
    /// What the client that it comes from asks for tokens.
    provider: Option<Provider>,
}

#[pymethods]
impl Thing {
    /// Does what a verb says. `other`: a thing that it takes beside its arguments, or an Arrow stream of rows.
    #[pyo3(signature = (verb, given = None, other = None))]
    fn verb(
        &self,
        py: Python<'_>,
        verb: &str,
        given: Option<Bound<'_, PyAny>>,
        other: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let given = given.unwrap_or_else(|| py.None().into_bound(py));
        let with = match other {
            None => With::Nothing,
            Some(other) if other.is_instance_of::<PyCapsule>() => {
                With::Rows(Box::new(rows::of(other.cast()?)?))
            }
            Some(other) => With::Thing(&other.cast::<Self>()?.get().thing),
        };
        let outcome = self.thing.call(Call { verb, given, with }).map_err(|refused| refused.raise(py))?;
        hand_over(py, outcome, self.provider.as_ref())
    }

    /// Makes a call of an operation and waits for it.
    fn call(&self, py: Python<'_>, operation: &str, given: Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.work(py, operation, given)?.wait(py, None)
    }

    /// Starts a call of an operation for the running event loop.
    fn start(&self, py: Python<'_>, operation: &str, given: Bound<'_, PyAny>) -> PyResult<Waiting> {
        self.work(py, operation, given)?.start(py)
    }

    /// The complete list of a paged operation.
    fn pages(&self, py: Python<'_>, operation: &str, given: Bound<'_, PyAny>) -> PyResult<Self> {
        let row = operations::find::<Python3>(operation).map_err(|error| error::raise(py, &error))?;
        let pages = row.pages(self.client(py)?, given).map_err(|refused| refused.raise(py))?;
        Ok(Self { thing: pages.into(), provider: self.provider.clone() })
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
        rows::stream(py, self.reader(py)?)
    }

    /// The columns and their types.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        rows::schema(py, &self.reader(py)?.schema())
    }
}

impl Thing {
    /// A client.
    pub fn client_of(client: Client, provider: Option<Provider>) -> Self {
        Self { thing: client.into(), provider }
    }

    fn client(&self, py: Python<'_>) -> PyResult<&Client> {
        self.thing.client().ok_or_else(|| error::raise(py, &Error::internal("only a client makes calls")))
    }

    fn work(&self, py: Python<'_>, operation: &str, given: Bound<'_, PyAny>) -> PyResult<Work> {
        let row = operations::find::<Python3>(operation).map_err(|error| error::raise(py, &error))?;
        let work = self.client(py)?.call(row, given).map_err(|refused| refused.raise(py))?;
        Ok(Work::new(work, self.provider.clone()))
    }

    fn reader(&self, py: Python<'_>) -> PyResult<rows::Reader> {
        let none = || PyTypeError::new_err("this has no rows");
        let reader = self.thing.reader().ok_or_else(none)?;
        reader.map_err(|e| error::raise(py, &Error::internal(e.to_string())))
    }
}

/// What came out of a verb, as a Python object.
pub fn hand_over(
    py: Python<'_>,
    outcome: Outcome<Python3>,
    provider: Option<&Provider>,
) -> PyResult<Py<PyAny>> {
    let gift = match outcome {
        Outcome::Now(gift) => gift,
        Outcome::Here(work) => py.detach(work).map_err(|error| error::raise(py, &error))?,
        Outcome::Later(work) => return Ok(Py::new(py, Work::new(work, provider.cloned()))?.into_any()),
    };
    ready(gift, provider.cloned())(py)
}

/// A value, or a thing as a Python object.
pub fn ready(gift: Gift<Python3>, provider: Option<Provider>) -> Ready {
    match gift {
        Gift::Value(value) => value,
        Gift::Thing(thing) => {
            Box::new(move |py| Ok(Py::new(py, Thing { thing: *thing, provider })?.into_any()))
        }
    }
}
