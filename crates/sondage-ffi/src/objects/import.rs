//! Imports of members, and their reports.

use crate::call::args::Attachment;
use crate::language::{ArgResult, Language};
use crate::methods::{data, kinds};
use crate::objects::rows::stream;
use sondage::Client;
use sondage_data::{Table, import_table};
use sondage_jobs::options::ImportOptions;
use sondage_jobs::{ImportFacts, Jobs as _};

/// The outcome of each row.
pub struct ImportReport(pub(super) sondage_jobs::ImportReport);

/// Imports rows.
pub fn import<L: Language>(
    client: &Client,
    mut options: ImportOptions,
    rows: Attachment<'_, L>,
) -> ArgResult<kinds::Call<ImportReport>, L> {
    let rows = stream(rows, options.rows.take())?;
    let import = client.import_members(options);
    Ok(Box::pin(async move { import.run_stream(rows).await.map(ImportReport) }))
}

impl<L: Language> data::import_report::Methods<L> for ImportReport {
    fn facts(&self) -> ArgResult<ImportFacts, L> {
        Ok(self.0.facts())
    }

    fn rows(&self) -> ArgResult<Table, L> {
        Ok(import_table(&self.0)?)
    }
}
