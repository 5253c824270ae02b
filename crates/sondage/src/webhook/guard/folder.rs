//! Events that are remembered in a folder: a file for each key, and a lock for all of them.

use super::store::{ClaimState, EventStore};
use crate::error::{Error, Result};
use crate::files::{self, FileLock};
use crate::hex;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    lease: Duration,
}

/// The content of a file.
#[derive(Serialize, Deserialize)]
struct Entry {
    key: String,
    #[serde(flatten)]
    state: State,
}

/// Times are in milliseconds since 1970.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum State {
    Claimed { owner: String, until: u64 },
    Done(u64),
}

impl Folder {
    pub(super) fn open(path: PathBuf, lease: Duration) -> Result<Self> {
        let folder = Self { path, lease };
        // Whether it can be used shows now, not when the first event arrives.
        folder.locked(|| Ok(()))?;
        Ok(folder)
    }

    /// Does something while no other worker does.
    fn locked<T>(&self, work: impl FnOnce() -> io::Result<T>) -> Result<T> {
        let done = || {
            files::private_folder(&self.path)?;
            let _lock = FileLock::wait(self.path.join("lock"))?;
            work()
        };
        done().map_err(|error| {
            Error::configuration(format!("the folder of events {} cannot be used ({error})", self.path.display()))
                .with_hint("Refuse the delivery (503), so that the service sends it again. Check `folder`, who may write there, and whether there is room.")
                .caused_by(&error)
        })
    }

    fn file(&self, key: &str) -> PathBuf {
        self.path.join(hex::sha256(key.as_bytes())).with_extension("json")
    }

    fn state(&self, key: &str) -> io::Result<Option<State>> {
        Ok(read(&self.file(key))?.map(|entry| entry.state))
    }

    fn write(&self, key: &str, state: State) -> io::Result<()> {
        let entry = Entry { key: key.to_owned(), state };
        files::replace(&self.file(key), &serde_json::to_vec(&entry)?)
    }

    /// The files of events, with what they contain.
    fn entries(&self) -> io::Result<Vec<(PathBuf, Entry)>> {
        let mut entries = Vec::new();
        for file in fs::read_dir(&self.path)? {
            let path = file?.path();
            if path.extension().is_some_and(|extension| extension == "json")
                && let Some(entry) = read(&path)?
            {
                entries.push((path, entry));
            }
        }
        Ok(entries)
    }
}

impl EventStore for Folder {
    fn claim(&self, keys: &[String], owner: &str) -> Result<ClaimState> {
        self.locked(|| {
            let now = SystemTime::now();
            let mut is_busy = false;
            for key in keys {
                match self.state(key)? {
                    Some(State::Done(_)) => return Ok(ClaimState::Done),
                    Some(State::Claimed { until, .. }) => is_busy |= until > milliseconds(now),
                    None => {}
                }
            }
            if is_busy {
                return Ok(ClaimState::Busy);
            }
            let until = milliseconds(now.checked_add(self.lease).unwrap_or(now));
            for key in keys {
                self.write(key, State::Claimed { owner: owner.to_owned(), until })?;
            }
            Ok(ClaimState::New)
        })
    }

    fn done(&self, keys: &[String]) -> Result<()> {
        self.locked(|| {
            for key in keys {
                if !matches!(self.state(key)?, Some(State::Done(_))) {
                    self.write(key, State::Done(milliseconds(SystemTime::now())))?;
                }
            }
            Ok(())
        })
    }

    fn release(&self, keys: &[String], owner: &str) -> Result<()> {
        self.locked(|| {
            for key in keys {
                if matches!(self.state(key)?, Some(State::Claimed { owner: claimant, .. }) if claimant == owner) {
                    fs::remove_file(self.file(key))?;
                }
            }
            Ok(())
        })
    }

    fn is_done(&self, key: &str) -> Result<bool> {
        self.locked(|| Ok(matches!(self.state(key)?, Some(State::Done(_)))))
    }

    fn keys(&self) -> Result<Vec<String>> {
        let entries = self.locked(|| self.entries())?;
        let mut done: Vec<(u64, String)> = entries
            .into_iter()
            .filter_map(|(_, entry)| match entry.state {
                State::Done(when) => Some((when, entry.key)),
                State::Claimed { .. } => None,
            })
            .collect();
        done.sort_unstable();
        Ok(done.into_iter().map(|(_, key)| key).collect())
    }

    fn prune(&self, before: SystemTime) -> Result<u64> {
        self.locked(|| {
            let mut forgotten = 0;
            for (path, entry) in self.entries()? {
                let (State::Done(when) | State::Claimed { until: when, .. }) = entry.state;
                if when < milliseconds(before) {
                    fs::remove_file(path)?;
                    forgotten += 1;
                }
            }
            Ok(forgotten)
        })
    }
}

/// What a file contains. Files are replaced atomically, so one that cannot be read was changed by somebody.
fn read(path: &Path) -> io::Result<Option<Entry>> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes?,
    };
    let entry = serde_json::from_slice(&bytes);
    entry.map(Some).map_err(|error| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("{name} is not what this library writes there: {error}"),
        )
    })
}

fn milliseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
