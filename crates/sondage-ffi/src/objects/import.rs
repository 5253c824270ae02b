//! Imports of members, and their reports.

use crate::call::args::Attachment;
use crate::failure::Failure;
use crate::language::{ArgResult, Language};
use crate::methods::{data, kinds};
use crate::objects::cost::Cost;
use crate::objects::rows::stream;
use serde::Serialize;
use sondage::Client;
use sondage::arguments::ImportOptions;
use sondage::jobs::{self, Import};
use sondage_data::{Table, import_table};

/// The outcome of each row.
pub struct ImportReport(pub(super) jobs::ImportReport);

/// The report without its rows.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportFacts {
    panel_id: i64,
    length: usize,
    created: usize,
    updated: usize,
    unchanged: usize,
    exists: usize,
    refused: usize,
    unknown: usize,
    not_sent: usize,
    to_create: usize,
    to_update: usize,
    cost: Option<Cost>,
    complete: bool,
    resumed: bool,
    journal: Option<String>,
    unattributed: Vec<i64>,
    stopped: Option<Failure>,
    separator: Option<String>,
    encoding: Option<String>,
    columns: Vec<String>,
    text: String,
}

/// Imports rows.
pub fn import<L: Language>(
    client: &Client,
    mut options: ImportOptions,
    rows: Attachment<'_, L>,
) -> ArgResult<kinds::Call<ImportReport>, L> {
    let rows = stream(rows, options.rows.take())?;
    let quiet = options.quiet.take().map(|time| L::TIME.read("quiet", time)).transpose()?;
    let mut import = Import::new(client, options);
    if let Some(quiet) = quiet {
        import = import.quiet(quiet);
    }
    Ok(Box::pin(async move { import.run_stream(rows).await.map(ImportReport) }))
}

impl<L: Language> data::import_report::Methods<L> for ImportReport {
    fn facts(&self) -> ArgResult<ImportFacts, L> {
        let facts = self.0.facts();
        Ok(ImportFacts {
            panel_id: facts.panel_id,
            length: facts.length,
            created: facts.created,
            updated: facts.updated,
            unchanged: facts.unchanged,
            exists: facts.exists,
            refused: facts.refused,
            unknown: facts.unknown,
            not_sent: facts.not_sent,
            to_create: facts.to_create,
            to_update: facts.to_update,
            cost: facts.cost.map(Into::into),
            complete: facts.complete,
            resumed: facts.resumed,
            journal: facts.journal,
            unattributed: facts.unattributed,
            stopped: facts.stopped.as_ref().map(Failure::of::<L>),
            separator: facts.separator,
            encoding: facts.encoding,
            columns: facts.columns,
            text: facts.text,
        })
    }

    fn rows(&self) -> ArgResult<Table, L> {
        Ok(import_table(&self.0)?)
    }
}
