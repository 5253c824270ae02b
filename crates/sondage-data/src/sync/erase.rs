//! Removes the interviews of an erased person from a store.

use std::path::Path;

use serde::Deserialize;
use sondage::arguments::ErasedRowsOptions;
use sondage::reports::{ErasedRows, StoreErasure};
use sondage::{Error, Result};
use sondage_jobs::ErasedInterviews;

use super::Destination;
use super::state::{SyncState, hash};
use crate::delta::{IdList, IdSet};

/// The account and the survey of a store.
#[derive(Deserialize)]
struct StoreOf {
    service: String,
    tenant: String,
    asked: Asked,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    survey_id: i64,
}

/// Removes the interviews of an erased person from a store that a sync keeps: those that the receipt of the erasure lists. The rows and
/// the state of the store change together, or not at all, and the next sync finds nothing to remove.
pub fn erase_from_store(receipt: &Path, mut store: Box<dyn Destination>) -> Result<StoreErasure> {
    let erased = ErasedInterviews::read(receipt)?;
    let state = store.state()?;
    let mut ids = IdList::default();
    if state.is_some() {
        store.ids(&mut |id| ids.insert_text(id))?;
    }
    let rows = removal(&erased, &store.name(), state.as_deref(), &ids.into_set())?;
    if !rows.removed.is_empty() {
        store.erase(&rows.removed, &rows.state)?;
    }
    Ok(rows.report)
}

/// What is removed, for a store that is written by somebody else.
pub fn erased_rows(options: &ErasedRowsOptions) -> Result<ErasedRows> {
    let erased = ErasedInterviews::read(&options.receipt.0)?;
    let mut ids = IdList::default();
    options.ids.iter().for_each(|id| ids.insert_text(id));
    removal(&erased, &options.store, options.state.as_deref(), &ids.into_set())
}

fn removal(erased: &ErasedInterviews, store: &str, state: Option<&str>, ids: &IdSet) -> Result<ErasedRows> {
    let Some(state) = state else {
        return Err(Error::invalid_argument(format!("there is no store {store}, so nothing was removed"))
            .with_hint("Give a store that a sync has made."));
    };
    let mut state = SyncState::of_text(state, store)?;
    state.check_rows(store, ids)?;
    let of: StoreOf = serde_json::from_str(&state.of).map_err(|_| {
        Error::invalid_argument(format!("the state of {store} cannot be read, so nothing was removed"))
    })?;
    if !erased.is_of(&of.service, &of.tenant) {
        let what = format!("{store} belongs to another account than the receipt, so nothing was removed");
        return Err(Error::invalid_argument(what).with_hint("Give the stores of the account in the receipt."));
    }
    let survey = of.asked.survey_id.to_string();
    if !erased.surveys().any(|one| one == survey) {
        let surveys: Vec<&str> = erased.surveys().collect();
        let what = format!(
            "{store} belongs to the survey {survey}, of which the receipt has no erased interview, so nothing was removed"
        );
        return Err(Error::invalid_argument(what).with_hint(match surveys[..] {
            [] => "No interview was erased: they were kept, or there were none.".to_owned(),
            _ => format!("The surveys in the receipt are: {}.", surveys.join(", ")),
        }));
    }
    let removed: Vec<String> = ids.list().filter(|id| erased.contains(&survey, id)).collect();
    let number = state.number;
    if !removed.is_empty() {
        state.number += 1;
    }
    for id in &removed {
        state.rows -= 1;
        state.ids = state.ids.wrapping_sub(hash(id));
        state.recent.remove(id);
    }
    let report = StoreErasure::new(removed.len() as u64, state.rows);
    Ok(ErasedRows::new(removed, state.to_text()?, number, report))
}
