//! Queries of interviews and members, and every way in which their rows leave them.

use crate::bytes::Place;
use crate::given::{Call, With};
use crate::language::Language;
use crate::load::Open;
use crate::outcome::{Done, Outcome};
use crate::pages::Pages;
use crate::table::{format_of, labels_of};
use crate::thing::{Thing, Verbs};
use crate::watch::Progress;
use serde::{Deserialize, Serialize};
use sondage::{Error, Result};
use sondage_data::{Batches, Estimate, Exported, FileOptions, Interviews, Members, Table};

/// A query. Nothing is read before its rows are asked for.
#[derive(Clone)]
pub enum Query {
    /// Of interviews.
    Interviews(Interviews),
    /// Of members.
    Members(Members),
}

/// Does the same with both kinds of query.
macro_rules! either {
    ($query:expr, $bound:ident => $does:expr) => {
        match $query {
            Query::Interviews($bound) => $does,
            Query::Members($bound) => $does,
        }
    };
}

/// A file to be written.
#[derive(Deserialize)]
struct ToFile {
    path: Place,
    format: String,
    labels: String,
    resume: bool,
    #[serde(default)]
    shared: bool,
    #[serde(default)]
    spreadsheet: bool,
}

/// A file that was written.
#[derive(Serialize)]
struct File {
    path: String,
    rows: usize,
    size: u64,
    progress: Progress,
    warnings: Vec<String>,
}

/// What a download will cost.
#[derive(Serialize)]
struct Cost {
    rows: Option<i64>,
    calls: Option<i64>,
    bytes: Option<i64>,
}

#[derive(Deserialize)]
struct Which {
    number: i64,
    size: i64,
}

/// What a delta load is to do.
#[derive(Deserialize)]
struct Since {
    state: Place,
    overlap: Option<f64>,
    removed: bool,
}

impl Query {
    /// Begins to read tables.
    pub async fn batches(self) -> Result<Batches> {
        match self {
            Self::Interviews(query) => query.batches(),
            Self::Members(query) => query.batches().await,
        }
    }

    /// The query, telling the watch that was handed over.
    fn watched<L: Language>(&self, call: &Call<'_, L>) -> Self {
        let With::Thing(Thing::Watch(watch)) = call.with else { return self.clone() };
        match self.clone() {
            Self::Interviews(query) => Self::Interviews(query.on_progress(watch.note())),
            Self::Members(query) => Self::Members(query.on_progress(watch.note())),
        }
    }

    fn interviews<L: Language>(&self, call: &Call<'_, L>) -> Result<Interviews> {
        match self.watched(call) {
            Self::Interviews(query) => Ok(query),
            Self::Members(_) => Err(Error::internal("this is for interviews, not for members")),
        }
    }
}

impl<L: Language> Verbs<L> for Query {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        let query = self.watched(&call);
        match call.verb {
            "table" => Outcome::thing_later(async move { either!(query, query => query.table().await) }),
            "batches" => Outcome::thing(Pages::<L>::tables(query)),
            "estimate" => {
                Outcome::later(async move { either!(query, query => query.estimate().await).map(cost) })
            }
            "export" => {
                let to: ToFile = call.read()?;
                let (format, labels) = (format_of(&to.format)?, labels_of::<L>(&to.labels)?);
                let export = either!(query, query => query.export(to.path.0));
                let export = export.format(format).labels(labels).resume(to.resume);
                let options = FileOptions::default().shared(to.shared).spreadsheet(to.spreadsheet);
                let export = export.options(options);
                Outcome::later(async move { export.run().await.map(|file| done(&file)) })
            }
            "page" => {
                let (query, which): (_, Which) = (self.interviews(&call)?, call.read()?);
                let page = async move { query.page(which.number, which.size).await };
                Outcome::thing_later(async move { page.await.map(|(table, count)| Page { table, count }) })
            }
            "delta" => {
                let (query, since): (_, Since) = (self.interviews(&call)?, call.read()?);
                let mut delta = query.delta(since.state.0).find_removed(since.removed);
                if let Some(overlap) = since.overlap {
                    delta = delta.overlap(L::TIME.read("overlap", overlap)?);
                }
                Outcome::thing_later(async move { delta.begin().await.map(Open::from) })
            }
            _ => Err(call.unknown()),
        }
    }
}

/// A single page, and the service's count of the whole list.
pub struct Page {
    table: Table,
    count: Option<i64>,
}

impl<L: Language> Verbs<L> for Page {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        match call.verb {
            "table" => Outcome::thing(self.table.clone()),
            "count" => Outcome::value(self.count),
            _ => Err(call.unknown()),
        }
    }
}

fn cost(cost: Estimate) -> Cost {
    Cost { rows: cost.rows, calls: cost.calls, bytes: cost.bytes }
}

fn done(done: &Exported) -> File {
    File {
        path: done.path.display().to_string(),
        rows: done.rows,
        size: done.size,
        progress: done.progress.into(),
        warnings: done.warnings.iter().map(ToString::to_string).collect(),
    }
}
