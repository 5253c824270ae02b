//! The folder of an export: files, and a manifest that lists them.

use super::source::PersonSource;
use ring::hmac::{self, HMAC_SHA256};
use serde::{Deserialize, Serialize};
use sondage::Client;
use sondage::error::{Error, Result};
use sondage::files::{self, draft_of};
use sondage::internals::hex::{hex, sha256};
use sondage::internals::state_file::StateFile;
use sondage::text;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const KIND: &str = "person";
pub(super) const VERSION: u32 = 1;

/// A keyed digest of a person: anyone who knows the key and the value can check whether something is about that person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PersonDigest {
    salt: String,
    digest: String,
}

impl PersonDigest {
    pub fn of(key: &str, value: &str) -> Result<Self> {
        let mut random = [0; 16];
        let filled = getrandom::fill(&mut random);
        filled.map_err(|_| Error::internal("the operating system provides no random numbers"))?;
        let mut this = Self { salt: hex(&random), digest: String::new() };
        this.digest = this.keyed(&named(key, value));
        Ok(this)
    }

    pub fn is_of(&self, key: &str, value: &str) -> bool {
        self.digest == self.keyed(&named(key, value))
    }

    /// A digest of another text with the same key.
    pub fn keyed(&self, text: &str) -> String {
        let tag = hmac::sign(&hmac::Key::new(HMAC_SHA256, self.salt.as_bytes()), text.as_bytes());
        hex(&tag.as_ref()[..16])
    }
}

fn named(key: &str, value: &str) -> String {
    format!("{key}\n{value}")
}

/// The content of the manifest.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Contents {
    sondage: String,
    version: u32,
    about: String,
    service: String,
    tenant: String,
    pub person: PersonDigest,
    /// Whether the export is complete.
    complete: bool,
    pub files: Vec<BookFile>,
    #[serde(skip_deserializing)]
    sources: Vec<PersonSource>,
}

/// A file of the folder.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BookFile {
    pub file: String,
    pub sha256: String,
    pub size: u64,
}

/// An export that is being written and is locked by this run.
pub(super) struct ExportFolder {
    folder: PathBuf,
    state: StateFile,
    contents: Contents,
}

impl ExportFolder {
    pub fn open(client: &Client, folder: PathBuf, key: &str, value: &str) -> Result<Self> {
        if !folder.join(MANIFEST).exists() && !is_empty(&folder) {
            return Err(foreign(text!("the folder {} holds other files", folder.display())));
        }
        let state = StateFile::open(&folder.join(MANIFEST))?;
        let before: Option<Contents> = state.read(KIND, VERSION)?;
        let config = client.config();
        let person = match before {
            Some(before) if before.person.is_of(key, value) => {
                // A file that this run does not write again must not remain without an entry in the manifest.
                before.remove(&folder).map_err(|error| unwritable(&folder, &error))?;
                before.person
            }
            Some(_) => {
                let what = text!("the folder {} holds an export of another person", folder.display());
                return Err(foreign(what));
            }
            None => PersonDigest::of(key, value)?,
        };
        let contents = Contents {
            sondage: KIND.to_owned(),
            version: VERSION,
            about: "Everything that was found of one person. Keep it where personal data is kept, and delete it when it \
                    is no longer needed."
                .to_owned(),
            service: config.base_url.to_string(),
            tenant: config.tenant.clone(),
            person,
            complete: false,
            files: Vec::new(),
            sources: Vec::new(),
        };
        let export_folder = Self { folder, state, contents };
        export_folder.write()?;
        Ok(export_folder)
    }

    pub fn name(&self) -> String {
        self.folder.display().to_string()
    }

    pub fn put(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        // Listed before it is written, so that an erasure also finds the files of a killed run.
        let sha256 = sha256(bytes);
        self.contents.files.push(BookFile { file: name.to_owned(), sha256, size: bytes.len() as u64 });
        self.write()?;
        let written = files::replace(&self.folder.join(name), bytes);
        written.map_err(|error| unwritable(&self.folder, &error))
    }

    /// The names of the files.
    pub fn end(mut self, sources: Vec<PersonSource>) -> Result<Vec<String>> {
        (self.contents.complete, self.contents.sources) = (true, sources);
        self.write()?;
        let mut names: Vec<String> = self.contents.files.iter().map(|file| file.file.clone()).collect();
        names.push(MANIFEST.to_owned());
        Ok(names)
    }

    fn write(&self) -> Result<()> {
        self.state.write(
            &self.contents,
            "The export is incomplete. Name a folder with enough space in which this program may write, and export again.",
        )
    }
}

impl Contents {
    /// Deletes the listed files, and what a killed process has left of them. No name may lead out of the folder.
    pub fn remove(&self, folder: &Path) -> io::Result<()> {
        let plain = |name: &str| Path::new(name).file_name().is_some_and(|own| own == name);
        for file in self.files.iter().filter(|file| plain(&file.file)) {
            files::remove(&folder.join(&file.file))?;
        }
        Ok(())
    }
}

fn unwritable(folder: &Path, error: &io::Error) -> Error {
    let what = text!("the export cannot be written to {} ({error})", folder.display());
    Error::configuration(what)
        .with_hint("The export is incomplete. Free some space, and export again into the same folder.")
        .caused_by(error)
}

/// Whether a folder has at most the files that a killed process leaves before the first one.
fn is_empty(folder: &Path) -> bool {
    let (manifest, lock) = (folder.join(MANIFEST), format!("{MANIFEST}.lock"));
    let ours = [draft_of(&manifest).file_name().map(OsStr::to_owned), Some(lock.into())];
    let is_ours = |entry: &io::Result<fs::DirEntry>| {
        entry.as_ref().is_ok_and(|it| ours.iter().flatten().any(|own| it.file_name() == *own))
    };
    match fs::read_dir(folder) {
        Ok(mut entries) => entries.all(|entry| is_ours(&entry)),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

fn foreign(what: sondage::error::Text) -> Error {
    Error::invalid_argument(what).with_hint("Nothing was written. Name a new folder.")
}
