//! Tokens in a file that several processes share.

use super::{Guard, StoreKey, StoredTokens, TokenStore};
use crate::error::{Error, Result};
use crate::runtime;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use zeroize::Zeroizing;

/// Enough for the tokens of some thousands of people. A larger file is never written, because it could not be
/// read again.
const LARGEST: u64 = 16 << 20;
/// Version 1 recorded neither identities nor secrets in its entries.
const VERSION: u32 = 2;
/// A refresh token lives 24 hours: an entry that expired this long ago is of no use to anybody.
// API 2.7
const STALE: u64 = 30 * 86_400;

/// Keeps tokens in a JSON file that only its owner can read. The file is replaced atomically, so that a reader never
/// sees a partial one; when several processes share it, one renews and the others use the result. Two empty lock files
/// lie beside it.
///
/// Anyone who can read the file can act as the people whose tokens it holds: keep it out of shared folders, images
/// and backups. A warning is logged when others can read or write it. Entries that expired 30 days ago are removed.
///
/// Files of version 1, from before the first release, record neither the identity of an entry nor the secret with which it
/// was obtained. None of their entries is used, and the first token that is saved replaces the file: people log in once
/// more.
#[derive(Clone, Debug)]
pub struct FileStore {
    path: PathBuf,
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct Content {
    version: u32,
    entries: BTreeMap<String, StoredTokens>,
}

impl FileStore {
    /// A store in this file. The file need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Path) -> io::Result<T> + Send + 'static,
    ) -> Result<T> {
        let path = self.path.clone();
        let done = runtime::handle().spawn_blocking(move || {
            work(&path).map_err(|error| {
                Error::configuration(format!("the token file {} cannot be used ({error})", path.display()))
                    .with_hint("Check `token_file` and who may write there.")
                    .caused_by(&error)
            })
        });
        done.await.unwrap_or_else(|_| Err(Error::internal("the work on the token file was cancelled")))
    }

    async fn change(
        &self,
        change: impl FnOnce(&mut BTreeMap<String, StoredTokens>) + Send + 'static,
    ) -> Result<()> {
        self.work(move |path| {
            make_folder(path)?;
            let lock = open_lock(&beside(path, ".lock"))?;
            lock.lock()?;
            let _held = Held(lock);
            let mut content = read(path)?;
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |now| now.as_secs());
            content.entries.retain(|_, entry| entry.tokens.expires_at.saturating_add(STALE) > now);
            change(&mut content.entries);
            let bytes = Zeroizing::new(serde_json::to_vec_pretty(&content)?);
            if bytes.len() as u64 > LARGEST {
                return Err(io::Error::other(
                    "it would have more than 16 MiB, and was not changed; use a token store of your own",
                ));
            }
            replace(path, &bytes)
        })
        .await
    }
}

impl TokenStore for FileStore {
    fn load<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Option<StoredTokens>>> {
        let key = key.as_str().to_owned();
        Box::pin(self.work(move |path| Ok(read(path)?.entries.remove(&key))))
    }

    fn save<'a>(&'a self, key: &'a StoreKey, tokens: &'a StoredTokens) -> BoxFuture<'a, Result<()>> {
        let (key, tokens) = (key.as_str().to_owned(), tokens.clone());
        Box::pin(self.change(move |entries| drop(entries.insert(key, tokens))))
    }

    fn forget<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<()>> {
        let key = key.as_str().to_owned();
        Box::pin(async move {
            // A file that does not exist is not created.
            if self.work(|path| Ok(path.exists())).await? {
                self.change(move |entries| drop(entries.remove(&key))).await?;
            }
            Ok(())
        })
    }

    fn lock<'a>(&'a self, _: &'a StoreKey) -> BoxFuture<'a, Result<Guard>> {
        Box::pin(async {
            let file = self
                .work(|path| {
                    make_folder(path)?;
                    open_lock(&beside(path, ".renew"))
                })
                .await?;
            // Polls the lock instead of blocking in the system call, so that the wait can be cancelled at any
            // time.
            loop {
                match file.try_lock() {
                    Ok(()) => return Ok(Box::new(Held(file)) as Guard),
                    Err(TryLockError::WouldBlock) => tokio::time::sleep(Duration::from_millis(20)).await,
                    Err(TryLockError::Error(error)) => {
                        return Err(Error::configuration(format!(
                            "the token file {} cannot be locked ({error})",
                            self.path.display()
                        )));
                    }
                }
            }
        })
    }
}

/// A lock that is released explicitly. Closing the file would not be enough: a child process forked meanwhile
/// has it open too.
struct Held(File);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

fn read(path: &Path) -> io::Result<Content> {
    let nothing = || Ok(Content { version: VERSION, entries: BTreeMap::new() });
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return nothing(),
        Err(error) => return Err(error),
    };
    warn_if_open(path, &file);
    let mut bytes = Zeroizing::new(Vec::new());
    // A file truncated here could not be read again.
    file.take(LARGEST).read_to_end(&mut bytes)?;
    // The parser's message could echo a token.
    match serde_json::from_slice(&bytes).map(|Version { version }| version) {
        Ok(1) => return nothing(),
        Ok(VERSION) => {
            if let Ok(content) = serde_json::from_slice(&bytes) {
                return Ok(content);
            }
        }
        _ => {}
    }
    Err(io::Error::other("it contains something other than tokens; move it away if it is not needed"))
}

/// Writes a new file and renames it over the old one.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let fresh = beside(path, &format!(".{:016x}", u64::from_ne_bytes(random)));
    let written =
        private(OpenOptions::new().write(true).create_new(true)).open(&fresh).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&fresh, path)
        });
    if written.is_err() {
        let _ = fs::remove_file(&fresh);
    }
    written
}

/// Symbolic links are not followed: one could make us create an empty file anywhere.
fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    private(options.write(true).create(true).truncate(false));
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW);
    options.open(path)
}

fn make_folder(path: &Path) -> io::Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
        Some(folder) => make_private_folder(folder),
        None => Ok(()),
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    name.into()
}

/// Tokens that others can read or replace are a misconfiguration, but not one that justifies failing the
/// call.
fn warn_if_open(path: &Path, file: &File) {
    if let Some((found, cure)) = exposed(path, file) {
        log::warn!("the token file {} {found}: {cure}", path.display());
    }
}

/// Who else can read or replace the tokens, and what to do about it.
#[cfg(unix)]
fn exposed(path: &Path, file: &File) -> Option<(&'static str, String)> {
    use std::os::unix::fs::MetadataExt;
    let file = file.metadata().ok()?;
    // The user id of this process. Reading the peer credentials of a local socket is the only safe way without another
    // dependency.
    let own = tokio::net::UnixStream::pair().and_then(|(socket, _)| socket.peer_cred()).map(|own| own.uid());
    if own.is_ok_and(|own| own != file.uid()) {
        return Some((
            "belongs to another user, who can read and replace the tokens in it",
            "name a file of your own".to_owned(),
        ));
    }
    let open = file.mode() & 0o077 != 0;
    open.then(|| {
        let cure = format!("make it private with chmod 600 {}", path.display());
        ("can be read or written by others", cure)
    })
}

#[cfg(not(unix))]
fn exposed(_: &Path, _: &File) -> Option<(&'static str, String)> {
    None
}

/// What is wrong with a token file, and what to do about it. `None`: nothing, or there is no file yet.
pub(crate) fn examine_token_file(path: &Path) -> io::Result<Option<(&'static str, String)>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if let Some(found) = exposed(path, &file) {
        return Ok(Some(found));
    }
    let mut bytes = Zeroizing::new(Vec::new());
    file.take(LARGEST).read_to_end(&mut bytes)?;
    if matches!(serde_json::from_slice(&bytes), Ok(Version { version: 1 })) {
        let cure = "log in again: that replaces the file".to_owned();
        return Ok(Some(("is of an old version, and none of its logins is used", cure)));
    }
    read(path).map(|_| None)
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600)
}

#[cfg(not(unix))]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(unix)]
fn make_private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}
