//! Restores the state of an earlier run from its journal.

use super::check::Checked;
use super::prints::{Print, packed, unpacked};
use super::report::{Attribution, RowResult, RowStatus};
use super::{Duplicates, Existing, ImportSettings};
use crate::journal::{ChunkKind, JournalHead, Record, RowSpan, unfold};
use sondage::error::{Error, Result};
use sondage::text;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Digests per line of a journal.
pub(super) const ROWS: usize = 1_024;

/// The content of a journal.
#[derive(Default)]
pub(super) struct Past {
    pub head: Option<JournalHead>,
    /// The digests of its rows.
    pub prints: Vec<Print>,
    /// Chunks that were sent, by number. Chunks with a known outcome are removed.
    pub open: BTreeMap<u64, OpenChunk>,
    known: Vec<KnownChunk>,
    pub chunks: u64,
    last: Vec<RowResult>,
    pub ended: bool,
}

/// A chunk that was sent, whose outcome is not completely known.
pub(super) struct OpenChunk {
    pub what: ChunkKind,
    pub rows: Vec<RowSpan>,
    /// When it was sent, in milliseconds since 1970.
    pub at: u64,
    /// The number of ids in the response, if they could not be assigned to rows; `None` if no response arrived.
    pub ids: Option<usize>,
}

/// A chunk with a known outcome: for each row an id, or 0.
struct KnownChunk {
    rows: Vec<RowSpan>,
    ids: Vec<i64>,
    /// The outcome of a row with an id.
    done: RowStatus,
    how: Attribution,
    /// Whether a row without an id was refused. Otherwise it is still to be sent.
    refused: bool,
}

impl Past {
    pub fn replay(&mut self, record: Record) {
        match record {
            Record::Job(head) => self.head = Some(head),
            Record::Rows { digests, .. } => self.prints.extend(unpacked(&digests)),
            Record::Send { chunk, what, rows, at } => {
                self.chunks = self.chunks.max(chunk + 1);
                self.open.insert(chunk, OpenChunk { what, rows, at, ids: None });
            }
            Record::Got { chunk, ids } => self.decide(chunk, ids, Attribution::Answer),
            Record::Found { chunk, ids } => self.decide(chunk, ids, Attribution::ReadBack),
            Record::Some { chunk, ids } => {
                if let Some(open) = self.open.get_mut(&chunk) {
                    open.ids = Some(ids);
                }
            }
            Record::No { chunk } => drop(self.open.remove(&chunk)),
            Record::Final { first, rows } => {
                // A run that was interrupted at its end may have written some of these lines before.
                self.last.truncate(first as usize);
                let row = |(status, id, how): (u8, i64, u8)| RowResult {
                    status: RowStatus::of_number(status).unwrap_or(RowStatus::Unknown),
                    how: Attribution::of_number(how),
                    id,
                };
                self.last.extend(rows.into_iter().map(row));
            }
            Record::End { .. } => self.ended = true,
            // Lines of plans, whose journals are refused by their first line.
            Record::Confirmed { .. }
            | Record::To { .. }
            | Record::Made { .. }
            | Record::Once { .. }
            | Record::Answer { .. }
            | Record::Unanswered { .. } => {}
        }
    }

    fn decide(&mut self, chunk: u64, mut ids: Vec<i64>, how: Attribution) {
        let Some(open) = self.open.remove(&chunk) else { return };
        let status = match open.what {
            ChunkKind::Create => RowStatus::Created,
            ChunkKind::Update => RowStatus::Updated,
        };
        // Without a response, a member that does not exist says only that the row is not there yet.
        let refused = how == Attribution::Answer || open.ids.is_some();
        ids.shrink_to_fit();
        self.known.push(KnownChunk { rows: open.rows, ids, done: status, how, refused });
    }

    /// Whether even the list of its rows is incomplete: then nothing was sent.
    pub fn is_not_begun(&self) -> bool {
        self.chunks == 0
            && !self.ended
            && self.head.as_ref().is_some_and(|head| self.prints.len() < head.rows)
    }

    /// Copies the known outcomes to the rows.
    pub fn apply_to(&mut self, checked: &mut Checked) {
        if self.ended && self.last.len() == checked.kept.len() {
            checked.kept = std::mem::take(&mut self.last);
        }
        for KnownChunk { rows, ids, done, how, refused } in self.known.drain(..) {
            for (row, id) in unfold(&rows).zip(ids) {
                let status = match id {
                    0 if refused => RowStatus::Refused,
                    0 => continue,
                    _ => done,
                };
                if let Some(kept) = checked.kept.get_mut(row as usize) {
                    *kept = RowResult { status, how, id };
                }
            }
        }
        for row in 0..checked.kept.len() {
            let result = checked.kept[row];
            if result.status == RowStatus::Refused {
                let row = u32::try_from(row).unwrap_or(u32::MAX);
                let ours = result.how == Attribution::None;
                let why = if ours { "it was refused by" } else { "the service refused it in" };
                checked.reasons.entry(row).or_insert_with(|| format!("{why} an earlier run").into());
            }
        }
    }

    /// Returns an error if the journal belongs to another job, or to other rows.
    pub fn fits(&self, import: &ImportSettings, name: &str, checked: &Checked) -> Result<()> {
        let Some(head) = &self.head else { return Ok(()) };
        self.is_of(import, name)?;
        let exist = self.last.iter().filter(|row| row.status == RowStatus::Exists).count();
        if self.ended && exist > 0 && import.existing != Existing::Skip {
            let what = text!(
                "the journal {name} holds an import that is complete, and that left existing members unchanged: {exist}"
            );
            return Err(Error::invalid_argument(what).with_hint(
                "Nothing was sent. To treat them otherwise, give this import a `journal` of its own.",
            ));
        }
        let (before, now) = (head.duplicates.unwrap_or_default(), import.rules.duplicates);
        if before != now {
            let [before, now] = [before, now].map(Duplicates::as_str);
            let what = text!(
                "the journal {name} is of an import with `duplicates` {before:?}, and this one has {now:?}"
            );
            return Err(Error::invalid_argument(what).with_hint(
                "Nothing was sent. Run it again with that value, or give this import a `journal` of its own.",
            ));
        }
        if checked.prints.are_same() && head.rows == checked.len() {
            return Ok(());
        }
        let difference = difference(&checked.prints.before(), checked.prints.now(), checked.rules.first_row);
        let state = if self.ended {
            "holds an import that is complete"
        } else {
            "is of an import that was interrupted"
        };
        let what = text!("the journal {name} {state}, and its rows were different: {difference}");
        let hint = if self.ended {
            "Nothing was sent. Give this import a `journal` of its own."
        } else {
            "Nothing was sent. First run it again with its original rows, then import these; or give this import a \
             `journal` of its own: members that the first one has created are found by their keys."
        };
        Err(Error::invalid_argument(what).with_hint(hint))
    }

    /// Returns an error when the journal belongs to another job.
    pub fn is_of(&self, import: &ImportSettings, name: &str) -> Result<()> {
        let Some(head) = &self.head else { return Ok(()) };
        let key = format!("it is of an import by the key {:?}", head.key);
        head.expect(&import.head(0, String::new()), name, "import", &key)
    }
}

/// How the rows differ, in words.
fn difference(before: &[Print], now: &[Print], from: u32) -> String {
    let of = |prints: &[Print]| -> HashMap<u64, (usize, u64)> {
        prints.iter().enumerate().map(|(row, print)| (print.key, (row, print.values))).collect()
    };
    let (old, new) = (of(before), of(now));
    let from = usize::try_from(from).unwrap_or_default();
    let first = |rows: &[usize]| from + rows.iter().min().copied().unwrap_or_default();
    let rows = |filter: &dyn Fn(&u64, u64) -> bool, of: &HashMap<u64, (usize, u64)>| -> Vec<usize> {
        of.iter().filter(|(key, (_, values))| filter(key, *values)).map(|(_, (row, _))| *row).collect()
    };
    let changed = rows(&|key, values| old.get(key).is_some_and(|(_, before)| *before != values), &new);
    let added = rows(&|key, _| !old.contains_key(key), &new);
    let keys: HashSet<&u64> = new.keys().collect();
    let removed = rows(&|key, _| !keys.contains(key), &old);
    let mut parts = Vec::new();
    if !changed.is_empty() {
        parts.push(format!("{} have other values (row {} is the first)", changed.len(), first(&changed)));
    }
    if !added.is_empty() {
        parts.push(format!("{} are new (row {} is the first)", added.len(), first(&added)));
    }
    if !removed.is_empty() {
        parts.push(format!(
            "{} are missing (row {} of the earlier ones is the first)",
            removed.len(),
            first(&removed)
        ));
    }
    if parts.is_empty() {
        parts.push(format!("{} rows then, {} now, or in another order", before.len(), now.len()));
    }
    parts.join(", ")
}

/// The digests of rows, from this one on, as lines of a journal.
pub(super) fn digests(first: usize, prints: &[Print]) -> impl Iterator<Item = Record> {
    prints.chunks(ROWS).enumerate().map(move |(at, prints)| Record::Rows {
        first: u32::try_from(first + at * ROWS).unwrap_or(u32::MAX),
        digests: packed(prints),
    })
}

/// The outcomes of rows, from this one on, as the last lines of a journal.
pub(super) fn last(first: usize, kept: &[RowResult]) -> impl Iterator<Item = Record> {
    kept.chunks(ROWS).enumerate().map(move |(at, kept)| Record::Final {
        first: u32::try_from(first + at * ROWS).unwrap_or(u32::MAX),
        rows: kept.iter().map(|kept| (kept.status.number(), kept.id, kept.how.number())).collect(),
    })
}
