//! Members from rows, each person once.

use crate::client::{BlockingClient, Client};
use crate::convert::argument;
use crate::{ErrorDetails, FieldValue, Map, SondageError};
use indexmap::IndexMap;
use sondage::jobs::{self, FileJournal, Rows};
use std::time::Duration;

/// What an import does with members who exist already.
#[derive(Clone, Copy, Debug, uniffi::Enum)]
pub enum Existing {
    /// They are left as they are.
    Skip,
    /// They get the values of their rows. A cell without a value changes nothing.
    Update,
    /// Nothing is sent.
    Error,
}

/// What became of a row.
#[derive(Clone, Copy, Debug, uniffi::Enum)]
pub enum RowStatus {
    /// A member was created.
    Created,
    /// A member who was there got the values of the row.
    Updated,
    /// A member who was there has the values of the row already.
    Unchanged,
    /// A member with the key was there, and was left as it is.
    Exists,
    /// Nothing was done: the reason says why.
    Refused,
    /// It is not known whether it was done. Run the same import again: it finds out before it sends anything.
    Unknown,
    /// It was not sent, because the run was stopped before. Run the same import again to resume.
    NotSent,
}

/// What became of one row of an import.
#[derive(uniffi::Record)]
pub struct ImportRow {
    /// The row, counted from 0.
    pub row: i64,
    /// What became of it.
    pub status: RowStatus,
    /// Number of the member, when there is one and it is known.
    pub id: Option<i64>,
    /// Why, where the status does not say it.
    pub reason: Option<String>,
    /// Whether it is known by reading the members back, and not from the answer of the service.
    pub read_back: bool,
}

/// The outcome of each row of an import, in the order of the rows.
#[derive(uniffi::Record)]
pub struct ImportReport {
    /// The rows.
    pub rows: Vec<ImportRow>,
    /// Whether it is known of every row what became of it, and nothing is left to send.
    pub complete: bool,
    /// Whether an earlier run had begun.
    pub resumed: bool,
    /// The path of the journal, from which the same import resumes; `None` when it is not needed any more.
    pub journal: Option<String>,
    /// What stopped the run, if it was stopped.
    pub stopped: Option<ErrorDetails>,
    /// How many rows have which status, in a sentence that names nobody.
    pub text: String,
}

blocking_and_async! {
    /// Creates members from rows, each person once; a key identifies each person, which is a field of the panel.
    ///
    /// The rows are checked against the definition of the panel before anything is sent, and members who are there already are
    /// found by their keys. It can be stopped at any moment: the same call goes on from there, and looks in the panel for what
    /// was sent and not answered before it sends it again.
    ///
    /// - `existing`: what is done with members whose key a row has. Left out: they are left as they are.
    /// - `journal`: the file in which the import keeps what it has sent. Left out: a file in the user's folder for such things;
    ///   an application names one in its own folder.
    /// - `chunkSize`: members in a request. Left out: 1,000.
    /// - `quiet`: how long after a call without an answer the service may still be at work. Left out: three minutes.
    #[uniffi::method(default(existing = None, journal = None, chunk_size = None, quiet = None))]
    import_members(
        panel_id: i64,
        rows: Vec<Map<FieldValue>>,
        key: String,
        existing: Option<Existing>,
        journal: Option<String>,
        chunk_size: Option<i32>,
        quiet: Option<Duration>,
    ) -> ImportReport;
}

#[allow(clippy::too_many_arguments)] // what can be chosen has names and defaults in both languages
async fn import_members(
    client: sondage::Client,
    panel_id: i64,
    rows: Vec<Map<FieldValue>>,
    key: String,
    existing: Option<Existing>,
    journal: Option<String>,
    chunk_size: Option<i32>,
    quiet: Option<Duration>,
) -> sondage::Result<ImportReport> {
    let mut import = client.import_members(panel_id, key);
    import = match existing {
        None => import,
        Some(Existing::Skip) => import.existing(jobs::Existing::Skip),
        Some(Existing::Update) => import.existing(jobs::Existing::Update),
        Some(Existing::Error) => import.existing(jobs::Existing::Error),
    };
    if let Some(journal) = journal {
        import = import.journal(FileJournal::new(journal));
    }
    if let Some(size) = chunk_size {
        import = import.chunk_size(argument("chunk_size", i64::from(size))?);
    }
    if let Some(quiet) = quiet {
        import = import.quiet(quiet);
    }
    let mut taken: Vec<IndexMap<String, sondage::FieldValue>> = Vec::with_capacity(rows.len());
    for row in rows {
        taken.push(argument("rows", row)?);
    }
    Ok(told(&import.run(Rows::of(taken)).await?))
}

fn told(report: &jobs::ImportReport) -> ImportReport {
    let row = |row: jobs::ImportRow| ImportRow {
        row: i64::try_from(row.row).unwrap_or(i64::MAX),
        status: match row.status {
            jobs::RowStatus::Created => RowStatus::Created,
            jobs::RowStatus::Updated => RowStatus::Updated,
            jobs::RowStatus::Unchanged => RowStatus::Unchanged,
            jobs::RowStatus::Exists => RowStatus::Exists,
            jobs::RowStatus::Refused => RowStatus::Refused,
            jobs::RowStatus::NotSent => RowStatus::NotSent,
            // Another one that is to come is not known here.
            _ => RowStatus::Unknown,
        },
        id: row.id,
        reason: row.reason,
        read_back: row.attributed == jobs::Attribution::ReadBack,
    };
    ImportReport {
        rows: report.rows().map(row).collect(),
        complete: report.is_complete(),
        resumed: report.resumed,
        journal: report.journal.clone(),
        stopped: report.stopped.clone().map(|error| SondageError::from(error).details().clone()),
        text: report.to_string(),
    }
}
