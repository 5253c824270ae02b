//! Checks every row against the definition of the panel, before anything is sent.

use super::columns::{ImportColumn, ImportColumns};
use super::compared::ComparedPrints;
use super::decimals::Decimals;
use super::format::{RowsFormat, named};
use super::keys::{difference, folded, has_unseen};
use super::line::TypedValue;
use super::prints::{Print, RowPrints};
use super::report::{Attribution, RowResult, RowStatus};
use super::source::{RowStream, RowValue};
use super::spool::Spool;
use crate::options::Duplicates;
use sondage::error::{Error, Result};
use sondage::model::{FieldValue, VariableType};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

/// What a caller has decided about rows.
#[derive(Clone, Copy, Default)]
pub(crate) struct RowRules {
    pub duplicates: Duplicates,
    /// Whether blanks around values are removed.
    pub strip: bool,
    /// The number of the first row in reasons and errors.
    pub first_row: u32,
}

impl RowRules {
    /// A value as it counts.
    pub fn cell(self, value: &FieldValue) -> Cow<'_, FieldValue> {
        if self.strip { Cow::Owned(RowValue::from(value).stripped().into()) } else { Cow::Borrowed(value) }
    }
}

/// The state of the rows. Their values are in the spool.
pub(crate) struct Checked {
    pub(super) spool: Spool,
    /// [`RowStatus::NotSent`] means to be sent: with an id, to an existing member.
    pub(super) kept: Vec<RowResult>,
    pub reasons: BTreeMap<u32, Arc<str>>,
    pub(super) prints: ComparedPrints,
    /// Hashes of each row's key in the form of [`folded`]; unused for rows without a key.
    folds: Vec<u64>,
    hashes: RandomState,
    /// Rows whose keys have signs that are not seen.
    unseen: HashSet<u32>,
    /// Rows with a key, by hash.
    order: Vec<u32>,
    /// Rows that cannot create a member, because they lack a required value.
    pub lacking: BTreeMap<u32, Arc<str>>,
    /// Rows that do not count because another row has the same key.
    pub same_keys: BTreeSet<u32>,
    pub(super) rules: RowRules,
    /// How the numbers of a file are written.
    decimals: Decimals,
    /// How the file was read from which the rows are.
    pub format: Option<RowsFormat>,
}

/// How a row's key compares with a member's.
pub(crate) enum Match {
    /// Equal.
    Exact(u32),
    /// Different only in this.
    Near(u32, &'static str),
}

impl Checked {
    /// Reads all rows. `earlier`: those of an earlier run, if there was one.
    pub fn read(
        columns: &ImportColumns,
        prints: &RowPrints,
        earlier: ComparedPrints,
        rows: &mut dyn RowStream,
        rules: RowRules,
    ) -> Result<Self> {
        let mut checked = Self {
            spool: Spool::new(),
            kept: Vec::new(),
            reasons: BTreeMap::new(),
            prints: earlier,
            folds: Vec::new(),
            hashes: RandomState::new(),
            unseen: HashSet::new(),
            order: Vec::new(),
            lacking: BTreeMap::new(),
            same_keys: BTreeSet::new(),
            rules,
            decimals: Decimals::of(rows.rows_format().as_ref()),
            format: None,
        };
        let mut line = Vec::new();
        while rows.next_rows(&mut |row| checked.take(columns, prints, row, &mut line))? {}
        checked.spool.finish().map_err(|error| unwritable(&error))?;
        checked.format = checked.decimals.complete(rows.rows_format());
        for (row, reason) in checked.decimals.doubts(checked.format.as_ref(), rules.first_row) {
            checked.refuse(row, reason);
        }
        checked.decide_repeated();
        Ok(checked)
    }

    fn take(
        &mut self,
        columns: &ImportColumns,
        prints: &RowPrints,
        row: &[RowValue<'_>],
        line: &mut Vec<u8>,
    ) -> Result<()> {
        let number = u32::try_from(self.kept.len())
            .map_err(|_| Error::invalid_argument("there are more rows than an import can have"))?;
        line.clear();
        let (mut wrong, mut lacks, mut key) = (None, None, None);
        for (place, column) in columns.all.iter().enumerate() {
            let mut cell = row.get(column.place).copied().unwrap_or(RowValue::Null);
            if self.rules.strip {
                cell = cell.stripped();
            }
            let value = match self.typed(number, cell, &column.kind) {
                Ok(value) => value,
                Err(wants) => {
                    wrong.get_or_insert_with(|| unfit(column, wants));
                    continue;
                }
            };
            if place == columns.key {
                key = value.key(&column.kind);
            }
            if column.mandatory && value.is_empty() {
                lacks.get_or_insert_with(|| {
                    format!("the column {:?} has no value, and every member needs one", column.name)
                });
            }
            value.write(line)?;
        }
        let reason = wrong.or_else(|| wrong_key(key.as_deref()));
        self.prints.push(Print {
            key: prints.key(key.as_deref().unwrap_or_default()),
            values: if reason.is_some() {
                let row: Vec<FieldValue> = row.iter().map(|value| (*value).into()).collect();
                prints.values(&serde_json::to_vec(&row).unwrap_or_default())
            } else {
                prints.values(line)
            },
        });
        self.folds.push(key.as_deref().map_or(0, |key| self.fold(key)));
        if let Some(key) = key.as_deref() {
            self.order.push(number);
            if has_unseen(key) {
                self.unseen.insert(number);
            }
        }
        self.kept.push(RowResult { status: RowStatus::NotSent, how: Attribution::None, id: 0 });
        let sent = reason.is_none();
        if let Some(reason) = reason {
            self.refuse(number, reason.into());
        } else if let Some(lacks) = lacks {
            self.lacking.insert(number, lacks.into());
        }
        self.spool.push(if sent { line } else { b"" }).map_err(|error| unwritable(&error))
    }

    /// A value in the type of its field, or what the field requires.
    fn typed<'a>(
        &mut self,
        row: u32,
        value: RowValue<'a>,
        kind: &VariableType,
    ) -> std::result::Result<TypedValue<'a>, &'static str> {
        match self.decimals.typed(row, value, kind) {
            Some(typed) => typed.map(TypedValue::Other),
            None => TypedValue::of(value, kind),
        }
    }

    /// Two keys with the same number are too similar. It is made anew in every run: no journal has it.
    fn fold(&self, key: &str) -> u64 {
        self.hashes.hash_one(&*folded(key))
    }

    /// Rows with the same key: unless the caller has said which of them counts, all are refused, because the library must not
    /// choose one. Nobody can say it about keys that only look the same: one of the spellings is wrong.
    fn decide_repeated(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.sort_unstable_by_key(|row| (self.folds[*row as usize], *row));
        let folds = std::mem::take(&mut self.folds);
        for same in order.chunk_by_mut(|a, b| folds[*a as usize] == folds[*b as usize]) {
            let [first, .., last] = *same else { continue };
            let equal = same.iter().all(|row| self.key(*row) == self.key(first));
            match self.rules.duplicates {
                Duplicates::First if equal => self.leave_out(same, first, "first"),
                Duplicates::Last if equal => {
                    self.leave_out(same, last, "last");
                    // A member's key is compared with that of the first row here.
                    same.rotate_right(1);
                }
                _ => self.refuse_repeated(same),
            }
        }
        (self.order, self.folds) = (order, folds);
    }

    /// Leaves out all of these rows but one.
    fn leave_out(&mut self, same: &[u32], counting: u32, which: &str) {
        let reason: Arc<str> =
            format!("{} has the same key, and the {which} of them counts", self.named(counting)).into();
        for row in same.iter().filter(|row| **row != counting) {
            self.same_keys.insert(*row);
            self.kept[*row as usize].status = RowStatus::Duplicate;
            self.reasons.insert(*row, Arc::clone(&reason));
        }
    }

    fn refuse_repeated(&mut self, same: &[u32]) {
        let [first, second, ..] = same else { return };
        // Equal rows are no obstacle if one of them counts.
        let one_counts = matches!(self.rules.duplicates, Duplicates::First | Duplicates::Last);
        for row in same {
            let next_to = if row == first { second } else { first };
            let obstacle = same.iter().find(|other| one_counts && self.key(**other) != self.key(*row));
            let other = obstacle.unwrap_or(next_to);
            let equal = self.key(*row) == self.key(*other);
            let unseen = self.unseen.contains(row) || self.unseen.contains(other);
            let but = if equal { String::new() } else { format!(", except for {}", difference(unseen)) };
            if !self.reasons.contains_key(row) {
                self.same_keys.insert(*row);
            }
            self.refuse(*row, format!("{} has the same key{but}", self.named(*other)).into());
        }
    }

    /// A row in a sentence, with its line.
    pub fn named(&self, row: u32) -> String {
        named(self.format.as_ref(), row as usize, self.rules.first_row)
    }

    /// Marks a row as refused.
    pub fn refuse(&mut self, row: u32, reason: Arc<str>) {
        self.kept[row as usize].status = RowStatus::Refused;
        self.reasons.entry(row).or_insert(reason);
    }

    /// The row with the key of a member.
    pub fn find(&self, prints: &RowPrints, key: &str) -> Option<Match> {
        let fold = self.fold(key);
        let at = self.order.partition_point(|row| self.folds[*row as usize] < fold);
        let row = *self.order.get(at).filter(|row| self.folds[**row as usize] == fold)?;
        let equal = self.key(row) == prints.key(key);
        let unseen = || has_unseen(key) || self.unseen.contains(&row);
        Some(if equal { Match::Exact(row) } else { Match::Near(row, difference(unseen())) })
    }

    /// The digest of a row's key.
    fn key(&self, row: u32) -> u64 {
        self.prints.now()[row as usize].key
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether no row can be sent.
    pub fn is_invalid(&self) -> bool {
        let is_out = |kept: &RowResult| matches!(kept.status, RowStatus::Refused | RowStatus::Duplicate);
        self.kept.iter().all(is_out)
    }
}

fn wrong_key(key: Option<&str>) -> Option<String> {
    match key {
        None => Some("it has no key".to_owned()),
        Some(key) if key.trim().is_empty() => Some("it has no key".to_owned()),
        Some(key) if key.trim() != key => {
            Some("its key begins or ends with a space, which `strip` removes".to_owned())
        }
        Some(_) => None,
    }
}

fn unfit(column: &ImportColumn, wants: &str) -> String {
    let name = &column.name;
    match &column.kind {
        VariableType::Number | VariableType::Real | VariableType::String | VariableType::Date => {
            format!("the column {name:?} needs {wants}")
        }
        kind => format!("the column {name:?} needs {wants}, for its field is of the type {}", kind.as_str()),
    }
}

fn unwritable(error: &std::io::Error) -> Error {
    let what = sondage::text!("the rows cannot be stored in the folder for temporary files ({error})");
    Error::configuration(what)
        .caused_by(error)
        .with_hint("Nothing was sent. Make room there, or set TMPDIR to another folder.")
}
