//! Python as a language of `sondage-ffi`.

use crate::error;
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sondage::Error;
use sondage::error::Wording;
use sondage_ffi::{ArgContext, ArgResult, Language, Unit};
use sondage_python_values::{from_python, to_python};

/// Python.
pub struct Python3;

/// Why an argument was not accepted.
pub enum Refused {
    /// An exception of the caller's own object.
    Raised(PyErr),
    /// The argument is wrong.
    Wrong(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Wrong(error)
    }
}

impl Refused {
    /// The exception for the caller.
    pub fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Raised(raised) => raised,
            Self::Wrong(error) => error::raise(py, &error),
        }
    }
}

/// A result that becomes a Python object once a thread is attached.
pub type HostValue = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

impl Language for Python3 {
    type Args<'a> = Bound<'a, PyAny>;
    type Refused = Refused;
    type HostValue = HostValue;

    const TIME: Unit = Unit::Seconds;
    const WORDING: Wording = Wording {
        idioms: &[("condition::question", "field.question"), ("condition::column", "field.column")],
        ..Wording::RUST
    };
    const TRUTH: [&'static str; 2] = ["True", "False"];

    fn read<T: DeserializeOwned>(args: Bound<'_, PyAny>, about: &ArgContext<'_>) -> ArgResult<T, Self> {
        from_python(&args).map_err(|fault| {
            let fault = if about.argument.is_empty() { fault } else { fault.under(about.argument) };
            match fault.into_raised() {
                Ok(raised) => Refused::Raised(raised),
                Err(what) => Error::invalid_argument(what).in_operation(about.call).into(),
            }
        })
    }

    fn host_value<T: Serialize + Send + 'static>(value: T) -> HostValue {
        Box::new(move |py| to_python(py, &value).map(Bound::unbind))
    }

    /// As JSON, which the classes of events and ledgers read.
    fn json<T: Serialize + Send + 'static>(value: T) -> HostValue {
        let json = serde_json::to_string(&value).unwrap_or_default();
        Box::new(move |py| Ok(PyString::new(py, &json).into_any().unbind()))
    }
}
