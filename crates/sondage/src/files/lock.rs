//! Locks that are held for long. A lock belongs to an open file, not to its name: once the name leads to another file, or to
//! none, another process gets a lock of its own. So whoever holds one asks before each record whether the name still leads to
//! the locked file.

use super::{open_own, with_ending};
use std::error::Error;
use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// How often another process may take a lock file away before it is locked.
const ATTEMPTS: usize = 100;

/// A locked file without content, beside the file that it protects.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    file: File,
    /// The process that locked it: a forked child must not unlock it.
    owner: u32,
    stays: bool,
}

/// Why a file cannot be used any more: its name leads to another file, or to none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedFile {
    /// What became of its content.
    pub saved: SavedCopy,
}

/// What became of the content of a file that was replaced while it was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavedCopy {
    /// Nothing had been written.
    Empty,
    /// It was written again, under the same name.
    Restored,
    /// Its name leads to another file, and it was written to this one.
    Beside(PathBuf),
    /// It is only in the file that was moved or removed.
    Missing,
}

impl FileLock {
    /// Locks `<path>.lock`. [`io::ErrorKind::ResourceBusy`]: another process has. It is removed when it is dropped.
    pub fn beside(path: &Path) -> io::Result<Self> {
        Self::at(with_ending(path, ".lock"), false)
    }

    /// Locks a file. `stays`: it is not removed afterwards.
    pub fn at(path: PathBuf, stays: bool) -> io::Result<Self> {
        Self::acquire(path, stays, |file| match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(io::ErrorKind::ResourceBusy.into()),
            Err(TryLockError::Error(error)) => Err(error),
            Ok(()) => Ok(()),
        })
    }

    /// Locks a file that is not removed afterwards, and waits for it.
    pub fn wait(path: PathBuf) -> io::Result<Self> {
        Self::acquire(path, true, File::lock)
    }

    fn acquire(path: PathBuf, stays: bool, lock: impl Fn(&File) -> io::Result<()>) -> io::Result<Self> {
        for _ in 0..ATTEMPTS {
            let file = open_own(&path, OpenOptions::new().write(true).create(true).truncate(false))?;
            lock(&file)?;
            // Removed between opening and locking, by the process that had it before.
            if is_still(&path, &file)? {
                return Ok(Self { path, file, owner: std::process::id(), stays });
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    /// Returns an error if its name leads to another file, or to none: another process may have locked that one.
    pub fn check(&self) -> io::Result<()> {
        if is_still(&self.path, &self.file)? { Ok(()) } else { Err(replaced()) }
    }
}

/// Unlocked explicitly: a child process forked meanwhile has the file open too.
impl Drop for FileLock {
    fn drop(&mut self) {
        if self.owner != std::process::id() {
            return;
        }
        if cfg!(unix) && !self.stays && self.check().is_ok() {
            let _ = fs::remove_file(&self.path);
        }
        let _ = self.file.unlock();
    }
}

/// The error of a file that was replaced, and of which no copy was saved.
pub fn replaced() -> io::Error {
    io::Error::other(ReplacedFile { saved: SavedCopy::Missing })
}

/// Whether a name leads to the open file.
pub fn is_still(path: &Path, file: &File) -> io::Result<bool> {
    is_same(path, &file.metadata()?)
}

/// Whether a name leads to the file of this description.
#[cfg(unix)]
pub fn is_same(path: &Path, file: &Metadata) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    match fs::metadata(path) {
        Ok(there) => Ok((file.dev(), file.ino()) == (there.dev(), there.ino())),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// On Windows, a file that is open for this library cannot be removed or replaced.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
pub fn is_same(_: &Path, _: &Metadata) -> io::Result<bool> {
    Ok(true)
}

impl ReplacedFile {
    /// The reason of an error, if it is this one.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for ReplacedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it was removed or replaced while it was used")
    }
}

impl Error for ReplacedFile {}
