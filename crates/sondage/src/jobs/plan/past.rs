//! The results of earlier runs of a plan, from its journal.

use super::order::Made;
use super::report::{Outcome, RowOutcome, SendStatus};
use super::{Order, Seen};
use crate::Client;
use crate::error::Result;
use crate::jobs::JournalStore;
use crate::jobs::import::{new_salt, now, persons::TAKEN_OUT, prints::Prints};
use crate::jobs::journal::{Journal, JournalHead, Record};
use crate::jobs::reconcile::{Earlier, Finding, Inquiry, Verdict};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// What is said of a voucher that was bought, and whose answer was lost.
const LOST_CODE: &str =
    "the answer was lost; its transaction shows that it was bought, and its code cannot be read again";

/// What earlier runs have sent.
#[derive(Clone, Default)]
pub(super) struct Past {
    pub head: Option<JournalHead>,
    /// Calls of earlier runs by their numbers.
    calls: BTreeMap<u64, PastCall>,
    /// What the service refused, unless it was sent again afterwards.
    refused: BTreeSet<i64>,
    pub ended: bool,
    /// For every recipient, whether it was done.
    known: HashMap<i64, bool>,
    next: u64,
    /// Whether calls made vouchers.
    vouchers: bool,
    /// The number of lines.
    lines: usize,
}

/// A call of an earlier run.
#[derive(Clone)]
struct PastCall {
    ids: Vec<i64>,
    made: Option<Made>,
    /// What was noted before it was sent.
    call: Option<Earlier>,
    /// After so many milliseconds nobody waited for its answer any more.
    took: Option<u64>,
    /// Why it cannot be told what became of it.
    why: Option<String>,
}

impl Past {
    fn of(records: Vec<Record>) -> Self {
        let mut past = Self { lines: records.len(), ..Self::default() };
        for record in records {
            match record {
                Record::Job(head) => {
                    past.vouchers = head.job == "plan_redeem";
                    past.head = Some(head);
                }
                Record::To { chunk, mut ids, call, .. } => {
                    past.next = past.next.max(chunk + 1);
                    ids.retain(|id| *id != TAKEN_OUT);
                    past.refused.retain(|id| !ids.contains(id));
                    past.calls.insert(chunk, PastCall { ids, made: None, call, took: None, why: None });
                }
                Record::Made { chunk, sampling_project, distributor, reminder, voucher } => {
                    if let Some(call) = past.calls.get_mut(&chunk) {
                        let lost = (past.vouchers && voucher.is_none()).then_some(LOST_CODE);
                        let voucher = voucher.map(Into::into);
                        call.made = Some(Made { sampling_project, distributor, reminder, voucher, lost });
                    }
                }
                Record::Unanswered { chunk, took } => {
                    if let Some(call) = past.calls.get_mut(&chunk) {
                        call.took = Some(took);
                    }
                }
                Record::No { chunk } => {
                    past.refused.extend(past.calls.remove(&chunk).into_iter().flat_map(|call| call.ids));
                }
                Record::End { .. } => past.ended = true,
                _ => {}
            }
        }
        past.index();
        past
    }

    fn index(&mut self) {
        let calls = self.calls.values();
        self.known = calls.flat_map(|call| call.ids.iter().map(|id| (*id, call.made.is_some()))).collect();
    }

    pub fn is_empty(&self) -> bool {
        self.head.is_none()
    }

    /// Whether it was done, or may have been; `None` if it was not.
    pub fn status(&self, target: i64) -> Option<bool> {
        self.known.get(&target).copied()
    }

    /// The outcomes that are known before anything is sent.
    pub fn tell(&self, outcome: &mut Outcome) {
        outcome.resumed = self.head.is_some();
        // As long as the job is not over, they are tried again.
        for id in self.refused.iter().filter(|_| self.ended) {
            let row = RowOutcome::new(SendStatus::Refused, Some("an earlier run was refused".into()));
            outcome.rows.insert(*id, row);
        }
        for PastCall { ids, made, why, .. } in self.calls.values() {
            for id in ids {
                let row = if let Some(made) = made {
                    let row = RowOutcome::new(SendStatus::Done, made.lost.map(str::to_owned));
                    RowOutcome { voucher: made.voucher.clone(), ..row }
                } else {
                    let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
                    RowOutcome::new(SendStatus::Unknown, Some(format!("an earlier run got no answer{why}")))
                };
                outcome.rows.insert(*id, row);
            }
            if let Some(made) = made {
                outcome.made = Made { voucher: None, ..made.clone() };
            }
        }
    }
}

fn head_of(
    client: &Client,
    order: &Order,
    seen: Option<&Seen>,
    rows: usize,
    salt: String,
) -> Result<JournalHead> {
    let key = format!("{:016x}", Prints::new(&salt).of(order.identity()?.as_bytes()));
    let panel = seen.and_then(|seen| seen.panel_id).unwrap_or_default();
    let about = "What a plan has sent and what it knows. It holds numbers, and codes of vouchers, which nobody could read again. Run \
                 the same plan again to go on.";
    Ok(JournalHead { panel, key, rows, ..JournalHead::new(client, order.name(), about, salt) })
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
        let open = OpenPast { journal, past, kept: self.clone(), sent_at: 0 };
        if let Some(head) = &open.past.head {
            let mine = head_of(client, order, None, 0, head.salt.clone())?;
            let mine = JournalHead { panel: head.panel, ..mine };
            let key = "what it sent was another message, or to another survey, panel or sender";
            head.expect(&mine, &self.name(), "plan", key)?;
        }
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
    /// When the last call was sent.
    sent_at: u64,
}

impl Drop for OpenPast {
    fn drop(&mut self) {
        self.kept.with(|store| store.close());
    }
}

impl OpenPast {
    /// Finds out what became of the calls of earlier runs that got no answer.
    pub async fn settle(&mut self, client: &Client, order: &Order, inquiry: &Inquiry) -> Result<()> {
        let open = self.past.calls.iter().filter(|(_, call)| call.made.is_none());
        let open: Vec<u64> = open.map(|(chunk, _)| *chunk).collect();
        for chunk in open {
            let Some(PastCall { ids, call: Some(call), took, .. }) = self.past.calls.get(&chunk) else {
                continue;
            };
            let Some(request) = order.trace(ids)? else { continue };
            let (_, found) = call.find_out(client, request.into_sent(client)?, *took, inquiry).await?;
            let Finding { verdict, evidence, answer, .. } = found.finding;
            match (verdict, answer) {
                (Verdict::Happened, Some(answer)) => {
                    let lost = self.past.vouchers.then_some(LOST_CODE);
                    let made = Made { lost, ..Made::read_back(&answer) };
                    self.made(chunk, &made).await?;
                    if let Some(call) = self.past.calls.get_mut(&chunk) {
                        call.made = Some(made);
                    }
                }
                (Verdict::DidNotHappen, _) => {
                    self.not_made(chunk).await?;
                    self.past.calls.remove(&chunk);
                }
                _ => {
                    if let Some(call) = self.past.calls.get_mut(&chunk) {
                        call.why = Some(evidence);
                    }
                    continue;
                }
            }
            self.past.lines += 1;
        }
        self.past.index();
        Ok(())
    }

    /// Whether another run has written to it since.
    pub fn is_as(&self, past: &Past) -> bool {
        self.past.lines == past.lines
    }

    /// Before a call: the number under which its answer is noted.
    /// `write`: under which number the process keeps what it sends.
    pub async fn sends(
        &mut self,
        client: &Client,
        order: &Order,
        seen: &Seen,
        ids: &[i64],
        write: &str,
    ) -> Result<u64> {
        let chunk = self.past.next;
        let mut records = Vec::new();
        if self.past.head.is_none() {
            let head = head_of(client, order, Some(seen), seen.targets.len(), new_salt()?)?;
            self.past.head = Some(head.clone());
            records.push(Record::Job(head));
        }
        let call = Earlier::now(client, write.to_owned(), client.service_ahead());
        self.sent_at = call.at;
        records.push(Record::To { chunk, ids: ids.to_vec(), at: call.at, call: Some(call) });
        self.journal.write(records).await?;
        self.past.next += 1;
        Ok(chunk)
    }

    /// Records the response.
    pub async fn made(&self, chunk: u64, made: &Made) -> Result<()> {
        let Made { sampling_project, distributor, reminder, voucher, lost: _ } = made;
        let record = Record::Made {
            chunk,
            sampling_project: *sampling_project,
            distributor: *distributor,
            reminder: *reminder,
            voucher: voucher.as_ref().map(|code| code.reveal().to_owned()),
        };
        self.journal.write(vec![record]).await
    }

    /// Records that the call is proven to have had no effect.
    pub async fn not_made(&self, chunk: u64) -> Result<()> {
        self.journal.write(vec![Record::No { chunk }]).await
    }

    /// Nobody waits for its answer any more.
    pub async fn not_answered(&self, chunk: u64) -> Result<()> {
        let took = now().saturating_sub(self.sent_at);
        self.journal.write(vec![Record::Unanswered { chunk, took }]).await
    }

    pub async fn end(&self) -> Result<()> {
        self.journal.write(vec![Record::End { at: now() }]).await
    }
}
