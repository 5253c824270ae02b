//! Matches the members of the panel with the rows.

use super::check::{Checked, Match};
use super::columns::ImportColumns;
use super::line;
use super::run::Run;
use crate::update::fit;
use sondage::error::{Error, Result};
use sondage::model::{FieldValue, Member, NewMember};
use std::collections::HashMap;

/// The members of the panel, by row.
pub(super) struct SeenMembers {
    /// For each row the member with its key; 0: there is none.
    ids: Vec<i64>,
    /// Rows whose member already has all their values, if that was requested.
    same: Vec<bool>,
    /// Rows whose key several members have.
    several: HashMap<u32, i64>,
    /// Rows with a member whose key is almost the same.
    near: HashMap<u32, (i64, &'static str)>,
}

impl SeenMembers {
    /// The member with the key of a row.
    pub fn id(&self, row: u32) -> Option<i64> {
        self.ids.get(row as usize).copied().filter(|id| *id != 0)
    }

    /// Whether that member has all values of the row.
    pub fn is_same(&self, row: u32) -> bool {
        self.same.get(row as usize).copied().unwrap_or_default()
    }

    /// Whether several members have the key of a row.
    pub fn is_ambiguous(&self, row: u32) -> bool {
        self.several.contains_key(&row)
    }

    /// The member whose key is almost that of a row, and what they differ in, if nobody has exactly that key.
    pub fn near(&self, row: u32) -> Option<(i64, &'static str)> {
        self.near.get(&row).copied().filter(|_| self.id(row).is_none())
    }
}

impl Run {
    /// Reads the panel: complete, or an error. `values`: whether members are compared with their rows.
    pub async fn look(&mut self, values: bool) -> Result<SeenMembers> {
        let rows = self.checked.kept.len();
        let mut members = SeenMembers {
            ids: vec![0; rows],
            same: vec![false; if values { rows } else { 0 }],
            several: HashMap::new(),
            near: HashMap::new(),
        };
        let key = &self.columns.all[self.columns.key];
        let fields: Vec<String> = if values {
            self.columns.all.iter().map(|column| column.name.clone()).collect()
        } else {
            vec![key.name.clone()]
        };
        let mut pages =
            self.import.client.members(self.import.panel_id).fields(fields).thorough(true).pager()?;
        pages.fetch_ahead();
        while let Some(page) = pages.next().await? {
            for member in &page {
                self.meet(member, &mut members)?;
            }
        }
        if self.import.dry_run {
            let progress = pages.progress();
            // Reading again takes fewer calls if this reading found out how the service numbers its pages.
            let again = pages.calls_for(progress.rows, self.import.client.config().page_size);
            self.read.calls += u64::try_from(again).unwrap_or(progress.calls);
            self.read.bytes += progress.bytes;
        }
        Ok(members)
    }

    fn meet(&mut self, member: &Member, seen: &mut SeenMembers) -> Result<()> {
        let column = &self.columns.all[self.columns.key];
        let key = member.value(&column.name).and_then(|value| fit::key(value, &column.kind, false));
        match key.and_then(|key| self.checked.find(&self.prints, &key)) {
            None => {}
            Some(Match::Near(row, difference)) => {
                seen.near.insert(row, (member.id, difference));
            }
            Some(Match::Exact(row)) => {
                let at = row as usize;
                if seen.ids[at] != 0 && seen.ids[at] != member.id {
                    seen.several.insert(row, member.id);
                    return Ok(());
                }
                seen.ids[at] = member.id;
                if !seen.same.is_empty() && self.checked.kept[at].status != super::RowStatus::Refused {
                    seen.same[at] = self.has(row, member)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a member has the values of a row. An empty cell is ignored.
    fn has(&mut self, row: u32, member: &Member) -> Result<bool> {
        let row_member = self.member_of(row)?;
        Ok(self.columns.all.iter().all(|column| {
            let new = row_member.fields.get(&column.name).map_or(&FieldValue::Null, |field| &field.value);
            let old = member.value(&column.name).unwrap_or(&FieldValue::Null);
            new.is_null() || fit::same(old, new, &column.kind)
        }))
    }

    /// A row as it is sent.
    pub fn member_of(&mut self, row: u32) -> Result<NewMember> {
        member_of(&mut self.checked, &self.columns, row)
    }
}

/// A row as it is sent.
pub(crate) fn member_of(checked: &mut Checked, columns: &ImportColumns, row: u32) -> Result<NewMember> {
    let mut json = Vec::new();
    add_member(checked, columns, row, &mut json)?;
    serde_json::from_slice(&json).map_err(|error| Error::internal(error.to_string()))
}

/// Adds a row as it is sent, as JSON.
pub(super) fn add_member(
    checked: &mut Checked,
    columns: &ImportColumns,
    row: u32,
    json: &mut Vec<u8>,
) -> Result<()> {
    let spooled_row = checked.spool.row(row as usize).map_err(|error| {
        let what = sondage::text!(
            "a row that was stored in the folder for temporary files cannot be read again ({error})"
        );
        Error::configuration(what)
            .caused_by(&error)
            .with_hint("Run the same import again: it resumes from its journal.")
    })?;
    line::member(columns, spooled_row, json);
    Ok(())
}
