//! The changes for a store that a language writes: their rows are in a file, which a database loads.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use chrono::TimeDelta;
use sondage::arguments::ChangeSetOptions;
use sondage::files::{self, FileLock, Readers};
use sondage::reports::StoreChanges;
use sondage::{Error, Result, internals::runtime};

use super::SyncChoices;
use super::changes::{ChangeSet, StoreBefore};
use crate::delta::{IdList, OVERLAP};
use crate::export::{FileFormat, RowWriter, writer};
use crate::query::{Interviews, PageObserver};

/// How many changes can be read at the same time.
const FOLDERS: usize = 64;

/// What is in the folder: the file of the rows, the pages of its row group while it is written, and the pages that were read.
const ROWS: &str = "rows";
const WAITING: &str = "waiting";
const PAGES: &str = "pages";

/// The changes that make a store equal to a query, with their rows in a file. It is removed when this is dropped.
#[derive(Debug)]
pub struct ChangesFile {
    facts: StoreChanges,
    _folder: TemporaryFolder,
}

impl ChangesFile {
    /// What is in it.
    pub fn facts(&self) -> &StoreChanges {
        &self.facts
    }
}

impl Interviews {
    /// Reads the changes that make a store equal to this query, into a file.
    pub(crate) async fn changes_file(&self, options: ChangeSetOptions) -> Result<ChangesFile> {
        let format = FileFormat::of_name(Some(&options.format), Path::new(""))?;
        let mut ids = IdList::default();
        options.ids.iter().flatten().for_each(|id| ids.insert_text(id));
        let (ids, columns) = (ids.into_set(), options.columns);
        let before = options.state.map(|state| StoreBefore { state, ids, columns });
        let overlap =
            options.overlap.map_or(OVERLAP, |overlap| TimeDelta::from_std(overlap).unwrap_or(TimeDelta::MAX));
        let choices = SyncChoices { overlap, evolve: options.evolve, watch: PageObserver::default() };
        let folder = TemporaryFolder::free().map_err(|error| unwritten(&error))?;
        let pages = folder.path.join(PAGES);
        let changes = ChangeSet::read(self, &options.store, before, &choices, pages).await?;
        let written = runtime::handle().spawn_blocking(move || -> Result<ChangesFile> {
            let facts = saved(&changes, &folder.path, format)?;
            Ok(ChangesFile { facts, _folder: folder })
        });
        written.await.map_err(|error| Error::internal(format!("the changes were not written: {error}")))?
    }
}

fn saved(changes: &ChangeSet, folder: &Path, format: FileFormat) -> Result<StoreChanges> {
    let (schema, path, waiting) = (&changes.change().schema, folder.join(ROWS), folder.join(WAITING));
    let opened = files::create_new(&path, Readers::Owner)
        .and_then(|file: File| writer(format, BufWriter::new(file), schema, &waiting));
    let mut to: Box<dyn RowWriter> = opened.map_err(|error| unwritten(&error))?;
    let mut rows = 0;
    changes.for_each(|batch| {
        rows += batch.num_rows() as u64;
        to.write(&batch).map_err(|error| unwritten(&error))
    })?;
    to.finish().map_err(|error| unwritten(&error))?;
    let mut facts = changes.facts(path)?;
    facts.rows = rows;
    Ok(facts)
}

fn unwritten(error: &io::Error) -> Error {
    Error::invalid_argument(format!(
        "the changes could not be written to a temporary file, so nothing was changed: {error}"
    ))
    .with_safe_to_retry(true)
    .caused_by(error)
}

/// A folder that only this user can read. What a killed process left in it is removed by the next one.
#[derive(Debug)]
struct TemporaryFolder {
    path: PathBuf,
    _lock: FileLock,
}

impl TemporaryFolder {
    fn free() -> io::Result<Self> {
        Self::free_in(&std::env::temp_dir())
    }

    fn free_in(parent: &Path) -> io::Result<Self> {
        let mut refused = io::Error::from(io::ErrorKind::ResourceBusy);
        for number in 0..FOLDERS {
            let path = parent.join(format!("sondage-sync-{number}"));
            let claimed = files::private_folder(&path)
                .and_then(|()| check_owner(&path))
                .and_then(|()| files::narrow(&File::open(&path)?))
                .and_then(|_| FileLock::at(path.join("lock"), true));
            match claimed {
                Ok(lock) => {
                    let folder = Self { path, _lock: lock };
                    folder.clear();
                    return Ok(folder);
                }
                // Another process has it, or another user.
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    fn clear(&self) {
        for name in [ROWS, WAITING] {
            let _ = std::fs::remove_file(self.path.join(name));
        }
        let _ = std::fs::remove_dir_all(self.path.join(PAGES));
    }
}

/// Other users of the machine can make something of this name first: a link into a folder of this user, whose files would be removed, or
/// a folder of their own, in which they could read the rows.
#[cfg(unix)]
fn check_owner(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    let about = std::fs::symlink_metadata(folder)?;
    if !about.is_dir() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is no folder"));
    }
    // Whoever creates a file owns it.
    let probe = files::beside(&folder.join("owner"))?;
    let own = files::create_new(&probe, Readers::Owner)?.metadata()?.uid();
    std::fs::remove_file(probe)?;
    if own == about.uid() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "it belongs to another user"))
}

/// On this system the folder for temporary files belongs to the user.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
fn check_owner(_: &Path) -> io::Result<()> {
    Ok(())
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // If this fails, the next process that uses the folder removes it.
        self.clear();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_link_of_somebody_else_is_not_followed() {
        let parent = std::env::temp_dir().join(format!("sondage-sync-link-{}", std::process::id()));
        let precious = parent.join("precious");
        fs::create_dir_all(precious.join("pages")).unwrap();
        fs::write(precious.join("rows"), "mine").unwrap();
        std::os::unix::fs::symlink(&precious, parent.join("sondage-sync-0")).unwrap();
        let folder = TemporaryFolder::free_in(&parent).unwrap();
        assert_eq!(folder.path, parent.join("sondage-sync-1"));
        drop(folder);
        assert_eq!(fs::read_to_string(precious.join("rows")).unwrap(), "mine");
        assert!(precious.join("pages").is_dir() && !precious.join("lock").exists());
        fs::remove_dir_all(&parent).unwrap();
    }
}
