//! Creates files that contain answers or personal data: other users of the machine must not be able to read them or to
//! redirect them elsewhere.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Who may read a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Readers {
    /// Only its owner. (On Windows: all who may read its folder.)
    #[default]
    Owner,
    /// Everyone whom the process's umask allows.
    Usual,
}

/// Creates a new file. An existing file, in particular a symbolic link, is an error.
pub fn create_new(path: &Path, readers: Readers) -> io::Result<File> {
    open(OpenOptions::new().read(true).write(true).create_new(true), readers).open(path)
}

/// Opens a file for appending and creates it if needed. An existing file keeps its permissions.
pub fn append(path: &Path) -> io::Result<File> {
    open(OpenOptions::new().create(true).append(true), Readers::Owner).open(path)
}

/// An unpredictable file name in the folder of `path`, for a temporary file that is renamed to `path` when it is
/// complete.
pub fn beside(path: &Path) -> io::Result<PathBuf> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{:032x}.new", u128::from_ne_bytes(random)));
    Ok(path.with_file_name(name))
}

#[cfg(unix)]
fn open(options: &mut OpenOptions, readers: Readers) -> &mut OpenOptions {
    let mode = if readers == Readers::Owner { 0o600 } else { 0o666 };
    std::os::unix::fs::OpenOptionsExt::mode(options, mode)
}

#[cfg(not(unix))]
fn open(options: &mut OpenOptions, _: Readers) -> &mut OpenOptions {
    options
}
