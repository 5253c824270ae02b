//! Updates members from rows of any source, matched by a key: first a plan that shows every change, then the
//! changes.
//!
//! Planning reads, but sends nothing. The plan shows which values of each row would change, and why other rows change
//! nothing. Applying it sends only the differences, so a plan of the same rows afterwards is empty: an interrupted run is
//! resumed by planning and applying once more.

mod apply;
mod definition;
mod find;
pub(crate) mod fit;
mod plan;
mod recheck;
mod rows;

pub use apply::UpdateReport;
pub use plan::{Change, PlanFacts, SkipReason, SkippedRow, UpdatePlan};
pub use rows::Rows;

use crate::import::{RowRules, chunk_size, is_alike};
use crate::options::UpdateOptions;
use crate::timing::MAX_AGE;
use definition::UpdateColumns;
use find::Finder;
use plan::ListCost;
use sondage::Client;
use sondage::error::{Error, Result};
use sondage::paging::Progress;
use std::sync::Arc;
use std::time::{Duration, Instant};

type ProgressWatch = Arc<dyn Fn(&Progress) + Send + Sync>;

/// Updates members of a panel from rows. Made by [`Jobs::update_members_by`](crate::Jobs::update_members_by).
#[derive(Clone)]
#[must_use = "nothing is read before `plan`, and nothing sent before `apply`"]
pub struct Update {
    client: Client,
    panel_id: i64,
    key: String,
    fields: Option<Vec<String>>,
    nulls: Nulls,
    ignore_case: bool,
    rules: RowRules,
    chunk_size: usize,
    recheck: bool,
    max_age: Option<Duration>,
    watch: Option<ProgressWatch>,
}

/// The meaning of an empty cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nulls {
    /// No change: the member keeps its value.
    Keep,
    /// The member's value is cleared.
    Clear,
}

impl Update {
    pub(crate) fn new(client: &Client, options: UpdateOptions) -> Self {
        let UpdateOptions {
            panel_id,
            key,
            fields,
            clear_nulls,
            ignore_case,
            duplicates,
            strip,
            chunk_size,
            recheck,
            max_age,
            rows: _,
        } = options;
        let nulls = if clear_nulls { Nulls::Clear } else { Nulls::Keep };
        let client = client.clone();
        Self {
            client,
            panel_id,
            key,
            fields,
            nulls,
            ignore_case,
            rules: RowRules { duplicates, strip, first_row: 0 },
            chunk_size,
            recheck,
            max_age,
            watch: None,
        }
    }

    /// The progress callback, called after each page of members.
    pub fn on_progress(mut self, watch: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.watch = Some(Arc::new(watch));
        self
    }

    /// Whether a column with this name is used: the key, and those in `fields`.
    pub fn takes(&self, column: &str) -> bool {
        let named = |fields: &Vec<String>| fields.iter().any(|field| is_alike(field, column));
        is_alike(column, &self.key) || self.fields.as_ref().is_none_or(named)
    }

    /// The dry run: reads the definition of the panel and all its members, and returns what would change.
    ///
    /// A column that the panel does not have, a value that does not fit its field, a missing key column are errors. Rows of which
    /// there are none change nothing.
    pub async fn plan(self, rows: Rows) -> Result<UpdatePlan> {
        chunk_size(self.chunk_size)?;
        let max_age = self.max_age.unwrap_or(MAX_AGE);
        let begun = Instant::now();
        let columns = UpdateColumns::read(&self, rows.names()).await?;
        let mut finder = Finder::new(&self, &columns, &rows)?;
        if !rows.is_empty() && rows.names().is_empty() {
            return Err(Error::invalid_argument("there are no rows with a value"));
        }
        if rows.is_empty() {
            // There is nothing to do, so the members need not be read.
            let list = ListCost { calls: 0, bytes: 0, each: Duration::ZERO };
            return Ok(finder.plan(self, list, max_age));
        }
        let members = self.client.members(self.panel_id).fields(columns.fields());
        let mut pages = members.thorough(true).pager()?;
        pages.fetch_ahead();
        while let Some(page) = pages.next().await? {
            for member in &page {
                finder.meet(member);
            }
            if let Some(watch) = &self.watch {
                watch(&pages.progress());
            }
        }
        let Progress { rows, calls, bytes, .. } = pages.progress();
        // Reading again takes fewer calls if this reading found out how the service numbers its pages.
        let again = u64::try_from(pages.calls_for(rows, self.client.config().page_size)).unwrap_or(calls);
        // The definition of the panel was a call, too.
        let each = begun.elapsed() / u32::try_from(calls).unwrap_or(u32::MAX).saturating_add(1);
        Ok(finder.plan(self, ListCost { calls: again, bytes, each }, max_age))
    }
}
