//! Finds the members of the rows, and their differences.

use super::definition::{MemberKey, UpdateColumns};
use super::plan::{Change, ListCost, SkipReason, SkippedRow, UpdatePlan};
use super::rows::Rows;
use super::{Nulls, Update, fit};
use crate::import::decimals::{Decimals, plain};
use crate::import::keys::folded;
use crate::import::source::cell;
use crate::import::{RowRules, RowValue, RowsFormat, named};
use crate::options::Duplicates;
use sondage::error::{Error, Result};
use sondage::model::{FieldValue, Member, VariableType};
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Processes the members one after the other and keeps only differences.
pub(super) struct Finder<'a> {
    columns: &'a UpdateColumns,
    ignore_case: bool,
    nulls: Nulls,
    rules: RowRules,
    /// How the file was read from which the rows are.
    format: Option<RowsFormat>,
    /// The rows by key.
    by_key: HashMap<String, usize>,
    /// The keys of rows as people see them, and those of them that members have.
    row_folds: HashSet<String>,
    member_folds: HashSet<String>,
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
        let format = rows.rows_format();
        let mut decimals = Decimals::of(format);
        let mut keys = Vec::with_capacity(rows.len());
        for row in 0..rows.len() {
            let mut values = Vec::with_capacity(columns.compared.len());
            for column in &columns.compared {
                let value = update.rules.cell(rows.value(row, column.place));
                let number = u32::try_from(row).unwrap_or(u32::MAX);
                let cell = cell(format, row, &rows.names()[column.place], &value);
                let typed = decimals.typed(number, cell, &column.kind);
                values.push(typed.unwrap_or_else(|| fit::fit(&value, &column.kind)).unwrap_or_else(
                    |wants| {
                        wrong += 1;
                        first.get_or_insert_with(|| {
                            let (name, kind) = (&column.name, &column.kind);
                            let row = named(format, row, 0);
                            format!("{row} has in the column {name:?} no {kind}: the field holds {wants}")
                        });
                        FieldValue::Null
                    },
                ));
            }
            keys.push(values);
        }
        if let Some(first) = first {
            let more =
                if wrong > 1 { format!(", and {} more values do not fit", wrong - 1) } else { String::new() };
            return Err(Error::invalid_argument(first + &more).with_hint("Rows are counted from 0."));
        }
        if let Some((row, reason)) = decimals.doubts(format, 0).into_iter().next() {
            let what = format!("{}: {reason}", named(format, row as usize, 0));
            return Err(Error::invalid_argument(what).with_hint("Rows are counted from 0."));
        }
        let mut finder = Self {
            columns,
            format: decimals.complete(format.cloned()),
            ignore_case: update.ignore_case,
            nulls: update.nulls,
            rules: update.rules,
            by_key: HashMap::with_capacity(rows.len()),
            row_folds: HashSet::new(),
            member_folds: HashSet::new(),
            wanted: keys,
            met: vec![Met::Skipped(SkipReason::Unknown); rows.len()],
        };
        for row in 0..rows.len() {
            let value = update.rules.cell(rows.value(row, columns.key.0));
            let is_number = match &columns.key.1 {
                MemberKey::Number => true,
                MemberKey::Field { kind, .. } => matches!(kind, VariableType::Number | VariableType::Real),
            };
            match cell(format, row, &rows.names()[columns.key.0], &value) {
                RowValue::Number(shown) if is_number => {
                    finder.take_key(row, &FieldValue::Text(plain(shown).to_owned()))?;
                }
                _ => finder.take_key(row, &value)?,
            }
        }
        finder.row_folds = finder.by_key.keys().map(|key| folded(key).into_owned()).collect();
        Ok(finder)
    }

    fn take_key(&mut self, row: usize, value: &FieldValue) -> Result<()> {
        let key = match &self.columns.key.1 {
            MemberKey::Number => fit::number(value),
            MemberKey::Field { kind, .. } => fit::key(value, kind, self.ignore_case),
        };
        let Some(key) = key else {
            if !value.is_null() && value.as_str() != Some("") {
                let row = named(self.format.as_ref(), row, 0);
                let what = format!("{row} has a key of the wrong type");
                return Err(Error::invalid_argument(what).with_hint("Rows are counted from 0."));
            }
            self.met[row] = Met::Skipped(SkipReason::NoKey);
            return Ok(());
        };
        let Some(other) = self.by_key.get(&key).copied() else {
            self.by_key.insert(key, row);
            return Ok(());
        };
        let (left_out, reason) = match self.rules.duplicates {
            Duplicates::Error => (vec![other, row], SkipReason::TwiceInRows),
            Duplicates::First => (vec![row], SkipReason::Duplicate),
            Duplicates::Last => {
                self.by_key.insert(key, row);
                (vec![other], SkipReason::Duplicate)
            }
        };
        for row in left_out {
            self.met[row] = Met::Skipped(reason);
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
        let Some(key) = key else { return };
        let fold = folded(&key);
        if !self.row_folds.contains(&*fold) {
            return;
        }
        self.member_folds.insert(fold.into_owned());
        let Some(row) = self.by_key.get(&key).copied() else { return };
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
                line: self.format.as_ref().and_then(|format| format.line(row)),
                member: member.id,
                field: column.name.clone(),
                field_type: column.kind.clone(),
                old: old.clone(),
                new: new.clone(),
            });
        }
        changes
    }

    /// Rows whose key no member has, if a member's looks the same.
    fn name_similar(&mut self) {
        for (key, row) in &self.by_key {
            let is_unknown = matches!(self.met[*row], Met::Skipped(SkipReason::Unknown));
            if is_unknown && self.member_folds.contains(&*folded(key)) {
                self.met[*row] = Met::Skipped(SkipReason::Similar);
            }
        }
    }

    /// Rows whose keys look the same, unless each is the key of a member: one of the spellings is wrong, and which row counts is not
    /// known, whatever `duplicates` says.
    fn refuse_similar(&mut self) {
        let mut by_fold: HashMap<String, Vec<usize>> = HashMap::with_capacity(self.row_folds.len());
        for (key, row) in &self.by_key {
            by_fold.entry(folded(key).into_owned()).or_default().push(*row);
        }
        let is_found = |row: &usize| matches!(self.met[*row], Met::One(..));
        by_fold.retain(|_, rows| rows.len() > 1 && rows.iter().any(is_found) && !rows.iter().all(is_found));
        for row in by_fold.into_values().flatten() {
            self.met[row] = Met::Skipped(SkipReason::TwiceInRows);
        }
    }

    /// The result, after the last member.
    pub fn plan(mut self, update: Update, list: ListCost, max_age: Duration) -> UpdatePlan {
        self.refuse_similar();
        self.name_similar();
        let rows = self.met.len();
        let mut plan = UpdatePlan {
            update,
            rows,
            changes: Vec::new(),
            skipped: Vec::new(),
            unchanged: 0,
            format: self.format,
            note: self.columns.note.clone(),
            list,
            max_age,
            made: Instant::now(),
            outcome: Mutex::new(None),
        };
        for (row, met) in self.met.into_iter().enumerate() {
            match met {
                Met::Skipped(reason) => {
                    let line = plan.format.as_ref().and_then(|format| format.line(row));
                    plan.skipped.push(SkippedRow { row, line, reason });
                }
                Met::One(_, changes) if changes.is_empty() => plan.unchanged += 1,
                Met::One(_, changes) => plan.changes.extend(changes),
            }
        }
        plan
    }
}
