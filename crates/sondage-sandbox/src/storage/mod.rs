//! A sandbox that stays: its world in a folder.
//!
//! The file `world.jsonl` has the whole world, and after it a record of each change, which is written before the response of the
//! call that made it. So a process that is killed loses nothing that somebody got a response for. (A machine that loses power may
//! lose the last seconds.) It is written anew when the changes are longer than the world.

mod change;
mod head;
mod read;
mod world;

pub(crate) use head::StateHead;
pub(crate) use read::StoredWorld;

use crate::clock::ClockState;
use crate::world::PlatformState;
use change::{ChangeWriter, Commit, Extent, Fingerprints, Stored};
use sondage::files::{self, DraftFile, FileLock, Readers};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

const FILE_NAME: &str = "world.jsonl";

/// The world as it was at the start, to begin anew.
const START_NAME: &str = "start.jsonl";

/// The file is not written anew for fewer bytes of changes.
const SMALLEST_REWRITE: u64 = 1 << 20;

/// The open folder of a sandbox. No other process can open it.
pub(crate) struct StateFolder {
    path: PathBuf,
    lock: FileLock,
    /// `None` after the file was replaced, until the new one is written to.
    file: Option<File>,
    head: StateHead,
    content: FileContent,
    /// The length of the first part of the file, the whole world.
    whole: u64,
    last: Option<Commit>,
    /// Changes that could not be written yet, and why.
    pending: Vec<u8>,
    failure: Option<String>,
}

/// What a file has: complete changes.
pub(crate) struct FileContent {
    bytes: u64,
    /// The number of the next line.
    next_line: u64,
    fingerprints: Fingerprints,
}

/// A locked folder, before its content is known.
pub(crate) struct LockedFolder {
    path: PathBuf,
    lock: FileLock,
}

impl LockedFolder {
    /// Creates the folder if it is missing, and locks it.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        if folder.as_os_str().is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the state needs the name of a folder"));
        }
        // The process may change its working directory.
        let folder = &std::path::absolute(folder)?;
        let about = |error: io::Error| about(folder, &error);
        files::private_folder(folder).map_err(about)?;
        let path = folder.join(FILE_NAME);
        let lock = FileLock::beside(&path).map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => {
                let why =
                    "another sandbox uses it: stop that one, or name another folder. Nothing was changed";
                about(io::Error::new(io::ErrorKind::InvalidInput, why))
            }
            _ => about(error),
        })?;
        files::sweep(&path).map_err(about)?;
        files::sweep(&folder.join(START_NAME)).map_err(about)?;
        Ok(Self { path, lock })
    }

    /// Keeps a new world as the one at the start.
    pub(crate) fn keep_start(
        &self,
        world: &mut PlatformState,
        head: &StateHead,
        clock: ClockState,
    ) -> io::Result<()> {
        let path = self.path.with_file_name(START_NAME);
        let commit = commit_of(world, clock);
        write_whole(&path, world, head, commit).map(drop).map_err(|error| about(&path, &error))
    }

    /// What it holds, if it was used before. Without its world it begins again with that of its start, which is written first.
    pub(crate) fn read(&self) -> io::Result<Option<StoredWorld>> {
        let is_missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        match files::open_to_read(&self.path, false) {
            Err(error) if is_missing(&error) => {
                match files::open_to_read(&self.path.with_file_name(START_NAME), false) {
                    Err(error) if is_missing(&error) => Ok(None),
                    start => {
                        let copied = start.and_then(|start| copy_to(start, &self.path));
                        copied.map_err(|error| about(&self.path, &error))?;
                        read_file(files::open_to_read(&self.path, false), &self.path).map(Some)
                    }
                }
            }
            opened => read_file(opened, &self.path).map(Some),
        }
    }

    /// Begins to write. A new world, or one of which the head has changed, is written as a whole.
    pub(crate) fn begin(
        self,
        world: &mut PlatformState,
        head: StateHead,
        clock: ClockState,
        stored: Option<FileContent>,
    ) -> io::Result<StateFolder> {
        let about = |error: io::Error| about(&self.path, &error);
        let commit = commit_of(world, clock);
        let content = match stored {
            Some(content) => content,
            None => write_whole(&self.path, world, &head, commit).map_err(about)?,
        };
        let file = open_to_append(&self.path).and_then(|file| file.set_len(content.bytes).map(|()| file));
        let file = file.map_err(about)?;
        world.begin_marks();
        Ok(StateFolder {
            path: self.path,
            lock: self.lock,
            file: Some(file),
            head,
            whole: content.bytes,
            content,
            last: Some(commit),
            pending: Vec::new(),
            failure: None,
        })
    }
}

impl StateFolder {
    /// Why changes are not stored, if they are not.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Writes what changed. What cannot be written is written with the next change.
    pub(crate) fn append(&mut self, world: &mut PlatformState, clock: ClockState) {
        let commit = commit_of(world, clock);
        let FileContent { next_line, fingerprints, .. } = &mut self.content;
        let mut lines = ChangeWriter::new(&mut self.pending, fingerprints, *next_line);
        // Writing to memory does not fail.
        let _ = world.write(&mut lines, Extent::Changes);
        if lines.number > *next_line || self.last != Some(commit) {
            let _ = lines.commit(commit);
            self.last = Some(commit);
        }
        *next_line = lines.number;
        if self.pending.is_empty() {
            return;
        }
        self.failure =
            self.flush().err().map(|error| format!("the state in {}: {error}", self.path.display()));
        if self.failure.is_none() && self.content.bytes - self.whole > SMALLEST_REWRITE.max(self.whole) {
            // A file that cannot be written anew is complete, and is tried again when it is twice as long.
            let rewritten = self.rewrite(world, commit);
            self.whole = rewritten.map_or(self.content.bytes, |()| self.whole);
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.lock.check()?;
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(open_to_append(&self.path)?),
        };
        if let Err(error) = file.write_all(&self.pending) {
            // Half a record must not stay before the next one.
            file.set_len(self.content.bytes)?;
            return Err(error);
        }
        self.content.bytes += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Replaces the file by the whole world.
    fn rewrite(&mut self, world: &mut PlatformState, commit: Commit) -> io::Result<()> {
        self.content = write_whole(&self.path, world, &self.head, commit)?;
        // The old one has no name any more.
        self.file = None;
        (self.whole, self.last) = (self.content.bytes, Some(commit));
        self.pending.clear();
        world.begin_marks();
        Ok(())
    }

    /// The world at the start; `None` in a folder that an earlier version made.
    pub(crate) fn start(&self) -> io::Result<Option<StoredWorld>> {
        let path = self.path.with_file_name(START_NAME);
        match files::open_to_read(&path, false) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => read_file(opened, &path).map(Some),
        }
    }

    /// Stores another world in the place of this one.
    pub(crate) fn replace(&mut self, world: &mut PlatformState, clock: ClockState) -> io::Result<()> {
        let commit = commit_of(world, clock);
        self.rewrite(world, commit).map_err(|error| about(&self.path, &error))
    }
}

/// Writes a copy of a world to a folder, in the place of an earlier one: it can be restored, and another sandbox can begin with it.
/// `kept`: the folder of the world, whose start is copied, too. After an error, a folder that it created is not there any more.
pub(crate) fn write_copy(
    folder: &Path,
    world: &mut PlatformState,
    head: &StateHead,
    clock: ClockState,
    kept: Option<&Path>,
) -> io::Result<()> {
    let is_new = !folder.exists();
    let commit = commit_of(world, clock);
    let written = LockedFolder::open(folder).and_then(|locked| {
        let copied = copy_start(kept, folder).and_then(|()| write_whole(&locked.path, world, head, commit));
        copied.map(drop).map_err(|error| about(folder, &error))
    });
    if written.is_err() && is_new {
        // Only files of this function can be in it.
        let _ = files::remove(&folder.join(START_NAME));
        let _ = std::fs::remove_dir(folder);
    }
    written
}

/// Copies the world at the start. A copy of a sandbox that does not know it must not have that of another one.
fn copy_start(kept: Option<&Path>, folder: &Path) -> io::Result<()> {
    let path = folder.join(START_NAME);
    let start = kept.map(|kept| kept.join(START_NAME)).map(|start| files::open_to_read(&start, false));
    match start {
        None => files::remove(&path),
        Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => files::remove(&path),
        Some(opened) => copy_to(opened?, &path),
    }
}

fn copy_to(mut file: File, path: &Path) -> io::Result<()> {
    let mut draft = DraftFile::new(path, Readers::Owner)?;
    io::copy(&mut file, draft.file())?;
    draft.commit()
}

/// Reads the world of a folder that a sandbox may be using.
pub(crate) fn read_copy(folder: &Path) -> io::Result<StoredWorld> {
    let path = folder.join(FILE_NAME);
    match files::open_to_read(&path, true) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let why = format!("there is no {FILE_NAME} in it");
            Err(about(folder, &io::Error::new(io::ErrorKind::InvalidInput, why)))
        }
        opened => read_file(opened, &path),
    }
}

fn read_file(opened: io::Result<File>, path: &Path) -> io::Result<StoredWorld> {
    opened.and_then(|file| read::read(BufReader::new(file))).map_err(|error| about(path, &error))
}

fn write_whole(
    path: &Path,
    world: &mut PlatformState,
    head: &StateHead,
    commit: Commit,
) -> io::Result<FileContent> {
    let mut draft = DraftFile::new(path, Readers::Owner)?;
    let mut out = BufWriter::new(draft.file());
    let mut fingerprints = Fingerprints::new();
    let mut lines = ChangeWriter::new(&mut out, &mut fingerprints, 1);
    lines.line(&head.line()?)?;
    world.write(&mut lines, Extent::Whole)?;
    lines.commit(commit)?;
    let next_line = lines.number;
    out.flush()?;
    drop(out);
    let bytes = draft.file().metadata()?.len();
    draft.commit()?;
    Ok(FileContent { bytes, next_line, fingerprints })
}

fn open_to_append(path: &Path) -> io::Result<File> {
    let file = files::open_own(path, OpenOptions::new().append(true))?;
    files::narrow(&file)?;
    Ok(file)
}

fn commit_of(world: &PlatformState, clock: ClockState) -> Commit {
    Commit::new(world.ids, clock)
}

/// The error of a file or a folder that cannot be used, with what can be done.
fn about(path: &Path, error: &io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::AlreadyExists {
        let why = format!("the state in {}: it is a file and no folder. {NAME_FOLDER}", path.display());
        return io::Error::new(error.kind(), why);
    }
    let cure = match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "Nothing was written: let this program write there, or name another folder"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "Nothing was written: make room there, or name a folder on another disk"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => NAME_FOLDER,
        _ => return io::Error::new(error.kind(), format!("the state in {}: {error}", path.display())),
    };
    io::Error::new(error.kind(), format!("the state in {}: {error}. {cure}", path.display()))
}

const NAME_FOLDER: &str = "Nothing was written: name a folder, which may be a new one";

#[cfg(test)]
mod tests {
    use super::*;

    /// A full disk cannot be had in every place where tests run.
    #[test]
    fn a_folder_that_cannot_be_written_has_a_cure() {
        for (kind, cure) in [
            (io::ErrorKind::StorageFull, "make room there, or name a folder on another disk"),
            (io::ErrorKind::PermissionDenied, "let this program write there, or name another folder"),
            (io::ErrorKind::NotADirectory, "name a folder, which may be a new one"),
            (
                io::ErrorKind::AlreadyExists,
                "it is a file and no folder. Nothing was written: name a folder, which may be a new one",
            ),
        ] {
            let error = about(Path::new("box"), &kind.into());
            let said = error.to_string();
            assert!(said.starts_with("the state in box: ") && said.ends_with(cure), "{said}");
            assert_eq!(error.kind(), kind);
        }
    }
}
