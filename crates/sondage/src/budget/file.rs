//! A day's record in a file that all processes of a machine share.
//!
//! The file is changed in place, by one write of 88 bytes under a lock, so a killed process leaves it in the state before or
//! after a change. It is never replaced, so that every process that has it open sees every change.

use super::record::{DayRecord, LENGTH, UnreadableRecord};
use crate::files;
use crate::per_process::PerProcess;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long to wait for another process. It holds the lock for some microseconds, unless it was suspended.
const LOCK_TIMEOUT: Duration = Duration::from_millis(250);
/// After that, how long no process waits again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The record of one tenant.
pub(super) struct RecordFile {
    pub path: PathBuf,
    /// A forked child opens the file again, because otherwise it would share its parent's lock.
    open: PerProcess<Mutex<OpenRecord>>,
}

#[derive(Default)]
struct OpenRecord {
    file: Option<File>,
    /// Another process held the lock for too long.
    busy_until: Option<Instant>,
}

/// Why a file cannot be used.
#[derive(Debug)]
pub(super) enum FileTrouble {
    /// Another process does not release its lock.
    Busy,
    /// A later version of this library has written it.
    Newer,
    /// It has other content.
    Damaged,
    /// The system refuses access.
    Io(io::Error),
}

impl From<io::Error> for FileTrouble {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<UnreadableRecord> for FileTrouble {
    fn from(why: UnreadableRecord) -> Self {
        match why {
            UnreadableRecord::Newer => Self::Newer,
            UnreadableRecord::Damaged => Self::Damaged,
        }
    }
}

impl RecordFile {
    pub fn new(path: PathBuf) -> Self {
        Self { path, open: PerProcess::default() }
    }

    /// Changes the record under the lock.
    pub fn update(&self, change: &mut dyn FnMut(&mut DayRecord)) -> Result<(), FileTrouble> {
        let open = self.open.get(|_| Mutex::default());
        let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.busy_until.is_some_and(|until| Instant::now() < until) {
            return Err(FileTrouble::Busy);
        }
        open.busy_until = None;
        let OpenRecord { file, busy_until } = &mut *open;
        let is_new = file.is_none();
        let lock = self.hold(file).inspect_err(|trouble| {
            if matches!(trouble, FileTrouble::Busy) {
                *busy_until = Some(Instant::now() + RETRY_AFTER);
            }
        })?;
        let before = lock.read()?;
        if is_new {
            files::narrow(lock.0)?;
        }
        let mut record = before;
        change(&mut record);
        if record != before {
            lock.write(&record)?;
        }
        Ok(())
    }

    /// The locked file. If it was removed or replaced, the one that has its name now, because no other process would see changes to
    /// the old one.
    fn hold<'file>(&self, open: &'file mut Option<File>) -> Result<HeldRecord<'file>, FileTrouble> {
        let begin = Instant::now();
        loop {
            let file = match open.take() {
                Some(file) => file,
                None => make(&self.path)?,
            };
            Self::lock(&file, begin)?;
            if files::is_still(&self.path, &file)? {
                return Ok(HeldRecord(open.insert(file)));
            }
            let _ = file.unlock();
        }
    }

    /// `begin`: since when to wait.
    fn lock(file: &File, begin: Instant) -> Result<(), FileTrouble> {
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::Error(error)) => return Err(error.into()),
                Err(TryLockError::WouldBlock) if begin.elapsed() >= LOCK_TIMEOUT => {
                    return Err(FileTrouble::Busy);
                }
                // The first wait is short and usually suffices; later ones are longer, so that other processes get their
                // turn.
                Err(TryLockError::WouldBlock) if begin.elapsed() < Duration::from_micros(50) => {
                    std::thread::yield_now();
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_micros(100)),
            }
        }
    }
}

/// A locked file that is unlocked explicitly: closing it would not be enough, because a child that was forked meanwhile has it
/// open too.
struct HeldRecord<'a>(&'a File);

impl HeldRecord<'_> {
    fn read(&self) -> Result<DayRecord, FileTrouble> {
        // One more byte than a record, to detect longer content. A single read returns everything.
        let mut bytes = [0; LENGTH + 1];
        let length = read_start(self.0, &mut bytes)?;
        match (length, bytes.first_chunk()) {
            (0, _) => Ok(DayRecord::default()),
            (LENGTH, Some(bytes)) => Ok(DayRecord::read(bytes)?),
            // Every later version has its version number in this place, whatever follows.
            (_, Some(bytes)) if length > LENGTH => Err(match DayRecord::read(bytes) {
                Err(UnreadableRecord::Newer) => FileTrouble::Newer,
                _ => FileTrouble::Damaged,
            }),
            _ => Err(FileTrouble::Damaged),
        }
    }

    fn write(&self, record: &DayRecord) -> Result<(), FileTrouble> {
        match write_start(self.0, &record.write())? {
            LENGTH => Ok(()),
            _ => Err(FileTrouble::Io(io::ErrorKind::WriteZero.into())),
        }
    }
}

impl Drop for HeldRecord<'_> {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

#[cfg(unix)]
fn read_start(file: &File, bytes: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, 0)
}

#[cfg(unix)]
fn write_start(file: &File, bytes: &[u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::write_at(file, bytes, 0)
}

#[cfg(windows)]
fn read_start(file: &File, bytes: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, 0)
}

#[cfg(windows)]
fn write_start(file: &File, bytes: &[u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, 0)
}

/// Does not follow a link, so that only the requested path is written. Only its owner can read it.
fn make(path: &Path) -> io::Result<File> {
    files::make_folder_of(path)?;
    files::open_own(path, OpenOptions::new().read(true).write(true).create(true).truncate(false))
}
