//! Replaces files atomically: a draft is written beside a file, and renamed to it when it is complete.
//!
//! A killed process leaves its draft behind, with whatever it contains. So the name is fixed: the next process that writes
//! the same file removes it. A draft is locked while it is written, so that no process removes or renames another one's.

use super::lock::is_still;
use super::{Readers, create_new, open_to_read, settle};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// How often another process may take the name of a draft away.
const ATTEMPTS: usize = 100;

/// The new content of a file, until it is complete. Dropped before, it is removed.
#[derive(Debug)]
pub struct DraftFile {
    file: File,
    part: PathBuf,
    target: PathBuf,
    is_renamed: bool,
}

/// The name of the draft of a file: `.NAME.new` in the same folder.
pub fn draft_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".new");
    path.with_file_name(name)
}

/// Replaces the content of a file that only its owner can read.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = DraftFile::new(path, Readers::Owner)?;
    draft.file().write_all(bytes)?;
    draft.commit()
}

/// Removes the draft that a killed process left behind. One that is being written is left.
pub fn sweep(path: &Path) -> io::Result<()> {
    discard(&draft_of(path), false)
}

/// Removes a file and its draft, if they exist.
pub fn remove(path: &Path) -> io::Result<()> {
    sweep(path)?;
    absent(fs::remove_file(path))
}

impl DraftFile {
    /// Begins a draft. If another process is writing the same file, waits until it has ended.
    pub fn new(target: &Path, readers: Readers) -> io::Result<Self> {
        Self::at(draft_of(target), target, readers)
    }

    /// Begins a draft under another name, on the same disk.
    pub fn at(part: PathBuf, target: &Path, readers: Readers) -> io::Result<Self> {
        for _ in 0..ATTEMPTS {
            match create_new(&part, readers) {
                Ok(file) => {
                    // Where files cannot be locked, only writing a file twice at the same time is unprotected.
                    let _ = file.lock();
                    if is_still(&part, &file)? {
                        return Ok(Self { file, part, target: target.to_owned(), is_renamed: false });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => discard(&part, true)?,
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::ResourceBusy, "other processes are writing the same file"))
    }

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the content the name of the file. When it returns, it survives a power failure.
    pub fn commit(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.part, &self.target)?;
        self.is_renamed = true;
        settle(&self.target)
    }
}

/// Unlocked explicitly: a child process forked meanwhile has the file open too.
impl Drop for DraftFile {
    fn drop(&mut self) {
        if !self.is_renamed && is_still(&self.part, &self.file).unwrap_or(false) {
            let _ = fs::remove_file(&self.part);
        }
        let _ = self.file.unlock();
    }
}

/// Removes a draft. `wait`: also one that another process is writing, after that process has ended.
fn discard(part: &Path, wait: bool) -> io::Result<()> {
    // What cannot be opened, for example a link that somebody planted, is not a draft, and the name is needed.
    let Ok(file) = open_to_read(part, false) else { return absent(fs::remove_file(part)) };
    if wait {
        let _ = file.lock();
    } else if matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)) {
        return Ok(());
    }
    let removed = if is_still(part, &file)? { absent(fs::remove_file(part)) } else { Ok(()) };
    let _ = file.unlock();
    removed
}

fn absent(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
