//! A delta load that has not been committed.

use crate::language::{ArgResult, Language};
use crate::methods::data;
use crate::objects::watch::RowProgress;
use serde::Serialize;
use sondage::{Error, Result};
use sondage_data::{Changes, Table};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A delta load that has not been committed.
pub struct Load(Mutex<Option<Changes>>);

/// What went away.
#[derive(Serialize)]
pub struct Removed {
    id: String,
    reset: bool,
}

impl From<Changes> for Load {
    fn from(changes: Changes) -> Self {
        Self(Mutex::new(Some(changes)))
    }
}

impl Load {
    fn held(&self) -> MutexGuard<'_, Option<Changes>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look<T>(&self, look: impl FnOnce(&Changes) -> T) -> Result<T> {
        self.held().as_ref().map(look).ok_or_else(|| Error::internal("the load has ended"))
    }
}

impl<L: Language> data::load::Methods<L> for Load {
    fn table(&self) -> ArgResult<Table, L> {
        Ok(self.look(|changes| changes.table.clone())?)
    }

    fn removed(&self) -> ArgResult<Vec<Removed>, L> {
        let removed = |changes: &Changes| {
            changes.removed.iter().map(|one| Removed { id: one.id.clone(), reset: one.reset }).collect()
        };
        Ok(self.look(removed)?)
    }

    fn progress(&self) -> ArgResult<RowProgress, L> {
        Ok(self.look(|changes| changes.progress.into())?)
    }

    fn commit(&self) -> ArgResult<Option<()>, L> {
        let ended = self.held().take();
        Ok(ended.map(Changes::commit).transpose()?)
    }

    fn drop(&self) -> ArgResult<(), L> {
        *self.held() = None;
        Ok(())
    }
}
