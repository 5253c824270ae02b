//! What would change, and which rows change nothing.

use super::Update;
use crate::model::{FieldValue, VariableType};
use indexmap::IndexMap;
use sondage_macros::report;
use std::fmt;

/// What a run would do, before anything is sent.
///
/// `Display` says how much, never what: values are about people. They stand in [`UpdatePlan::changes`].
#[must_use = "nothing is changed before `apply`"]
#[non_exhaustive]
pub struct UpdatePlan {
    pub(super) update: Update,
    /// How many rows there were.
    pub rows: usize,
    /// What would change, in the order of the rows.
    pub changes: Vec<Change>,
    /// Rows that are left out, in their order.
    pub skipped: Vec<SkippedRow>,
    /// Rows whose member has all their values already.
    pub unchanged: usize,
}

/// What a plan says beside the changes.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlanFacts {
    /// The panel.
    pub panel_id: i64,
    /// How many rows there were.
    pub rows: usize,
    /// The members who would change.
    pub members: usize,
    /// Rows whose member has all their values already.
    pub unchanged: usize,
    /// Rows that are left out, in their order.
    pub skipped: Vec<SkippedRow>,
    /// How much would change, never what, in sentences: values are about people. They are in the table `changes`.
    pub text: String,
}

/// A field of a member that would get another value.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The row, counted from 0.
    pub row: usize,
    /// Number of the member.
    pub member: i64,
    /// Name of the field.
    pub field: String,
    /// What the field holds, in the words of the panel's definition.
    pub field_type: VariableType,
    /// The value that the member has.
    pub old: FieldValue,
    /// The value that it would get.
    pub new: FieldValue,
}

/// A row that is left out.
#[report]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedRow {
    /// The row, counted from 0.
    pub row: usize,
    /// It has no key, no member has its key, another row has it too, or several members have it.
    pub reason: SkipReason,
}

/// Why a row is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// It has no key.
    NoKey,
    /// No member has its key.
    Unknown,
    /// Another row has the same key: which of them counts is not ours to say.
    TwiceInRows,
    /// Several members have its key.
    TwiceInPanel,
}

impl SkipReason {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::NoKey, Self::Unknown, Self::TwiceInRows, Self::TwiceInPanel];

    /// The word for it, the same in every language.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoKey => "no_key",
            Self::Unknown => "unknown",
            Self::TwiceInRows => "twice_in_rows",
            Self::TwiceInPanel => "twice_in_panel",
        }
    }

    /// The same for a reader.
    fn sentence(self) -> &'static str {
        match self {
            Self::NoKey => "without a key",
            Self::Unknown => "with a key that no member has",
            Self::TwiceInRows => "with a key that another row has too",
            Self::TwiceInPanel => "with a key that several members have",
        }
    }
}

impl UpdatePlan {
    /// The panel.
    pub fn panel_id(&self) -> i64 {
        self.update.panel_id
    }

    /// The members who would change.
    pub fn members(&self) -> usize {
        self.changes.chunk_by(|a, b| a.member == b.member).count()
    }

    /// What it says beside the changes.
    pub fn facts(&self) -> PlanFacts {
        PlanFacts {
            panel_id: self.panel_id(),
            rows: self.rows,
            members: self.members(),
            unchanged: self.unchanged,
            skipped: self.skipped.clone(),
            text: self.to_string(),
        }
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

impl fmt::Display for UpdatePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, members) = (counted(self.rows, "row"), counted(self.members(), "member"));
        let values = counted(self.changes.len(), "value");
        write!(f, "panel {}: {rows} would change {members} in {values}", self.panel_id())?;
        let mut fields: IndexMap<&str, usize> = IndexMap::new();
        for change in &self.changes {
            *fields.entry(&change.field).or_default() += 1;
        }
        for (field, values) in fields {
            write!(f, "\n  {field}: {values}")?;
        }
        if self.unchanged > 0 {
            write!(f, "\n  {} without a change", counted(self.unchanged, "row"))?;
        }
        for reason in SkipReason::ALL {
            let rows: Vec<usize> = self
                .skipped
                .iter()
                .filter(|skipped| skipped.reason == reason)
                .map(|skipped| skipped.row)
                .collect();
            if !rows.is_empty() {
                let (count, rows) = (counted(rows.len(), "row"), shortened(&rows));
                write!(f, "\n  {count} {}: {rows}", reason.sentence())?;
            }
        }
        Ok(())
    }
}

/// `1 row`, `2 rows`
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The first rows by their numbers.
fn shortened(rows: &[usize]) -> String {
    let first: Vec<String> = rows.iter().take(10).map(ToString::to_string).collect();
    let more = if rows.len() > first.len() { ", ..." } else { "" };
    first.join(", ") + more
}

impl fmt::Debug for UpdatePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UpdatePlan({self})")
    }
}

impl fmt::Debug for Change {
    /// Without the values: they are about people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Change {{ row: {}, member: {}, field: {:?}, .. }}", self.row, self.member, self.field)
    }
}
