//! Small files in which the library records what it has done: replaced atomically, readable by their owner only, and used by one
//! run at a time.

use crate::error::{Error, Result, Text};
use crate::{files, text};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The maximum size in bytes; a larger file was not written by this library.
const LARGEST: u64 = 16 << 20;

/// A state file that this run has locked. The lock is on a second, empty file beside it.
#[derive(Debug)]
pub(crate) struct StateFile {
    path: PathBuf,
    lock: File,
}

impl StateFile {
    /// Locks a file, which need not exist yet. Its folder is created if needed.
    pub fn open(path: &Path) -> Result<Self> {
        let opened = make_folder(path).and_then(|()| lock(path));
        opened.map(|lock| Self { path: path.to_owned(), lock }).map_err(|error| {
            if error.kind() == io::ErrorKind::ResourceBusy {
                let what = text!("another run uses the file {}", path.display());
                return Error::invalid_argument(what)
                    .with_hint("Nothing was sent. Wait until it has ended, and run this again.")
                    .caused_by(&error);
            }
            unusable(path, &error, NOTHING)
        })
    }

    /// The content; `None` if the file does not exist. `is`: the kind that the file must name, and the supported version.
    pub fn read<T: DeserializeOwned>(&self, is: &str, version: u32) -> Result<Option<T>> {
        peek(&self.path, is, version)
    }

    /// Replaces the content. When it returns, the content survives a power failure. `happened`: the beginning of the
    /// error text.
    pub fn write<T: Serialize>(&self, content: &T, happened: impl Into<Text>) -> Result<()> {
        let bytes = serde_json::to_vec_pretty(content).map_err(io::Error::from);
        let written = bytes.and_then(|bytes| replace(&self.path, &bytes));
        written.map_err(|error| unusable(&self.path, &error, happened))
    }
}

/// Reads a state file as [`StateFile::read`] does, also while another run uses it.
pub(crate) fn peek<T: DeserializeOwned>(path: &Path, is: &str, version: u32) -> Result<Option<T>> {
    let bytes = match bytes(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(path, &error, NOTHING)),
    };
    let head: Head = serde_json::from_slice(&bytes).map_err(|_| foreign(path, is))?;
    if head.sondage != is {
        return Err(foreign(path, is));
    }
    if head.version != version {
        let what = text!(
            "the file {} is of version {}, and this library reads version {version}",
            path.display(),
            head.version
        );
        return Err(Error::invalid_argument(what)
            .with_hint("Nothing was sent. Use the version of this library that wrote it, or a newer one."));
    }
    serde_json::from_slice(&bytes).map(Some).map_err(|_| foreign(path, is))
}

/// Unlocked explicitly: a child process forked meanwhile has the file open too.
impl Drop for StateFile {
    fn drop(&mut self) {
        let _ = self.lock.unlock();
    }
}

const NOTHING: &str =
    "Nothing was sent. Name a file in a folder where this program may write and there is room.";

#[derive(serde::Deserialize)]
struct Head {
    sondage: String,
    version: u32,
}

fn foreign(path: &Path, is: &str) -> Error {
    let what = text!("the file {} is damaged, or is not a file of the kind `{is}`", path.display());
    Error::invalid_argument(what).with_hint(
        "Nothing was sent, and the file was left as it is. Restore a good copy, or name another file.",
    )
}

fn unusable(path: &Path, error: &io::Error, happened: impl Into<Text>) -> Error {
    let what = text!("the file {} cannot be used ({error})", path.display());
    Error::configuration(what).with_hint(happened).caused_by(error)
}

/// Reads the whole file, without following a link.
pub(crate) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW);
    let mut bytes = Vec::new();
    // A longer file would be truncated here, and could not be parsed.
    options.open(path)?.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a new file and renames it over the old one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = files::beside(path)?;
    let written = files::create_new(&fresh, files::Readers::Owner).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&fresh, path)?;
        settle(path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&fresh);
    }
    written
}

/// Whether the open file is the one at its path.
#[cfg(unix)]
pub(crate) fn is_still(path: &Path, file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let (one, other) = (file.metadata()?, fs::symlink_metadata(path)?);
    Ok((one.dev(), one.ino()) == (other.dev(), other.ino()))
}

/// On Windows, a file that is open elsewhere cannot be replaced.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn is_still(_: &Path, _: &File) -> io::Result<bool> {
    Ok(true)
}

/// A new name survives a power failure only after its folder was synced.
pub(crate) fn settle(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        Ok(())
    }
}

fn lock(path: &Path) -> io::Result<File> {
    let mut name = OsString::from(path.as_os_str());
    name.push(".lock");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600).custom_flags(libc::O_NOFOLLOW);
    }
    let file = options.open(PathBuf::from(name))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(io::ErrorKind::ResourceBusy.into()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn make_folder(path: &Path) -> io::Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
        Some(folder) => private_folder(folder),
        None => Ok(()),
    }
}

/// Creates a folder that only its owner can open, and its missing parents.
pub(crate) fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}
