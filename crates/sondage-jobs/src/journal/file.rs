//! A journal in a file.

use super::JournalStore;
use sondage::error::{Error, Result};
use sondage::files::{self, FileLock, ReplacedFile, SavedCopy};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read as _, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The first bytes of every journal.
pub(super) const BEGIN: &str = "{\"is\":\"job\",\"sondage\":\"journal\"";
/// The maximum length of a line.
const LONGEST: u64 = 64 << 20;
/// The ending of the file to which a job writes its records when another file has taken the journal's name.
const SAVED: &str = ".saved";

/// A journal in a file that only its owner can read. It is locked while a job uses it, and so is the file `<journal>.lock` beside it,
/// which keeps other runs out if the journal is removed or replaced.
#[derive(Debug)]
pub struct FileJournal {
    path: PathBuf,
    lock: Option<FileLock>,
    file: Option<File>,
    /// Whether this job has created the file.
    is_new: bool,
    /// The start and end of its last complete line.
    last: (u64, u64),
    /// It was removed or replaced: the job has been told, and records only what it has done already.
    is_lost: bool,
}

impl FileJournal {
    /// A journal in this file. The file need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), lock: None, file: None, is_new: false, last: (0, 0), is_lost: false }
    }

    fn file(&mut self) -> io::Result<&mut File> {
        self.file.as_mut().ok_or_else(|| io::Error::other("it is not open"))
    }

    /// Removes the incomplete line that a killed process left behind.
    fn cut(&mut self, end: u64) -> io::Result<()> {
        let file = self.file()?;
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        self.last.1 = end;
        Ok(())
    }

    fn is_still(&mut self) -> io::Result<bool> {
        let path = self.path.clone();
        files::is_still(&path, self.file()?)
    }

    /// Returns an error if the name leads to another file, or to none: the next run would not find what is recorded. The error is
    /// returned once.
    fn check(&mut self) -> io::Result<()> {
        if self.is_lost || self.is_still()? {
            return Ok(());
        }
        self.is_lost = true;
        Err(io::Error::other(ReplacedFile { saved: self.save() }))
    }

    /// Writes the records where the next run finds them.
    fn save(&mut self) -> SavedCopy {
        if self.last.1 == 0 {
            return SavedCopy::Empty;
        }
        let (own, beside) = (self.path.clone(), files::with_ending(&self.path, SAVED));
        let is_free = self.is_continued_at_its_name().unwrap_or(false);
        match self.copy_to(if is_free { &own } else { &beside }) {
            Ok(()) if is_free => SavedCopy::Restored,
            Ok(()) => SavedCopy::Beside(beside),
            Err(_) => SavedCopy::Missing,
        }
    }

    /// Whether its name is free, or leads to the beginning of the same records, for example a copy from a backup.
    fn is_continued_at_its_name(&mut self) -> io::Result<bool> {
        let mut existing_file = match files::open_to_read(&self.path, false) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            there => there?,
        };
        existing_file.try_lock()?;
        let (mut theirs, mut ours, end) = (Vec::new(), Vec::new(), self.last.1);
        existing_file.read_to_end(&mut theirs)?;
        existing_file.unlock()?;
        let file = self.file()?;
        file.seek(SeekFrom::Start(0))?;
        file.take(end).read_to_end(&mut ours)?;
        // With the lock, no other run has continued it: what is more there is what this one has just written.
        Ok(ours.starts_with(&theirs) || (self.lock.is_some() && theirs.starts_with(&ours)))
    }

    /// Copies the records to another file, and continues there.
    fn copy_to(&mut self, path: &Path) -> io::Result<()> {
        let end = self.last.1;
        let mut draft = files::DraftFile::new(path, files::Readers::Owner)?;
        let file = self.file()?;
        file.seek(SeekFrom::Start(0))?;
        io::copy(&mut file.take(end), draft.file())?;
        draft.commit()?;
        let copy = files::open_own(path, OpenOptions::new().read(true).write(true))?;
        copy.try_lock()?;
        let _ = self.file()?.unlock();
        self.file = Some(copy);
        Ok(())
    }

    /// Replaces the content. Readers see the old one or the complete new one.
    pub(super) fn replace(mut self, bytes: &[u8]) -> io::Result<()> {
        self.check()?;
        // On Windows, an open file cannot be replaced. The lock beside it is still held.
        if let Some(file) = self.file.take() {
            file.unlock()?;
        }
        files::replace(&self.path, bytes)
    }
}

impl JournalStore for FileJournal {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn open(&mut self, line: &mut dyn FnMut(&str)) -> io::Result<()> {
        let lock = match FileLock::beside(&self.path) {
            // The journal itself may be writable. Its own lock remains.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
                ) =>
            {
                None
            }
            lock => Some(lock?),
        };
        let saved = files::with_ending(&self.path, SAVED);
        if fs::symlink_metadata(&saved).is_ok() {
            return Err(io::Error::other(ReplacedFile { saved: SavedCopy::Beside(saved) }));
        }
        files::sweep(&self.path)?;
        let (file, is_new) = open(&self.path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::ResourceBusy.into()),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // The file was replaced between opening and locking: the locked file is no longer at the path.
        if !files::is_still(&self.path, &file)? {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        let reader = file.try_clone()?;
        (self.lock, self.file, self.is_new) = (lock, Some(file), is_new);
        self.last = read(reader, line)?;
        files::narrow(self.file()?)?;
        Ok(())
    }

    fn append(&mut self, lines: &[String]) -> io::Result<()> {
        self.check()?;
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        let end = self.last.1;
        self.cut(end)?;
        let file = self.file()?;
        if let Err(error) = file.write_all(text.as_bytes()).and_then(|()| file.sync_data()) {
            // Followed by other lines, the incomplete line would count as damage.
            let _ = self.cut(end);
            return Err(error);
        }
        if end == 0 {
            // If the folder cannot be synced, only the guarantee of a power failure is lost.
            let _ = files::settle(&self.path);
        }
        // Removed while it was written: no run would find the lines.
        if let Err(error) = self.check() {
            let _ = self.cut(end);
            return Err(error);
        }
        self.last = (end, end + text.len() as u64);
        Ok(())
    }

    fn forget_last(&mut self) -> io::Result<()> {
        self.cut(self.last.0)
    }

    fn clear(&mut self) -> io::Result<()> {
        // The job is complete. What has taken its name belongs to somebody else.
        if self.is_lost || !self.is_still()? {
            return Ok(());
        }
        self.cut(0)?;
        self.file()?.sync_data()
    }

    fn close(&mut self) {
        // A job that has sent nothing, a dry run for example, leaves nothing behind.
        let is_empty = |file: &File| file.metadata().is_ok_and(|about| about.len() == 0);
        if self.is_new && self.file.as_ref().is_some_and(is_empty) && self.is_still().unwrap_or(false) {
            let _ = fs::remove_file(&self.path);
        }
        if let Some(file) = self.file.take() {
            let _ = file.unlock();
        }
        self.lock = None;
    }
}

/// The lock is released explicitly: a child process forked meanwhile has the file open too.
impl Drop for FileJournal {
    fn drop(&mut self) {
        self.close();
    }
}

/// The complete lines of a journal that another process may have locked.
pub(super) fn lines_of(path: &Path, line: &mut dyn FnMut(&str)) -> io::Result<()> {
    read(files::open_to_read(path, true)?, line).map(|_| ())
}

/// Returns the complete lines, and the start and end of the last one.
fn read(file: File, line: &mut dyn FnMut(&str)) -> io::Result<(u64, u64)> {
    let mut reader = BufReader::new(file);
    let (mut bytes, mut end, mut start) = (Vec::new(), 0, 0);
    loop {
        bytes.clear();
        let read = reader.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)?;
        let ours = bytes.starts_with(BEGIN.as_bytes()) || BEGIN.as_bytes().starts_with(&bytes);
        if end == 0 && !ours {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let Some(whole) = bytes.strip_suffix(b"\n") else { return Ok((start, end)) };
        line(&String::from_utf8_lossy(whole));
        start = end;
        end += read as u64;
    }
}

/// Returns the file, and whether it was created. Symbolic links are refused: the journal must be written where it was requested.
fn open(path: &Path) -> io::Result<(File, bool)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    match files::open_own(path, options.clone().create_new(true)) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Ok((files::open_own(path, &options)?, false))
        }
        created => created.map(|file| (file, true)),
    }
}

/// The default folder of journals: in the user's state folder. `hint`: what to do when there is none.
pub(crate) fn default_folder(hint: &'static str) -> Result<PathBuf> {
    let path = |variable| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = path("XDG_STATE_HOME")
        .or_else(|| path("HOME").map(|home| home.join(".local").join("state")))
        .or_else(|| path("LOCALAPPDATA"));
    let Some(state) = state else {
        let what =
            "there is no place for the journal of this job: neither XDG_STATE_HOME nor HOME names a folder";
        return Err(Error::configuration(what).with_hint(hint));
    };
    Ok(state.join("sondage").join("journals"))
}

/// The default path of a job's journal, with a name derived from the job.
pub(crate) fn default_place(name: &str) -> Result<PathBuf> {
    place_in(&default_folder("Name a file as `journal`.")?, name)
}

/// A journal in a folder, which is created if it does not exist.
pub(crate) fn place_in(folder: &Path, name: &str) -> Result<PathBuf> {
    files::private_folder(folder)
        .and_then(|()| fs::metadata(folder).map(|_| ()))
        .map_err(|error| super::unusable(&folder.display().to_string(), &error))?;
    Ok(folder.join(name))
}
