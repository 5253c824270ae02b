//! The client behind `sondage.Client` and `sondage.AsyncClient`.

use crate::from_python::from_python;
use crate::lists::{self, Pages};
use crate::queries::{self, Query};
use crate::tokens::Provider;
use crate::webhook::{self, NativeGuard};
use crate::work::Work;
use crate::{answer, create, error, operations};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sondage::config::{ClientBuilder, Explained};
use sondage::{CallOptions, Client, Effect, Error, Json, RawCall};
use std::collections::HashMap;
use std::time::Duration;

/// A setting: its name, its value, its source.
type Setting = (&'static str, Option<String>, Option<String>);

/// A client of the core with the options of its calls.
#[pyclass(frozen, module = "sondage._native")]
pub struct Native {
    client: Client,
    options: CallOptions,
    /// Whether calls give the whole answer.
    whole: bool,
    provider: Option<Provider>,
}

/// A builder with these settings.
pub fn builder(settings: HashMap<String, String>) -> sondage::Result<ClientBuilder> {
    settings.into_iter().try_fold(ClientBuilder::new(), |builder, (name, value)| builder.set(&name, value))
}

impl Native {
    pub fn of(client: Client, options: CallOptions, provider: Option<Provider>) -> Self {
        Self { client, options, whole: false, provider }
    }

    /// The token provider has to know who calls.
    fn note(&self, py: Python<'_>, event_loop: bool) -> PyResult<()> {
        self.provider.as_ref().map_or(Ok(()), |provider| provider.note(py, event_loop))
    }
}

#[pymethods]
impl Native {
    #[new]
    #[pyo3(signature = (settings, token_provider))]
    fn new(
        py: Python<'_>,
        settings: HashMap<String, String>,
        token_provider: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        crate::logging::connect(py);
        let provider = token_provider.map(Provider::new);
        let build = || {
            let builder = builder(settings)?;
            match provider.clone() {
                Some(provider) => builder.token_provider(provider).build(),
                None => builder.build(),
            }
        };
        let client = build().map_err(|e| error::raise(py, &e))?;
        Ok(Self::of(client, CallOptions::new(), provider))
    }

    /// Makes a call and waits for it.
    fn call(&self, py: Python<'_>, method: &str, arguments: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.note(py, false)?;
        operations::find(&self.client, method, arguments, self.whole)?.wait(py, None)
    }

    /// Starts a call on the running event loop.
    fn start<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        arguments: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.note(py, true)?;
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
    fn member_table(&self, panel_id: &Bound<'_, PyAny>, choices: &Bound<'_, PyAny>) -> PyResult<Query> {
        queries::members(&self.client, panel_id, choices)
    }

    /// The interviews of a survey as a table.
    fn interviews(&self, survey_id: &Bound<'_, PyAny>, choices: &Bound<'_, PyAny>) -> PyResult<Query> {
        queries::interviews(&self.client, survey_id, choices)
    }

    /// Members from the rows of a table.
    fn create_from(&self, panel_id: i64, rows: &Bound<'_, PyAny>, chunk: usize) -> PyResult<Work> {
        self.note(rows.py(), false)?;
        create::create(&self.client, panel_id, rows, chunk)
    }

    /// What the API says about the entity of a webhook's event.
    #[pyo3(signature = (raw, name, columns))]
    fn confirm(&self, raw: String, name: Option<String>, columns: Vec<String>) -> Work {
        webhook::confirm(&self.client, raw, name, columns)
    }

    /// Events of a survey that no webhook told.
    #[pyo3(signature = (survey_id, since, columns, guard))]
    fn missed(&self, survey_id: i64, since: &str, columns: Vec<String>, guard: Option<&NativeGuard>) -> Work {
        webhook::missed(&self.client, survey_id, since, columns, guard)
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
        Ok(Self { client, options, whole: whole.unwrap_or(self.whole), provider: self.provider.clone() })
    }

    /// Every setting as a table for people, and one by one: name, value, source.
    fn explain(&self) -> (String, Vec<Setting>) {
        let explanation = self.client.config().explain();
        let line = |line: &Explained| {
            (line.setting, line.value.clone(), line.source.as_ref().map(ToString::to_string))
        };
        (explanation.to_string(), explanation.0.iter().map(line).collect())
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
