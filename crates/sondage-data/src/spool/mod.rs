//! Pages of an export, stored on disk one by one.
//!
//! A list is complete only after its last page, and the type of a column is known only then: so pages are stored in a
//! folder beside the output file. The number of calls is limited to about 500 a day: a page that has arrived is never
//! requested again, even if the disk was full, the process was killed or the connection was lost.
// API 15.1, published

mod state;
mod stored;

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use sondage::files::{self, DraftFile, FileLock, Readers};
use sondage::paging::Bookmark;

use crate::decode::page::Page;
use state::SpoolState;
pub(crate) use stored::{read, seen, write};

/// The pages of one list in a folder of their own.
#[derive(Debug)]
pub(crate) struct PageSpool {
    folder: PathBuf,
    state: SpoolState,
    lock: FileLock,
    /// Its pages are removed with it.
    is_temporary: bool,
}

impl PageSpool {
    /// The folder's pages, if they belong to the same query and are less than a day old; otherwise none. It is an error if
    /// another process uses the folder.
    pub(crate) fn open(folder: PathBuf, query: &str, resume: bool) -> io::Result<Self> {
        // They contain people's answers: other users of the machine must not be able to read them.
        files::private_folder(&folder)?;
        let lock = FileLock::at(folder.join("lock"), false).map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => {
                io::Error::new(error.kind(), "another process is writing the same file")
            }
            _ => error,
        })?;
        let state = SpoolState::read(&folder);
        if state.is_some() {
            files::narrow(&File::open(&folder)?)?;
        }
        let resumed = state.filter(|state| resume && state.continues(query));
        let mut spool = PageSpool { folder, state: SpoolState::new(query), lock, is_temporary: false };
        match resumed {
            Some(state) => spool.state = state,
            None => spool.clear()?,
        }
        Ok(spool)
    }

    /// A folder of pages from which no download continues.
    pub(crate) fn temporary(folder: PathBuf) -> io::Result<Self> {
        let mut spool = Self::open(folder, "", false)?;
        spool.is_temporary = true;
        Ok(spool)
    }

    /// Whether a folder has pages from which a download can continue.
    pub(crate) fn has_pages(folder: &Path) -> bool {
        SpoolState::read(folder).is_some_and(|state| state.pages > 0)
    }

    fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|end| end == "page" || end == "json" || end == "new") {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    /// Where to continue, if there are pages.
    pub(crate) fn bookmark(&self) -> Option<&Bookmark> {
        self.state.bookmark.as_ref()
    }

    /// Whether all pages have been stored.
    pub(crate) fn is_complete(&self) -> bool {
        self.state.complete
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Stores a page. When it returns, page and bookmark are on disk, unless no download continues from there; if it fails, neither
    /// counts.
    pub(crate) fn append(&mut self, page: Page, bookmark: Bookmark) -> io::Result<()> {
        self.check()?;
        let path = page_path(&self.folder, self.state.pages);
        if self.is_temporary {
            let mut file = BufWriter::new(files::create_new(&path, Readers::Owner)?);
            write(page, &mut file).map_err(io::Error::other)?;
            file.flush()?;
            self.state.pages += 1;
            return self.check();
        }
        let mut draft = DraftFile::at(path.with_extension("new"), &path, Readers::Owner)?;
        let mut file = BufWriter::new(draft.file());
        write(page, &mut file).map_err(io::Error::other)?;
        file.flush()?;
        drop(file);
        draft.commit()?;
        let mut next = self.state.clone();
        next.pages += 1;
        next.bookmark = Some(bookmark);
        next.write(&self.folder)?;
        self.state = next;
        self.check()
    }

    /// Returns an error if the folder or its lock was removed or replaced: another process may write the same file by now.
    fn check(&self) -> io::Result<()> {
        self.lock.check().map_err(|_| {
            io::Error::other(
                "the folder of its pages, or the lock in it, was removed or replaced during the download",
            )
        })
    }

    /// Records that no page is missing.
    pub(crate) fn complete(&mut self) -> io::Result<()> {
        self.state.complete = true;
        self.state.write(&self.folder)
    }

    /// Makes the next download start over.
    pub(crate) fn give_up(&mut self) {
        // If removing fails too, the next download finds the same state and tries again.
        if self.clear().is_ok() {
            self.state.pages = 0;
        }
    }

    /// The pages in order, read from disk one after the other.
    pub(crate) fn pages(&self) -> impl Iterator<Item = io::Result<Page>> + use<> {
        let reader = self.reader();
        (0..self.state.pages).map(move |number| reader.page(number))
    }

    /// Reads pages by number, including pages that will be stored later.
    pub(crate) fn reader(&self) -> SpoolReader {
        SpoolReader { folder: self.folder.clone() }
    }

    /// Removes the folder, unless another process has a folder of that name now.
    pub(crate) fn remove(self) -> io::Result<()> {
        if self.check().is_ok() { fs::remove_dir_all(&self.folder) } else { Ok(()) }
    }
}

/// A download that has failed before its first page leaves nothing behind, a temporary one never does.
impl Drop for PageSpool {
    fn drop(&mut self) {
        if (self.state.pages == 0 || self.is_temporary) && self.lock.check().is_ok() {
            let _ = self.clear();
            let _ = fs::remove_file(self.folder.join("lock"));
            // Files of somebody else keep it.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// Reads pages of a folder.
pub(crate) struct SpoolReader {
    folder: PathBuf,
}

impl SpoolReader {
    /// The page with this number, counted from 0.
    pub(crate) fn page(&self, number: u64) -> io::Result<Page> {
        let file = BufReader::new(files::open_to_read(&page_path(&self.folder, number), false)?);
        read(file).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))
    }
}

fn page_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:08}.page"))
}
