//! What an archive holds: a line of JSON for each document, written when the document is safe.

use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The file beside the documents.
pub const NAME: &str = "manifest.jsonl";

/// The end of the name of a document that is not whole yet.
const PART: &str = ".pdf.part";
/// How long one waits for another run.
const PATIENCE: Duration = Duration::from_secs(1);

/// One document of the archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// GUID of the interview.
    pub interview: String,
    /// Name of the file in the folder.
    pub file: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// Its size in bytes.
    pub size: u64,
    /// The operation that it came from. The link is not kept: whoever has it can read the answers.
    pub source: String,
    /// When it was stored, in UTC.
    pub time: chrono::DateTime<chrono::Utc>,
}

/// An open archive. While it is open no other process can open it.
pub struct Manifest {
    folder: PathBuf,
    file: File,
    entries: HashMap<String, Entry>,
}

impl Manifest {
    /// Opens the archive in a folder, or begins one.
    pub fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(folder.join(NAME))?;
        lock(&file)?;
        sweep(folder)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        // A line that a killed process did not finish goes away; its document is fetched again.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        let mut entries = HashMap::new();
        for line in text[..whole].lines() {
            let entry: Entry = serde_json::from_str(line)
                .map_err(|_| io::Error::other(format!("{NAME} has a line that is not of an archive")))?;
            entries.insert(entry.interview.clone(), entry);
        }
        Ok(Self { folder: folder.to_owned(), file, entries })
    }

    /// Whether the document of an interview is there, as it was stored.
    pub fn holds(&self, interview: &str) -> bool {
        self.entries.get(interview).is_some_and(|entry| {
            // The name is made again, not believed: a manifest must not lead out of its folder.
            fs::read(self.folder.join(file_name(interview))).is_ok_and(|bytes| sha256(&bytes) == entry.sha256)
        })
    }

    /// Stores a document. When it returns, document and line outlive a power cut.
    pub fn store(&mut self, interview: &str, source: &str, bytes: &[u8]) -> io::Result<Entry> {
        let name = file_name(interview);
        let (target, part) = (self.folder.join(&name), self.folder.join(format!(".{interview}{PART}")));
        let written = private(OpenOptions::new().write(true).create(true).truncate(true))
            .open(&part)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&part, &target))
            .and_then(|()| settle(&self.folder));
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
        written?;
        let entry = Entry {
            interview: interview.to_owned(),
            file: name,
            sha256: sha256(bytes),
            size: bytes.len() as u64,
            source: source.to_owned(),
            time: chrono::Utc::now(),
        };
        let line = serde_json::to_string(&entry)? + "\n";
        self.file.write_all(line.as_bytes())?;
        self.file.sync_data()?;
        self.entries.insert(interview.to_owned(), entry.clone());
        Ok(entry)
    }
}

/// Makes the archive ours. A run that was just cancelled may still be storing its last document: it is given a moment.
fn lock(file: &File) -> io::Result<()> {
    let since = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if since.elapsed() > PATIENCE => {
                return Err(io::Error::other("another process is writing this archive"));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(PATIENCE / 20),
        }
    }
}

/// Removes what a killed process left of a document. Nobody else is writing: the archive is ours.
fn sweep(folder: &Path) -> io::Result<()> {
    for file in fs::read_dir(folder)? {
        let file = file?;
        let name = file.file_name();
        if name.to_str().is_some_and(|name| name.starts_with('.') && name.ends_with(PART)) {
            fs::remove_file(file.path())?;
        }
    }
    Ok(())
}

/// `{guid}.pdf`
fn file_name(interview: &str) -> String {
    format!("{interview}.pdf")
}

/// Whether an id can be the name of a file: an id comes from the service, and must not lead out of the folder.
pub fn is_safe(interview: &str) -> bool {
    (1..=64).contains(&interview.len()) && interview.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn sha256(bytes: &[u8]) -> String {
    digest(&SHA256, bytes).as_ref().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// A new name is safe when the folder is.
#[cfg(unix)]
fn settle(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
fn settle(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600)
}

#[cfg(not(unix))]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_cannot_lead_out_of_the_folder() {
        assert!(is_safe("0a1b2c3d-0000-4000-8000-000000000000"));
        assert!(!is_safe("../x") && !is_safe("") && !is_safe("a/b") && !is_safe("a.b") && !is_safe("C:x"));
    }
}
