//! A delta load that has not been committed.

use crate::given::Call;
use crate::language::Language;
use crate::outcome::{Done, Outcome};
use crate::thing::Verbs;
use crate::watch::Progress;
use serde::Serialize;
use sondage::Error;
use sondage_data::Changes;
use std::sync::{Mutex, PoisonError};

/// A delta load that has not been committed.
pub struct Open(Mutex<Option<Changes>>);

/// What went away.
#[derive(Serialize)]
struct Gone {
    id: String,
    reset: bool,
}

impl From<Changes> for Open {
    fn from(changes: Changes) -> Self {
        Self(Mutex::new(Some(changes)))
    }
}

impl<L: Language> Verbs<L> for Open {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match (call.verb, &*held) {
            ("table", Some(changes)) => Outcome::thing(changes.table.clone()),
            ("removed", Some(changes)) => {
                let gone = changes.removed.iter().map(|one| Gone { id: one.id.clone(), reset: one.reset });
                Outcome::value(gone.collect::<Vec<_>>())
            }
            ("progress", Some(changes)) => Outcome::value(Progress::from(changes.progress)),
            ("table" | "removed" | "progress", None) => Err(Error::internal("the load has ended").into()),
            // The next load begins after these changes.
            ("commit", _) => Outcome::value(held.take().map(Changes::commit).transpose()?),
            // Lets the changes come again.
            ("drop", _) => {
                *held = None;
                Outcome::value(())
            }
            _ => Err(call.unknown()),
        }
    }
}
