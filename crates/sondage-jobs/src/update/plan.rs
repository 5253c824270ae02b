//! The plan of an update: the changes, and the rows that change nothing.

use super::Update;
use super::apply::{UpdateReport, request_size};
use crate::import::RowsFormat;
use indexmap::IndexMap;
use sondage::budget::Cost;
use sondage::model::{FieldValue, VariableType};
use sondage_macros::{report, words};
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The plan of an update: nothing has been sent.
///
/// `Display` shows counts but no values, which are personal data. The values are in [`UpdatePlan::changes`].
#[must_use = "nothing is changed before `apply`"]
#[non_exhaustive]
pub struct UpdatePlan {
    pub(super) update: Update,
    /// The number of rows.
    pub rows: usize,
    /// The changes, in the order of the rows.
    pub changes: Vec<Change>,
    /// Rows that are skipped, in their order.
    pub skipped: Vec<SkippedRow>,
    /// Rows whose member already has all their values.
    pub unchanged: usize,
    /// How the file was read from which the rows are.
    pub format: Option<RowsFormat>,
    /// Which columns are named otherwise than their fields.
    pub(super) note: String,
    /// The calls, bytes and time that reading the members took.
    pub(super) list: ListCost,
    pub(super) made: Instant,
    pub(super) max_age: Duration,
    /// The report of a run so far, even if its caller has given up.
    pub(super) outcome: Mutex<Option<UpdateReport>>,
}

/// The calls, bytes and time of a list.
#[derive(Clone, Copy)]
pub(super) struct ListCost {
    pub calls: u64,
    pub bytes: u64,
    /// The average duration of a call.
    pub each: Duration,
}

/// The plan without its changes.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlanFacts {
    /// The panel.
    pub panel_id: i64,
    /// The number of rows.
    pub rows: usize,
    /// The number of members who would change.
    pub members: usize,
    /// Rows whose member already has all their values.
    pub unchanged: usize,
    /// Rows that are skipped, in their order.
    pub skipped: Vec<SkippedRow>,
    /// The cost of applying it: the calls that read the members again and those that send, the bytes of the list and of the requests,
    /// and the minutes if each call takes as long as those of the plan did. After a call without a response the members are read once
    /// more.
    pub cost: Cost,
    /// What separates the columns of the CSV file from which the rows are: a sign, or `"tab"`.
    pub separator: Option<String>,
    /// The encoding in which that file was read, for example `utf-8`.
    pub encoding: Option<String>,
    /// What separates the decimals of the numbers in that file: `.` or `,`. Nothing if no number has decimals.
    pub decimal: Option<String>,
    /// The name of the sheet, if the rows are from a workbook.
    pub sheet: Option<String>,
    /// The counts in sentences, without values, which are personal data. The changes are in the table `changes`.
    pub text: String,
}

/// A changed field of a member.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The row, counted from 0.
    pub row: usize,
    /// The line of the file, counted from 1, in which it begins; of a workbook, the row of the sheet. Nothing if the rows are not from
    /// a file.
    pub line: Option<u64>,
    /// Id of the member.
    pub member: i64,
    /// Name of the field.
    pub field: String,
    /// The type of the field, as in the panel's definition.
    pub field_type: VariableType,
    /// The current value.
    pub old: FieldValue,
    /// The new value.
    pub new: FieldValue,
}

/// A row that is skipped.
#[report]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedRow {
    /// The row, counted from 0.
    pub row: usize,
    /// The line of the file, counted from 1, in which it begins; of a workbook, the row of the sheet. Nothing if the rows are not from
    /// a file.
    pub line: Option<u64>,
    /// The reason: it has no key (`"no_key"`), no member has its key (`"unknown"`), or only one that looks the same
    /// (`"similar"`), another row has the same key (`"twice_in_rows"`, or `"duplicate"` if that one counts), or several members
    /// have it (`"twice_in_panel"`).
    pub reason: SkipReason,
}

/// Why a row is skipped.
#[words]
#[non_exhaustive]
pub enum SkipReason {
    /// The row has no key.
    NoKey,
    /// No member has its key.
    Unknown,
    /// No member has its key, but one has a key that differs only in case, in spaces or in signs that are not seen.
    Similar,
    /// Another row has the same key, or one that looks the same, and the library must not choose one.
    TwiceInRows,
    /// Another row with the same key counts, as `duplicates` says.
    Duplicate,
    /// Several members have its key.
    TwiceInPanel,
}

impl SkipReason {
    /// The reason as text for people.
    fn sentence(self) -> &'static str {
        match self {
            Self::NoKey => "without a key",
            Self::Unknown => "with a key that no member has",
            Self::TwiceInRows => "with a key that another row has too",
            Self::TwiceInPanel => "with a key that several members have",
            Self::Similar => {
                "with a key that a member has too, except for case, spaces or signs that are not seen"
            }
            Self::Duplicate => "with the key of another row, which counts",
        }
    }
}

impl UpdatePlan {
    /// The panel.
    pub fn panel_id(&self) -> i64 {
        self.update.panel_id
    }

    /// The number of members who would change.
    pub fn members(&self) -> usize {
        self.changes.chunk_by(|a, b| a.member == b.member).count()
    }

    /// The cost of [`UpdatePlan::apply`], unless a call gets no response: then the members are read once more.
    pub fn cost(&self) -> Cost {
        if self.is_empty() {
            return Cost::default();
        }
        let ListCost { calls, bytes, each } = self.list;
        let (calls, read) = if self.update.recheck { (calls, bytes) } else { (0, 0) };
        let sent = self
            .by_member()
            .chunks(self.update.chunk_size)
            .map(|chunk| request_size(&self.update, chunk))
            .sum::<u64>();
        Cost::new(calls + self.sends(), read + sent, Some(each))
    }

    /// The number of calls that send.
    fn sends(&self) -> u64 {
        self.members().div_ceil(self.update.chunk_size) as u64
    }

    /// The changes of each member.
    pub(super) fn by_member(&self) -> Vec<&[Change]> {
        self.changes.chunk_by(|a, b| a.member == b.member).collect()
    }

    /// The report of a run so far, even if its caller gave up. Before a run every member is in `left`.
    pub fn report(&self) -> UpdateReport {
        let outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        let remaining = || self.by_member().iter().map(|changes| changes[0].member).collect();
        outcome.clone().unwrap_or_else(|| UpdateReport { left: remaining(), ..UpdateReport::default() })
    }

    /// The plan without its changes.
    pub fn facts(&self) -> PlanFacts {
        let format = |part: fn(&RowsFormat) -> &Option<String>| {
            self.format.as_ref().and_then(|format| part(format).clone())
        };
        PlanFacts {
            panel_id: self.panel_id(),
            rows: self.rows,
            members: self.members(),
            unchanged: self.unchanged,
            skipped: self.skipped.clone(),
            cost: self.cost(),
            separator: format(|format| &format.separator),
            encoding: format(|format| &format.encoding),
            decimal: format(|format| &format.decimal),
            sheet: format(|format| &format.sheet),
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
        f.write_str(&self.note)?;
        f.write_str(&self.format.as_ref().map_or_else(String::new, RowsFormat::note))?;
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
        if !self.is_empty() {
            let (reading, sends) = (if self.update.recheck { self.list.calls } else { 0 }, self.sends());
            write!(
                f,
                "\n  applying it costs {}: {reading} calls to read again, and {sends} to send",
                self.cost()
            )?;
        }
        Ok(())
    }
}

/// `1 row`, `2 rows`
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The first rows, by number.
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
    /// Without the values, which are personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Change {{ row: {}, member: {}, field: {:?}, .. }}", self.row, self.member, self.field)
    }
}
