//! Queries of interviews and members, and every way in which their rows leave them.

use crate::error;
use crate::lists;
use crate::tables::{Table, labels_of};
use crate::work::Work;
use pyo3::prelude::*;
use serde::Deserialize;
use sondage::condition::Expression;
use sondage::model::OrderDirection;
use sondage::paging::{Order, Progress};
use sondage::{Client, Error, Timestamp};
use sondage_data::{Batches, Changes, Export, Exported, FileFormat, Interviews, Members, Tables};
use std::path::PathBuf;
use std::sync::{Arc, Mutex as Lock, PoisonError};
use std::time::Duration;
use tokio::sync::Mutex;

/// What can be chosen about interviews.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Choices {
    fields: Option<Vec<String>>,
    r#where: Option<Expression>,
    state: Option<String>,
    updated_since: Option<Timestamp>,
    page_size: Option<i64>,
    first_page: Option<i64>,
    order_by: Option<String>,
    descending: bool,
    check_count: Option<bool>,
    structured: bool,
    code_plan: Option<bool>,
}

/// Sets what was chosen, and leaves the rest as it is.
macro_rules! choose {
    ($query:ident: $($chosen:expr => $method:ident;)*) => {
        $(if let Some(value) = $chosen { $query = $query.$method(value); })*
    };
}

/// The interviews of a survey.
pub fn interviews(client: &Client, id: &Bound<'_, PyAny>, choices: &Bound<'_, PyAny>) -> PyResult<Query> {
    let (id, choices): (i64, Choices) = lists::read(("survey_id", id), choices, "interviews")?;
    let mut query = client.interviews(id);
    let direction = if choices.descending { OrderDirection::Descending } else { OrderDirection::Ascending };
    choose! { query:
        choices.fields => fields;
        choices.r#where => filter;
        choices.state.as_deref() => state;
        choices.updated_since => updated_since;
        choices.page_size => page_size;
        choices.first_page => first_page;
        choices.order_by.map(|field| Order::By(field, direction)) => order;
        choices.check_count => check_count;
    }
    if choices.structured {
        query = query.structured();
    }
    if choices.code_plan == Some(false) {
        query = query.without_code_plan();
    }
    Ok(Query(Rows::Interviews(query)))
}

/// The members of a panel. With `definition`, types and labels come from the panel, by one more call.
pub fn members(client: &Client, id: &Bound<'_, PyAny>, choices: &Bound<'_, PyAny>) -> PyResult<Query> {
    let (query, choices) = lists::query(client, id, choices)?;
    let mut query = client.member_table(query);
    if choices.definition {
        query = query.with_definition(choices.language.as_deref());
    }
    Ok(Query(Rows::Members(query)))
}

/// A query. Nothing is read before its rows are asked for.
#[pyclass(frozen, module = "sondage._native")]
pub struct Query(Rows);

/// Whose rows.
#[derive(Clone)]
enum Rows {
    Interviews(Interviews),
    Members(Members),
}

/// How far a download is, for who looks at it now and then.
#[pyclass(frozen, module = "sondage._native")]
#[derive(Clone, Default)]
pub struct Watch(Arc<Lock<Option<Progress>>>);

/// Rows, calls, bytes, and the service's own count.
type Numbers = (i64, u64, u64, Option<i64>);

fn numbers(progress: &Progress) -> Numbers {
    (progress.rows, progress.calls, progress.bytes, progress.count)
}

impl Watch {
    fn note(&self) -> impl Fn(&Progress) + Send + Sync + 'static {
        let noted = Arc::clone(&self.0);
        move |progress| *noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(*progress)
    }
}

#[pymethods]
impl Watch {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// `None` before the first call.
    fn now(&self) -> Option<Numbers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(numbers)
    }
}

impl Query {
    fn watched(&self, watch: &Watch) -> Rows {
        match self.0.clone() {
            Rows::Interviews(query) => Rows::Interviews(query.on_progress(watch.note())),
            Rows::Members(query) => Rows::Members(query.on_progress(watch.note())),
        }
    }
}

impl Rows {
    fn export_to(&self, path: PathBuf) -> Export {
        match self {
            Rows::Interviews(query) => query.export(path),
            Rows::Members(query) => query.export(path),
        }
    }
}

#[pymethods]
impl Query {
    /// All rows as a table.
    fn table(&self, watch: &Watch) -> Work {
        let query = self.watched(watch);
        let read = async move {
            match query {
                Rows::Interviews(query) => query.table().await,
                Rows::Members(query) => query.table().await,
            }
        };
        Work::new(read, Table::handed_over)
    }

    /// Page by page.
    fn batches(&self, watch: &Watch) -> Pages {
        Pages { query: self.watched(watch), begun: Arc::default() }
    }

    /// To a file: its rows, its size, what it took, and warnings.
    fn export(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: &str,
        labels: &str,
        resume: bool,
        watch: &Watch,
    ) -> PyResult<Work> {
        let export = self.watched(watch).export_to(path).format(format_of(py, format)?);
        let export = export.labels(labels_of(py, labels)?).resume(resume);
        Ok(Work::new(export.run(), |py, done: Exported| {
            let warnings: Vec<String> = done.warnings.iter().map(ToString::to_string).collect();
            let told = (done.rows, done.size, numbers(&done.progress), warnings);
            Ok(told.into_pyobject(py)?.into_any().unbind())
        }))
    }

    /// A single page and the service's count of the whole list.
    fn page(&self, py: Python<'_>, number: i64, size: i64) -> PyResult<Work> {
        let Rows::Interviews(query) = self.0.clone() else {
            return Err(error::raise(py, &Error::internal("pages of members are not shared")));
        };
        Ok(Work::new(async move { query.page(number, size).await }, |py, (table, count)| {
            let table = Table::handed_over(py, table)?;
            Ok((table, count).into_pyobject(py)?.into_any().unbind())
        }))
    }

    /// Rows, calls and bytes that a download will cost.
    fn estimate(&self) -> Work {
        let query = self.0.clone();
        let read = async move {
            match query {
                Rows::Interviews(query) => query.estimate().await,
                Rows::Members(query) => query.estimate().await,
            }
        };
        Work::new(read, |py, cost| {
            Ok((cost.rows, cost.calls, cost.bytes).into_pyobject(py)?.into_any().unbind())
        })
    }

    /// What changed since the last load.
    fn delta(
        &self,
        py: Python<'_>,
        state: PathBuf,
        overlap: Option<f64>,
        removed: bool,
        watch: &Watch,
    ) -> PyResult<Work> {
        let Rows::Interviews(query) = self.watched(watch) else {
            return Err(error::raise(py, &Error::internal("members have no changes to load")));
        };
        let mut delta = query.delta(state).find_removed(removed);
        if let Some(seconds) = overlap {
            let time = Duration::try_from_secs_f64(seconds).map_err(|_| {
                let what = format!("overlap must be a number of seconds, not {seconds}");
                error::raise(py, &Error::invalid_argument(what))
            })?;
            delta = delta.overlap(time);
        }
        Ok(Work::new(async move { delta.begin().await }, |py, changes| {
            let table = Table::handed_over(py, changes.table.clone())?;
            let removed: Vec<_> = changes.removed.iter().map(|one| (one.id.clone(), one.reset)).collect();
            let told = numbers(&changes.progress);
            let open = Py::new(py, OpenLoad(Lock::new(Some(changes))))?;
            Ok((open, table, removed, told).into_pyobject(py)?.into_any().unbind())
        }))
    }
}

/// A delta load that has not been committed.
#[pyclass(frozen, module = "sondage._native")]
pub struct OpenLoad(Lock<Option<Changes>>);

impl OpenLoad {
    fn take(&self) -> Option<Changes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[pymethods]
impl OpenLoad {
    /// The next load begins after these changes.
    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        let Some(changes) = self.take() else { return Ok(()) };
        changes.commit().map_err(|e| error::raise(py, &e))
    }

    /// Lets the changes come again.
    fn drop(&self) {
        self.take();
    }
}

/// Tables, one for each page.
#[pyclass(frozen, module = "sondage._native", name = "TablePages")]
pub struct Pages {
    query: Rows,
    begun: Arc<Mutex<Option<Batches>>>,
}

#[pymethods]
impl Pages {
    /// The next table; `None` when the list is complete.
    fn next(&self) -> Work {
        let (query, begun) = (self.query.clone(), Arc::clone(&self.begun));
        let next = async move {
            let mut begun = begun.lock().await;
            if begun.is_none() {
                *begun = Some(match query {
                    Rows::Interviews(query) => query.batches()?,
                    Rows::Members(query) => query.batches().await?,
                });
            }
            match begun.as_mut() {
                Some(batches) => batches.next().await,
                None => Ok(None),
            }
        };
        Work::new(next, |py, table| match table {
            Some(table) => Table::handed_over(py, table),
            None => Ok(py.None()),
        })
    }
}

/// The format with this name.
pub fn format_of(py: Python<'_>, word: &str) -> PyResult<FileFormat> {
    Ok(match word {
        "parquet" => FileFormat::Parquet,
        "csv" => FileFormat::Csv,
        "jsonl" => FileFormat::JsonLines,
        other => {
            let what = format!("a file is parquet, csv or jsonl, not {other:?}");
            return Err(error::raise(py, &Error::invalid_argument(what)));
        }
    })
}
