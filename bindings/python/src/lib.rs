//! sondage for Python: the core, reached through serde, from blocking code and from asyncio.

mod answer;
mod classes;
mod error;
mod from_python;
mod gate;
mod logging;
mod native;
mod operations;
mod outbox;
mod to_python;
mod work;

use pyo3::prelude::*;

/// The compiled part of `sondage`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::native::Native;
    #[pymodule_export]
    use crate::work::Work;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        py.import("atexit")?.call_method1("register", (wrap_pyfunction!(close_the_gate, module)?,))?;
        Ok(())
    }

    /// Lets no thread come back to an interpreter that is going away.
    #[pyfunction]
    fn close_the_gate(py: Python<'_>) {
        py.detach(crate::gate::close);
    }

    /// Reads a point in time as the API writes it.
    #[pyfunction]
    fn read_time(py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
        let time = text.parse().map_err(pyo3::exceptions::PyValueError::new_err)?;
        crate::classes::datetime(py, time).map(Bound::unbind)
    }
}
