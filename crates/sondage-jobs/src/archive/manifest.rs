//! The manifest of an archive: a line of JSON for each document, written when the document is safely on disk.
//!
//! A folder may contain anything, so nothing in it is changed before its manifest has been read completely and every line
//! has been validated. The archive creates its files under unguessable names, and removes only such files.

use serde::{Deserialize, Serialize};
use sondage::files;
use sondage::internals::hex::{hex, sha256};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The manifest's file name.
pub const NAME: &str = "manifest.jsonl";

/// The first line, which identifies the file.
const HEADER: &str = "{\"archive\":\"sondage\",\"version\":1}\n";
/// The name of an incomplete document: this prefix, 32 random hexadecimal digits and the suffix.
const PART: (&str, &str) = (".sondage-", ".part");
/// The maximum length of a line, in bytes.
const LONGEST: usize = 512;
/// How long to wait for another run.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

/// One document of the archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Entry {
    /// GUID of the interview, in lower case.
    pub interview: String,
    /// Name of the file in the folder.
    pub file: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// Its size in bytes.
    pub size: u64,
    /// The operation that returned it. The link is not stored, because anyone who has it can read the answers.
    pub source: String,
    /// When it was stored, in UTC.
    pub time: chrono::DateTime<chrono::Utc>,
}

/// An open archive. While it is open no other process can open it.
pub struct Manifest {
    folder: PathBuf,
    file: File,
    /// The end of the last complete line. Anything after it was left by a killed process, and is removed when the next
    /// line is written.
    end: u64,
    entries: HashMap<String, Entry>,
}

impl Manifest {
    /// Opens the archive in a folder, or creates one. A manifest that does not belong to an archive is an error, and
    /// nothing is changed.
    pub fn open(folder: &Path) -> io::Result<Self> {
        // Answers are personal data: new folders and files are accessible to their owner only.
        files::private_folder(folder)?;
        let path = folder.join(NAME);
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let mut file = match files::open_own(&path, &options) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                files::open_own(&path, options.create_new(true))?
            }
            opened => opened?,
        };
        lock(&file)?;
        // The file was replaced between opening and locking: the locked file is no longer at the path.
        if !files::is_still(&path, &file)? {
            return Err(io::Error::other("another process is writing this archive"));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => foreign(),
            _ => error,
        })?;
        let (end, entries) = read(&text).ok_or_else(foreign)?;
        files::narrow(&file)?;
        if end == 0 {
            file.write_all(HEADER.as_bytes())?;
            file.sync_data()?;
        }
        sweep(folder)?;
        files::sweep(&path)?;
        let end = if end == 0 { HEADER.len() } else { end } as u64;
        Ok(Self { folder: folder.to_owned(), file, end, entries })
    }

    /// Whether the document of an interview exists unchanged.
    pub fn holds(&self, interview: &str) -> bool {
        let entry = self.entries.get(&interview.to_ascii_lowercase());
        entry.is_some_and(|entry| is_there(&self.folder, entry))
    }

    /// Stores a document. When it returns, document and line survive a power failure. `None`: a file with this name exists
    /// that does not belong to the archive, and was left unchanged.
    pub fn store(&mut self, interview: &str, source: &str, bytes: &[u8]) -> io::Result<Option<Entry>> {
        self.check()?;
        let name = file_name(interview);
        let (target, part) = (self.folder.join(&name), self.folder.join(part_name()?));
        let listed = self.entries.contains_key(&interview.to_ascii_lowercase());
        let owner = if listed { Place::Ours } else { reserve(&target, bytes)? };
        if let Place::Theirs = owner {
            return Ok(None);
        }
        let written = files::create_new(&part, files::Readers::Owner).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&part, &target)?;
            files::settle(&target)
        });
        if written.is_err() {
            let _ = fs::remove_file(&part);
            if let Place::Reserved = owner {
                let _ = fs::remove_file(&target);
            }
        }
        written?;
        let entry = Entry {
            interview: interview.to_ascii_lowercase(),
            file: name,
            sha256: sha256(bytes),
            size: bytes.len() as u64,
            source: source.to_owned(),
            time: chrono::Utc::now(),
        };
        let line = serde_json::to_string(&entry)? + "\n";
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(line.as_bytes())?;
        self.file.sync_data()?;
        self.check()?;
        self.end += line.len() as u64;
        self.entries.insert(entry.interview.clone(), entry.clone());
        Ok(Some(entry))
    }

    /// Returns an error if the manifest was removed or replaced: another run may write the archive by now, and no run would find the
    /// next line.
    fn check(&self) -> io::Result<()> {
        if files::is_still(&self.folder.join(NAME), &self.file)? {
            return Ok(());
        }
        Err(io::Error::other(format!(
            "its {NAME} was removed or replaced while it was written; nothing more was stored. If the folder was moved, move it \
             back, and run the same archive again: it fetches what has no line"
        )))
    }
}

/// How many documents an archive lists, and how many of them are in its folder unchanged; `None` if the folder is not an archive.
pub fn state(folder: &Path) -> io::Result<Option<(usize, usize)>> {
    let Some(entries) = listed(folder)? else { return Ok(None) };
    Ok(Some((entries.len(), entries.iter().filter(|entry| is_there(folder, entry)).count())))
}

/// The interviews whose documents are in a folder unchanged, and the size of each; none if the folder is no archive yet.
pub fn stored(folder: &Path) -> io::Result<HashMap<String, u64>> {
    let entries = listed(folder)?.unwrap_or_default().into_iter();
    Ok(entries.filter(|entry| is_there(folder, entry)).map(|entry| (entry.interview, entry.size)).collect())
}

fn is_there(folder: &Path, entry: &Entry) -> bool {
    // The name is recomputed, not read: a manifest must not lead out of its folder.
    let bytes = fs::read(folder.join(file_name(&entry.interview)));
    bytes.is_ok_and(|bytes| sha256(&bytes) == entry.sha256)
}

/// The documents that an archive lists; `None` if the folder is not an archive. Nothing is changed.
pub fn listed(folder: &Path) -> io::Result<Option<Vec<Entry>>> {
    let text = match files::open_to_read(&folder.join(NAME), false) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => {
            let mut bytes = Vec::new();
            opened?.read_to_end(&mut bytes)?;
            String::from_utf8(bytes).map_err(|_| foreign())?
        }
    };
    let (_, entries) = read(&text).ok_or_else(foreign)?;
    Ok(Some(entries.into_values().collect()))
}

/// Deletes the documents of these interviews, then their lines: after an interruption, the lines show what is left.
pub fn remove(folder: &Path, interviews: &HashSet<String>) -> io::Result<()> {
    let Manifest { file, entries, .. } = Manifest::open(folder)?;
    let (theirs, mut others): (Vec<Entry>, Vec<Entry>) =
        entries.into_values().partition(|entry| interviews.contains(&entry.interview));
    for entry in &theirs {
        match fs::remove_file(folder.join(file_name(&entry.interview))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    files::settle(&folder.join(NAME))?;
    others.sort_by(|a, b| (a.time, &a.interview).cmp(&(b.time, &b.interview)));
    let mut text = HEADER.to_owned();
    for entry in &others {
        text += &(serde_json::to_string(entry)? + "\n");
    }
    // On Windows, an open file cannot be replaced.
    let file = (!cfg!(windows)).then_some(file);
    files::replace(&folder.join(NAME), text.as_bytes())?;
    drop(file);
    Ok(())
}

/// Whose file a document takes the place of.
enum Place {
    /// The archive's.
    Ours,
    /// None: an empty placeholder was created, which the document replaces.
    Reserved,
    /// Somebody else's.
    Theirs,
}

/// Ensures that no file is replaced that the archive has not created. A file that a killed run left without a line is
/// either this document or an empty placeholder.
fn reserve(target: &Path, bytes: &[u8]) -> io::Result<Place> {
    match files::create_new(target, files::Readers::Owner) {
        Ok(_) => return Ok(Place::Reserved),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    let same = fs::symlink_metadata(target)?.is_file() && {
        let content = fs::read(target)?;
        content.is_empty() || content == bytes
    };
    Ok(if same { Place::Ours } else { Place::Theirs })
}

/// The end of the last complete line, and the entries; `None` if the text does not belong to an archive. A manifest from
/// before the first release has no header line: it is accepted if each of its lines is an entry.
fn read(text: &str) -> Option<(usize, HashMap<String, Entry>)> {
    let end = text.rfind('\n').map_or(0, |end| end + 1);
    let (whole, rest) = text.split_at(end);
    // A killed process may leave an incomplete line, but only after a first one.
    if !rest.is_empty() && (whole.is_empty() || !begins_an_entry(rest)) {
        return None;
    }
    let lines = whole.strip_prefix(HEADER).unwrap_or(whole);
    let mut entries = HashMap::new();
    for line in lines.lines() {
        let mut entry: Entry = serde_json::from_str(line).ok()?;
        if !is_guid(&entry.interview) {
            return None;
        }
        entry.interview.make_ascii_lowercase();
        entries.insert(entry.interview.clone(), entry);
    }
    Some((end, entries))
}

/// Whether a text is the beginning of a valid line.
fn begins_an_entry(text: &str) -> bool {
    // The name repeats the GUID; the part after the digests does not identify the line.
    let guid = "GGGGGGGG-GGGG-GGGG-GGGG-GGGGGGGGGGGG";
    let line = format!(
        "{{\"interview\":\"{guid}\",\"file\":\"{guid}.pdf\",\"sha256\":\"{}\",\"size\":",
        "G".repeat(64)
    );
    text.len() <= LONGEST
        && line.chars().zip(text.chars()).all(|(wanted, is)| match wanted {
            'G' => is.is_ascii_hexdigit(),
            _ => is == wanted,
        })
}

/// A parsed manifest: the end of its last complete line, and its documents.
#[cfg(fuzzing)]
pub fn fuzzed(text: &str) -> Option<(usize, Vec<String>)> {
    read(text).map(|(end, entries)| (end, entries.into_keys().collect()))
}

fn foreign() -> io::Error {
    io::Error::other(format!(
        "the {NAME} in the folder does not belong to an archive, and was not changed: choose another folder"
    ))
}

/// Locks the archive. A run that was just cancelled may still be storing its last document, so this waits a moment.
fn lock(file: &File) -> io::Result<()> {
    let since = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if since.elapsed() > LOCK_TIMEOUT => {
                return Err(io::Error::other("another process is writing this archive"));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_TIMEOUT / 20),
        }
    }
}

/// Removes the incomplete documents of a killed process. The lock ensures that no other run is writing.
fn sweep(folder: &Path) -> io::Result<()> {
    for file in fs::read_dir(folder)? {
        let file = file?;
        if file.file_name().to_str().is_some_and(is_part) && file.file_type()?.is_file() {
            fs::remove_file(file.path())?;
        }
    }
    Ok(())
}

/// `{guid}.pdf`
fn file_name(interview: &str) -> String {
    format!("{}.pdf", interview.to_ascii_lowercase())
}

fn part_name() -> io::Result<String> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    Ok(format!("{}{}{}", PART.0, hex(&random), PART.1))
}

fn is_part(name: &str) -> bool {
    let random = name.strip_prefix(PART.0).and_then(|rest| rest.strip_suffix(PART.1));
    random.is_some_and(|random| {
        random.len() == 32 && random.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// Whether an id can be used as a file name: it comes from the service, and must neither lead out of the folder nor be a
/// reserved name.
pub fn is_guid(interview: &str) -> bool {
    let mut parts = interview.split('-');
    let mut hex = |length| {
        parts.next().is_some_and(|part| part.len() == length && part.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    [8, 4, 4, 4, 12].into_iter().all(&mut hex) && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0a1b2c3d-0000-4000-8000-00000000000f";

    fn line(id: &str) -> String {
        let entry = Entry {
            interview: id.to_owned(),
            file: format!("{id}.pdf"),
            sha256: sha256(b""),
            size: 0,
            source: "DownloadAnswers".to_owned(),
            time: chrono::DateTime::UNIX_EPOCH,
        };
        serde_json::to_string(&entry).unwrap() + "\n"
    }

    #[test]
    fn only_a_guid_is_the_name_of_a_file() {
        assert!(is_guid(ID) && is_guid(&ID.to_uppercase()));
        let (short, long) = (&ID[1..], format!("{ID}0"));
        for id in [
            "",
            "CON",
            "nul",
            "-rf",
            "AB",
            "ab",
            "../x",
            "a/b",
            "a.b",
            "C:x",
            short,
            &long,
            &ID.replace('f', "g"),
        ] {
            assert!(!is_guid(id), "{id}");
        }
        assert_eq!(file_name(&ID.to_uppercase()), file_name(ID), "the same file, whatever the case");
    }

    #[test]
    fn only_own_parts_are_swept() {
        assert!(is_part(&part_name().unwrap()));
        assert_ne!(part_name().unwrap(), part_name().unwrap());
        for name in [".thesis.pdf.part", ".sondage-.part", ".sondage-0a.part", ".0a1b.pdf.part"] {
            assert!(!is_part(name), "{name}");
        }
    }

    #[test]
    fn a_manifest_of_ours_and_nothing_else_is_read() {
        let (entry, big) = (line(ID), line(&ID.to_uppercase()));
        for (text, whole, count) in [
            (String::new(), 0, 0),
            (HEADER.to_owned(), HEADER.len(), 0),
            (format!("{HEADER}{entry}"), HEADER.len() + entry.len(), 1),
            (format!("{HEADER}{entry}{big}"), HEADER.len() + entry.len() + big.len(), 1),
            (format!("{HEADER}{entry}{{\"interview\":\"0a"), HEADER.len() + entry.len(), 1),
            (format!("{HEADER}{}", entry.trim_end()), HEADER.len(), 0),
            // The format before the first release.
            (entry.clone(), entry.len(), 1),
            (format!("{entry}{{\"int"), entry.len(), 1),
        ] {
            let read = read(&text).map(|(end, entries)| (end, entries.len()));
            assert_eq!(read, Some((whole, count)), "{text}");
        }
        for text in [
            "{\"name\": \"x\"}",
            "{\"name\": \"x\"}\n",
            "{",
            &HEADER[..9],
            "{\"interview\":\"with Ms Smith\",\"notes\":\"ten years of work\"}",
            &format!("{HEADER}{{\"interview\":\"with Ms Smith\",\"notes\":\"ten years of work\"}}"),
            &format!("{HEADER}{}{}", entry.trim_end(), "x".repeat(600)),
            "line one\nline two without an end",
            "\n",
            &format!("{HEADER}thesis"),
            &format!("{HEADER}{HEADER}"),
            &format!("{HEADER}{{\"name\":"),
            &format!("{entry}{{\"name\": \"x\"}}\n"),
            &format!("{entry}{HEADER}"),
            &line("CON"),
            &entry.replace("\"size\"", "\"more\":1,\"size\""),
        ] {
            assert!(read(text).is_none(), "{text}");
        }
    }
}
