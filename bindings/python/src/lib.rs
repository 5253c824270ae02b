//! sondage for Python: the handles of the core and their methods, from blocking code and from asyncio.

mod completions;
mod error;
mod events;
mod handle;
mod journals;
mod language;
mod logging;
mod parents;
mod rows;
mod shutdown;
mod tokens;
mod waker;
mod work;

use pyo3::prelude::*;

/// The compiled part of `sondage`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::handle::Handle;
    use crate::language::Python3;
    #[pymodule_export]
    use crate::parents::ask_parents;
    #[pymodule_export]
    use crate::work::Work;
    use crate::{error, events, handle, journals, logging, shutdown, tokens};
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;
    use sondage::Timestamp;
    use sondage::webhook::Guard;
    use sondage_ffi::Call;
    use sondage_ffi::client::Client;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        py.import("atexit")?.call_method1("register", (wrap_pyfunction!(forbid_attaching, module)?,))?;
        Ok(())
    }

    /// Prevents threads from attaching to an interpreter that is shutting down.
    #[pyfunction]
    fn forbid_attaching(py: Python<'_>) {
        py.detach(shutdown::close);
    }

    #[doc = sondage::about!(connect)]
    #[pyfunction]
    fn connect(
        py: Python<'_>,
        settings: Bound<'_, PyAny>,
        token_provider: Option<Py<PyAny>>,
        token_store: Option<Py<PyAny>>,
    ) -> PyResult<Handle> {
        logging::connect();
        let (asks, keeps) = (token_provider.is_some(), token_store.is_some());
        let provider = tokens::Provider::new(token_provider, token_store);
        let provider_to_call = provider.clone().filter(|_| asks);
        let client = match provider.clone().filter(|_| keeps) {
            Some(store) => Client::with_store::<Python3>(settings, provider_to_call, store),
            None => Client::new::<Python3>(settings, provider_to_call),
        };
        let client = client.map_err(|refused| refused.raise(py))?;
        Ok(Handle::client_of(client, provider))
    }

    #[doc = sondage::about!(offer_journal)]
    #[pyfunction]
    fn offer_journal(name: String, ask: Py<PyAny>) -> String {
        sondage_ffi::offer_journal(name, journals::Journal(ask))
    }

    /// A guard with a store of the caller's. `name`: its class; `ask` is called with the name of a method, keys, their owner, and the
    /// lease or a time in seconds; `lease` is in seconds.
    #[pyfunction]
    fn guard_with_store(
        py: Python<'_>,
        name: String,
        ask: Py<PyAny>,
        lease: Option<f64>,
    ) -> PyResult<Handle> {
        let lease = Guard::checked_lease(lease).map_err(|error| error::raise(py, &error))?;
        Ok(Handle::of_guard(Guard::with_store(events::Events { name, ask, lease })))
    }

    #[doc = sondage::about!(make)]
    #[pyfunction]
    #[pyo3(signature = (method, args = None, other = None))]
    fn make(
        py: Python<'_>,
        method: &str,
        args: Option<Bound<'_, PyAny>>,
        other: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        logging::connect();
        let args = args.unwrap_or_else(|| py.None().into_bound(py));
        let with = handle::attachment(other)?;
        let reply = sondage_ffi::make(Call::<Python3> { method, args, with });
        handle::hand_over(py, reply.map_err(|refused| refused.raise(py))?, None, None)
    }

    /// The command. The interpreter's lock is free while it runs.
    #[pyfunction]
    fn command(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| sondage_cli::run(arguments))
    }

    /// Reads a timestamp as the API writes it.
    #[pyfunction]
    fn read_time(py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
        let time: Timestamp = text.parse().map_err(PyValueError::new_err)?;
        sondage_python_values::to_python(py, &time).map(Bound::unbind)
    }
}
