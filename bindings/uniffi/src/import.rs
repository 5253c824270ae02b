//! Members from rows, each person once.

#[cfg(feature = "blocking")]
use crate::client::BlockingClient;
use crate::client::Client;
use crate::convert::{ConversionError, IntoFfi as _, TryFromFfi, argument};
use crate::methods::{Cost, Duplicates, Existing, RowStatus};
use crate::{ErrorDetails, FieldValue, Map, SondageError};
use indexmap::IndexMap;
use sondage_jobs::options::{ImportOptions, JournalPlace};
use sondage_jobs::{Jobs as _, Rows};
use std::time::Duration;

/// Without one, the default.
macro_rules! or_default {
    ($($Words:ident),*) => { $(
        impl TryFromFfi<sondage_jobs::$Words> for Option<$Words> {
            fn try_from_ffi(self) -> Result<sondage_jobs::$Words, ConversionError> {
                self.map_or(Ok(sondage_jobs::$Words::default()), TryFromFfi::try_from_ffi)
            }
        }
    )* };
}
or_default!(Duplicates, Existing);

/// The outcome of one row of an import.
#[derive(uniffi::Record)]
pub struct ImportRow {
    /// The row, counted from 0.
    pub row: i64,
    /// The outcome.
    pub status: RowStatus,
    /// Id of the member, if there is one and it is known.
    pub id: Option<i64>,
    /// The reason, if the status alone does not say it.
    pub reason: Option<String>,
    /// Whether the outcome was determined by reading the members back, and not from the service's response.
    pub read_back: bool,
}

/// The outcome of each row of an import, in the order of the rows.
#[derive(uniffi::Record)]
pub struct ImportReport {
    /// The rows.
    pub rows: Vec<ImportRow>,
    /// Whether the outcome of every row is known, and nothing is left to send.
    pub complete: bool,
    /// Whether it resumed an earlier run.
    pub resumed: bool,
    /// The path of the journal, from which the same import resumes; `None` if it is no longer needed.
    pub journal: Option<String>,
    /// Of a dry run: rows that would be created. Their status is that of rows that were not sent.
    pub to_create: i64,
    /// Of a dry run: rows that would be updated. Their status is that of rows that were not sent.
    pub to_update: i64,
    /// Of a dry run: the cost of the import, which reads again what the dry run has read.
    pub cost: Option<Cost>,
    /// The error that stopped the run, if one did.
    pub stopped: Option<ErrorDetails>,
    /// The number of rows per status, in a sentence without personal data.
    pub text: String,
}

blocking_and_async! {
    /// Creates members from rows, each person once; a key, which is a field of the panel, identifies each person.
    ///
    /// The rows are checked against the definition of the panel before anything is sent, and existing members are found by
    /// their keys. It can be interrupted at any moment: the same call resumes it, and checks which rows without a response
    /// were created before it sends them again.
    ///
    /// - `panel_id`: the panel or sample.
    /// - `rows`: the people, each by the names of fields.
    /// - `key`: the field by which a person is known, for example `Email`.
    /// - `existing`: what to do with members whose key is in a row. Default: they are left unchanged.
    /// - `duplicates`: which of the rows with the same key counts. Default: none of them, and all are refused.
    /// - `strip`: whether blanks around the values of rows are removed. Default: they are not.
    /// - `journal`: the file in which the import records what it has sent. Default: a file in the user's state folder; an app
    ///   passes one in its own folder.
    /// - `chunkSize`: members per request. Default: 1,000.
    /// - `dryRun`: whether to send nothing: the report says what would be created and updated, and what the import costs.
    /// - `quiet`: how long the service may still be processing a call that got no response. Default: three minutes.
    #[uniffi::method(default(existing = None, duplicates = None, strip = false, journal = None, chunk_size = None, dry_run = None, quiet = None))]
    import_members(
        panel_id: i64,
        rows: Vec<Map<FieldValue>>,
        key: String,
        existing: Option<Existing>,
        duplicates: Option<Duplicates>,
        strip: bool,
        journal: Option<String>,
        chunk_size: Option<i32>,
        dry_run: Option<bool>,
        quiet: Option<Duration>,
    ) -> ImportReport;
}

#[allow(clippy::too_many_arguments)] // every option has a name and a default in both languages
async fn import_members(
    client: sondage::Client,
    panel_id: i64,
    rows: Vec<Map<FieldValue>>,
    key: String,
    existing: Option<Existing>,
    duplicates: Option<Duplicates>,
    strip: bool,
    journal: Option<String>,
    chunk_size: Option<i32>,
    dry_run: Option<bool>,
    quiet: Option<Duration>,
) -> sondage::Result<ImportReport> {
    let mut options = ImportOptions::new(panel_id, key).dry_run(dry_run == Some(true)).strip(strip);
    options.duplicates = argument("duplicates", duplicates)?;
    options.existing = argument("existing", existing)?;
    options.journal = journal.map(JournalPlace::from);
    options.quiet = quiet;
    if let Some(size) = chunk_size {
        options.chunk_size = argument("chunk_size", i64::from(size))?;
    }
    let mut copied: Vec<IndexMap<String, sondage::FieldValue>> = Vec::with_capacity(rows.len());
    for row in rows {
        copied.push(argument("rows", row)?);
    }
    Ok(told(&client.import_members(options).run(Rows::of(copied)).await?))
}

fn told(report: &sondage_jobs::ImportReport) -> ImportReport {
    let row = |row: sondage_jobs::ImportRow| ImportRow {
        row: i64::try_from(row.row).unwrap_or(i64::MAX),
        status: row.status.into_ffi(),
        id: row.id,
        reason: row.reason,
        read_back: row.attributed == sondage_jobs::Attribution::ReadBack,
    };
    let facts = report.facts();
    ImportReport {
        to_create: facts.to_create.into_ffi(),
        to_update: facts.to_update.into_ffi(),
        cost: facts.cost.into_ffi(),
        rows: report.rows().map(row).collect(),
        complete: report.is_complete(),
        resumed: report.resumed,
        journal: report.journal.clone(),
        stopped: report.stopped.clone().map(|error| SondageError::from(error).details().clone()),
        text: report.to_string(),
    }
}
