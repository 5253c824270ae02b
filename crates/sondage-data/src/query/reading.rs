//! A list that is being read into a table.

use std::sync::{Arc, OnceLock};

use sondage::paging::{Pager, Progress};
use sondage::{Error, Result};

use super::panel_fields::PanelFields;
use super::watch::PageObserver;
use crate::decode::page::Page;
use crate::error::unexpected;
use crate::table::{Table, TableBuilder};

/// The survey's metadata from a response without rows, because the pager returns no such page.
pub(super) type SurveyHead = Arc<OnceLock<Page>>;

/// A list that is being read into a table.
///
/// ```no_run
/// # async fn example(client: sondage::Client) -> sondage::Result<()> {
/// use sondage_data::Tables;
/// let mut reading = client.interviews(7).read()?;
/// while reading.step().await? {
///     println!("{} interviews", reading.progress().rows);
/// }
/// let table = reading.finish()?;
/// # Ok(())
/// # }
/// ```
pub struct Reading {
    pub(crate) pager: Pager<Page>,
    pub(crate) builder: TableBuilder,
    pub(crate) head: SurveyHead,
    pub(crate) complete: bool,
    pub(crate) watch: PageObserver,
    /// For members without a definition.
    pub(crate) panel: Option<PanelFields>,
}

impl Reading {
    /// Reads the next page into the table; `false` when it is proven that no row is missing. After a network error it can
    /// be called again, and continues at the same row.
    pub async fn step(&mut self) -> Result<bool> {
        if let Some(page) = self.next_page().await? {
            self.builder.append(page).map_err(|error| unexpected(&error))?;
        }
        Ok(!self.complete)
    }

    /// The next page, for callers who add only some of its rows to the table.
    pub(crate) async fn next_page(&mut self) -> Result<Option<Page>> {
        if self.pager.progress().calls == 0 {
            self.watch.tell(&self.pager.progress());
            // A table needs all pages, so prefetch from the start.
            self.pager.fetch_ahead();
        }
        let page = self.pager.next().await?;
        self.watch.tell(&self.pager.progress());
        if page.is_none() && !self.complete {
            self.describe().await?;
            self.complete = true;
        }
        Ok(page)
    }

    /// At the end of a list: the fields of the panel, if no member has shown them.
    async fn describe(&mut self) -> Result<()> {
        match &self.panel {
            Some(panel) if self.pager.progress().rows == 0 => panel.describe(&mut self.builder).await,
            _ => Ok(()),
        }
    }

    /// The progress of the reading.
    pub fn progress(&self) -> Progress {
        self.pager.progress()
    }

    /// The table. A list that was not read to its end is an error of kind `Incomplete`.
    pub fn finish(mut self) -> Result<Table> {
        if !self.complete {
            let rows = self.progress().rows;
            return Err(Error::incomplete(format!(
                "the list was not read to its end; {rows} rows were read"
            )));
        }
        if self.builder.rows() == 0
            && let Some(head) = self.head.get()
        {
            self.builder.append(head.head()).map_err(|error| unexpected(&error))?;
        }
        self.builder.finish().map_err(|error| unexpected(&error))
    }

    /// The first rows. The rest of the list is not read, so nothing is said about its completeness.
    pub(crate) async fn head(mut self, rows: usize) -> Result<Table> {
        self.complete = true;
        while self.builder.rows() < rows {
            let Some(page) = self.pager.next().await? else {
                self.describe().await?;
                break;
            };
            self.builder.append(page).map_err(|error| unexpected(&error))?;
        }
        self.finish().map(|table| table.head(rows))
    }

    /// Reads to the end.
    pub async fn table(mut self) -> Result<Table> {
        while self.step().await? {}
        self.finish()
    }

    /// The pages, each row once, and an empty builder for them, for callers who process pages one by one.
    pub fn into_parts(self) -> (Pager<Page>, TableBuilder) {
        (self.pager, self.builder)
    }
}
