//! Imports members from rows of any source, each person once: it can be interrupted at any moment and run again.
//!
//! The rows are checked against the definition of the panel before the first of them is sent, existing members are found by a
//! key, and a journal records what was sent. Whatever happens in between, running the same import again continues it: the
//! members of a chunk without a response are looked up in the panel before anything of it is sent again.

mod ahead;
mod body;
mod check;
mod columns;
mod compared;
pub(crate) mod decimals;
mod facts;
mod format;
pub(crate) mod keys;
mod line;
mod match_members;
mod names;
pub(crate) mod persons;
pub(crate) mod prints;
mod report;
mod resume;
mod run;
mod send;
pub(crate) mod source;
mod spool;
mod tally;

pub(crate) use check::{Checked, Match, RowRules};
pub(crate) use columns::ImportColumns;
pub(crate) use compared::ComparedPrints;
pub(crate) use format::named;
pub(crate) use match_members::member_of;
pub(crate) use names::{field_of, is_alike, note};
pub(crate) use send::refusal;

#[doc(hidden)]
pub use crate::row_lines::RowLines;
#[doc(hidden)]
pub use body::{END, chunk_size, head};
pub use facts::ImportFacts;
pub use format::RowsFormat;
pub use report::{Attribution, ImportReport, ImportRow, RowStatus};
pub use source::{RowStream, RowValue, TakeRow};
#[doc(hidden)]
pub use tally::Tally;

use super::Rows;
use super::journal::{FileJournal, JournalHead, default_place};
use crate::options::{ImportOptions, JournalPlace};
use crate::timing::QUIET;
use sondage::Client;
use sondage::error::Result;
use sondage::internals::runtime;
use sondage::operation::Operation;
use sondage::operations::{CreateMembers, UpdateMembers};
use std::time::Duration;

pub use crate::options::{Duplicates, Existing};
/// The form of an import's journal: since 2 its digests are those of `RowPrints`.
const VERSION: u32 = 2;

/// Creates members from rows, each person once. Made by [`Jobs::import_members`](crate::Jobs::import_members).
#[must_use = "nothing is sent before `run`"]
pub struct Import {
    settings: ImportSettings,
    journal: Option<JournalPlace>,
}

/// The parameters of an import.
struct ImportSettings {
    client: Client,
    panel_id: i64,
    key: String,
    existing: Existing,
    rules: RowRules,
    chunk_size: usize,
    dry_run: bool,
    quiet: Duration,
}

impl std::fmt::Debug for Import {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ImportSettings { panel_id, key, existing, chunk_size, .. } = &self.settings;
        let mut debug = f.debug_struct("Import");
        debug.field("panel_id", panel_id).field("key", key).field("existing", existing);
        debug.field("chunk_size", chunk_size).finish_non_exhaustive()
    }
}

impl Import {
    pub(crate) fn new(client: &Client, options: ImportOptions) -> Self {
        let ImportOptions {
            panel_id,
            key,
            existing,
            duplicates,
            strip,
            journal,
            chunk_size,
            dry_run,
            quiet,
            rows: _,
        } = options;
        let client = client.clone();
        Self {
            settings: ImportSettings {
                client,
                panel_id,
                key,
                existing,
                rules: RowRules { duplicates, strip, first_row: 0 },
                chunk_size,
                dry_run,
                quiet: quiet.unwrap_or(QUIET),
            },
            journal,
        }
    }

    /// Rows are counted from this number in the report, in reasons and in errors. Default: 0.
    pub fn rows_from(mut self, first: u32) -> Self {
        self.settings.rules.first_row = first;
        self
    }

    /// Imports rows. An error means that this run sent nothing; anything that happened after sending is in the report.
    pub async fn run(self, rows: Rows) -> Result<ImportReport> {
        self.run_stream(rows.stream()).await
    }

    /// The same, blocking.
    #[cfg(feature = "blocking")]
    pub fn wait(self, rows: Rows) -> Result<ImportReport> {
        runtime::block_on(self.run(rows))
    }

    /// The same with rows that are read one after the other, and need not be in memory at once.
    pub async fn run_stream(mut self, rows: impl RowStream + 'static) -> Result<ImportReport> {
        chunk_size(self.settings.chunk_size)?;
        self.settings.check_permission()?;
        let own = self.journal.is_none();
        let store = match self.journal.take() {
            Some(place) => place.open()?,
            None => Box::new(FileJournal::new(default_place(&self.settings.file_name())?)),
        };
        runtime::here(run::import(self.settings, store, own, Box::new(rows))).await
    }
}

impl ImportSettings {
    /// Checked before the journal is opened: rows that a client may not send are not recorded for the next import.
    fn check_permission(&self) -> Result<()> {
        if self.dry_run {
            return Ok(());
        }
        let updates = (self.existing == Existing::Update).then_some(UpdateMembers::INFO);
        [CreateMembers::INFO]
            .into_iter()
            .chain(updates)
            .try_for_each(|info| self.client.check_permission(info))
    }

    /// An import with another account, panel or key is a different one, with a journal of its own.
    fn file_name(&self) -> String {
        let head = self.head(0, String::new());
        let digest = prints::short(&[&head.service, &head.tenant, &self.key]);
        format!("import-{}-{digest}.journal", self.panel_id)
    }

    fn head(&self, rows: usize, salt: String) -> JournalHead {
        let about = "What an import of members has sent and what it knows. It holds ids and keyed digests, no values. Run the same \
                     import again to go on.";
        let head = JournalHead::new(&self.client, "import_members", about, salt);
        let duplicates = Some(self.rules.duplicates).filter(|duplicates| *duplicates != Duplicates::Error);
        JournalHead {
            version: VERSION,
            panel: self.panel_id,
            key: self.key.clone(),
            rows,
            duplicates,
            ..head
        }
    }
}
