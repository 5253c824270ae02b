//! The file of an account's facts: small, replaced as a whole, shared by all processes of the machine. A file that is torn, edited,
//! of another account or of another version holds no facts, and is replaced.

use super::record::{Evidence, Fact, Record};
use crate::error::Text;
use crate::files::{self, FileLock};
use crate::hex::sha256;
use crate::{state_file, text};
use arc_swap::ArcSwapOption;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

const KIND: &str = "facts";
const VERSION: u32 = 2;

/// How long to wait for another process, which holds the lock for some milliseconds.
const LOCK_TIMEOUT: Duration = Duration::from_millis(250);

/// What tells one state of a file from another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    changed: Option<SystemTime>,
    length: u64,
}

/// The file of one account.
pub(super) struct FactsFile {
    pub path: PathBuf,
    account: String,
    /// The state that was read last.
    read: ArcSwapOption<Option<Stamp>>,
    /// Why it cannot be used.
    trouble: ArcSwapOption<Text>,
}

#[derive(Serialize, Deserialize)]
struct Content {
    sondage: String,
    version: u32,
    account: String,
    /// SHA-256 of the version, the account and the text of the facts.
    seal: String,
    facts: Box<RawValue>,
}

impl FactsFile {
    pub fn new(folder: &Path, account: &str) -> Self {
        Self {
            path: folder.join(format!("{account}.facts")),
            account: account.to_owned(),
            read: ArcSwapOption::empty(),
            trouble: ArcSwapOption::empty(),
        }
    }

    /// Its facts, if it changed since it was read.
    pub fn read_if_changed(&self) -> Option<Record> {
        let stamp = self.stamp();
        if self.read.load().as_deref() == Some(&stamp) {
            return None;
        }
        self.read.store(Some(Arc::new(stamp)));
        self.read()
    }

    /// Writes these facts together with those of other processes. `None`: another process is writing.
    pub fn join(&self, record: &Record) -> io::Result<Option<Record>> {
        files::make_folder_of(&self.path)?;
        let Some(lock) = self.lock()? else { return Ok(None) };
        let mut all = self.read().unwrap_or_default();
        all.join(&kept(record));
        let bytes = self.write(&all)?;
        lock.check()?;
        files::replace(&self.path, &bytes)?;
        self.read.store(Some(Arc::new(self.stamp())));
        self.trouble.store(None);
        Ok(Some(all))
    }

    /// The file could not be written: what was learned is in memory only.
    pub fn is_in_trouble(&self, error: &io::Error) {
        let text = self.unwritable(error);
        if self.trouble.swap(Some(Arc::new(text.clone()))).is_none() {
            log::info!("{text}");
        }
    }

    fn unwritable(&self, error: &io::Error) -> Text {
        let path = self.path.display();
        text!(
            "facts are kept in memory only, because {path} cannot be written ({error}): name another folder with `facts_folder`"
        )
    }

    /// Why it cannot be used, if it cannot: as the last attempt showed, or one made now.
    pub fn trouble(&self) -> Option<Text> {
        let last = self.trouble.load().as_deref().cloned();
        last.or_else(|| self.check().err().map(|error| self.unwritable(&error)))
    }

    fn check(&self) -> io::Result<()> {
        files::make_folder_of(&self.path)?;
        self.lock().map(drop)
    }

    fn stamp(&self) -> Option<Stamp> {
        let file = std::fs::symlink_metadata(&self.path).ok()?;
        Some(Stamp { changed: file.modified().ok(), length: file.len() })
    }

    fn lock(&self) -> io::Result<Option<FileLock>> {
        let begun = Instant::now();
        loop {
            match FileLock::beside(&self.path) {
                Ok(lock) => return Ok(Some(lock)),
                Err(error) if error.kind() != io::ErrorKind::ResourceBusy => return Err(error),
                Err(_) if begun.elapsed() > LOCK_TIMEOUT => return Ok(None),
                Err(_) => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }

    fn read(&self) -> Option<Record> {
        let bytes = state_file::bytes(&self.path).ok()?;
        let content: Content = serde_json::from_slice(&bytes).ok()?;
        let is_ours = content.sondage == KIND
            && content.version == VERSION
            && content.account == self.account
            && content.seal == seal(&self.account, content.facts.get());
        if !is_ours {
            log::debug!(
                "{} holds no facts of this version and account, and is replaced",
                self.path.display()
            );
            return None;
        }
        serde_json::from_str(content.facts.get()).ok()
    }

    fn write(&self, record: &Record) -> io::Result<Vec<u8>> {
        let facts = serde_json::value::to_raw_value(record)?;
        let seal = seal(&self.account, facts.get());
        let content = Content {
            sondage: KIND.to_owned(),
            version: VERSION,
            account: self.account.clone(),
            seal,
            facts,
        };
        Ok(serde_json::to_vec(&content)?)
    }
}

/// What other processes may believe: not what an empty page seems to show.
fn kept(record: &Record) -> Record {
    let mut record = record.clone();
    for list in record.lists.values_mut() {
        if list.first_page.evidence == Evidence::EmptyPage && list.first_page.value.is_some() {
            list.first_page = Fact::default();
        }
    }
    record
}

fn seal(account: &str, facts: &str) -> String {
    sha256(format!("{VERSION}\n{account}\n{facts}").as_bytes())
}
