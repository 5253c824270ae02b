//! The client behind `sondage.Client` and `sondage.AsyncClient`.

use crate::from_python::from_python;
use crate::lists::{self, Pages};
use crate::work::Work;
use crate::{answer, error, operations, tables};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sondage::{CallOptions, Client, Effect, Error, Json, RawCall};
use std::time::Duration;

/// A client of the core with the options of its calls.
#[pyclass(frozen, module = "sondage._native")]
pub struct Native {
    client: Client,
    options: CallOptions,
    /// Whether calls give the whole answer.
    whole: bool,
}

#[pymethods]
impl Native {
    #[new]
    fn new(py: Python<'_>, settings: std::collections::HashMap<String, String>) -> PyResult<Self> {
        crate::logging::connect(py);
        let config = settings
            .into_iter()
            .try_fold(sondage::config::ClientBuilder::new(), |builder, (name, text)| builder.set(&name, text))
            .and_then(|builder| builder.resolve())
            .map_err(|e| error::raise(py, &e))?;
        let client = Client::new(config).map_err(|e| error::raise(py, &e))?;
        Ok(Self { client, options: CallOptions::new(), whole: false })
    }

    /// Makes a call and waits for it.
    fn call(&self, py: Python<'_>, method: &str, arguments: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        operations::find(&self.client, method, arguments, self.whole)?.wait(py)
    }

    /// Starts a call on the running event loop.
    fn start<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        arguments: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        operations::find(&self.client, method, arguments, self.whole)?.start(py)
    }

    /// The complete list of a paged operation.
    fn pages(&self, method: &str, arguments: &Bound<'_, PyAny>) -> PyResult<Pages> {
        lists::find(&self.client, method, arguments)
    }

    /// The members of a panel, page by page.
    fn members(&self, panel_id: &Bound<'_, PyAny>, choices: &Bound<'_, PyAny>) -> PyResult<Pages> {
        lists::members(&self.client, panel_id, choices)
    }

    /// The members of a panel as a table.
    fn member_table(&self, panel_id: &Bound<'_, PyAny>, choices: &Bound<'_, PyAny>) -> PyResult<Work> {
        tables::members(&self.client, panel_id, choices)
    }

    /// The interviews of a survey as a table.
    fn interviews(&self, survey_id: &Bound<'_, PyAny>, choices: &Bound<'_, PyAny>) -> PyResult<Work> {
        tables::interviews(&self.client, survey_id, choices)
    }

    /// A call to an operation that the table does not know.
    fn raw(&self, py: Python<'_>, path: String, body: &Bound<'_, PyAny>, effect: &str) -> PyResult<Work> {
        let body: Json = from_python(body).map_err(|fault| fault.under("body").raise(py, &path))?;
        let effect = effect_of(effect).ok_or_else(|| {
            let what = format!("effect must be read, set, create, structural or send, not {effect:?}");
            error::raise(py, &Error::invalid_argument(what))
        })?;
        let (client, whole) = (self.client.clone(), self.whole);
        let call = RawCall { path, body, effect };
        Ok(Work::new(async move { client.raw(call).await }, move |py, got| {
            answer::to_python(py, &got, whole)
        }))
    }

    /// The same client with other options for its calls.
    #[pyo3(signature = (deadline, extra, whole))]
    fn with_options(
        &self,
        py: Python<'_>,
        deadline: Option<f64>,
        extra: Option<&Bound<'_, PyDict>>,
        whole: Option<bool>,
    ) -> PyResult<Self> {
        let mut options = self.options.clone();
        if let Some(seconds) = deadline {
            let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
            options.deadline = Some(time.ok_or_else(|| {
                let what = format!("deadline must be a positive number of seconds, not {seconds}");
                error::raise(py, &Error::invalid_argument(what))
            })?);
        }
        for (name, value) in extra.into_iter().flatten() {
            let name: String = name.extract()?;
            let value =
                from_python(&value).map_err(|fault| fault.under(&name).under("extra").raise(py, ""))?;
            options.extra.insert(name, value);
        }
        let client = self.client.with(options.clone());
        Ok(Self { client, options, whole: whole.unwrap_or(self.whole) })
    }

    /// Writes that have been sent and not been answered: their operations, and for how many seconds.
    fn pending_writes(&self) -> Vec<(String, f64)> {
        let writes = self.client.pending_writes();
        writes.into_iter().map(|write| (write.operation, write.age.as_secs_f64())).collect()
    }

    /// Takes no more calls and waits for writes that are under way. Gives those that still are.
    fn close(&self, patience: f64) -> Work {
        let client = self.client.clone();
        let patience = Duration::try_from_secs_f64(patience).unwrap_or_default();
        Work::new(async move { Ok(client.close(patience).await) }, |py, left| {
            let left: Vec<_> =
                left.into_iter().map(|write| (write.operation, write.age.as_secs_f64())).collect();
            Ok(left.into_pyobject(py)?.unbind())
        })
    }
}

fn effect_of(word: &str) -> Option<Effect> {
    let effects = [Effect::Read, Effect::Set, Effect::Create, Effect::Structural, Effect::Send];
    effects.into_iter().find(|effect| effect.as_str() == word)
}
