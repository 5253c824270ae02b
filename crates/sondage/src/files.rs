//! Files that hold what people answered, or who they are: nobody else on the machine needs to read them, and nobody else
//! says where they lie.

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
    /// All who may read the files of this process by its umask.
    Usual,
}

/// A new file. Something that lies there already, a link above all, is an error.
pub fn create_new(path: &Path, readers: Readers) -> io::Result<File> {
    open(OpenOptions::new().read(true).write(true).create_new(true), readers).open(path)
}

/// A file to write on with, which is made where it is not there. One that is there keeps its readers.
pub fn append(path: &Path) -> io::Result<File> {
    open(OpenOptions::new().create(true).append(true), Readers::Owner).open(path)
}

/// A name in the folder of `path` that nobody can have guessed: for what is renamed to `path` once it is whole.
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
