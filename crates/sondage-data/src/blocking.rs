//! The methods that need Arrow, on a [`sondage::blocking::Client`].
//!
//! Each method waits for the async one of the same name, and takes the same options.

use std::sync::Arc;

use arrow_array::RecordBatchReader;
use sondage::Result;
use sondage::arguments::{
    ChangeSetOptions, CrosstabOptions, DeltaOptions, ExportOptions, FrequenciesOptions, InterviewsOptions,
    MembersOptions, PageOptions, QualityOptions, SyncOptions,
};
use sondage::blocking::Client;
use sondage::internals::runtime::block_on;
use sondage::reports::{Crosstab, Frequencies, Quality, SyncReport};
use sondage_jobs::options::{CreateOptions, ImportOptions, UpdateOptions};
use sondage_jobs::{ImportReport, Jobs as _, UpdateReport};

use crate::delta::DeltaLoad;
use crate::export::ExportReport;
use crate::import::row_stream;
use crate::options;
use crate::query::{self, Estimate};
use crate::sync::ChangesFile;
use crate::table::Table;
use crate::update::PlanFrom as _;

/// A query for interviews or members. Nothing is read before its rows are requested.
#[derive(Clone)]
pub struct Query(options::Query);

/// A list as tables, one for each page. Each step waits for a call.
pub struct Batches(Option<query::Batches>);

/// A single page, and the service's count of the whole list.
pub type Page = (Table, Option<i64>);

/// The changes that rows would make. Nothing is sent before `apply`.
#[derive(Clone)]
pub struct Plan(Arc<sondage_jobs::UpdatePlan>);

macro_rules! expand {
    ($($(#[doc = $about:literal])* $object:ident { $($rows:tt)* })*) => {
        $(expand!(@$object $($rows)*);)*
    };
    (@client $(
        $(#[doc = $doc:literal])*
        fn $method:ident($options:ident: $Options:ty) -> $class:ident $Result:ty: $kind:ident
        $(, with $rows:ident)? $(, called $called:literal)?;
    )*) => {
        /// Tables on a blocking client.
        ///
        /// ```no_run
        /// # fn example() -> sondage::Result<()> {
        /// use sondage::arguments::{ExportOptions, InterviewState, InterviewsOptions};
        /// use sondage::blocking::Client;
        /// use sondage_data::blocking::Tables;
        ///
        /// let client: Client = Client::builder().build_blocking()?;
        /// let query = client.interviews(InterviewsOptions::new(7).state(InterviewState::Completed))?;
        /// println!("{} interviews", query.table()?.num_rows());
        /// query.export(ExportOptions::new("s7.parquet"))?;
        /// # Ok(())
        /// # }
        /// ```
        pub trait Tables {
            $(
                $(#[doc = $doc])*
                fn $method(
                    &self,
                    $options: $Options
                    $(, $rows: impl RecordBatchReader + Send + 'static)?
                ) -> Result<$Result>;
            )*
        }

        impl Tables for Client {
            $(fn $method(
                &self,
                $options: $Options
                $(, $rows: impl RecordBatchReader + Send + 'static)?
            ) -> Result<$Result> {
                bodies::$method(self.as_async(), $options $(, $rows)?)
            })*
        }
    };
    (@query) => {};
    (@query
        $(#[doc = $doc:literal])*
        fn batches() -> handle Pages<L>: Stream, progress $Progress:ty;
        $($rest:tt)*
    ) => {
        impl Query {
            $(#[doc = $doc])*
            pub fn batches(&self) -> Result<Batches> {
                let query = self.0.clone();
                block_on(async move { query.batches().await }).map(|batches| Batches(Some(batches)))
            }
        }
        expand!(@query $($rest)*);
    };
    (@query
        $(#[doc = $doc:literal])*
        fn $method:ident($($options:ident: $Options:ty)?) -> $class:ident $Result:ty: Call $(, progress $Progress:ty)?;
        $($rest:tt)*
    ) => {
        impl Query {
            $(#[doc = $doc])*
            pub fn $method(&self $(, $options: $Options)?) -> Result<$Result> {
                let query = self.0.clone();
                block_on(async move { bodies::$method(query $(, $options)?).await })
            }
        }
        expand!(@query $($rest)*);
    };
    // Other objects have no blocking methods, except plans.
    (@$other:ident $($rows:tt)*) => {};
}
/// The names that the table of methods uses.
type UpdatePlan = Plan;
type ChangeSet = ChangesFile;

crate::methods!(expand);

/// The bodies of the rows. A row without a body does not compile.
#[allow(clippy::needless_pass_by_value, clippy::unnecessary_wraps)] // all rows have the same signature
mod bodies {
    use super::*;
    use crate::query::Tables as _;
    use sondage::Client;

    pub fn member_table(client: &Client, options: MembersOptions) -> Result<Query> {
        Ok(Query(options::Query::members(client, options)))
    }

    pub fn interviews(client: &Client, options: InterviewsOptions) -> Result<Query> {
        Ok(Query(options::Query::interviews(client, options)))
    }

    pub fn create_members_from(
        client: &Client,
        options: CreateOptions,
        rows: impl RecordBatchReader + Send + 'static,
    ) -> Result<ImportReport> {
        let creation = client.create_members_from(options.panel_id).chunk_size(options.chunk_size);
        block_on(async move { creation.run(rows).await })
    }

    pub fn import_members(
        client: &Client,
        options: ImportOptions,
        rows: impl RecordBatchReader + Send + 'static,
    ) -> Result<ImportReport> {
        let import = client.import_members(options);
        let rows = row_stream(rows)?;
        block_on(async move { import.run_stream(rows).await })
    }

    pub fn plan_update(
        client: &Client,
        options: UpdateOptions,
        rows: impl RecordBatchReader + Send + 'static,
    ) -> Result<Plan> {
        let update = client.update_members_by(options);
        block_on(async move { update.plan_from(rows).await }).map(|plan| Plan(Arc::new(plan)))
    }

    pub async fn table(query: options::Query) -> Result<Table> {
        query.table().await
    }

    pub async fn estimate(query: options::Query) -> Result<Estimate> {
        query.estimate().await
    }

    pub async fn count(query: options::Query) -> Result<i64> {
        query.count().await
    }

    pub async fn head(query: options::Query, rows: i64) -> Result<Table> {
        query.head(rows).await
    }

    pub async fn frequencies(query: options::Query, options: FrequenciesOptions) -> Result<Frequencies> {
        query.frequencies(&options).await
    }

    pub async fn crosstab(query: options::Query, options: CrosstabOptions) -> Result<Crosstab> {
        Box::pin(query.crosstab(&options)).await
    }

    pub async fn quality(query: options::Query, options: QualityOptions) -> Result<Quality> {
        query.quality(&options).await
    }

    pub async fn export(query: options::Query, options: ExportOptions) -> Result<ExportReport> {
        query.export(options)?.run().await
    }

    pub async fn page(query: options::Query, options: PageOptions) -> Result<Page> {
        query.page(options.number, options.size).await.map(|(table, count, _)| (table, count))
    }

    pub async fn sync(query: options::Query, options: SyncOptions) -> Result<SyncReport> {
        query.sync(options)?.run().await
    }

    pub async fn change_set(query: options::Query, options: ChangeSetOptions) -> Result<ChangesFile> {
        query.change_set(options).await
    }

    pub async fn delta(query: options::Query, options: DeltaOptions) -> Result<DeltaLoad> {
        query.delta(options)?.begin().await
    }
}

impl Iterator for Batches {
    type Item = Result<Table>;

    /// The next page; `None` when it is proven that no row is missing.
    fn next(&mut self) -> Option<Result<Table>> {
        let mut batches = self.0.take()?;
        let work = async move {
            let page = batches.next().await;
            Ok((batches, page))
        };
        match block_on(work) {
            Ok((batches, page)) => {
                self.0 = Some(batches);
                page.transpose()
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl Plan {
    /// The planned changes.
    pub fn plan(&self) -> &sondage_jobs::UpdatePlan {
        &self.0
    }

    /// Sends the differences, in chunks, and stops at the first failure: see [`sondage_jobs::UpdatePlan::apply`].
    pub fn apply(&self) -> Result<UpdateReport> {
        let plan = Arc::clone(&self.0);
        block_on(async move { Ok(plan.apply().await) })
    }
}
