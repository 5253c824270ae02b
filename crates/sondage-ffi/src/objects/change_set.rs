//! Changes for a store that a language writes itself.

use crate::language::{ArgResult, Language};
use crate::methods::data;
use sondage::Error;
use sondage::reports::StoreChanges;
use sondage_data::ChangesFile;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Changes whose rows are in a file, until it is removed.
pub struct ChangeSet(Mutex<Option<ChangesFile>>);

impl From<ChangesFile> for ChangeSet {
    fn from(changes: ChangesFile) -> Self {
        Self(Mutex::new(Some(changes)))
    }
}

impl ChangeSet {
    fn held(&self) -> MutexGuard<'_, Option<ChangesFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<L: Language> data::change_set::Methods<L> for ChangeSet {
    fn facts(&self) -> ArgResult<StoreChanges, L> {
        let facts = self.held().as_ref().map(|changes| changes.facts().clone());
        Ok(facts.ok_or_else(|| Error::internal("the changes were removed"))?)
    }

    fn drop(&self) -> ArgResult<(), L> {
        *self.held() = None;
        Ok(())
    }
}
