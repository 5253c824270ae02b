//! Updates members from rows of any source, matched by a key: first a plan that shows every change, then the
//! changes.
//!
//! A plan reads and sends nothing. It says of each row which values would change, and of each row that changes nothing why.
//! Applying it sends only what differs, so whoever plans the same rows again afterwards finds nothing to do: a run that
//! was interrupted is taken up by planning and applying once more.

mod apply;
mod definition;
mod find;
pub(in crate::jobs) mod fit;
mod plan;
mod rows;

pub use apply::UpdateReport;
pub use plan::{Change, PlanFacts, SkipReason, SkippedRow, UpdatePlan};
pub use rows::Rows;

use crate::Client;
use crate::arguments::UpdateOptions;
use crate::error::{Error, Result};
use crate::jobs::import::chunk_size;
use crate::paging::Progress;
use definition::UpdateColumns;
use find::Finder;
use std::sync::Arc;

type ProgressWatch = Arc<dyn Fn(&Progress) + Send + Sync>;

/// Changes members of a panel to what rows say. Made by [`Client::update_members_by`].
#[derive(Clone)]
#[must_use = "nothing is read before `plan`, and nothing sent before `apply`"]
pub struct Update {
    client: Client,
    panel_id: i64,
    key: String,
    fields: Option<Vec<String>>,
    nulls: Nulls,
    ignore_case: bool,
    chunk_size: usize,
    watch: Option<ProgressWatch>,
}

/// What a cell without a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nulls {
    /// Nothing: the member keeps what it has.
    Keep,
    /// That the member is to have no value.
    Clear,
}

impl Update {
    /// An update with options that are data. Rows among them are left to the caller.
    pub fn new(client: &Client, options: UpdateOptions) -> Self {
        let UpdateOptions { panel_id, key, fields, clear_nulls, ignore_case, chunk_size, rows: _ } = options;
        let nulls = if clear_nulls { Nulls::Clear } else { Nulls::Keep };
        let client = client.clone();
        Self { client, panel_id, key, fields, nulls, ignore_case, chunk_size, watch: None }
    }

    /// Takes only these columns, and the key. Default: every column, each of which must then be a field of the panel.
    pub fn fields(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.fields = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Takes a value away where a cell has none. Default: the member keeps what it has, because a table often has no
    /// value where nothing is known.
    pub fn clear_nulls(mut self) -> Self {
        self.nulls = Nulls::Clear;
        self
    }

    /// Finds members whose key differs in the case of letters only, as in e-mail addresses. Default: the key has to be
    /// the same, character by character.
    pub fn ignore_case(mut self) -> Self {
        self.ignore_case = true;
        self
    }

    /// Members in a request, at least 1. Default: [`UpdateOptions::DEFAULT_CHUNK_SIZE`].
    pub fn chunk_size(mut self, members: usize) -> Self {
        self.chunk_size = members;
        self
    }

    /// Is told after each page of members how far the plan is.
    pub fn progress(mut self, watch: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.watch = Some(Arc::new(watch));
        self
    }

    /// Whether a column of this name counts: the key, and what `fields` names.
    pub fn takes(&self, column: &str) -> bool {
        let named = |fields: &Vec<String>| fields.iter().any(|field| field == column);
        column == self.key || self.fields.as_ref().is_none_or(named)
    }

    /// The dry run: reads the definition of the panel and its members, all of them, and says what would change.
    ///
    /// A column that the panel does not have, a value that its field cannot hold, a missing key column and no rows at
    /// all are errors.
    pub async fn plan(self, rows: Rows) -> Result<UpdatePlan> {
        chunk_size(self.chunk_size)?;
        if rows.is_empty() {
            return Err(Error::invalid_argument("there are no rows"));
        }
        let columns = UpdateColumns::read(&self, rows.names()).await?;
        let mut finder = Finder::new(&self, &columns, &rows)?;
        let members = self.client.members(self.panel_id).fields(columns.fields());
        let mut pages = members.pager()?;
        pages.fetch_ahead();
        while let Some(page) = pages.next().await? {
            for member in &page {
                finder.meet(member);
            }
            if let Some(watch) = &self.watch {
                watch(&pages.progress());
            }
        }
        Ok(finder.plan(self))
    }
}

impl Client {
    /// Changes members to what rows say, a column for each field; `key` is the field by which they are found, or `Id` for
    /// the members' numbers.
    ///
    /// ```no_run
    /// # async fn example(client: sondage::Client) -> sondage::Result<()> {
    /// use sondage::jobs::Rows;
    ///
    /// let rows = Rows::of([[("Email", "ada@example.com"), ("Division", "Sales")]]);
    /// let plan = client.update_members_by(123, "Email").plan(rows).await?;
    /// println!("{plan}");
    /// let report = plan.apply().await;
    /// println!("{} members changed", report.applied.len());
    /// # Ok(())
    /// # }
    /// ```
    pub fn update_members_by(&self, panel_id: i64, key: impl Into<String>) -> Update {
        Update::new(self, UpdateOptions::new(panel_id, key))
    }
}
