//! How the columns of new rows differ from those of the store.

use std::collections::HashMap;

use sondage::{Error, Result};

use super::state::StoredColumn;
use crate::shortened::shortened;

/// How the columns differ.
#[derive(Debug, Default)]
pub(super) struct Difference {
    pub(super) added: Vec<String>,
    pub(super) removed: Vec<String>,
    pub(super) changed: Vec<String>,
    /// Columns whose texts and codes differ, but not their meaning.
    pub(super) relabelled: Vec<String>,
    /// What changed, in words.
    pub(super) details: Vec<String>,
}

impl Difference {
    pub(super) fn of(before: &[StoredColumn], now: &[StoredColumn]) -> Self {
        let by_name = |columns: &'_ [StoredColumn]| -> HashMap<String, StoredColumn> {
            columns.iter().map(|column| (column.name.clone(), column.clone())).collect()
        };
        let (old, new) = (by_name(before), by_name(now));
        let mut difference = Self::default();
        for column in now {
            match old.get(&column.name) {
                None => difference.added.push(column.name.clone()),
                Some(old) if is_other_type(&old.kind, &column.kind) => {
                    difference
                        .details
                        .push(format!("`{}` was {}, and is {} now", column.name, old.kind, column.kind));
                    difference.changed.push(column.name.clone());
                }
                Some(old) => {
                    if let Some(moved) = moved(&old.values, &column.values) {
                        difference.details.push(format!("`{}`: {moved}", column.name));
                        difference.changed.push(column.name.clone());
                    } else if column.asked && (&old.label, &old.values) != (&column.label, &column.values) {
                        difference.relabelled.push(column.name.clone());
                    }
                }
            }
        }
        // Other columns come and go with the rows that have them.
        let gone = before.iter().filter(|column| column.asked && !new.contains_key(&column.name));
        difference.removed = gone.map(|column| column.name.clone()).collect();
        difference
    }

    pub(super) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.needs_no_rows()
    }

    /// Whether rows that are in the store can stay as they are.
    pub(super) fn needs_no_rows(&self) -> bool {
        self.removed.is_empty() && self.changed.is_empty()
    }

    /// An error, unless nothing differs.
    pub(super) fn check(&self, store: &str) -> Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        let mut parts = Vec::new();
        for (word, names) in [("new", &self.added), ("gone", &self.removed)] {
            if !names.is_empty() {
                parts.push(format!("{word}: {}", listed(names)));
            }
        }
        if !self.details.is_empty() {
            parts.push(format!("changed: {}", shortened(&self.details).join(", ")));
        }
        let what =
            format!("the columns differ from those of {store}; it was not changed ({})", parts.join("; "));
        Err(Error::invalid_argument(what).with_hint(
            "Look at the questionnaire first. Then sync once with `evolve`, which changes the columns of the store; if columns are gone or changed, \
             it reads all interviews again.",
        ))
    }
}

/// A column without values has no type yet.
fn is_other_type(old: &str, new: &str) -> bool {
    old != new && old != "null" && new != "null"
}

/// A label that belongs to another code now.
fn moved(old: &[(String, String)], new: &[(String, String)]) -> Option<String> {
    let before: HashMap<&str, &str> =
        old.iter().map(|(code, label)| (code.as_str(), label.as_str())).collect();
    let codes_before: HashMap<&str, &str> =
        old.iter().map(|(code, label)| (label.as_str(), code.as_str())).collect();
    new.iter().find_map(|(code, label)| {
        let was = before.get(code.as_str())?;
        let had = codes_before.get(label.as_str())?;
        (*was != label && had != code)
            .then(|| format!("code {code} was {was:?}, and is {label:?} now, which was code {had}"))
    })
}

fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    shortened(&quoted).join(", ")
}
