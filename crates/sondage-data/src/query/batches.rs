//! Interviews page by page, each page a table of its own.

use sondage::Result;
use sondage::paging::{Pager, Progress};

use super::interviews::Interviews;
use super::unexpected;
use crate::decode::page::Page;
use crate::meaning::CodePlan;
use crate::table::Table;

/// Interviews under way to several tables: memory holds one page, however large the survey is.
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
    pub(super) query: Interviews,
    pub(super) pager: Pager<Page>,
    pub(super) plan: Option<CodePlan>,
}

impl Batches {
    /// The next page; `None` when it is proven that no row is missing. After an error of the network it can be called
    /// again, and goes on from the same row.
    pub async fn next(&mut self) -> Result<Option<Table>> {
        let Some(page) = self.pager.next().await? else { return Ok(None) };
        let mut builder = self.query.builder();
        if let Some(plan) = &self.plan {
            builder = builder.code_plan(plan.clone());
        }
        builder.append(page).map_err(|error| unexpected(&error))?;
        let table = builder.finish().map_err(|error| unexpected(&error))?;
        // The code plan comes with the first page only.
        if self.plan.is_none() {
            self.plan = table.code_plan().cloned();
        }
        Ok(Some(table))
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        self.pager.progress()
    }
}
