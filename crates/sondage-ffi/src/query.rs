//! Queries of interviews and members, and every way in which their rows leave them.

use crate::language::{ArgResult, Language};
use crate::load::Load;
use crate::methods::{data, kinds};
use crate::pages::Pages;
use crate::table::{format_of, labels_of};
use crate::watch::{Observer, RowProgress};
use serde::Serialize;
use sondage::arguments::{DeltaOptions, ExportOptions, PageOptions};
use sondage::paging::Progress;
use sondage::{Error, Result};
use sondage_data::{Batches, Exported, FileOptions, Interviews, Labels, Members, Table};

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

/// A file that was written.
#[derive(Serialize)]
pub struct ExportReport {
    path: String,
    rows: usize,
    size: u64,
    progress: RowProgress,
    warnings: Vec<String>,
}

/// What a download will cost.
#[derive(Serialize)]
pub struct Estimate {
    rows: Option<i64>,
    calls: Option<i64>,
    bytes: Option<i64>,
}

impl Query {
    /// Begins to read tables.
    pub async fn batches(self) -> Result<Batches> {
        match self {
            Self::Interviews(query) => query.batches(),
            Self::Members(query) => query.batches().await,
        }
    }

    /// The query, telling whoever watches.
    fn watched(&self, progress: Observer<Progress>) -> Self {
        let Some(note) = progress.note() else { return self.clone() };
        match self.clone() {
            Self::Interviews(query) => Self::Interviews(query.on_progress(note)),
            Self::Members(query) => Self::Members(query.on_progress(note)),
        }
    }

    fn interviews(self) -> Result<Interviews> {
        match self {
            Self::Interviews(query) => Ok(query),
            Self::Members(_) => Err(Error::internal("this is for interviews, not for members")),
        }
    }
}

impl<L: Language> data::query::Methods<L> for Query {
    fn table(&self, progress: Observer<Progress>) -> ArgResult<kinds::Call<Table>, L> {
        let query = self.watched(progress);
        Ok(Box::pin(async move { either!(query, query => query.table().await) }))
    }

    fn batches(&self, progress: Observer<Progress>) -> ArgResult<Pages<L>, L> {
        Ok(Pages::tables(self.watched(progress)))
    }

    fn estimate(&self) -> ArgResult<kinds::Call<Estimate>, L> {
        let query = self.clone();
        Ok(Box::pin(async move { either!(query, query => query.estimate().await).map(Estimate::from) }))
    }

    fn export(
        &self,
        to: ExportOptions,
        progress: Observer<Progress>,
    ) -> ArgResult<kinds::Call<ExportReport>, L> {
        let (format, labels) = (
            format_of(to.format.as_deref(), &to.path.0)?,
            to.labels.map_or(Ok(Labels::Codes), |labels| labels_of::<L>(&labels))?,
        );
        let export = either!(self.watched(progress), query => query.export(to.path.0));
        let options = FileOptions::default().shared(to.shared).spreadsheet(to.spreadsheet);
        let export = export.format(format).labels(labels).resume(to.resume).options(options);
        Ok(Box::pin(async move { export.run().await.map(|file| ExportReport::from(&file)) }))
    }

    fn page(&self, which: PageOptions) -> ArgResult<kinds::Call<Page>, L> {
        let query = self.clone().interviews()?;
        Ok(Box::pin(async move {
            let (table, count) = query.page(which.number, which.size).await?;
            Ok(Page { table, count })
        }))
    }

    fn delta(&self, since: DeltaOptions, progress: Observer<Progress>) -> ArgResult<kinds::Call<Load>, L> {
        let query = self.watched(progress).interviews()?;
        let mut delta = query.delta(since.state.0).find_removed(since.removed);
        if let Some(overlap) = since.overlap {
            delta = delta.overlap(L::TIME.read("overlap", overlap)?);
        }
        Ok(Box::pin(async move { delta.begin().await.map(Load::from) }))
    }
}

/// A single page, and the service's count of the whole list.
pub struct Page {
    table: Table,
    count: Option<i64>,
}

impl<L: Language> data::page::Methods<L> for Page {
    fn table(&self) -> ArgResult<Table, L> {
        Ok(self.table.clone())
    }

    fn count(&self) -> ArgResult<Option<i64>, L> {
        Ok(self.count)
    }
}

impl From<sondage_data::Estimate> for Estimate {
    fn from(cost: sondage_data::Estimate) -> Self {
        Self { rows: cost.rows, calls: cost.calls, bytes: cost.bytes }
    }
}

impl From<&Exported> for ExportReport {
    fn from(file: &Exported) -> Self {
        Self {
            path: file.path.display().to_string(),
            rows: file.rows,
            size: file.size,
            progress: file.progress.into(),
            warnings: file.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}
