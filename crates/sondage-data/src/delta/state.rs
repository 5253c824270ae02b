//! The state file of a delta load.

use std::collections::HashMap;
use std::io::{self, Read as _};
use std::path::Path;
use std::time::SystemTime;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sondage::files;
use sondage::internals::clock;
use sondage::{Client, Error, Result};

use super::TOLERANCE;
use super::ids::IdSet;
use super::questions::Questions;
use crate::table::Table;

/// Version 1 had a watermark that could be ahead of the service's clock, and no `ahead`.
const VERSION: u32 = 2;

/// The state between two loads.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct DeltaState {
    version: u32,
    /// The query to which it belongs.
    of: String,
    /// The latest change that was loaded and was not ahead of the service's clock.
    pub(super) watermark: Option<DateTime<Utc>>,
    /// The changes shortly before the watermark: they will be returned again, and are recognised by id and time.
    recent: HashMap<String, DateTime<Utc>>,
    /// The changes whose times were ahead of the service's clock: the same.
    #[serde(default)]
    ahead: HashMap<String, DateTime<Utc>>,
    /// Every interview that existed, if removed ones are searched for.
    pub(super) known: Option<IdSet>,
    /// The questions of the latest load that had any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    questions: Option<Questions>,
    /// When a file of version 1 was written, by the clock of this machine.
    #[serde(skip)]
    written: Option<SystemTime>,
}

impl DeltaState {
    pub(super) fn new(of: String) -> Self {
        let (recent, ahead) = (HashMap::new(), HashMap::new());
        DeltaState {
            version: VERSION,
            of,
            watermark: None,
            recent,
            ahead,
            known: None,
            questions: None,
            written: None,
        }
    }

    /// Reads the state from a file; `None` if there is no file. The state of another query is an error: silently loading
    /// less than requested would be the worst outcome.
    pub(super) fn read(path: &Path, of: &str) -> Result<Option<Self>> {
        let file_name = path.display();
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
        let mut state: DeltaState = serde_json::from_str(&text).map_err(|_| {
            Error::invalid_argument(format!("`{file_name}` is not a state file of a delta load"))
                .with_hint("Give the path of a state file, or a path at which there is no file yet.")
        })?;
        if !(1..=VERSION).contains(&state.version) || state.of != of {
            return Err(Error::invalid_argument(format!("`{file_name}` belongs to another query"))
                .with_hint(
                    "Ask with the same account, survey, fields and filters, or start over with another file.",
                ));
        }
        if state.version == 1 {
            state.written = file.metadata().and_then(|file| file.modified()).ok();
            state.version = VERSION;
        }
        files::narrow(&file).map_err(|error| super::disk(path, &error))?;
        Ok(Some(state))
    }

    /// Whether the watermark is ahead of the service's clock, or was when an older version wrote it: changes with earlier
    /// times have been left out since.
    pub(super) fn is_ahead(&self, client: &Client, begun: DateTime<Utc>) -> bool {
        let written = self.written.map(|written| clock::of_service(client, written));
        let latest = written.map_or(begun, |written| written.min(begun)).checked_add_signed(TOLERANCE);
        self.watermark.zip(latest).is_some_and(|(mark, latest)| mark > latest)
    }

    /// Whether a load has returned this change.
    pub(super) fn was_returned(&self, id: &str, at: DateTime<Utc>) -> bool {
        [&self.recent, &self.ahead].iter().any(|changes| changes.get(id) == Some(&at))
    }

    /// Adds the changes of a load that began at a time of the service's clock.
    pub(super) fn advance(
        &mut self,
        changes: HashMap<String, DateTime<Utc>>,
        begun: DateTime<Utc>,
        undated: bool,
        overlap: TimeDelta,
    ) {
        // A load returns all of them again, because they are later than its beginning.
        self.ahead.clear();
        let mut latest = None;
        for (id, at) in changes {
            if at > begun {
                self.ahead.insert(id, at);
            } else {
                latest = latest.max(Some(at));
                self.recent.insert(id, at);
            }
        }
        self.watermark = match self.watermark.max(latest) {
            None if undated => Some(begun),
            mark => mark,
        };
        let from = self.watermark.and_then(|mark| mark.checked_sub_signed(overlap));
        self.recent.retain(|_, at| from.is_none_or(|from| *at >= from));
    }

    /// Notes the questions of a load, unless they have changed in a breaking way since the last one and the load must not go on then.
    pub(super) fn compare(&mut self, table: &Table, path: &Path, evolve: bool) -> Result<()> {
        let Some(now) = Questions::of(table) else { return Ok(()) };
        if let Some(before) = self.questions.as_ref().filter(|_| !evolve) {
            before.check(table, path)?;
        }
        self.questions = Some(now);
        Ok(())
    }

    /// Replaces the state atomically: after an error the previous one is unchanged.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        files::replace(path, serde_json::to_string(self)?.as_bytes())
    }
}
