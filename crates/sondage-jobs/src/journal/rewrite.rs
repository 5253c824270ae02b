//! Reads a journal without locking it, and rewrites a journal.

use super::file::{FileJournal, lines_of};
use super::record::Record;
use super::seal::{JournalReader, Seal};
use super::{JournalStore, damaged, unusable};
use sondage::error::Result;
use std::io;
use std::path::Path;

/// The records of a journal; `None` if the file is not a journal.
pub(crate) fn records(path: &Path) -> Result<Option<Vec<Record>>> {
    let name = path.display().to_string();
    let (mut reader, mut records) = (JournalReader::default(), Vec::new());
    match lines_of(path, &mut |line| reader.take(line, |record| records.push(record))) {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(None),
        other => other.map_err(|error| unusable(&name, &error))?,
    }
    reader.end().map_err(|line| damaged(&name, line))?;
    Ok(Some(records))
}

/// Replaces the records of a journal, unless nothing changes. Readers see the old journal or the complete new one.
pub(crate) fn rewrite(path: &Path, change: impl FnOnce(Vec<Record>) -> Option<Vec<Record>>) -> Result<()> {
    let name = path.display().to_string();
    let (mut owned, mut reader, mut records) = (FileJournal::new(path), JournalReader::default(), Vec::new());
    let opened = owned.open(&mut |line| reader.take(line, |record| records.push(record)));
    opened.map_err(|error| unusable(&name, &error))?;
    reader.end().map_err(|line| damaged(&name, line))?;
    let Some(records) = change(records) else { return Ok(()) };
    let (mut seal, mut text) = (Seal::default(), String::new());
    for record in &records {
        text += &seal.line(record)?;
        text.push('\n');
    }
    owned.replace(text.as_bytes()).map_err(|error| unusable(&name, &error))
}
