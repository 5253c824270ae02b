//! The state file of a delta load.

use std::collections::HashMap;
use std::io::{self, Read as _};
use std::path::Path;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sondage::files;
use sondage::{Error, Result};

use super::ids::IdSet;

/// The state between two loads.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct DeltaState {
    version: u32,
    /// The query to which it belongs.
    of: String,
    /// The latest change that was loaded.
    pub(super) watermark: Option<DateTime<Utc>>,
    /// The changes shortly before the watermark: they will be returned again, and are recognised by id and time.
    pub(super) recent: HashMap<String, DateTime<Utc>>,
    /// Every interview that existed, if removed ones are searched for.
    pub(super) known: Option<IdSet>,
}

impl DeltaState {
    pub(super) fn new(of: String) -> Self {
        DeltaState { version: 1, of, watermark: None, recent: HashMap::new(), known: None }
    }

    /// Reads the state from a file; `None` if there is no file. The state of another query is an error: silently loading
    /// less than requested would be the worst outcome.
    pub(super) fn read(path: &Path, of: &str) -> Result<Option<Self>> {
        let shown = path.display();
        let mut text = String::new();
        let opened = files::open_to_read(path, true).and_then(|mut file| {
            file.read_to_string(&mut text)?;
            Ok(file)
        });
        let file = match opened {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(super::disk(path, &error)),
        };
        let state: DeltaState = serde_json::from_str(&text).map_err(|_| {
            Error::invalid_argument(format!("`{shown}` is not a state file of a delta load"))
                .with_hint("Give the path of a state file, or a path at which there is no file yet.")
        })?;
        if state.version != 1 || state.of != of {
            return Err(Error::invalid_argument(format!("`{shown}` belongs to another query")).with_hint(
                "Ask with the same account, survey, fields and filters, or start over with another file.",
            ));
        }
        files::narrow(&file).map_err(|error| super::disk(path, &error))?;
        Ok(Some(state))
    }

    /// Replaces the state atomically: after an error the previous one is unchanged.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        files::replace(path, serde_json::to_string(self)?.as_bytes())
    }
}
