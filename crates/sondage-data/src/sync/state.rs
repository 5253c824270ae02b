//! The state of a store: what it holds, and how far it has come. It is kept in the store, and changes with its rows.

use std::collections::HashMap;

use arrow_schema::{DataType, Schema, TimeUnit};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sondage::{Error, Result};

use crate::delta::IdSet;
use crate::export::Meanings;
use crate::shortened::shortened;
use crate::table::metadata;

const VERSION: u32 = 1;

/// The state of a store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SyncState {
    pub(super) version: u32,
    /// Account, survey, columns and filter.
    pub(super) of: String,
    /// How often the store was written: two syncs that begin with the same number cannot both end.
    pub(super) number: u64,
    pub(super) columns: Vec<StoredColumn>,
    /// The latest change that was stored and was not ahead of the service's clock.
    pub(super) watermark: Option<DateTime<Utc>>,
    /// The changes since shortly before the watermark, with a hash of each row: they will be read again.
    pub(super) recent: HashMap<String, (DateTime<Utc>, u64)>,
    /// How many rows the store has.
    pub(super) rows: u64,
    /// The sum of the hashes of their ids, by which rows are noticed that somebody else has removed or added.
    pub(super) ids: u64,
}

/// A column of the store, and what its codes mean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredColumn {
    pub(super) name: String,
    /// The type; `null` as long as no row has a value.
    pub(super) kind: String,
    /// Whether it belongs to the questionnaire.
    pub(super) asked: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) values: Vec<(String, String)>,
    /// Its question, with the row or choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) label: Option<String>,
}

impl StoredColumn {
    pub(super) fn data_type(&self) -> DataType {
        type_of(&self.kind).unwrap_or(DataType::Null)
    }
}

impl SyncState {
    pub(super) fn new(of: String) -> Self {
        let (columns, recent) = (Vec::new(), HashMap::new());
        SyncState { version: VERSION, of, number: 0, columns, watermark: None, recent, rows: 0, ids: 0 }
    }

    /// The state that a store returns, if it is one of the same query.
    pub(crate) fn read(text: &str, store: &str, of: &str, ids: &IdSet) -> Result<Self> {
        let state = Self::of_text(text, store)?;
        if state.of != of {
            return Err(Error::invalid_argument(format!("{store} belongs to another query; it was not changed"))
                .with_hint("Ask with the same account, survey, fields and filters, or give this query a store of its own."));
        }
        state.check_rows(store, ids)?;
        Ok(state)
    }

    /// An error, unless the store has the rows that the last sync left there.
    pub(super) fn check_rows(&self, store: &str, ids: &IdSet) -> Result<()> {
        let state = self;
        let mut sum = 0_u64;
        ids.each_without(&[], |id| sum = sum.wrapping_add(hash(id)));
        if (ids.len() as u64, sum) != (state.rows, state.ids) {
            let what = format!(
                "{store} has other rows than the last sync left there ({} then, {} now): somebody has altered it, and it was not changed",
                state.rows,
                ids.len()
            );
            return Err(Error::invalid_argument(what)
                .with_hint("Restore it together with its state, or remove it and sync again."));
        }
        Ok(())
    }

    /// An error, unless the store has the columns that the last sync left there. Those of somebody else are none of a sync's business.
    pub(super) fn check_columns(&self, store: &str, present: Option<&[String]>) -> Result<()> {
        let Some(present) = present else { return Ok(()) };
        let lost =
            self.columns.iter().filter(|column| column.kind != NULL && !present.contains(&column.name));
        let lost: Vec<String> = lost.map(|column| format!("`{}`", column.name)).collect();
        if lost.is_empty() {
            return Ok(());
        }
        let what = format!(
            "{store} has lost columns that the last sync left there ({}): somebody has altered it, and it was not changed",
            shortened(&lost).join(", ")
        );
        Err(Error::invalid_argument(what)
            .with_hint("Restore it together with its state, or remove it and sync again."))
    }

    /// An error, if these columns are new to the store, and it has columns of these names that no sync has made.
    pub(super) fn check_new(&self, store: &str, present: &[String], columns: &[StoredColumn]) -> Result<()> {
        let is_own = |name: &str| self.columns.iter().any(|own| own.name == name && own.kind != NULL);
        let taken = columns
            .iter()
            .filter(|column| column.kind != NULL && !is_own(&column.name) && present.contains(&column.name));
        let taken: Vec<String> = taken.map(|column| format!("`{}`", column.name)).collect();
        if taken.is_empty() {
            return Ok(());
        }
        let what = format!(
            "somebody has added columns to {store} whose names the survey has now, too ({}); it was not changed",
            shortened(&taken).join(", ")
        );
        Err(Error::invalid_argument(what).with_hint("Rename the columns that were added, and sync again."))
    }

    /// The columns that rows which replace all others do not have any more, or with another type.
    pub(super) fn dropped(&self, columns: &[StoredColumn]) -> Vec<String> {
        let stays = |old: &&StoredColumn| {
            old.kind == NULL || columns.iter().any(|new| new.name == old.name && new.kind == old.kind)
        };
        self.columns.iter().filter(|old| !stays(old)).map(|old| old.name.clone()).collect()
    }

    /// The state that a store returns, of any query.
    pub(crate) fn of_text(text: &str, store: &str) -> Result<Self> {
        let unreadable = || {
            Error::invalid_argument(format!("the state of {store} cannot be read, so nothing was changed"))
                .with_hint("It was made by a later version of this library, or altered. Update the library, or make a new store.")
        };
        let state: Self = serde_json::from_str(text).map_err(|_| unreadable())?;
        if state.version == VERSION { Ok(state) } else { Err(unreadable()) }
    }

    pub(crate) fn to_text(&self) -> Result<String> {
        serde_json::to_string(self).map_err(|error| Error::internal(error.to_string()))
    }

    /// The types of its columns.
    pub(super) fn types(&self) -> HashMap<String, DataType> {
        let known = self.columns.iter().filter(|column| column.kind != NULL);
        known.filter_map(|column| Some((column.name.clone(), type_of(&column.kind)?))).collect()
    }
}

/// A hash of an id that never changes (FNV-1a).
pub(super) fn hash(id: &str) -> u64 {
    hash_of_bytes(id.as_bytes())
}

pub(super) fn hash_of_bytes(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

const NULL: &str = "null";

/// The columns of rows.
pub(super) fn columns(schema: &Schema, variables: &Meanings) -> Vec<StoredColumn> {
    let column = |(place, field): (usize, &std::sync::Arc<arrow_schema::Field>)| {
        let variable = variables.get(place).and_then(Option::as_deref);
        StoredColumn {
            name: field.name().clone(),
            kind: kind_of(field.data_type()),
            asked: field.metadata().get(metadata::ORIGIN).is_some_and(|origin| origin == "question"),
            label: field.metadata().get(metadata::LABEL).cloned(),
            values: variable.map_or_else(Vec::new, |variable| {
                variable.values.iter().map(|value| (value.code.clone(), value.label.clone())).collect()
            }),
        }
    };
    schema.fields().iter().enumerate().map(column).collect()
}

/// The words for types, and what they stand for.
fn kind_of(ty: &DataType) -> String {
    match ty {
        DataType::Null => NULL.to_owned(),
        DataType::Boolean => "boolean".to_owned(),
        DataType::Int64 => "integer".to_owned(),
        DataType::Float64 => "number".to_owned(),
        DataType::Utf8 => "text".to_owned(),
        DataType::Date32 => "date".to_owned(),
        DataType::Timestamp(TimeUnit::Microsecond, _) => "time in microseconds".to_owned(),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => "time in nanoseconds".to_owned(),
        other => other.to_string(),
    }
}

fn type_of(kind: &str) -> Option<DataType> {
    let zone = || Some("UTC".into());
    Some(match kind {
        "boolean" => DataType::Boolean,
        "integer" => DataType::Int64,
        "number" => DataType::Float64,
        "text" => DataType::Utf8,
        "date" => DataType::Date32,
        "time in microseconds" => DataType::Timestamp(TimeUnit::Microsecond, zone()),
        "time in nanoseconds" => DataType::Timestamp(TimeUnit::Nanosecond, zone()),
        _ => return None,
    })
}
