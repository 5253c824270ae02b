//! Tokens in a file that several processes share.

use super::{Guard, StoreKey, TokenSet, TokenStore};
use crate::error::{Error, Result};
use crate::runtime;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for another process that renews a token. Longer than a token request may take by default.
const PATIENCE: Duration = Duration::from_secs(90);
const LARGEST: u64 = 1 << 20;

/// Keeps tokens in a JSON file that only its owner can read. It is replaced as a whole, so that a reader never sees half
/// of it; of several processes, one renews and the others take what it got. Beside it stand two empty files for the
/// locks.
///
/// Whoever can read the file can act as the user: keep it out of shared folders, images and backups.
#[derive(Clone, Debug)]
pub struct FileStore {
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Content {
    version: u32,
    tokens: BTreeMap<String, TokenSet>,
}

impl FileStore {
    /// A store in this file, which need not exist yet.
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
            })
        });
        done.await.unwrap_or_else(|_| Err(Error::internal("the work on the token file was ended")))
    }
}

impl TokenStore for FileStore {
    fn load<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Option<TokenSet>>> {
        let key = key.as_str().to_owned();
        Box::pin(self.work(move |path| Ok(read(path)?.tokens.remove(&key))))
    }

    fn save<'a>(&'a self, key: &'a StoreKey, tokens: &'a TokenSet) -> BoxFuture<'a, Result<()>> {
        let (key, tokens) = (key.as_str().to_owned(), tokens.clone());
        Box::pin(self.work(move |path| {
            make_folder(path)?;
            let lock = open_lock(&beside(path, ".lock"))?;
            lock.lock()?;
            let _held = Held(lock);
            let mut content = read(path)?;
            content.tokens.insert(key, tokens);
            replace(path, &serde_json::to_vec_pretty(&content)?)
        }))
    }

    fn lock<'a>(&'a self, _: &'a StoreKey) -> BoxFuture<'a, Result<Guard>> {
        Box::pin(async {
            let file = self
                .work(|path| {
                    make_folder(path)?;
                    open_lock(&beside(path, ".renew"))
                })
                .await?;
            let since = Instant::now();
            // Asking again and again, instead of waiting in the system, can be given up at any moment.
            loop {
                match file.try_lock() {
                    Ok(()) => return Ok(Box::new(Held(file)) as Guard),
                    Err(TryLockError::WouldBlock) if since.elapsed() < PATIENCE => {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                    Err(error) => {
                        return Err(Error::configuration(format!(
                            "the lock of the token file {} cannot be had ({error})",
                            self.path.display()
                        )));
                    }
                }
            }
        })
    }
}

/// A lock that is given back. Closing the file would not be enough: a child that was forked meanwhile has it open too.
struct Held(File);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

fn read(path: &Path) -> io::Result<Content> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Content { version: 1, tokens: BTreeMap::new() });
        }
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    // The parser's own words could repeat a token.
    let content: Option<Content> = (bytes.len() as u64 <= LARGEST)
        .then(|| serde_json::from_slice(&bytes).ok())
        .flatten()
        .filter(|content: &Content| content.version == 1);
    content.ok_or_else(|| {
        io::Error::other("it holds something else than tokens; move it away if it is of no use any more")
    })
}

/// Writes a new file and puts it in the place of the old one.
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

fn open_lock(path: &Path) -> io::Result<File> {
    private(OpenOptions::new().write(true).create(true).truncate(false)).open(path)
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
