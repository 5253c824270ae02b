//! Small files in which the library records what it has done: replaced atomically, readable by their owner only, and used by one
//! run at a time.

use crate::error::{Error, Result, Text};
use crate::files::{self, FileLock, ReplacedFile};
use crate::text;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The maximum size in bytes; a larger file was not written by this library.
const LARGEST: u64 = 16 << 20;

/// A state file that this run has locked. The lock is on a second, empty file beside it, which is removed afterwards.
#[derive(Debug)]
pub struct StateFile {
    path: PathBuf,
    lock: FileLock,
}

impl StateFile {
    /// Locks a file, which need not exist yet. Its folder is created if needed.
    pub fn open(path: &Path) -> Result<Self> {
        let opened = files::make_folder_of(path).and_then(|()| {
            let lock = FileLock::beside(path)?;
            files::sweep(path)?;
            Ok(lock)
        });
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
        let content = peek(&self.path, is, version)?;
        if content.is_some() {
            let narrowed = files::open_to_read(&self.path, false).and_then(|file| files::narrow(&file));
            narrowed.map_err(|error| unusable(&self.path, &error, NOTHING))?;
        }
        Ok(content)
    }

    /// Replaces the content. When it returns, the content survives a power failure. `happened`: the beginning of the
    /// error text.
    pub fn write<T: Serialize>(&self, content: &T, happened: impl Into<Text>) -> Result<()> {
        let bytes = serde_json::to_vec_pretty(content).map_err(io::Error::from);
        let written = bytes.and_then(|bytes| {
            self.lock.check()?;
            files::replace(&self.path, &bytes)?;
            self.lock.check()
        });
        written.map_err(|error| match ReplacedFile::of(&error) {
            Some(_) => self.unlocked(&error),
            None => unusable(&self.path, &error, happened),
        })
    }

    /// Another run may use the file by now.
    fn unlocked(&self, error: &io::Error) -> Error {
        let what = text!(
            "the lock {}.lock was removed or replaced while this run used it, so another run may use the file",
            self.path.display()
        );
        Error::configuration(what)
            .with_hint(
                "Nothing more was sent. What was done before is in the file. If its folder was moved, move it back; then run \
                 this again, which resumes.",
            )
            .caused_by(error)
    }
}

/// Reads a state file as [`StateFile::read`] does, also while another run uses it.
pub fn peek<T: DeserializeOwned>(path: &Path, is: &str, version: u32) -> Result<Option<T>> {
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
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A longer file would be truncated here, and could not be parsed.
    files::open_to_read(path, false)?.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}
