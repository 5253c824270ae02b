//! A journal that is read without owning it, and one that is written anew.

use super::file::{FileJournal, lines_of};
use super::record::Record;
use super::seal::{JournalReader, Seal};
use super::{JournalStore, damaged, unusable};
use crate::error::Result;
use crate::state_file;
use std::io;
use std::path::Path;

/// What a journal says; nothing when the file is none.
pub(crate) fn records(path: &Path) -> Result<Option<Vec<Record>>> {
    let name = path.display().to_string();
    let mut reader = JournalReader::default();
    match lines_of(path, &mut |line| reader.take(line)) {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(None),
        other => other.map_err(|error| unusable(&name, &error))?,
    }
    Ok(Some(reader.end().map_err(|line| damaged(&name, line))?.records))
}

/// Puts other records in the place of those that a journal has, unless there is nothing to change. Whoever reads it sees the old
/// ones or the new ones, whole.
pub(crate) fn rewrite(path: &Path, change: impl FnOnce(Vec<Record>) -> Option<Vec<Record>>) -> Result<()> {
    let name = path.display().to_string();
    let (mut owned, mut reader) = (FileJournal::new(path), JournalReader::default());
    owned.open(&mut |line| reader.take(line)).map_err(|error| unusable(&name, &error))?;
    let records = reader.end().map_err(|line| damaged(&name, line))?.records;
    let Some(records) = change(records) else { return Ok(()) };
    let (mut seal, mut text) = (Seal::default(), String::new());
    for record in &records {
        text += &seal.line(record)?;
        text.push('\n');
    }
    // It is still ours: whoever waits for it opens the file by its name afterwards.
    state_file::replace(path, text.as_bytes()).map_err(|error| unusable(&name, &error))
}
