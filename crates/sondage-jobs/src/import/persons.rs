//! One person's rows in the journal of an import: counts and removes them.

use super::prints::{Print, Prints, RowPrints, packed, unpacked};
use crate::journal::CREATE_AND_INVITE;
use crate::journal::{self, JournalHead, Record, unfold};
use sondage::error::Result;
use std::collections::HashSet;
use std::path::Path;

/// How an import identifies a person: by the value of its key, if the member has one, and by the member's id.
pub(crate) struct PersonRow {
    pub key: Option<String>,
    pub member: i64,
}

/// What a journal contains about a person.
pub(crate) enum JournalFinding {
    /// Not the journal of an import.
    None,
    /// The import is not complete, and could not be resumed without the rows.
    Unfinished,
    /// The journal of an unfinished plan, which names the member among those to whom something was sent.
    Plan,
    /// The journal contains the response to one call.
    Once,
    /// The journal of a purchase of vouchers, one of which is for a member with this id.
    Vouchers,
    /// The number of rows.
    Rows(usize),
}

/// Replaces an id that was removed: no member has it, and it differs from the 0 of a refused row.
pub(crate) const TAKEN_OUT: i64 = -1;

type Who<'a> = &'a dyn Fn(&JournalHead) -> Option<PersonRow>;

pub(crate) fn look(path: &Path, who: Who<'_>) -> Result<JournalFinding> {
    let Some(records) = journal::records(path)? else { return Ok(JournalFinding::None) };
    let Some(Record::Job(head)) = records.first() else { return Ok(JournalFinding::Rows(0)) };
    if head.job == journal::ONCE {
        return Ok(JournalFinding::Once);
    }
    let Some(person) = who(head) else { return Ok(JournalFinding::Rows(0)) };
    let over = records.iter().any(|record| matches!(record, Record::End { .. }));
    let rows = rows(&records, head, &person);
    if head.job == CREATE_AND_INVITE {
        // The calls name rows; only the results name members.
        return Ok(JournalFinding::Rows(rows.len()));
    }
    let named = records.iter().filter(|record| is_to(record, person.member));
    if let Some(calls) =
        named.map(|record| usize::from(matches!(record, Record::To { .. }))).reduce(|a, b| a + b)
    {
        // A journal of vouchers names no panel. The code belongs to the member, and the buyer still needs it.
        return Ok(match head.panel {
            0 => JournalFinding::Vouchers,
            _ if over => JournalFinding::Rows(calls.max(1)),
            _ => JournalFinding::Plan,
        });
    }
    Ok(if rows.is_empty() || over { JournalFinding::Rows(rows.len()) } else { JournalFinding::Unfinished })
}

/// Removes the rows. The result is a valid journal, with new seals.
pub(crate) fn forget(path: &Path, who: Who<'_>) -> Result<()> {
    journal::rewrite(path, |records| {
        let Some(Record::Job(head)) = records.first() else { return None };
        let person = who(head)?;
        let theirs = rows(&records, head, &person);
        let named = head.job != CREATE_AND_INVITE;
        let sent = named && records.iter().any(|record| is_to(record, person.member));
        (sent || !theirs.is_empty()).then(|| {
            records.into_iter().map(|record| without(record, &theirs, person.member, named)).collect()
        })
    })
}

/// Whether something was sent to a member, or was to be sent.
fn is_to(record: &Record, member: i64) -> bool {
    matches!(record, Record::To { ids, .. } | Record::Confirmed { ids, .. } if ids.contains(&member))
}

/// The person's rows, found by the digest of the key and by the member's id.
fn rows(records: &[Record], head: &JournalHead, person: &PersonRow) -> HashSet<u32> {
    let digest = person.key.as_ref().map(|key| match head.version {
        1 => Prints::new(&head.salt).of(key.as_bytes()),
        _ => RowPrints::new(&head.salt, []).key(key),
    });
    let mut theirs = HashSet::new();
    let mut chunks = std::collections::HashMap::new();
    for record in records {
        match record {
            Record::Rows { first, digests } => {
                let pairs = (*first..).zip(unpacked(digests));
                theirs.extend(pairs.filter(|(_, print)| Some(print.key) == digest).map(|(row, _)| row));
            }
            Record::Send { chunk, rows, .. } => {
                chunks.insert(*chunk, unfold(rows).collect::<Vec<u32>>());
            }
            Record::To { chunk, ids, .. } if head.job == CREATE_AND_INVITE => {
                chunks.insert(*chunk, ids.iter().filter_map(|row| u32::try_from(*row).ok()).collect());
            }
            Record::Got { chunk, ids } | Record::Found { chunk, ids } => {
                let sent = chunks.get(chunk).into_iter().flatten();
                theirs.extend(sent.zip(ids).filter(|(_, id)| **id == person.member).map(|(row, _)| *row));
            }
            Record::Final { first, rows } => {
                let pairs = (*first..).zip(rows);
                theirs.extend(pairs.filter(|(_, (_, id, _))| *id == person.member).map(|(row, _)| row));
            }
            _ => {}
        }
    }
    theirs
}

/// `named`: whether calls name members, and not rows.
fn without(record: Record, theirs: &HashSet<u32>, member: i64, named: bool) -> Record {
    let id = |id: i64| if id == member { TAKEN_OUT } else { id };
    match record {
        Record::Rows { first, digests } => {
            let keep =
                |(row, print): (u32, Print)| if theirs.contains(&row) { Print::default() } else { print };
            let prints: Vec<Print> = (first..).zip(unpacked(&digests)).map(keep).collect();
            Record::Rows { first, digests: packed(&prints) }
        }
        Record::Got { chunk, ids } => Record::Got { chunk, ids: ids.into_iter().map(id).collect() },
        Record::Found { chunk, ids } => Record::Found { chunk, ids: ids.into_iter().map(id).collect() },
        Record::To { chunk, ids, at, call } if named => {
            Record::To { chunk, ids: ids.into_iter().map(id).collect(), at, call }
        }
        Record::Confirmed { token, ids, mut recipients } if named => {
            for (digest, id) in recipients.iter_mut().zip(&ids) {
                *digest = if *id == member { 0 } else { *digest };
            }
            Record::Confirmed { token, ids: ids.into_iter().map(id).collect(), recipients }
        }
        Record::Final { first, rows } => {
            let rows = rows.into_iter().map(|(status, known, how)| (status, id(known), how)).collect();
            Record::Final { first, rows }
        }
        other => other,
    }
}
