#![doc = sondage::about!(handles)]

use crate::completions::Waiting;
use crate::language::{HostValue, Python3};
use crate::tokens::Provider;
use crate::work::Work;
use crate::{error, logging, parents, rows};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sondage::Error;
use sondage::webhook::Guard;
use sondage_ffi::client::Client;
use sondage_ffi::{Attachment, Call, Output, Reply, operations};
use std::borrow::Cow;

#[doc = sondage::about!(handle)]
#[pyclass(frozen, module = "sondage._native")]
pub struct Handle {
    handle: sondage_ffi::Handle<Python3>,
    /// The token provider of the client from which it comes.
    provider: Option<Provider>,
}

/// A handle, or an Arrow stream of rows.
pub fn attachment<'a>(other: Option<&'a Bound<'_, PyAny>>) -> PyResult<Attachment<'a, Python3>> {
    Ok(match other {
        None => Attachment::None,
        Some(other) if other.is_instance_of::<PyCapsule>() => {
            Attachment::Rows(Box::new(rows::of(other.cast()?)?))
        }
        Some(other) => Attachment::Handle(&other.cast::<Handle>()?.get().handle),
    })
}

#[pymethods]
impl Handle {
    /// Calls a method. `other`: a handle that it takes in addition to its argument, or an Arrow stream of rows.
    #[pyo3(signature = (method, args = None, other = None))]
    fn method(
        &self,
        py: Python<'_>,
        method: &str,
        args: Option<Bound<'_, PyAny>>,
        other: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        logging::look(py);
        let under = self.under(py)?;
        let args = args.unwrap_or_else(|| py.None().into_bound(py));
        let with = attachment(other)?;
        let handle = under.as_ref().unwrap_or(&self.handle);
        let reply = handle.call(Call { method, args, with }).map_err(|refused| refused.raise(py))?;
        hand_over(py, reply, self.provider.as_ref(), handle.calls_of())
    }

    /// Calls an operation and waits for it.
    fn call(&self, py: Python<'_>, operation: &str, args: Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.work(py, operation, args)?.wait(py, None)
    }

    /// Starts a call of an operation for the running event loop.
    fn start(&self, py: Python<'_>, operation: &str, args: Bound<'_, PyAny>) -> PyResult<Waiting> {
        self.work(py, operation, args)?.start(py)
    }

    #[doc = sondage::about!(pages)]
    fn pages(&self, py: Python<'_>, operation: &str, args: Bound<'_, PyAny>) -> PyResult<Self> {
        logging::look(py);
        let row = operations::find::<Python3>(operation).map_err(|error| error::raise(py, &error))?;
        let client = self.client(py)?;
        let pages = row.pages(&client, args).map_err(|refused| refused.raise(py))?;
        Ok(Self { handle: pages.into(), provider: self.provider.clone() })
    }

    /// The rows as an Arrow capsule.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol allows us to keep our own schema: casting is the consumer's task.
        let _ = requested_schema;
        rows::stream(py, self.reader(py)?)
    }

    /// The columns and their types.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        rows::schema(py, &self.reader(py)?.schema())
    }
}

impl Handle {
    /// A client.
    pub fn client_of(client: Client, provider: Option<Provider>) -> Self {
        Self { handle: client.into(), provider }
    }

    /// A guard.
    pub fn of_guard(guard: Guard) -> Self {
        Self { handle: guard.into(), provider: None }
    }

    /// A client with the current span as the parent of its calls.
    fn client(&self, py: Python<'_>) -> PyResult<Cow<'_, Client>> {
        let none = || error::raise(py, &Error::internal("only a client makes calls"));
        let client = self.handle.client().ok_or_else(none)?;
        Ok(match parents::current(py)? {
            Some(parent) => Cow::Owned(client.under(parent)),
            None => Cow::Borrowed(client),
        })
    }

    /// The same for methods; `None` if the handle is not a client, or spans are off.
    fn under(&self, py: Python<'_>) -> PyResult<Option<sondage_ffi::Handle<Python3>>> {
        let Some(client) = self.handle.client() else { return Ok(None) };
        Ok(parents::current(py)?.map(|parent| client.under(parent).into()))
    }

    fn work(&self, py: Python<'_>, operation: &str, args: Bound<'_, PyAny>) -> PyResult<Work> {
        logging::look(py);
        let row = operations::find::<Python3>(operation).map_err(|error| error::raise(py, &error))?;
        let work = self.client(py)?.call(row, args).map_err(|refused| refused.raise(py))?;
        Ok(Work::new(work, self.provider.clone(), self.handle.calls_of().cloned()))
    }

    fn reader(&self, py: Python<'_>) -> PyResult<rows::Reader> {
        let none = || PyTypeError::new_err("this object has no rows");
        let reader = self.handle.reader().ok_or_else(none)?;
        reader.map_err(|e| error::raise(py, &Error::internal(e.to_string())))
    }
}

/// The reply of a method, as a Python object.
pub fn hand_over(
    py: Python<'_>,
    reply: Reply<Python3>,
    provider: Option<&Provider>,
    client: Option<&sondage::Client>,
) -> PyResult<Py<PyAny>> {
    let output = match reply {
        Reply::Ready(output) => output,
        Reply::Blocking(work) => py.detach(work).map_err(|error| error::raise(py, &error))?,
        Reply::Async(work) => {
            return Ok(Py::new(py, Work::new(work, provider.cloned(), client.cloned()))?.into_any());
        }
    };
    ready(output, provider.cloned())(py)
}

/// A value, or a handle as a Python object.
pub fn ready(output: Output<Python3>, provider: Option<Provider>) -> HostValue {
    match output {
        Output::Value(value) => value,
        Output::Handle(handle) => {
            Box::new(move |py| Ok(Py::new(py, Handle { handle: *handle, provider })?.into_any()))
        }
    }
}
