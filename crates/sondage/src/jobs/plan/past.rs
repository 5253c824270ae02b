//! What a journal says of a plan that was run before.

use super::order::Made;
use super::report::{Outcome, RowOutcome, SendStatus};
use super::{Order, Seen};
use crate::Client;
use crate::error::{Error, Result};
use crate::jobs::JournalStore;
use crate::jobs::import::{VERSION, new_salt, now, persons::TAKEN_OUT, prints::Prints};
use crate::jobs::journal::{Journal, JournalHead, Record};
use crate::text;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// What earlier runs have sent.
#[derive(Clone, Default)]
pub(super) struct Past {
    pub head: Option<JournalHead>,
    /// Calls of earlier runs by their numbers: their targets, and what is known.
    calls: BTreeMap<u64, (Vec<i64>, Option<Made>)>,
    /// What the service refused, unless it was sent again afterwards.
    refused: BTreeSet<i64>,
    pub ended: bool,
    /// Of every target whether it was done.
    known: HashMap<i64, bool>,
    next: u64,
    /// How many lines there were.
    lines: usize,
}

impl Past {
    fn of(records: Vec<Record>) -> Self {
        let mut past = Self { lines: records.len(), ..Self::default() };
        for record in records {
            match record {
                Record::Job(head) => past.head = Some(head),
                Record::To { chunk, mut ids, .. } => {
                    past.next = past.next.max(chunk + 1);
                    ids.retain(|id| *id != TAKEN_OUT);
                    past.refused.retain(|id| !ids.contains(id));
                    past.calls.insert(chunk, (ids, None));
                }
                Record::Made { chunk, sampling_project, distributor, reminder, voucher } => {
                    if let Some(call) = past.calls.get_mut(&chunk) {
                        let voucher = voucher.map(Into::into);
                        call.1 = Some(Made { sampling_project, distributor, reminder, voucher });
                    }
                }
                Record::No { chunk } => {
                    past.refused.extend(past.calls.remove(&chunk).into_iter().flat_map(|(ids, _)| ids));
                }
                Record::End { .. } => past.ended = true,
                _ => {}
            }
        }
        let known = past.calls.values().flat_map(|(ids, made)| ids.iter().map(|id| (*id, made.is_some())));
        past.known = known.collect();
        past
    }

    pub fn is_empty(&self) -> bool {
        self.head.is_none()
    }

    /// Whether it was done, or may have been; nothing when it was not.
    pub fn status(&self, target: i64) -> Option<bool> {
        self.known.get(&target).copied()
    }

    /// What is known from it, before anything is sent.
    pub fn tell(&self, outcome: &mut Outcome) {
        outcome.resumed = self.head.is_some();
        // As long as the job is not over, they are tried again.
        for id in self.refused.iter().filter(|_| self.ended) {
            let row = RowOutcome::new(SendStatus::Refused, Some("an earlier run was refused".into()));
            outcome.rows.insert(*id, row);
        }
        for (ids, made) in self.calls.values() {
            for id in ids {
                let row = match made {
                    Some(made) => RowOutcome {
                        voucher: made.voucher.clone(),
                        ..RowOutcome::new(SendStatus::Done, None)
                    },
                    None => RowOutcome::new(SendStatus::Unknown, Some("an earlier run got no answer".into())),
                };
                outcome.rows.insert(*id, row);
            }
            if let Some(made) = made {
                outcome.made = Made { voucher: None, ..made.clone() };
            }
        }
    }

    /// An error when the journal is of another job.
    fn is_of(&self, client: &Client, order: &Order, name: &str) -> Result<()> {
        let Some(head) = &self.head else { return Ok(()) };
        let mine = head_of(client, order, None, 0, head.salt.clone())?;
        let other = if head.version > VERSION {
            format!("it was written by a later version of this library, in the form {}", head.version)
        } else if head.job != mine.job {
            format!("it is of the job {:?}", head.job)
        } else if (&head.service, &head.tenant) != (&mine.service, &mine.tenant) {
            format!("it is of the account {:?} at {}", head.tenant, head.service)
        } else if head.key != mine.key {
            "what it sent was another message, or to another survey, panel or sender".to_owned()
        } else {
            return Ok(());
        };
        let what = text!("the journal {name} is not of this plan: {other}");
        Err(Error::invalid_argument(what)
            .with_hint("Nothing was sent. Give this plan a `journal` of its own."))
    }
}

fn head_of(
    client: &Client,
    order: &Order,
    seen: Option<&Seen>,
    rows: usize,
    salt: String,
) -> Result<JournalHead> {
    let config = client.config();
    let key = format!("{:016x}", Prints::new(&salt).of(order.identity()?.as_bytes()));
    Ok(JournalHead {
        sondage: "journal".to_owned(),
        about: "What a plan has sent and what it knows. It holds numbers, and codes of vouchers, which nobody could read again. Run the \
                same plan again to go on."
            .to_owned(),
        version: VERSION,
        job: order.name().to_owned(),
        service: config.base_url.to_string(),
        tenant: config.tenant.clone(),
        panel: seen.and_then(|seen| seen.panel_id).unwrap_or_default(),
        key,
        rows,
        salt,
        at: now(),
    })
}

/// A journal that is opened when the plan is made, and again when it is run.
#[derive(Clone)]
pub(super) struct Kept(Arc<Mutex<Box<dyn JournalStore>>>);

impl Kept {
    pub fn new(store: Box<dyn JournalStore>) -> Self {
        Self(Arc::new(Mutex::new(store)))
    }

    pub fn name(&self) -> String {
        self.with(|store| store.name())
    }

    fn with<T>(&self, work: impl FnOnce(&mut Box<dyn JournalStore>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Opens and reads it.
    pub async fn open(&self, client: &Client, order: &Order) -> Result<OpenPast> {
        let read = Journal::open(Box::new(self.clone()), |records| Ok(Past::of(records))).await;
        let (journal, past) = read.inspect_err(|_| self.with(|store| store.close()))?;
        let open = OpenPast { journal, past, kept: self.clone() };
        open.past.is_of(client, order, &self.name())?;
        Ok(open)
    }
}

impl JournalStore for Kept {
    fn name(&self) -> String {
        Self::name(self)
    }

    fn open(&mut self, line: &mut dyn FnMut(&str)) -> io::Result<()> {
        self.with(|store| store.open(line))
    }

    fn append(&mut self, lines: &[String]) -> io::Result<()> {
        self.with(|store| store.append(lines))
    }

    fn forget_last(&mut self) -> io::Result<()> {
        self.with(|store| store.forget_last())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.with(|store| store.clear())
    }
}

/// An open journal. Dropping it lets others open it.
pub(super) struct OpenPast {
    journal: Journal,
    pub past: Past,
    kept: Kept,
}

impl Drop for OpenPast {
    fn drop(&mut self) {
        self.kept.with(|store| store.close());
    }
}

impl OpenPast {
    /// Whether somebody has written since.
    pub fn is_as(&self, past: &Past) -> bool {
        self.past.lines == past.lines
    }

    /// Before a call: the number under which its answer is noted.
    pub async fn sends(&mut self, client: &Client, order: &Order, seen: &Seen, ids: &[i64]) -> Result<u64> {
        let chunk = self.past.next;
        let mut records = Vec::new();
        if self.past.head.is_none() {
            let head = head_of(client, order, Some(seen), seen.targets.len(), new_salt()?)?;
            self.past.head = Some(head.clone());
            records.push(Record::Job(head));
        }
        records.push(Record::To { chunk, ids: ids.to_vec(), at: now() });
        self.journal.write(records).await?;
        self.past.next += 1;
        Ok(chunk)
    }

    /// After its answer.
    pub async fn made(&self, chunk: u64, made: &Made) -> Result<()> {
        let Made { sampling_project, distributor, reminder, voucher } = made;
        let record = Record::Made {
            chunk,
            sampling_project: *sampling_project,
            distributor: *distributor,
            reminder: *reminder,
            voucher: voucher.as_ref().map(|code| code.reveal().to_owned()),
        };
        self.journal.write(vec![record]).await
    }

    /// It is proven that nothing of it was done.
    pub async fn not_made(&self, chunk: u64) -> Result<()> {
        self.journal.write(vec![Record::No { chunk }]).await
    }

    pub async fn end(&self) -> Result<()> {
        self.journal.write(vec![Record::End { at: now() }]).await
    }
}
