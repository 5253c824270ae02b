//! The outcome of each row of an import.

use super::ahead::ImportAhead;
use super::format::RowsFormat;
use sondage::error::Error;
use sondage_macros::words;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The outcome of a row.
#[words]
#[non_exhaustive]
pub enum RowStatus {
    /// A member was created.
    Created,
    /// An existing member was updated with the values of the row.
    Updated,
    /// An existing member already has the values of the row.
    Unchanged,
    /// A member with the key exists, and was left unchanged.
    Exists,
    /// Nothing was done: the reason says why. Rows that the service refused together with their whole chunk are sent again if
    /// the same import is run again.
    Refused,
    /// Unknown. Running the same import again finds out before it sends anything; rows that were created without a journal have
    /// to be looked up in the panel first.
    Unknown,
    /// Not sent, because the run stopped before. Run the same import again to resume.
    NotSent,
    /// Nothing was done: another row with the same key counts, as `duplicates` says.
    Duplicate,
}

impl RowStatus {
    pub(super) fn of_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    pub(super) fn number(self) -> u8 {
        Self::ALL
            .iter()
            .position(|status| *status == self)
            .map_or(u8::MAX, |at| u8::try_from(at).unwrap_or(u8::MAX))
    }
}

/// How the outcome of a row was determined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Attribution {
    /// Not sent, or refused without a look at the row.
    #[default]
    None,
    /// Attributed by the service's response, in which the row has its position.
    Answer,
    /// Attributed by reading the members of the panel back and looking up the row's key.
    ReadBack,
}

impl Attribution {
    const ALL: [Self; 3] = [Self::None, Self::Answer, Self::ReadBack];

    /// The name, which is the same in every language; nothing for [`Attribution::None`].
    pub fn as_str(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Answer => Some("answer"),
            Self::ReadBack => Some("read_back"),
        }
    }

    pub(super) fn of_number(number: u8) -> Self {
        Self::ALL.get(usize::from(number)).copied().unwrap_or_default()
    }

    pub(super) fn number(self) -> u8 {
        self as u8
    }
}

/// The outcome of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportRow {
    /// The row, counted from 0, or as [`Import::rows_from`](super::Import::rows_from) says.
    pub row: usize,
    /// The line of the file, counted from 1, in which it begins; of a workbook, the row of the sheet. `None` if the rows are not from a
    /// file.
    pub line: Option<u64>,
    /// The status.
    pub status: RowStatus,
    /// Id of the member; `None` if there is none, or it is unknown.
    pub id: Option<i64>,
    /// The reason, if the status alone does not say it.
    pub reason: Option<String>,
    /// How the outcome was determined.
    pub attributed: Attribution,
}

/// The stored form of a row's outcome.
#[derive(Clone, Copy)]
pub(super) struct RowResult {
    pub status: RowStatus,
    pub how: Attribution,
    pub id: i64,
}

/// The outcome of each row of `import_members` or `create_members_from`, in the order of the rows.
///
/// `Display` shows counts, but no personal data.
#[derive(Clone)]
#[non_exhaustive]
pub struct ImportReport {
    /// The panel.
    pub panel_id: i64,
    /// The path of the journal, from which the same import resumes; `None` if it is no longer needed.
    pub journal: Option<String>,
    /// The error that stopped the run; `None` when all rows are decided.
    pub stopped: Option<Error>,
    /// Whether it resumed an earlier run.
    pub resumed: bool,
    /// Members that were created from rows whose status is [`RowStatus::Unknown`]: the service's response did not say from
    /// which. `import_members` reads the members back instead, and has none.
    pub unattributed: Vec<i64>,
    /// How the file was read from which the rows are.
    pub format: Option<RowsFormat>,
    /// The field of each column of the rows, in their order. `create_members_from` does not read the fields, and has none.
    pub columns: Vec<String>,
    /// Which columns are named otherwise than their fields.
    pub(super) note: String,
    pub(super) kept: Vec<RowResult>,
    pub(super) reasons: BTreeMap<u32, Arc<str>>,
    /// The number of the first row.
    pub(super) first_row: u32,
    /// Whether running the same call again resumes it. Otherwise it would create members twice.
    pub(super) again: bool,
    /// Whether the service refused a whole chunk, which stopped the run: its rows are not decided.
    pub(super) chunk_refused: bool,
    /// For a dry run: what would be sent.
    pub(super) ahead: Option<ImportAhead>,
}

impl ImportReport {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The outcome of a row by its place, which is counted from 0.
    pub fn row(&self, row: usize) -> Option<ImportRow> {
        let result = self.kept.get(row)?;
        let reason = u32::try_from(row).ok().and_then(|row| self.reasons.get(&row));
        Some(ImportRow {
            row: row + usize::try_from(self.first_row).unwrap_or_default(),
            line: self.format.as_ref().and_then(|format| format.line(row)),
            status: result.status,
            id: (result.id > 0).then_some(result.id),
            reason: reason.map(ToString::to_string),
            attributed: result.how,
        })
    }

    /// The outcomes of all rows, in their order.
    pub fn rows(&self) -> impl Iterator<Item = ImportRow> {
        (0..self.len()).filter_map(|row| self.row(row))
    }

    /// The number of rows with this status.
    pub fn count(&self, status: RowStatus) -> usize {
        self.kept.iter().filter(|kept| kept.status == status).count()
    }

    /// Whether the outcome of every row is known, and nothing is left to send.
    pub fn is_complete(&self) -> bool {
        self.count(RowStatus::Unknown) + self.count(RowStatus::NotSent) == 0 && !self.chunk_refused
    }
}

impl fmt::Display for ImportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.len() == 1 { "" } else { "s" };
        write!(f, "panel {}: {} row{plural}", self.panel_id, self.len())?;
        let mut sign = ": ";
        for status in RowStatus::ALL {
            let count = self.count(status);
            if count > 0 && (self.ahead.is_none() || status != RowStatus::NotSent) {
                write!(f, "{sign}{count} {}", status.as_str().replace('_', " "))?;
                sign = ", ";
            }
        }
        if self.is_empty() {
            f.write_str("; there was nothing to do")?;
        } else if self.ahead.is_some() {
            self.said_ahead(f, sign)?;
        } else if self.again && !self.is_complete() {
            f.write_str("; run the same import again to go on")?;
        } else if self.count(RowStatus::Unknown) > 0 {
            f.write_str("; look in the panel for the unknown ones before any row is sent again")?;
        }
        f.write_str(&self.note)?;
        f.write_str(&self.format.as_ref().map_or_else(String::new, RowsFormat::note))
    }
}

impl fmt::Debug for ImportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ImportReport({self})")
    }
}
