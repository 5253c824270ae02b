//! The records of a journal.

use super::ONCE;
use crate::options::Duplicates;
use crate::reconcile::Earlier;
use crate::timing::now;
use serde::{Deserialize, Serialize};
use sondage::Client;
use sondage::error::{Error, Result};
use sondage::text;

/// The first line: the identity of the job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JournalHead {
    /// Identifies the file to a person who opens it.
    pub sondage: String,
    /// A description, for people.
    pub about: String,
    pub version: u32,
    /// `import_members`, `send_once`, or the name of a plan.
    pub job: String,
    /// The address of the service.
    pub service: String,
    pub tenant: String,
    pub panel: i64,
    /// The field by which rows are found; of a plan, a keyed digest of what it sends; of `send_once`, one of its key.
    pub key: String,
    pub rows: usize,
    /// Which of the rows with the same key counts, unless none of them does: another run must not choose another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicates: Option<Duplicates>,
    /// The key of the digests: equal values have different digests in every journal.
    pub salt: String,
    /// When it was started, in milliseconds since 1970.
    pub at: u64,
}

/// The form of journals of most jobs; a job whose form has changed names its own.
const VERSION: u32 = 1;
/// The latest of all.
const LATEST: u32 = 2;

impl JournalHead {
    /// The head of a job that starts now. It has no panel, no key and no rows yet.
    pub fn new(client: &Client, job: &str, about: &str, salt: String) -> Self {
        let config = client.config();
        Self {
            sondage: "journal".to_owned(),
            about: about.to_owned(),
            version: VERSION,
            job: job.to_owned(),
            service: config.base_url.to_string(),
            tenant: config.tenant.clone(),
            panel: 0,
            key: String::new(),
            rows: 0,
            duplicates: None,
            salt,
            at: now(),
        }
    }

    /// Returns an error if the journal `name` belongs to another job than `mine`, which is `this` in words. `key`: what it
    /// means that the keys differ.
    pub fn expect(&self, mine: &Self, name: &str, this: &str, key: &str) -> Result<()> {
        let other = if self.version > LATEST {
            format!("it was written by a later version of this library, in the form {}", self.version)
        } else if self.job != mine.job {
            // In words: each language spells the name of the method differently.
            format!("it is of the job {:?}", self.job.replace('_', " "))
        } else if self.version > mine.version {
            format!("it was written by a later version of this library, in the form {}", self.version)
        } else if self.version < mine.version {
            format!("it was written by an earlier version of this library, in the form {}", self.version)
        } else if (&self.service, &self.tenant) != (&mine.service, &mine.tenant) {
            format!("it is of the account {:?} at {}", self.tenant, self.service)
        } else if self.panel != mine.panel {
            format!("it is of the panel {}", self.panel)
        } else if self.key != mine.key {
            key.to_owned()
        } else {
            return Ok(());
        };
        let own = if mine.job == ONCE {
            text!("Restore the original file, or use another `folder`.")
        } else if self.job == mine.job && self.version < mine.version {
            text!(
                "Finish it with that version; or, three minutes after it was stopped, give this {this} a `journal` of \
                 its own: members that the first run has created are found by their keys."
            )
        } else {
            text!("Give this {this} a `journal` of its own.")
        };
        let what = text!("the journal {name} is not of this {this}: {other}");
        Err(Error::invalid_argument(what).with_hint(text!("Nothing was sent. {own}")))
    }
}

/// A range of rows: the first, and the number of rows.
pub(crate) type RowSpan = (u32, u32);

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "is")]
pub(crate) enum Record {
    /// The first line.
    Job(JournalHead),
    /// Digests of rows, from this row on: base64, as `import/prints.rs` packs them.
    Rows { first: u32, digests: String },
    /// Rows are about to be sent: written before the first byte leaves.
    Send { chunk: u64, what: ChunkKind, rows: Vec<RowSpan>, at: u64 },
    /// The service responded: an id for each row, 0 for a refused one.
    Got { chunk: u64, ids: Vec<i64> },
    /// The service responded with this many ids, without saying which rows they belong to.
    Some { chunk: u64, ids: usize },
    /// Proven: the chunk had no effect.
    No { chunk: u64 },
    /// The result of reading back: an id for each row, 0 for a member that does not exist.
    Found { chunk: u64, ids: Vec<i64> },
    /// A plan was confirmed with this token, for these recipients, with a digest of the address and the language of each: written
    /// before the first call of its run.
    Confirmed {
        token: String,
        ids: Vec<i64>,
        #[serde(default)]
        recipients: Vec<u64>,
    },
    /// A plan is about to make a call for these recipients: written before the first byte is sent.
    To { chunk: u64, ids: Vec<i64>, at: u64, call: Option<Earlier> },
    /// The service responded: what was created. The code of a voucher is stored here because it cannot be read again.
    #[serde(rename_all = "camelCase")]
    Made {
        chunk: u64,
        sampling_project: Option<i64>,
        distributor: Option<i64>,
        reminder: Option<i64>,
        voucher: Option<String>,
        /// The number of issues in the response, if the call created members from rows.
        issues: Option<usize>,
    },
    /// A write is about to be sent under a key: its operation and a keyed digest of its body.
    Once { chunk: u64, operation: String, digest: String, call: Earlier },
    /// The service responded to this write.
    Answer { chunk: u64, answer: String },
    /// The caller gave up this many milliseconds after the write was sent.
    Unanswered { chunk: u64, took: u64 },
    /// The outcomes of all rows, from this row on, at the end of the job: status, id, attribution.
    Final { first: u32, rows: Vec<(u8, i64, u8)> },
    /// The job is complete.
    End { at: u64 },
}

impl Record {
    /// Whether it says what has been done. Other records announce what is about to be sent.
    pub fn is_outcome(&self) -> bool {
        match self {
            Self::Job(_)
            | Self::Rows { .. }
            | Self::Send { .. }
            | Self::Confirmed { .. }
            | Self::To { .. }
            | Self::Once { .. } => false,
            Self::Got { .. }
            | Self::Some { .. }
            | Self::No { .. }
            | Self::Found { .. }
            | Self::Made { .. }
            | Self::Answer { .. }
            | Self::Unanswered { .. }
            | Self::Final { .. }
            | Self::End { .. } => true,
        }
    }
}

/// The purpose of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ChunkKind {
    Create,
    Update,
}

/// Row numbers in ascending order as spans.
pub(crate) fn spans(rows: &[u32]) -> Vec<RowSpan> {
    let mut spans: Vec<RowSpan> = Vec::new();
    for row in rows {
        match spans.last_mut() {
            Some((first, count)) if *first + *count == *row => *count += 1,
            _ => spans.push((*row, 1)),
        }
    }
    spans
}

/// The row numbers of spans.
pub(crate) fn unfold(spans: &[RowSpan]) -> impl Iterator<Item = u32> {
    spans.iter().flat_map(|(first, count)| *first..first.saturating_add(*count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_as_spans_and_back() {
        let rows = [0, 1, 2, 5, 7, 8];
        assert_eq!(spans(&rows), [(0, 3), (5, 1), (7, 2)]);
        assert_eq!(unfold(&spans(&rows)).collect::<Vec<_>>(), rows);
    }
}
