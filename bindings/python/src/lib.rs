//! sondage for Python: the things of the core and their verbs, from blocking code and from asyncio.

mod bell;
mod error;
mod gate;
mod language;
mod logging;
mod outbox;
mod rows;
mod thing;
mod tokens;
mod work;

use pyo3::prelude::*;

/// The compiled part of `sondage`.
#[pymodule]
mod _native {
    use crate::language::Python3;
    #[pymodule_export]
    use crate::thing::Thing;
    #[pymodule_export]
    use crate::work::Work;
    use crate::{gate, logging, thing, tokens};
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;
    use sondage::Timestamp;
    use sondage_doors::client::Client;
    use sondage_doors::{Call, With};

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
        py.detach(gate::close);
    }

    /// A client. Nothing is sent before its first call.
    #[pyfunction]
    fn connect(
        py: Python<'_>,
        settings: Bound<'_, PyAny>,
        token_provider: Option<Py<PyAny>>,
    ) -> PyResult<Thing> {
        logging::connect();
        let provider = token_provider.map(tokens::Provider::new);
        let client =
            Client::new::<Python3>(settings, provider.clone()).map_err(|refused| refused.raise(py))?;
        Ok(Thing::client_of(client, provider))
    }

    /// Makes a thing, or does what needs none.
    #[pyfunction]
    #[pyo3(signature = (verb, given = None))]
    fn make(py: Python<'_>, verb: &str, given: Option<Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        logging::connect();
        let given = given.unwrap_or_else(|| py.None().into_bound(py));
        let outcome = sondage_doors::make(&Call::<Python3> { verb, given, with: With::Nothing });
        thing::hand_over(py, outcome.map_err(|refused| refused.raise(py))?, None)
    }

    /// Reads a point in time as the API writes it.
    #[pyfunction]
    fn read_time(py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
        let time: Timestamp = text.parse().map_err(PyValueError::new_err)?;
        sondage_python_values::to_python(py, &time).map(Bound::unbind)
    }
}
