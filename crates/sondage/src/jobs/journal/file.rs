//! A journal in a file.

use super::JournalStore;
use crate::error::{Error, Result};
use crate::state_file;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read as _, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The first bytes of every journal.
pub(super) const BEGIN: &str = "{\"is\":\"job\",\"sondage\":\"journal\"";
/// The maximum length of a line.
const LONGEST: u64 = 64 << 20;

/// A journal in a file that only its owner can read. It is locked while a job uses it.
#[derive(Debug)]
pub struct FileJournal {
    path: PathBuf,
    file: Option<File>,
    /// Whether this job has created the file.
    is_new: bool,
    /// The start and end of its last complete line.
    last: (u64, u64),
}

impl FileJournal {
    /// A journal in this file. The file need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), file: None, is_new: false, last: (0, 0) }
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
}

impl JournalStore for FileJournal {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn open(&mut self, line: &mut dyn FnMut(&str)) -> io::Result<()> {
        let (file, is_new) = open(&self.path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::ResourceBusy.into()),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // The file was replaced between opening and locking: the locked file is no longer at the path.
        if !state_file::is_still(&self.path, &file)? {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        let reader = file.try_clone()?;
        (self.file, self.is_new) = (Some(file), is_new);
        self.last = read(reader, line)?;
        Ok(())
    }

    fn append(&mut self, lines: &[String]) -> io::Result<()> {
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
            settle(&self.path);
        }
        self.last = (end, end + text.len() as u64);
        Ok(())
    }

    fn forget_last(&mut self) -> io::Result<()> {
        self.cut(self.last.0)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.cut(0)?;
        self.file()?.sync_data()
    }

    fn close(&mut self) {
        if let Some(file) = self.file.take() {
            // A job that has sent nothing, a dry run for example, leaves nothing behind.
            if self.is_new && file.metadata().is_ok_and(|about| about.len() == 0) {
                let _ = fs::remove_file(&self.path);
            }
            let _ = file.unlock();
        }
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
    read(File::open(path)?, line).map(|_| ())
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
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600).custom_flags(libc::O_NOFOLLOW);
    }
    match options.clone().create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if path.is_symlink() {
                return Err(io::Error::other("it is a symbolic link"));
            }
            Ok((options.open(path)?, false))
        }
        created => created.map(|file| (file, true)),
    }
}

/// A new file survives a power failure only if its folder is synced. If the folder cannot be synced, only this guarantee
/// is lost.
fn settle(path: &Path) {
    #[cfg(unix)]
    {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
    }
    #[cfg(not(unix))]
    let _ = path;
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
    make(folder).map_err(|error| super::unusable(&folder.display().to_string(), &error))?;
    Ok(folder.join(name))
}

fn make(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)?;
    fs::metadata(folder).map(|_| ())
}
