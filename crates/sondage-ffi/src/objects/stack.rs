//! Waves as one table.

use serde::Deserialize;
use sondage::arguments::Bytes;
use sondage::{Error, Result};
use sondage_data::{Crosswalk, Table};

/// The waves, and what is the same in them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StackOptions {
    /// Their names.
    names: Vec<String>,
    /// The tables as bytes.
    tables: Vec<Bytes>,
    /// As JSON: for each wave, its columns with their name in the table, or with their codes and those of the table.
    crosswalk: Option<String>,
}

impl StackOptions {
    pub fn stacked(self) -> Result<Table> {
        let tables: Result<Vec<Table>> =
            self.tables.into_iter().map(|table| Table::from_bytes(table.0)).collect();
        let crosswalk: Crosswalk = match self.crosswalk {
            Some(json) => serde_json::from_str(&json).map_err(|_| {
                Error::invalid_argument(
                    "`crosswalk` has for each wave its columns, and for each of them a name or codes",
                )
                .with_hint(
                    "Write {\"2026\": {\"Q1_new\": \"Q1\", \"Q2\": {\"3\": \"1\"}}}. Nothing was stacked.",
                )
            })?,
            None => Crosswalk::default(),
        };
        Table::stack(self.names.iter().map(String::as_str).zip(&tables?), &crosswalk)
    }
}
