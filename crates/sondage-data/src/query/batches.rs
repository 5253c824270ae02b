//! Interviews or members page by page, each page a table of its own.

use sondage::Result;
use sondage::paging::{Pager, Progress};

use super::reading::Reading;
use super::watch::PageObserver;
use crate::decode::page::Page;
use crate::error::unexpected;
use crate::table::{Table, TableBuilder};

/// Interviews or members under way to several tables: memory holds one page and the one after it, however large the survey
/// is.
///
/// All tables have the columns of the code plan, in the types that it promises. Without a code plan, and for what it does
/// not know, each page decides for itself. An empty list has no tables.
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
    /// A table without rows, which each page begins with.
    fresh: TableBuilder,
    watch: PageObserver,
}

impl Batches {
    pub(super) fn of(reading: Reading) -> Self {
        Batches { pager: reading.pager, fresh: reading.builder, watch: reading.watch }
    }

    /// The next page; `None` when it is proven that no row is missing. After an error of the network it can be called
    /// again, and goes on from the same row.
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

    /// How far it is.
    pub fn progress(&self) -> Progress {
        self.pager.progress()
    }
}
