//! Tokens in a file that several processes share.

use super::{Guard, StoreKey, StoredTokens, TokenStore};
use crate::error::{Error, Result};
use crate::files::{self, FileLock};
use crate::runtime;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
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
/// stay beside it. What a killed process has left beside it is removed when a token is saved or forgotten.
///
/// Anyone who can read the file can act as the people whose tokens it holds: keep it out of shared folders, images
/// and backups. If others can read or write it, that is logged and they lose the permission; a file of another user whose
/// permissions cannot be narrowed is refused. Entries that expired 30 days ago are removed.
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
        let outcome = runtime::handle().spawn_blocking(move || {
            work(&path).map_err(|error| {
                Error::configuration(format!("the token file {} cannot be used ({error})", path.display()))
                    .with_hint("Check `token_file` and who may write there.")
                    .caused_by(&error)
            })
        });
        outcome.await.unwrap_or_else(|_| Err(Error::internal("the work on the token file was cancelled")))
    }

    async fn change(
        &self,
        change: impl FnOnce(&mut BTreeMap<String, StoredTokens>) + Send + 'static,
    ) -> Result<()> {
        self.work(move |path| {
            files::make_folder_of(path)?;
            let lock = FileLock::wait(files::with_ending(path, ".lock"))?;
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
            lock.check()?;
            files::replace(path, &bytes)
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
            // A file that does not exist is not created, but a process that was killed while it created it has left its draft.
            if self.work(|path| files::sweep(path).map(|()| path.exists())).await? {
                self.change(move |entries| drop(entries.remove(&key))).await?;
            }
            Ok(())
        })
    }

    fn lock<'a>(&'a self, _: &'a StoreKey) -> BoxFuture<'a, Result<Guard>> {
        Box::pin(async {
            // Polls the lock instead of blocking in the system call, so that the wait can be cancelled at any time.
            loop {
                let lock = self.work(|path| {
                    files::make_folder_of(path)?;
                    match FileLock::at(files::with_ending(path, ".renew"), true) {
                        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => Ok(None),
                        lock => lock.map(Some),
                    }
                });
                if let Some(lock) = lock.await? {
                    return Ok(Box::new(lock) as Guard);
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
    }
}

fn read(path: &Path) -> io::Result<Content> {
    let nothing = || Ok(Content { version: VERSION, entries: BTreeMap::new() });
    let file = match files::open_to_read(path, true) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return nothing(),
        Err(error) => return Err(error),
    };
    let mut bytes = Zeroizing::new(Vec::new());
    // A file truncated here could not be read again.
    (&file).take(LARGEST).read_to_end(&mut bytes)?;
    // The parser's message could echo a token.
    match serde_json::from_slice(&bytes).map(|Version { version }| version) {
        Ok(1) => return nothing(),
        Ok(VERSION) => {
            if let Ok(content) = serde_json::from_slice(&bytes) {
                make_private(path, &file)?;
                return Ok(content);
            }
        }
        _ => {}
    }
    Err(io::Error::other("it contains something other than tokens; move it away if it is not needed"))
}

/// Whoever could read the tokens until now may have them: that is logged.
fn make_private(path: &Path, file: &File) -> io::Result<()> {
    let other = exposed(path, file);
    if files::narrow(file)? {
        let file_name = path.display();
        log::warn!(
            "the token file {file_name} could be read or written by others, and is private now (0600)"
        );
    } else if let Some((found, cure)) = other {
        log::warn!("the token file {} {found}: {cure}", path.display());
    }
    Ok(())
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
    let file = match files::open_to_read(path, true) {
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
