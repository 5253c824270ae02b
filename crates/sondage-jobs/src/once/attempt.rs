//! The journal of a key: what was sent under it, and the response.

use crate::JournalStore;
use crate::import::prints::Prints;
use crate::journal::new_salt;
use crate::journal::{Journal, JournalHead, ONCE, Record, records};
use crate::reconcile::Earlier;
use crate::timing::now;
use futures_util::future::BoxFuture;
use sondage::Client;
use sondage::error::Result;
use sondage::internals::call::once::Permit;
use sondage::internals::call::sent_writes::{SentWrite, WriteEnd};
use sondage::internals::hex::hex;
use std::path::Path;

/// A write that was sent, or may have been.
pub(super) struct Attempt {
    chunk: u64,
    pub operation: String,
    digest: String,
    pub call: Earlier,
    /// The number of milliseconds after which the caller gave up.
    pub took: Option<u64>,
    pub answer: Option<String>,
}

/// What a journal says about its key.
#[derive(Default)]
struct OnceRecords {
    head: Option<JournalHead>,
    last: Option<Attempt>,
    next: u64,
}

/// An open journal of a key. Others wait until it is dropped.
pub(super) struct OnceJournal {
    journal: Journal,
    known: OnceRecords,
}

/// The writes of this account under other keys in this folder that were the same request. A journal that cannot be read is none of them.
pub(super) fn alike(
    folder: &Path,
    own: &str,
    (service, tenant): (&String, &String),
    write: &SentWrite,
) -> std::io::Result<Vec<Attempt>> {
    let mut attempts = Vec::new();
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        let file_name = path.file_name().and_then(|name| name.to_str());
        if !file_name.is_some_and(|name| name.starts_with(FILE) && name != own) {
            continue;
        }
        let Ok(Some(records)) = records(&path) else { continue };
        let recorded = OnceRecords::of(records);
        let is_here =
            recorded.head.as_ref().is_some_and(|head| (&head.service, &head.tenant) == (service, tenant));
        if is_here && recorded.last.as_ref().is_some_and(|last| recorded.is_of(last, write)) {
            attempts.extend(recorded.last);
        }
    }
    Ok(attempts)
}

/// How the names of journals begin.
pub(super) const FILE: &str = "once-";

impl OnceRecords {
    fn of(records: Vec<Record>) -> Self {
        let mut recorded = Self::default();
        for record in records {
            recorded.take(record);
        }
        recorded
    }

    fn take(&mut self, record: Record) {
        let of = |last: &Option<Attempt>, number: u64| last.as_ref().is_some_and(|last| last.chunk == number);
        match record {
            Record::Job(head) => self.head = Some(head),
            Record::Once { chunk, operation, digest, call } => {
                self.next = self.next.max(chunk + 1);
                self.last = Some(Attempt { chunk, operation, digest, call, took: None, answer: None });
            }
            Record::Answer { chunk, answer } if of(&self.last, chunk) => {
                if let Some(last) = &mut self.last {
                    last.answer = Some(answer);
                }
            }
            Record::Unanswered { chunk, took } if of(&self.last, chunk) => {
                if let Some(last) = &mut self.last {
                    last.took = Some(took);
                }
            }
            Record::No { chunk } if of(&self.last, chunk) => self.last = None,
            _ => {}
        }
    }

    fn is_of(&self, last: &Attempt, write: &SentWrite) -> bool {
        let salt = self.head.as_ref().map(|head| head.salt.as_str()).unwrap_or_default();
        last.operation == write.operation && last.digest == digest(salt, write)
    }
}

impl OnceJournal {
    pub async fn open(store: Box<dyn JournalStore>, client: &Client, key: &str) -> Result<Self> {
        let (journal, known) = Journal::open(store, OnceRecords::take).await?;
        let open = Self { journal, known };
        if let Some(head) = &open.known.head {
            let mine = head_of(client, key, head.salt.clone());
            head.expect(&mine, &open.name(), "key", "it is of another key")?;
        }
        Ok(open)
    }

    pub fn name(&self) -> String {
        self.journal.name()
    }

    /// The write recorded under the key: `None` if nothing was sent, or if it is certain that the write had
    /// no effect.
    pub fn last(&self) -> Option<&Attempt> {
        self.known.last.as_ref()
    }

    /// Whether it is the same write.
    pub fn is_of(&self, last: &Attempt, write: &SentWrite) -> bool {
        self.known.is_of(last, write)
    }

    /// Recorded before the write is sent.
    pub async fn sends(&mut self, client: &Client, key: &str, write: &SentWrite) -> Result<()> {
        let (mut records, chunk) = (Vec::new(), self.known.next);
        let salt = if let Some(head) = &self.known.head {
            head.salt.clone()
        } else {
            let head = head_of(client, key, new_salt()?);
            records.push(Record::Job(head.clone()));
            self.known.head.insert(head).salt.clone()
        };
        let record = Record::Once {
            chunk,
            operation: write.operation.to_string(),
            digest: digest(&salt, write),
            call: Earlier::now(client, write.id.clone(), write.ahead),
        };
        records.push(record.clone());
        self.journal.write(records).await?;
        self.known.take(record);
        Ok(())
    }

    fn chunk(&self) -> u64 {
        self.known.last.as_ref().map_or(0, |last| last.chunk)
    }

    /// Recorded after the response, or when the effect was found by reading the account.
    pub async fn answered(&mut self, answer: &str) -> Result<()> {
        let record = Record::Answer { chunk: self.chunk(), answer: answer.to_owned() };
        self.journal.write(vec![record]).await
    }

    /// Recorded when it is certain that the write had no effect.
    pub async fn not_done(&mut self) -> Result<()> {
        self.journal.write(vec![Record::No { chunk: self.chunk() }]).await?;
        self.known.last = None;
        Ok(())
    }
}

impl Permit for OnceJournal {
    fn ended(mut self: Box<Self>, end: WriteEnd) -> BoxFuture<'static, Result<()>> {
        Box::pin(async move {
            match end {
                WriteEnd::Answered(answer) => self.answered(&String::from_utf8_lossy(&answer)).await,
                WriteEnd::Refused => self.not_done().await,
                WriteEnd::UnderWay | WriteEnd::Unknown(_) => {
                    let at = self.known.last.as_ref().map_or(0, |last| last.call.at);
                    let record = Record::Unanswered { chunk: self.chunk(), took: now().saturating_sub(at) };
                    self.journal.write(vec![record]).await
                }
            }
        })
    }
}

/// Keyed, so that a journal does not show what was sent.
fn digest(salt: &str, write: &SentWrite) -> String {
    format!("{:016x}", Prints::new(salt).of(hex(write.digest()).as_bytes()))
}

fn head_of(client: &Client, key: &str, salt: String) -> JournalHead {
    let about =
        "What was sent under a key, and what the service answered. Without this file it would be sent again.";
    let key = format!("{:016x}", Prints::new(&salt).of(key.as_bytes()));
    JournalHead { key, rows: 1, ..JournalHead::new(client, ONCE, about, salt) }
}
