//! Interviews or members page by page, each page a table of its own.

use sondage::Result;
use sondage::paging::{Pager, Progress};

use super::reading::Reading;
use super::watch::PageObserver;
use crate::decode::page::Page;
use crate::error::unexpected;
use crate::table::{Table, TableBuilder};

/// Interviews or members, read as several tables: one page and the next are in memory, however large the survey is.
///
/// All tables have the columns and types of the code plan. Columns that the plan does not contain are determined by each
/// page. An empty list has no tables.
///
/// ```no_run
/// # async fn example(client: sondage::Client) -> sondage::Result<()> {
/// use sondage_data::Tables;
/// let mut batches = client.interviews(7).page_size(5_000).batches()?;
/// while let Some(table) = batches.next().await? {
///     println!("{} interviews", table.num_rows());
/// }
/// # Ok(())
/// # }
/// ```
pub struct Batches {
    pager: Pager<Page>,
    /// A table without rows, with which each page starts.
    fresh: TableBuilder,
    watch: PageObserver,
}

impl Batches {
    pub(super) fn of(reading: Reading) -> Self {
        Batches { pager: reading.pager, fresh: reading.builder, watch: reading.watch }
    }

    /// The next page; `None` when it is proven that no row is missing. After a network error it can be called again, and
    /// continues at the same row.
    pub async fn next(&mut self) -> Result<Option<Table>> {
        if self.pager.progress().calls > 0 {
            // Prefetch only from the second page on: reading one page then costs one call.
            self.pager.fetch_ahead();
        }
        let page = self.pager.next().await?;
        self.watch.tell(&self.pager.progress());
        let Some(page) = page else { return Ok(None) };
        let mut builder = self.fresh.like();
        builder.append(page).map_err(|error| unexpected(&error))?;
        let table = builder.finish().map_err(|error| unexpected(&error))?;
        // The code plan comes with the first page only.
        if let (None, Some(plan)) = (&self.fresh.known.plan, table.code_plan()) {
            self.fresh.known.plan = Some(plan.clone());
        }
        Ok(Some(table))
    }

    /// The progress of the reading.
    pub fn progress(&self) -> Progress {
        self.pager.progress()
    }
}
