//! Creates and opens files that contain answers or personal data: other users of the machine must not be able to read them or
//! to redirect them elsewhere.

mod draft;
mod lock;

#[doc(hidden)]
pub use draft::{DraftFile, draft_of, remove, replace, sweep};
#[doc(hidden)]
pub use lock::{FileLock, ReplacedFile, SavedCopy, is_same, is_still, replaced};

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, FileType, Metadata, OpenOptions};
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
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    set_mode(&mut options, readers);
    options.open(path)
}

/// Opens a file for appending and creates it if needed. Only its owner can read it afterwards: the permissions of a file that
/// exists are narrowed, and one that belongs to somebody else, or is not a regular file, is an error.
pub fn append(path: &Path) -> io::Result<File> {
    let file = append_to(path)?;
    narrow(&file)?;
    Ok(file)
}

/// Opens a file as [`append`] does, but does not [`narrow`] it yet: it may belong to another program.
pub(crate) fn append_to(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    set_mode(&mut options, Readers::Owner);
    open_regular(path, &mut options, true)
}

/// Opens a file with these options; only its owner can read one that is created. What is a symbolic link, or not a regular file, is an
/// error. A file that exists is [narrowed](narrow) by the caller, once its content shows that it belongs to this library.
#[doc(hidden)]
pub fn open_own(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let mut options = options.clone();
    set_mode(&mut options, Readers::Owner);
    #[cfg(windows)]
    {
        // Without FILE_SHARE_DELETE: it cannot be removed or replaced while it is open.
        const READ_AND_WRITE: u32 = 1 | 2;
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, READ_AND_WRITE);
    }
    open_regular(path, &mut options, false)
}

/// Opens a regular file to read it, without changing its permissions. `follow`: also through a symbolic link.
#[doc(hidden)]
pub fn open_to_read(path: &Path, follow: bool) -> io::Result<File> {
    open_regular(path, OpenOptions::new().read(true), follow)
}

/// Makes an open file accessible to its owner only. Returns whether that was necessary.
#[doc(hidden)]
pub fn narrow(file: &File) -> io::Result<bool> {
    narrow_with(&file.metadata()?, |permissions| file.set_permissions(permissions))
}

/// The same for a file that must not be opened and closed, because that would release its locks.
#[doc(hidden)]
pub fn narrow_at(path: &Path) -> io::Result<bool> {
    narrow_with(&fs::symlink_metadata(path)?, |permissions| fs::set_permissions(path, permissions))
}

#[cfg(unix)]
fn narrow_with(about: &Metadata, set: impl FnOnce(fs::Permissions) -> io::Result<()>) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let others = about.mode() & 0o077;
    if others == 0 {
        return Ok(false);
    }
    match set(fs::Permissions::from_mode(about.mode() & 0o700)) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(io::Error::new(
            error.kind(),
            "other users can read or write it, and it belongs to one of them: name a file of your own",
        )),
        // A file system that has no permissions, or cannot be written.
        _ => Ok(true),
    }
}

/// On this system the folder decides.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
fn narrow_with(_: &Metadata, _: impl FnOnce(fs::Permissions) -> io::Result<()>) -> io::Result<bool> {
    Ok(false)
}

/// Creates a folder that only its owner can open, and its missing parents.
#[doc(hidden)]
pub fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Creates the folder of a file as [`private_folder`] does, if it is missing.
#[doc(hidden)]
pub fn make_folder_of(path: &Path) -> io::Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
        Some(folder) => private_folder(folder),
        None => Ok(()),
    }
}

/// A new name survives a power failure only after its folder was synced.
#[doc(hidden)]
pub fn settle(path: &Path) -> io::Result<()> {
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

/// An unpredictable file name in the folder of `path`, for a temporary file that has no name any more as soon as it is open.
pub fn beside(path: &Path) -> io::Result<PathBuf> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{:032x}.new", u128::from_ne_bytes(random)));
    Ok(path.with_file_name(name))
}

/// The name of a file, with an ending.
#[doc(hidden)]
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    name.into()
}

/// Opens a file at once: a named pipe would wait for another process, and a device could do anything.
fn open_regular(path: &Path, options: &mut OpenOptions, follow: bool) -> io::Result<File> {
    check_regular(path, follow)?;
    #[cfg(unix)]
    {
        let link = if follow { 0 } else { libc::O_NOFOLLOW };
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK | link);
    }
    let file = options.open(path)?;
    check_kind(file.metadata()?.file_type())?;
    Ok(file)
}

/// Returns an error if there is something other than a regular file.
#[doc(hidden)]
pub fn check_regular(path: &Path, follow: bool) -> io::Result<()> {
    let metadata = if follow { fs::metadata(path) } else { fs::symlink_metadata(path) };
    metadata.map_or(Ok(()), |metadata| check_kind(metadata.file_type()))
}

fn check_kind(kind: FileType) -> io::Result<()> {
    if kind.is_file() {
        return Ok(());
    }
    let what = if kind.is_dir() {
        "a folder"
    } else if kind.is_symlink() {
        "a symbolic link"
    } else {
        special(kind)
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}, not a regular file")))
}

#[cfg(unix)]
fn special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_: FileType) -> &'static str {
    "a device"
}

#[cfg(unix)]
fn set_mode(options: &mut OpenOptions, readers: Readers) {
    let mode = if readers == Readers::Owner { 0o600 } else { 0o666 };
    std::os::unix::fs::OpenOptionsExt::mode(options, mode);
}

#[cfg(not(unix))]
fn set_mode(_: &mut OpenOptions, _: Readers) {}
