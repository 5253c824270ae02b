//! sondage for Python: the core, reached through serde, from blocking code and from asyncio.

mod answer;
mod classes;
mod create;
mod error;
mod from_python;
mod gate;
mod lists;
mod logging;
mod login;
mod native;
mod operations;
mod outbox;
mod queries;
mod sandbox;
mod tables;
mod to_python;
mod tokens;
mod webhook;
mod work;

use pyo3::prelude::*;

/// The compiled part of `sondage`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::lists::Pages;
    #[pymodule_export]
    use crate::login::NativeLogin;
    #[pymodule_export]
    use crate::native::Native;
    #[pymodule_export]
    use crate::queries::{OpenLoad, Pages as TablePages, Query, Watch};
    #[pymodule_export]
    use crate::sandbox::{NativeFault, NativeSandbox};
    #[pymodule_export]
    use crate::tables::{Codebook, Table};
    #[pymodule_export]
    use crate::webhook::{NativeGuard, NativeHook, NativeTicket};
    #[pymodule_export]
    use crate::work::Work;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        py.import("atexit")?.call_method1("register", (wrap_pyfunction!(close_the_gate, module)?,))?;
        Ok(())
    }

    /// Lets no thread come back to an interpreter that is going away.
    #[pyfunction]
    fn close_the_gate(py: Python<'_>) {
        py.detach(crate::gate::close);
    }

    /// The conditions that a request carries for a filter.
    #[pyfunction]
    fn compile_expression(expression: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = expression.py();
        let read: sondage::condition::Expression = crate::from_python::from_python(expression)
            .map_err(|fault| fault.under("where").raise(py, ""))?;
        let conditions = read.compile().map_err(|error| crate::error::raise(py, &error))?;
        crate::to_python::to_python(py, &conditions).map(Bound::unbind)
    }

    /// Reads a point in time as the API writes it.
    #[pyfunction]
    fn read_time(py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
        let time = text.parse().map_err(pyo3::exceptions::PyValueError::new_err)?;
        crate::classes::datetime(py, time).map(Bound::unbind)
    }
}
