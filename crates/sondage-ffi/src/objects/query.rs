//! Queries of interviews and members, and all ways to read them.

use crate::language::{ArgResult, Language};
use crate::methods::{data, kinds};
use crate::objects::change_set::ChangeSet;
use crate::objects::load::DeltaLoad;
use crate::objects::pages::Pages;
use crate::objects::table::labels_of;
use crate::objects::watch::{Observer, RowProgress};
use serde::Serialize;
use sondage::Timestamp;
use sondage::arguments::{
    ChangeSetOptions, CrosstabOptions, DeltaOptions, ExportOptions, FrequenciesOptions, PageOptions,
    QualityOptions, SyncOptions,
};
use sondage::paging::Progress;
use sondage::reports::{Crosstab, Frequencies, Quality, SyncReport};
use sondage_data::{Query, Table};

/// A file that was written.
#[derive(Serialize)]
pub struct ExportReport {
    path: String,
    rows: usize,
    size: u64,
    progress: RowProgress,
    warnings: Vec<String>,
}

/// The cost of a download.
#[derive(Serialize)]
pub struct Estimate {
    rows: Option<i64>,
    calls: Option<i64>,
    bytes: Option<i64>,
    minutes: Option<f64>,
}

/// The query with a progress callback.
fn watched(query: &Query, progress: Observer<Progress>) -> Query {
    match progress.note() {
        Some(note) => query.clone().on_progress(move |now| note(now)),
        None => query.clone(),
    }
}

impl<L: Language> data::query::Methods<L> for Query {
    fn table(&self, progress: Observer<Progress>) -> ArgResult<kinds::Call<Table>, L> {
        let query = watched(self, progress);
        Ok(Box::pin(async move { query.table().await }))
    }

    fn batches(&self, progress: Observer<Progress>) -> ArgResult<Pages<L>, L> {
        Ok(Pages::tables(watched(self, progress)))
    }

    fn estimate(&self) -> ArgResult<kinds::Call<Estimate>, L> {
        let query = self.clone();
        Ok(Box::pin(async move { query.estimate().await.map(Estimate::from) }))
    }

    fn count(&self) -> ArgResult<kinds::Call<i64>, L> {
        let query = self.clone();
        Ok(Box::pin(async move { query.count().await }))
    }

    fn head(&self, rows: i64) -> ArgResult<kinds::Call<Table>, L> {
        let query = self.clone();
        Ok(Box::pin(async move { query.head(rows).await }))
    }

    fn frequencies(
        &self,
        options: FrequenciesOptions,
        progress: Observer<Progress>,
    ) -> ArgResult<kinds::Call<Frequencies>, L> {
        let query = watched(self, progress);
        Ok(Box::pin(async move { query.frequencies(&options).await }))
    }

    fn crosstab(
        &self,
        options: CrosstabOptions,
        progress: Observer<Progress>,
    ) -> ArgResult<kinds::Call<Crosstab>, L> {
        let query = watched(self, progress);
        Ok(Box::pin(async move { Box::pin(query.crosstab(&options)).await }))
    }

    fn quality(
        &self,
        options: QualityOptions,
        progress: Observer<Progress>,
    ) -> ArgResult<kinds::Call<Quality>, L> {
        let query = watched(self, progress);
        Ok(Box::pin(async move { query.quality(&options).await }))
    }

    fn export(
        &self,
        mut options: ExportOptions,
        progress: Observer<Progress>,
    ) -> ArgResult<kinds::Call<ExportReport>, L> {
        let labels = options.labels.take().map(|labels| labels_of::<L>(&labels)).transpose()?;
        let export = watched(self, progress).export(options)?.labels(labels.unwrap_or_default());
        Ok(Box::pin(async move { export.run().await.map(|file| ExportReport::from(&file)) }))
    }

    fn page(&self, which: PageOptions) -> ArgResult<kinds::Call<Page>, L> {
        let query = self.clone();
        Ok(Box::pin(async move {
            let (table, count, service_time) = query.page(which.number, which.size).await?;
            Ok(Page { table, count, service_time })
        }))
    }

    fn delta(
        &self,
        since: DeltaOptions,
        progress: Observer<Progress>,
    ) -> ArgResult<kinds::Call<DeltaLoad>, L> {
        let delta = watched(self, progress).delta(since)?;
        Ok(Box::pin(async move { delta.begin().await.map(DeltaLoad::from) }))
    }

    fn change_set(
        &self,
        options: ChangeSetOptions,
        progress: Observer<Progress>,
    ) -> ArgResult<kinds::Call<ChangeSet>, L> {
        let query = watched(self, progress);
        Ok(Box::pin(async move { query.change_set(options).await.map(ChangeSet::from) }))
    }

    fn sync(
        &self,
        options: SyncOptions,
        progress: Observer<Progress>,
    ) -> ArgResult<kinds::Call<SyncReport>, L> {
        let sync = watched(self, progress).sync(options)?;
        Ok(Box::pin(sync.run()))
    }
}

/// A single page, the service's count of the whole list, and the time by its clock.
pub struct Page {
    table: Table,
    count: Option<i64>,
    service_time: Timestamp,
}

impl<L: Language> data::page::Methods<L> for Page {
    fn table(&self) -> ArgResult<Table, L> {
        Ok(self.table.clone())
    }

    fn count(&self) -> ArgResult<Option<i64>, L> {
        Ok(self.count)
    }

    fn service_time(&self) -> ArgResult<Timestamp, L> {
        Ok(self.service_time)
    }
}

impl From<sondage_data::Estimate> for Estimate {
    fn from(cost: sondage_data::Estimate) -> Self {
        Self { rows: cost.rows, calls: cost.calls, bytes: cost.bytes, minutes: cost.minutes }
    }
}

impl From<&sondage_data::ExportReport> for ExportReport {
    fn from(file: &sondage_data::ExportReport) -> Self {
        Self {
            path: file.path.display().to_string(),
            rows: file.rows,
            size: file.size,
            progress: file.progress.into(),
            warnings: file.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}
