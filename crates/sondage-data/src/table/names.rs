//! Names of columns that are derived from a survey's own: the survey's names stay, and derived ones give way.

use std::collections::HashSet;
use std::fmt;

use super::BaseColumn;
use crate::error::Warning;

/// The names of a table while columns are derived.
pub(super) struct DerivedNames {
    taken: HashSet<String>,
    /// Each name that a derived column could not have, and the one that it has.
    changed: Vec<(String, String)>,
}

impl DerivedNames {
    /// These columns have their names already.
    pub(super) fn beside<'a>(columns: impl IntoIterator<Item = &'a BaseColumn>) -> Self {
        Self::of(columns.into_iter().map(|column| column.field.name().clone()))
    }

    pub(super) fn of(names: impl IntoIterator<Item = String>) -> Self {
        DerivedNames { taken: names.into_iter().collect(), changed: Vec::new() }
    }

    /// This name, or if it is taken, the next one that is free.
    pub(super) fn derive(&mut self, name: String) -> String {
        let mut free = name.clone();
        while !self.taken.insert(free.clone()) {
            free.push('_');
        }
        if free != name {
            self.changed.push((name, free.clone()));
        }
        free
    }

    /// The names that derived columns could not have.
    pub(super) fn warning(&self) -> Option<Warning> {
        let pair = |(name, free): &(String, String)| format!("`{name}` is `{free}`");
        let pairs: Vec<String> = self.changed.iter().map(pair).collect();
        (!pairs.is_empty()).then(|| {
            let detail = "the survey has columns with names of derived columns, which are named differently";
            Warning::general(format!("{detail}: {}", pairs.join(", ")))
        })
    }
}

/// A requested column does not exist in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoSuchColumn {
    /// The requested name.
    pub name: String,
}

impl fmt::Display for NoSuchColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the table has no column {:?}: see the names of its columns", self.name)
    }
}

impl std::error::Error for NoSuchColumn {}
