//! A journal, displayed for a person.

use super::file::lines_of;
use super::record::{ChunkKind, JournalHead, Record, unfold};
use super::{JournalStore, damaged, seal, unusable};
use crate::archive::manifest;
use serde::Serialize;
use sondage::error::{Error, Result};
use sondage::text;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

/// The job whose journals are about one call each.
pub(crate) const ONCE: &str = "send_once";

/// The job whose record is the manifest of an archive.
const ARCHIVE: &str = "archive_answers";

/// The content of a journal, or of the manifest of an archive. `Display` shows all of it.
///
/// The journal is read without a lock, so it can be read while a job runs.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct JournalSummary {
    /// The job, for example `import_members`.
    pub job: String,
    /// The account; empty for an archive, which does not name it.
    pub tenant: String,
    /// The panel; 0 if the job has none.
    pub panel_id: i64,
    /// The number of rows of the job, or of documents that an archive lists.
    pub rows: usize,
    /// Rows with a known outcome, each counted once; documents of an archive that are in its folder unchanged.
    pub done: usize,
    /// Rows that the service refused.
    pub refused: usize,
    /// Rows that were sent, with unknown outcome, by chunk.
    pub unknown: Vec<Vec<u32>>,
    /// For a plan: recipients, vouchers or transitions that were sent, with unknown outcome.
    pub unknown_targets: Vec<i64>,
    /// Whether the job is complete. Of an archive only the service knows that: it is `false`.
    pub ended: bool,
}

impl JournalSummary {
    /// Reads a journal, or the archive in a folder. It is an error if the file is not a journal, and if the folder is no archive.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let name = path.as_ref().display().to_string();
        if let Some(folder) = folder_of(path.as_ref()) {
            let state = manifest::state(folder).map_err(|error| unreadable(&name, &error))?;
            let Some((rows, done)) = state else {
                let what = text!("the folder {name} is not an archive: it has no {}", manifest::NAME);
                return Err(
                    Error::invalid_argument(what).with_hint("Name a journal, or the folder of an archive.")
                );
            };
            return Ok(Self::of_archive(rows, done));
        }
        Self::of_lines(&name, |line| lines_of(path.as_ref(), line))
    }

    /// Reads a journal that is not in a file. Meanwhile the journal is locked.
    pub fn read_store(store: &mut dyn JournalStore) -> Result<Self> {
        let summary = Self::of_lines(&store.name(), |line| store.open(line));
        store.close();
        summary
    }

    fn of_lines(name: &str, read: impl FnOnce(&mut dyn FnMut(&str)) -> io::Result<()>) -> Result<Self> {
        let (mut reader, mut records) = (seal::JournalReader::default(), Vec::new());
        read(&mut |line| reader.take(line, |record| records.push(record)))
            .map_err(|error| unreadable(name, &error))?;
        reader.end().map_err(|line| damaged(name, line))?;
        let mut records = records.into_iter();
        let Some(Record::Job(head)) = records.next() else {
            let what =
                text!("the journal {name} is empty: no job was started, or it was completed and reported");
            return Err(Error::invalid_argument(what).with_hint("There is nothing to resume."));
        };
        Ok(Self::of(head, records))
    }

    fn of_archive(rows: usize, done: usize) -> Self {
        Self {
            job: ARCHIVE.to_owned(),
            tenant: String::new(),
            panel_id: 0,
            rows,
            done,
            refused: 0,
            unknown: Vec::new(),
            unknown_targets: Vec::new(),
            ended: false,
        }
    }

    fn of(head: JournalHead, records: impl Iterator<Item = Record>) -> Self {
        let JournalHead { mut job, tenant, panel, rows, .. } = head;
        let (mut done, mut refused, mut ended) = (0, 0, false);
        let mut open: BTreeMap<u64, (ChunkKind, Vec<u32>, bool)> = BTreeMap::new();
        let mut sent: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
        // The response does not say which rows were refused: that is determined later.
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        for record in records {
            match record {
                Record::Send { chunk, what, rows, .. } => {
                    open.insert(chunk, (what, unfold(&rows).collect(), false));
                }
                Record::Some { chunk, .. } => {
                    if let Some(open) = open.get_mut(&chunk) {
                        open.2 = true;
                    }
                }
                Record::Got { chunk, ids } => {
                    open.remove(&chunk);
                    done += ids.iter().filter(|id| **id != 0).count();
                    refused += ids.iter().filter(|id| **id == 0).count();
                }
                Record::Found { chunk, ids } => {
                    let of_plan = counts.remove(&chunk);
                    let answered = open.remove(&chunk).is_some_and(|open| open.2) || of_plan.is_some();
                    done -= of_plan.unwrap_or_default();
                    done += ids.iter().filter(|id| **id != 0).count();
                    refused += if answered { ids.iter().filter(|id| **id == 0).count() } else { 0 };
                }
                Record::To { chunk, ids, .. } => drop(sent.insert(chunk, ids)),
                Record::Made { chunk, .. } => {
                    let count = sent.remove(&chunk).map_or(0, |ids| ids.len());
                    counts.insert(chunk, count);
                    done += count;
                }
                Record::No { chunk } => {
                    open.remove(&chunk);
                    sent.remove(&chunk);
                }
                Record::End { .. } => ended = true,
                Record::Once { chunk, operation, .. } => {
                    job = format!("{ONCE} of {operation}");
                    open.insert(chunk, (ChunkKind::Create, vec![0], false));
                }
                Record::Answer { chunk, .. } => {
                    open.remove(&chunk);
                    (done, ended) = (1, true);
                }
                Record::Job(_)
                | Record::Rows { .. }
                | Record::Final { .. }
                | Record::Unanswered { .. }
                | Record::Confirmed { .. } => {}
            }
        }
        let unknown = open.into_values().map(|(_, rows, _)| rows).collect();
        let unknown_targets = sent.into_values().flatten().collect();
        Self { job, tenant, panel_id: panel, rows, done, refused, unknown, unknown_targets, ended }
    }
}

/// The folder of an archive, if this is one, or its manifest.
fn folder_of(path: &Path) -> Option<&Path> {
    let is_manifest = path.file_name().is_some_and(|name| name == manifest::NAME);
    if is_manifest { path.parent() } else { path.is_dir().then_some(path) }
}

const NAME_IT: &str = "Name the file that the job was given as `journal`, or that its report or error names.";

/// Nothing is sent by a journal that is shown.
fn unreadable(name: &str, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::ResourceBusy => unusable(name, error),
        io::ErrorKind::InvalidData => unusable(name, error).with_hint(NAME_IT),
        _ => {
            let what = text!("the journal {name} cannot be read ({error})");
            Error::invalid_argument(what).caused_by(error).with_hint(NAME_IT)
        }
    }
}

impl fmt::Display for JournalSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { job, tenant, panel_id, rows, done, refused, ended, .. } = self;
        if job.starts_with(ONCE) {
            let state = match (self.unknown.is_empty(), *ended) {
                (_, true) => "answered: the same call with its key returns this response",
                (false, _) => "sent and not answered: the same call with its key finds out what became of it",
                _ => "not sent: the next call with its key is sent",
            };
            return write!(f, "{job} for {tenant}\n  {state}");
        }
        if job == ARCHIVE {
            writeln!(f, "{job}: {done} of {rows} documents are in the folder, unchanged")?;
            return f.write_str("  the same job stores the others again, and those of new interviews");
        }
        match (job.starts_with("plan_"), *panel_id) {
            (false, _) => writeln!(f, "{job} of {rows} rows into the panel {panel_id} of {tenant}")?,
            (true, 0) => writeln!(f, "{job} of {rows} for {tenant}")?,
            (true, _) => writeln!(f, "{job} of {rows} for the panel {panel_id} of {tenant}")?,
        }
        writeln!(f, "  done: {done}, refused by the service: {refused}")?;
        for rows in &self.unknown {
            if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
                writeln!(f, "  sent and not answered: {} rows, from {first} to {last}", rows.len())?;
            }
        }
        if !self.unknown_targets.is_empty() {
            writeln!(f, "  sent and not answered: {:?}", self.unknown_targets)?;
        }
        let state = if *ended { "complete" } else { "not complete: run the same job again to go on" };
        write!(f, "  {state}")
    }
}
