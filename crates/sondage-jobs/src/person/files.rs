//! Files of this library that may contain data about a person: identifies each file, and finds and removes the data.

use super::export_folder::{Contents, KIND, MANIFEST, VERSION};
use super::found::Found;
use super::refused;
use super::source::PersonSource;
use crate::JournalSummary;
use crate::archive::manifest;
use crate::import::persons::{self, JournalFinding, PersonRow};
use crate::update::fit;
use sondage::Client;
use sondage::error::{Error, Result};
use sondage::internals::state_file::{self, StateFile};
use sondage::model::Member;
use sondage::text;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

/// The identifiers of a person in files.
pub(super) struct Identity {
    service: String,
    tenant: String,
    key: String,
    value: String,
    /// GUIDs in lower case.
    interviews: HashSet<String>,
    members: Vec<(i64, Member)>,
}

/// What a file contains about the person.
pub(super) struct FileFinding {
    pub path: String,
    pub kind: FileKind,
    pub items: usize,
}

/// The kind of a file.
pub(super) enum FileKind {
    Journal,
    Archive,
    Export,
    /// The journal of a plan.
    Plan,
    /// A file from which the person cannot be removed, and why.
    Left(&'static str),
}

const UNFINISHED: &str = "the import of this journal is not complete: complete it, or move the journal away, and erase \
                          again";
const ONCE: &str = "the journal of `send_once` keeps an answer, perhaps with the member's number: delete it when that \
                    call will not be made again";
const PLAN: &str = "the journal of a plan that is not complete has the member's number among those to whom something was \
                    sent: complete the plan, or move the journal away, and erase again";
const VOUCHERS: &str = "the journal of vouchers has one that was bought for a member with this number: delete it when \
                        the codes are no longer needed";
const DELTA: &str = "the state of a delta load has the ids of interviews, by which the next load detects removed ones: \
                     run the load again afterwards, or delete the file to start over";
const SPOOL: &str = "pages of a download that is not complete: complete the download, or delete the folder";
const UNKNOWN: &str = "it is neither a journal of an import, an archive nor an export of a person: check what it \
                       contains, and delete the data of the person";

impl Identity {
    pub fn of(client: &Client, found: &Found, key: &str, value: &str) -> Self {
        let config = client.config();
        Self {
            service: config.base_url.to_string(),
            tenant: config.tenant.clone(),
            key: key.to_owned(),
            value: value.to_owned(),
            interviews: found.interviews().into_iter().map(|it| it.id.to_ascii_lowercase()).collect(),
            members: found.members.clone(),
        }
    }

    /// How an import into this panel identifies members: by the key that it used, and by the id.
    fn row(&self, head: &crate::journal::JournalHead) -> Option<PersonRow> {
        if head.service != self.service || head.tenant != self.tenant {
            return None;
        }
        // The journal of a purchase of vouchers does not name the panel.
        let of = |(panel, _): &&(i64, Member)| *panel == head.panel || head.job == "plan_redeem";
        let (_, member) = self.members.iter().find(of)?;
        let field = member.fields.get(&head.key);
        let key = field.and_then(|field| fit::key(&field.value, &field.field_type, false));
        Some(PersonRow { key, member: member.id })
    }
}

impl FileFinding {
    pub fn source(&self) -> PersonSource {
        let about = match self.kind {
            FileKind::Journal => "rows of the journal of an import: digests and the member's number",
            FileKind::Plan => "calls in the journal of a plan: the member's number",
            FileKind::Archive => "documents of the archive",
            FileKind::Export => "files of an export of this person",
            FileKind::Left(why) => return PersonSource::not_read(self.path.clone(), why),
        };
        PersonSource::read(self.path.clone(), self.items, about)
    }
}

/// What each file contains. Nothing is changed.
pub(super) fn examine(identity: &Identity, named: Vec<String>) -> Result<Vec<FileFinding>> {
    named.into_iter().map(|path| one(identity, path)).collect()
}

fn one(identity: &Identity, path: String) -> Result<FileFinding> {
    let file = Path::new(&path);
    let metadata = fs::symlink_metadata(file).map_err(|error| unreadable(&path, &error))?;
    if metadata.is_symlink() {
        let what = text!("{path} is a symbolic link");
        return Err(refused(what, "Name the file or the folder itself."));
    }
    if metadata.is_file() {
        let matching_rows = persons::look(file, &|head| identity.row(head))?;
        let (kind, items) = match matching_rows {
            JournalFinding::None if is_delta(file) => (FileKind::Left(DELTA), 0),
            JournalFinding::None => (FileKind::Left(UNKNOWN), 0),
            JournalFinding::Unfinished => (FileKind::Left(UNFINISHED), 0),
            JournalFinding::Plan => (FileKind::Left(PLAN), 0),
            JournalFinding::Once => (FileKind::Left(ONCE), 0),
            JournalFinding::Vouchers => (FileKind::Left(VOUCHERS), 0),
            JournalFinding::Rows(rows) if is_plan(file) => (FileKind::Plan, rows),
            JournalFinding::Rows(rows) => (FileKind::Journal, rows),
        };
        return Ok(FileFinding { path, kind, items });
    }
    let documents = manifest::listed(file).map_err(|error| unreadable(&path, &error))?;
    if let Some(listed) = documents {
        let theirs = listed.iter().filter(|entry| identity.interviews.contains(&entry.interview));
        return Ok(FileFinding { items: theirs.count(), path, kind: FileKind::Archive });
    }
    let contents = contents(file);
    let items =
        contents.filter(|it| it.person.is_of(&identity.key, &identity.value)).map(|it| it.files.len());
    let (kind, items) = match items {
        Some(files) => (FileKind::Export, files + 1),
        None if is_spool(file) => (FileKind::Left(SPOOL), 0),
        None => (FileKind::Left(UNKNOWN), 0),
    };
    Ok(FileFinding { path, kind, items })
}

/// Whether a journal is that of a plan.
fn is_plan(path: &Path) -> bool {
    JournalSummary::read(path).is_ok_and(|it| it.job.starts_with("plan_"))
}

/// The state of a delta load: the crate of tables writes it.
fn is_delta(path: &Path) -> bool {
    has(path, &["version", "of", "watermark", "recent"])
}

/// The pages of a download: the crate of tables writes their state beside them.
fn is_spool(folder: &Path) -> bool {
    has(&folder.join("state.json"), &["version", "query", "pages", "complete"])
}

/// Whether a file is a JSON object with all of these names.
fn has(path: &Path, names: &[&str]) -> bool {
    let account_name = state_file::bytes(path)
        .ok()
        .and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    account_name.is_some_and(|account_name| names.iter().all(|name| account_name.get(name).is_some()))
}

fn contents(folder: &Path) -> Option<Contents> {
    let bytes = state_file::bytes(&folder.join(MANIFEST)).ok()?;
    let content: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    let ours = content["sondage"] == KIND && content["version"] == VERSION;
    ours.then(|| serde_json::from_slice(&bytes).ok()).flatten()
}

/// Removes the person from a file. After a crash it can be run again.
pub(super) fn erase(identity: &Identity, path: &str) -> Result<()> {
    let folder = Path::new(path);
    match one(identity, path.to_owned())?.kind {
        FileKind::Journal | FileKind::Plan => persons::forget(folder, &|head| identity.row(head)),
        FileKind::Archive => {
            manifest::remove(folder, &identity.interviews).map_err(|error| unwritable(path, &error))
        }
        FileKind::Export => {
            let state = StateFile::open(&folder.join(MANIFEST))?;
            let Some(contents) = state.read::<Contents>(KIND, VERSION)? else { return Ok(()) };
            let removed = contents.remove(folder).and_then(|()| fs::remove_file(folder.join(MANIFEST)));
            removed.map_err(|error| unwritable(path, &error))
        }
        FileKind::Left(_) => Ok(()),
    }
}

fn unreadable(path: &str, error: &io::Error) -> Error {
    let what = text!("{path} cannot be read ({error})");
    refused(what, "Name existing files and folders that this program may read.").caused_by(error)
}

fn unwritable(path: &str, error: &io::Error) -> Error {
    let what = text!("the data of the person cannot be removed from {path} ({error})");
    Error::configuration(what)
        .with_hint(
            "What the receipt lists as erased is erased. Check who may write there, and run the same erasure \
                    again to resume it.",
        )
        .caused_by(error)
}
