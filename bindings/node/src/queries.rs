//! Queries of interviews and members, and every way in which their rows leave them.

use crate::error::thrown;
use crate::pages::Pages;
use crate::table::{Table, handed_over, labels_of};
use crate::to_js::to_js;
use crate::work::Work;
use napi::bindgen_prelude::{JavaScriptClassExt, Unknown};
use napi::{Env, JsValue};
use napi_derive::napi;
use serde::Serialize;
use sondage::Error;
use sondage::paging;
use sondage_data::{Changes, Exported, FileFormat, Interviews, Members};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Whose rows.
#[derive(Clone)]
pub enum Asked {
    Interviews(Interviews),
    Members(Members),
}

/// A query. Nothing is read before its rows are asked for.
#[napi]
pub struct Query(pub(crate) Asked);

/// How far a download is, for who looks at it now and then.
#[napi]
pub struct Watch(Arc<Mutex<Option<paging::Progress>>>);

/// How far a download is, as an object.
#[derive(Serialize)]
struct Progress {
    rows: i64,
    calls: u64,
    bytes: u64,
    total: Option<i64>,
}

impl From<paging::Progress> for Progress {
    fn from(at: paging::Progress) -> Self {
        Self { rows: at.rows, calls: at.calls, bytes: at.bytes, total: at.count }
    }
}

#[derive(Serialize)]
struct Done {
    path: String,
    rows: usize,
    size: u64,
    progress: Progress,
    warnings: Vec<String>,
}

impl From<Exported> for Done {
    fn from(done: Exported) -> Self {
        Self {
            path: done.path.display().to_string(),
            rows: done.rows,
            size: done.size,
            progress: done.progress.into(),
            warnings: done.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}

#[derive(Serialize)]
struct Cost {
    rows: Option<i64>,
    calls: Option<i64>,
    bytes: Option<i64>,
}

#[derive(Serialize)]
struct Removed<'a> {
    id: &'a str,
    reset: bool,
}

#[napi]
#[allow(clippy::new_without_default)] // JavaScript makes it
impl Watch {
    #[napi(constructor)]
    pub fn new() -> Self {
        Self(Arc::default())
    }

    /// `null` before the first call.
    #[napi(catch_unwind)]
    pub fn now<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        let now = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        to_js(env, &now.map(Progress::from))
    }

    fn note(&self) -> impl Fn(&paging::Progress) + Send + Sync + 'static {
        let noted = Arc::clone(&self.0);
        move |progress| *noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(*progress)
    }
}

impl Query {
    fn watched(&self, watch: &Watch) -> Asked {
        match self.0.clone() {
            Asked::Interviews(query) => Asked::Interviews(query.on_progress(watch.note())),
            Asked::Members(query) => Asked::Members(query.on_progress(watch.note())),
        }
    }
}

#[napi]
impl Query {
    /// All rows as a table.
    #[napi(catch_unwind)]
    pub fn table(&self, watch: &Watch) -> Work {
        let query = self.watched(watch);
        let read = async move {
            match query {
                Asked::Interviews(query) => query.table().await,
                Asked::Members(query) => query.table().await,
            }
        };
        Work::with(read, handed_over)
    }

    /// A table for each page.
    #[napi(catch_unwind)]
    pub fn batches(&self, watch: &Watch) -> Pages {
        Pages::tables(self.watched(watch))
    }

    /// To a file.
    #[napi(catch_unwind)]
    pub fn export(
        &self,
        env: &Env,
        path: String,
        format: String,
        labels: String,
        resume: bool,
        watch: &Watch,
    ) -> napi::Result<Work> {
        let (format, labels) = (format_of(env, &format)?, labels_of(env, &labels)?);
        let export = match self.watched(watch) {
            Asked::Interviews(query) => query.export(path),
            Asked::Members(query) => query.export(path),
        };
        let export = export.format(format).labels(labels).resume(resume);
        Ok(Work::new(async move { export.run().await.map(Done::from) }))
    }

    /// Asked, calls and bytes that a download will cost.
    #[napi(catch_unwind)]
    pub fn estimate(&self) -> Work {
        let query = self.0.clone();
        Work::new(async move {
            let cost = match query {
                Asked::Interviews(query) => query.estimate().await,
                Asked::Members(query) => query.estimate().await,
            };
            cost.map(|cost| Cost { rows: cost.rows, calls: cost.calls, bytes: cost.bytes })
        })
    }

    /// What changed since the last load.
    #[napi(catch_unwind)]
    pub fn delta(
        &self,
        env: &Env,
        state: String,
        overlap: Option<f64>,
        removed: bool,
        watch: &Watch,
    ) -> napi::Result<Work> {
        let Asked::Interviews(query) = self.watched(watch) else {
            return Err(thrown(env, &Error::internal("members have no changes to load")));
        };
        let mut delta = query.delta(state).find_removed(removed);
        if let Some(millis) = overlap {
            let time = Duration::try_from_secs_f64(millis / 1e3).map_err(|_| {
                let what = format!("overlap must be a number of milliseconds, not {millis}");
                thrown(env, &Error::invalid_argument(what))
            })?;
            delta = delta.overlap(time);
        }
        let load = async move { delta.begin().await };
        Ok(Work::with(load, |env, changes| {
            Ok(OpenLoad(Some(changes)).into_instance(env)?.as_object(env).to_unknown())
        }))
    }
}

/// A delta load that has not been committed.
#[napi]
pub struct OpenLoad(Option<Changes>);

#[napi]
impl OpenLoad {
    /// What changed.
    #[napi(catch_unwind)]
    pub fn table(&self, env: &Env) -> napi::Result<Table> {
        match &self.0 {
            Some(changes) => Ok(Table::of(changes.table.clone())),
            None => Err(thrown(env, &Error::internal("the load has ended"))),
        }
    }

    /// What went away.
    #[napi(catch_unwind)]
    pub fn removed<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        let removed = self.0.iter().flat_map(|changes| &changes.removed);
        let removed: Vec<_> = removed.map(|one| Removed { id: &one.id, reset: one.reset }).collect();
        to_js(env, &removed)
    }

    /// What the load took.
    #[napi(catch_unwind)]
    pub fn progress<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        to_js(env, &self.0.as_ref().map(|changes| Progress::from(changes.progress)))
    }

    /// The next load begins after these changes.
    #[napi(catch_unwind)]
    pub fn commit(&mut self, env: &Env) -> napi::Result<()> {
        let Some(changes) = self.0.take() else { return Ok(()) };
        changes.commit().map_err(|error| thrown(env, &error))
    }

    /// Lets the changes come again.
    #[napi]
    pub fn drop(&mut self) {
        self.0 = None;
    }
}

/// The format with this name, or of a file with this name.
pub fn format_of(env: &Env, word: &str) -> napi::Result<FileFormat> {
    FileFormat::of_path(Path::new(&format!("file.{word}"))).ok_or_else(|| {
        thrown(
            env,
            &Error::invalid_argument("a file is parquet, csv or jsonl; name it so, or say its format"),
        )
    })
}
