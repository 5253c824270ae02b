//! A delta load that has not been committed.

use crate::language::{ArgResult, Language};
use crate::methods::data;
use crate::objects::watch::RowProgress;
use serde::Serialize;
use sondage::{Error, Result};
use sondage_data::Table;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A delta load that has not been committed.
pub struct DeltaLoad(Mutex<Option<sondage_data::DeltaLoad>>);

/// The removed interviews.
#[derive(Serialize)]
pub struct Removed {
    id: String,
    reset: bool,
}

impl From<sondage_data::DeltaLoad> for DeltaLoad {
    fn from(changes: sondage_data::DeltaLoad) -> Self {
        Self(Mutex::new(Some(changes)))
    }
}

impl DeltaLoad {
    fn held(&self) -> MutexGuard<'_, Option<sondage_data::DeltaLoad>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look<T>(&self, look: impl FnOnce(&sondage_data::DeltaLoad) -> T) -> Result<T> {
        self.held().as_ref().map(look).ok_or_else(|| Error::internal("the load has ended"))
    }
}

impl<L: Language> data::load::Methods<L> for DeltaLoad {
    fn table(&self) -> ArgResult<Table, L> {
        Ok(self.look(|changes| changes.table.clone())?)
    }

    fn removed(&self) -> ArgResult<Vec<Removed>, L> {
        let removed = |changes: &sondage_data::DeltaLoad| {
            changes.removed.iter().map(|one| Removed { id: one.id.clone(), reset: one.reset }).collect()
        };
        Ok(self.look(removed)?)
    }

    fn progress(&self) -> ArgResult<RowProgress, L> {
        Ok(self.look(|changes| changes.progress.into())?)
    }

    fn commit(&self) -> ArgResult<Option<()>, L> {
        let ended = self.held().take();
        Ok(ended.map(sondage_data::DeltaLoad::commit).transpose()?)
    }

    fn drop(&self) -> ArgResult<(), L> {
        *self.held() = None;
        Ok(())
    }
}
