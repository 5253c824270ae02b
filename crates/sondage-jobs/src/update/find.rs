//! Finds the members of the rows, and their differences.

use super::definition::{MemberKey, UpdateColumns};
use super::plan::{Change, ListCost, SkipReason, SkippedRow, UpdatePlan};
use super::rows::Rows;
use super::{Nulls, Update, fit};
use sondage::error::{Error, Result};
use sondage::model::{FieldValue, Member};
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Processes the members one after the other and keeps only differences.
pub(super) struct Finder<'a> {
    columns: &'a UpdateColumns,
    ignore_case: bool,
    nulls: Nulls,
    /// The rows by key.
    by_key: HashMap<String, usize>,
    /// The values of each row in the types of the fields, in the order of the compared columns.
    wanted: Vec<Vec<FieldValue>>,
    /// The state of each row.
    met: Vec<Met>,
}

#[derive(Clone)]
enum Met {
    /// No member yet, or a reason that no member can change.
    Skipped(SkipReason),
    /// A member, and its differences.
    One(i64, Vec<Change>),
}

impl<'a> Finder<'a> {
    /// Converts the values. The error for a value that does not fit its field names its position and not the value.
    pub fn new(update: &Update, columns: &'a UpdateColumns, rows: &Rows) -> Result<Self> {
        let (mut wrong, mut first) = (0, None);
        let mut keys = Vec::with_capacity(rows.len());
        for row in 0..rows.len() {
            let mut values = Vec::with_capacity(columns.compared.len());
            for column in &columns.compared {
                values.push(fit::fit(rows.value(row, column.place), &column.kind).unwrap_or_else(|wants| {
                    wrong += 1;
                    first.get_or_insert_with(|| {
                        let (name, kind) = (&column.name, &column.kind);
                        format!("row {row} has in the column {name:?} no {kind}: the field holds {wants}")
                    });
                    FieldValue::Null
                }));
            }
            keys.push(values);
        }
        if let Some(first) = first {
            let more =
                if wrong > 1 { format!(", and {} more values do not fit", wrong - 1) } else { String::new() };
            return Err(Error::invalid_argument(first + &more).with_hint("Rows are counted from 0."));
        }
        let mut finder = Self {
            columns,
            ignore_case: update.ignore_case,
            nulls: update.nulls,
            by_key: HashMap::with_capacity(rows.len()),
            wanted: keys,
            met: vec![Met::Skipped(SkipReason::Unknown); rows.len()],
        };
        for row in 0..rows.len() {
            finder.take_key(row, rows.value(row, columns.key.0))?;
        }
        Ok(finder)
    }

    fn take_key(&mut self, row: usize, value: &FieldValue) -> Result<()> {
        let key = match &self.columns.key.1 {
            MemberKey::Number => fit::number(value),
            MemberKey::Field { kind, .. } => fit::key(value, kind, self.ignore_case),
        };
        let Some(key) = key else {
            if !value.is_null() && value.as_str() != Some("") {
                let what = format!("row {row} has a key of the wrong type");
                return Err(Error::invalid_argument(what).with_hint("Rows are counted from 0."));
            }
            self.met[row] = Met::Skipped(SkipReason::NoKey);
            return Ok(());
        };
        if let Some(other) = self.by_key.get(&key) {
            self.met[*other] = Met::Skipped(SkipReason::TwiceInRows);
            self.met[row] = Met::Skipped(SkipReason::TwiceInRows);
        } else {
            self.by_key.insert(key, row);
        }
        Ok(())
    }

    /// A member of the panel.
    pub fn meet(&mut self, member: &Member) {
        let key = match &self.columns.key.1 {
            MemberKey::Number => Some(member.id.to_string()),
            MemberKey::Field { name, kind } => {
                member.value(name).and_then(|value| fit::key(value, kind, self.ignore_case))
            }
        };
        let Some(row) = key.and_then(|key| self.by_key.get(&key).copied()) else { return };
        self.met[row] = match &self.met[row] {
            Met::Skipped(SkipReason::Unknown) => Met::One(member.id, self.differences(row, member)),
            Met::One(id, _) if *id != member.id => Met::Skipped(SkipReason::TwiceInPanel),
            _ => return,
        };
    }

    fn differences(&self, row: usize, member: &Member) -> Vec<Change> {
        let mut changes = Vec::new();
        for (column, new) in self.columns.compared.iter().zip(&self.wanted[row]) {
            let old = member.value(&column.name).unwrap_or(&FieldValue::Null);
            if (new.is_null() && self.nulls == Nulls::Keep) || fit::same(old, new, &column.kind) {
                continue;
            }
            changes.push(Change {
                row,
                member: member.id,
                field: column.name.clone(),
                field_type: column.kind.clone(),
                old: old.clone(),
                new: new.clone(),
            });
        }
        changes
    }

    /// The result, after the last member.
    pub fn plan(self, update: Update, list: ListCost, max_age: Duration) -> UpdatePlan {
        let rows = self.met.len();
        let mut plan = UpdatePlan {
            update,
            rows,
            changes: Vec::new(),
            skipped: Vec::new(),
            unchanged: 0,
            csv: None,
            note: self.columns.note.clone(),
            list,
            max_age,
            made: Instant::now(),
            outcome: Mutex::new(None),
        };
        for (row, met) in self.met.into_iter().enumerate() {
            match met {
                Met::Skipped(reason) => plan.skipped.push(SkippedRow { row, reason }),
                Met::One(_, changes) if changes.is_empty() => plan.unchanged += 1,
                Met::One(_, changes) => plan.changes.extend(changes),
            }
        }
        plan
    }
}
