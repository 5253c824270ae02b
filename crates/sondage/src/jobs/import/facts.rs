//! What a report says beside its rows.

use super::report::{ImportReport, RowStatus};
use crate::error::Error;
use sondage_macros::report;

/// What became of rows that were to be members, but for the rows themselves.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ImportFacts {
    /// The panel.
    pub panel_id: i64,
    /// How many rows there are.
    pub length: usize,
    /// Rows whose members were created.
    pub created: usize,
    /// Rows whose members were there and got their values.
    pub updated: usize,
    /// Rows whose members were there and had their values already.
    pub unchanged: usize,
    /// Rows whose members were there and were left as they are.
    pub exists: usize,
    /// Rows with which nothing was done: the table `rows` says why.
    pub refused: usize,
    /// Rows of which it is not known. The same `import_members` again finds out before it sends anything; rows of
    /// `create_members_from` have to be looked up in the panel first.
    pub unknown: usize,
    /// Rows that were not sent, because the run was stopped before. The same `import_members` again goes on from there.
    pub not_sent: usize,
    /// Whether it is known of every row what became of it, and nothing is left to send.
    pub complete: bool,
    /// Whether an earlier run had begun.
    pub resumed: bool,
    /// Where the journal is, while it is of use: the same import goes on from it.
    pub journal: Option<String>,
    /// Members that were created from rows whose status is `unknown`: the service's answer did not say from which.
    /// `import_members` reads the members back instead, and has none.
    pub unattributed: Vec<i64>,
    /// What stopped the run; `None` when all rows are decided.
    pub stopped: Option<Error>,
    /// How many, never who, in sentences: rows are about people. They are in the table `rows`.
    pub text: String,
}

impl ImportReport {
    /// What it says beside its rows.
    pub fn facts(&self) -> ImportFacts {
        ImportFacts {
            panel_id: self.panel_id,
            length: self.len(),
            created: self.count(RowStatus::Created),
            updated: self.count(RowStatus::Updated),
            unchanged: self.count(RowStatus::Unchanged),
            exists: self.count(RowStatus::Exists),
            refused: self.count(RowStatus::Refused),
            unknown: self.count(RowStatus::Unknown),
            not_sent: self.count(RowStatus::NotSent),
            complete: self.is_complete(),
            resumed: self.resumed,
            journal: self.journal.clone(),
            unattributed: self.unattributed.clone(),
            stopped: self.stopped.clone(),
            text: self.to_string(),
        }
    }
}
