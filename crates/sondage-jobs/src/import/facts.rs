//! The report of an import without its rows.

use super::format::RowsFormat;
use super::report::{ImportReport, RowStatus};
use sondage::budget::Cost;
use sondage::error::Error;
use sondage_macros::report;

/// The outcome of an import or of `create_members_from`, without the rows.
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
    /// Rows whose members existed and were updated.
    pub updated: usize,
    /// Rows whose members existed and already had their values.
    pub unchanged: usize,
    /// Rows whose members existed and were left unchanged.
    pub exists: usize,
    /// Rows that were refused: the table `rows` has the reasons.
    pub refused: usize,
    /// Rows that were left out because another row with the same key counts, as `duplicates` says.
    pub duplicate: usize,
    /// Rows whose outcome is unknown. Running the same `import_members` again finds out before it sends anything; rows of
    /// `create_members_from` have to be looked up in the panel first.
    pub unknown: usize,
    /// Rows that were not sent, because the run stopped before. Running the same `import_members` again continues with
    /// them.
    pub not_sent: usize,
    /// Of a dry run: rows that would be created. Their status is `"not_sent"`.
    pub to_create: usize,
    /// Of a dry run: rows that would be updated. Their status is `"not_sent"`.
    pub to_update: usize,
    /// Of a dry run: the cost of the import, which reads again what the dry run has read. It is exact if every call gets a
    /// response.
    pub cost: Option<Cost>,
    /// Whether the outcome of every row is known, and nothing is left to send.
    pub complete: bool,
    /// Whether it resumed an earlier run.
    pub resumed: bool,
    /// The path of the journal, while it is needed: the same import resumes from it.
    pub journal: Option<String>,
    /// Members that were created from rows whose status is `unknown`: the service's response did not say from which.
    /// `import_members` reads the members back instead, and has none.
    pub unattributed: Vec<i64>,
    /// The error that stopped the run; `None` when all rows are decided.
    pub stopped: Option<Error>,
    /// What separates the columns of the CSV file from which the rows are: a sign, or `"tab"`.
    pub separator: Option<String>,
    /// The encoding in which that file was read, for example `utf-8`.
    pub encoding: Option<String>,
    /// What separates the decimals of the numbers in that file: `.` or `,`. Nothing if no number has decimals.
    pub decimal: Option<String>,
    /// The name of the sheet, if the rows are from a workbook.
    pub sheet: Option<String>,
    /// The field of each column of the rows, in their order. `create_members_from` does not read the fields, and has none.
    pub columns: Vec<String>,
    /// The counts in sentences, without personal data. The rows are in the table `rows`.
    pub text: String,
}

impl ImportReport {
    /// The report without its rows.
    pub fn facts(&self) -> ImportFacts {
        let ahead = self.ahead();
        let format = |part: fn(&RowsFormat) -> &Option<String>| {
            self.format.as_ref().and_then(|format| part(format).clone())
        };
        ImportFacts {
            panel_id: self.panel_id,
            length: self.len(),
            created: self.count(RowStatus::Created),
            updated: self.count(RowStatus::Updated),
            unchanged: self.count(RowStatus::Unchanged),
            exists: self.count(RowStatus::Exists),
            refused: self.count(RowStatus::Refused),
            duplicate: self.count(RowStatus::Duplicate),
            unknown: self.count(RowStatus::Unknown),
            not_sent: self.count(RowStatus::NotSent),
            to_create: ahead.map_or(0, |(create, ..)| create),
            to_update: ahead.map_or(0, |(_, update, _)| update),
            cost: ahead.map(|(.., cost)| cost),
            complete: self.is_complete(),
            resumed: self.resumed,
            journal: self.journal.clone(),
            unattributed: self.unattributed.clone(),
            stopped: self.stopped.clone(),
            separator: format(|format| &format.separator),
            encoding: format(|format| &format.encoding),
            decimal: format(|format| &format.decimal),
            sheet: format(|format| &format.sheet),
            columns: self.columns.clone(),
            text: self.to_string(),
        }
    }
}
