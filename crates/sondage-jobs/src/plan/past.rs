//! The results of earlier runs of a plan, from its journal.

use super::Seen;
use super::attribute::{SOME, attributed};
use super::kind::SendKind;
use super::report::{Outcome, RowOutcome, SendStatus};
use super::request::SendResult;
use super::seen::TargetKind;
use crate::JournalStore;
use crate::import::{persons::TAKEN_OUT, prints::Prints};
use crate::journal::{CREATE_AND_INVITE, new_salt};
use crate::journal::{Journal, JournalHead, Record};
use crate::reconcile::{Earlier, Finding, Inquiry, Verdict};
use crate::timing::now;
use sondage::Client;
use sondage::error::Result;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The reason for a voucher that was bought and whose response was lost.
const LOST_CODE: &str =
    "the response was lost; a transaction shows that it was bought, but its code cannot be read again";

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
    /// Whether calls created members from rows.
    creates: bool,
    /// The tokens with which earlier runs were confirmed, and for whom: targets, with digests of their recipients.
    confirmed: Vec<(String, BTreeMap<i64, u64>)>,
    /// The number of lines.
    lines: usize,
}

/// A call of an earlier run.
#[derive(Clone, Default)]
struct PastCall {
    ids: Vec<i64>,
    made: Option<SendResult>,
    /// The number of issues in the response to a call with rows.
    issues: Option<usize>,
    /// The members who were created, by row: 0 for a refused row, [`TAKEN_OUT`] for one that is not visible.
    found: Option<Vec<i64>>,
    /// What was recorded before it was sent.
    call: Option<Earlier>,
    /// The number of milliseconds after which the caller gave up.
    took: Option<u64>,
    /// Why its outcome cannot be determined.
    why: Option<String>,
}

/// A digest of each recipient, which contains neither address nor language.
fn digests(seen: &Seen, salt: &str) -> Vec<u64> {
    let prints = Prints::new(salt);
    seen.targets.iter().map(|target| prints.of(seen.recipient(*target).as_bytes())).collect()
}

impl Past {
    fn take(&mut self, record: Record) {
        self.lines += 1;
        match record {
            Record::Job(head) => {
                self.vouchers = head.job == "plan_redeem";
                self.creates = head.job == CREATE_AND_INVITE;
                self.head = Some(head);
            }
            Record::Confirmed { token, ids, recipients } => {
                self.confirmed.push((token, ids.into_iter().zip(recipients).collect()));
            }
            Record::To { chunk, mut ids, call, .. } => {
                self.next = self.next.max(chunk + 1);
                ids.retain(|id| *id != TAKEN_OUT);
                self.refused.retain(|id| !ids.contains(id));
                self.calls.insert(chunk, PastCall { ids, call, ..PastCall::default() });
            }
            Record::Made { chunk, sampling_project, distributor, reminder, voucher, issues } => {
                if let Some(call) = self.calls.get_mut(&chunk) {
                    call.issues = issues;
                    let lost = (self.vouchers && voucher.is_none()).then_some(LOST_CODE);
                    let voucher = voucher.map(Into::into);
                    let created = SendResult {
                        sampling_project,
                        distributor,
                        reminder,
                        voucher,
                        lost,
                        ..SendResult::default()
                    };
                    call.made = Some(created);
                }
            }
            Record::Found { chunk, ids } => {
                if let Some(call) = self.calls.get_mut(&chunk) {
                    call.found = Some(ids);
                }
            }
            Record::Unanswered { chunk, took } => {
                if let Some(call) = self.calls.get_mut(&chunk) {
                    call.took = Some(took);
                }
            }
            Record::No { chunk } => {
                self.refused.extend(self.calls.remove(&chunk).into_iter().flat_map(|call| call.ids));
            }
            Record::End { .. } => self.ended = true,
            _ => {}
        }
    }

    fn index(&mut self) {
        let calls = self.calls.values();
        let statuses = calls.flat_map(|call| call.rows().map(|(id, row)| (id, row.status)));
        let statuses = statuses.filter(|(_, status)| *status != SendStatus::Refused);
        self.known = statuses.map(|(id, status)| (id, status == SendStatus::Done)).collect();
    }

    /// What the numbers of recipients mean, if the job is over.
    pub fn kind(&self) -> TargetKind {
        if self.creates { TargetKind::Rows } else { TargetKind::Other }
    }

    pub fn is_empty(&self) -> bool {
        self.head.is_none()
    }

    /// Whether an earlier run was confirmed with this token for all of these recipients, and perhaps more: the same command can
    /// then be run again.
    pub fn confirms(&self, token: &str, seen: &Seen) -> bool {
        let Some(head) = &self.head else { return false };
        let now: Vec<_> = seen.targets.iter().copied().zip(digests(seen, &head.salt)).collect();
        let mut confirmed = self.confirmed.iter().filter(|(known, _)| known == token);
        confirmed.any(|(_, then)| now.iter().all(|(target, digest)| then.get(target) == Some(digest)))
    }

    /// Whether it was done, or may have been; `None` if it was not.
    pub fn status(&self, target: i64) -> Option<bool> {
        self.known.get(&target).copied()
    }

    /// The outcomes that are known before anything is sent.
    pub fn tell(&self, outcome: &mut Outcome) {
        outcome.resumed = self.head.is_some();
        // Until the job is over, they are tried again.
        for id in self.refused.iter().filter(|_| self.ended) {
            let row = RowOutcome::new(SendStatus::Refused, Some("an earlier run was refused".into()));
            outcome.rows.insert(*id, row);
        }
        for call in self.calls.values() {
            let over = |row: &RowOutcome| self.ended || row.status != SendStatus::Refused;
            outcome.rows.extend(call.rows().filter(|(_, row)| over(row)));
            if let Some(made) = &call.made {
                outcome.made = SendResult { voucher: None, ..made.clone() };
            }
        }
    }
}

impl PastCall {
    /// The outcome for each recipient.
    fn rows(&self) -> impl Iterator<Item = (i64, RowOutcome)> {
        let Self { ids, made, why, issues, found, .. } = self;
        ids.iter().enumerate().map(move |(at, id)| {
            let row = match (made, found, issues) {
                (Some(_), Some(found), _) => match found.get(at).copied().unwrap_or(TAKEN_OUT) {
                    0 => RowOutcome::new(SendStatus::Refused, Some("an earlier run was refused".into())),
                    member => {
                        let member = (member > 0).then_some(member);
                        RowOutcome { member, ..RowOutcome::new(SendStatus::Done, None) }
                    }
                },
                (Some(_), None, Some(1..)) => RowOutcome::new(SendStatus::Unknown, Some(SOME.to_owned())),
                (Some(made), ..) => {
                    let row = RowOutcome::new(SendStatus::Done, made.lost.map(str::to_owned));
                    RowOutcome { voucher: made.voucher.clone(), ..row }
                }
                (None, ..) => {
                    let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
                    RowOutcome::new(SendStatus::Unknown, Some(format!("an earlier run got no response{why}")))
                }
            };
            (*id, row)
        })
    }
}

fn head_of(
    client: &Client,
    order: &dyn SendKind,
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
    pub async fn open(&self, client: &Client, order: &dyn SendKind) -> Result<OpenPast> {
        let read = Journal::open(Box::new(self.clone()), Past::take).await;
        let (journal, mut past) = read.inspect_err(|_| self.with(JournalStore::close))?;
        past.index();
        let open = OpenPast { journal, past, kept: self.clone(), confirmed: None, sent_at: 0 };
        if let Some(head) = &open.past.head {
            let mine = head_of(client, order, None, 0, head.salt.clone())?;
            let mine = JournalHead { panel: head.panel, ..mine };
            head.expect(&mine, &self.name(), "plan", order.difference_of_key())?;
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
        self.with(JournalStore::forget_last)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.with(JournalStore::clear)
    }
}

/// An open journal, which is locked until it is dropped.
pub(super) struct OpenPast {
    journal: Journal,
    pub past: Past,
    kept: Kept,
    /// The token of this run, while its confirmation is not in the journal yet.
    pub confirmed: Option<String>,
    /// When the last call was sent.
    sent_at: u64,
}

impl Drop for OpenPast {
    fn drop(&mut self) {
        self.kept.with(JournalStore::close);
    }
}

impl OpenPast {
    /// Determines the outcome of the calls of earlier runs that got no response.
    pub async fn settle(&mut self, client: &Client, order: &dyn SendKind, inquiry: &Inquiry) -> Result<()> {
        let open = self.past.calls.iter().filter(|(_, call)| call.made.is_none());
        let open: Vec<u64> = open.map(|(chunk, _)| *chunk).collect();
        self.remember(client, order, inquiry, &open).await?;
        for chunk in open {
            let Some(PastCall { ids, call: Some(call), took, .. }) = self.past.calls.get(&chunk) else {
                continue;
            };
            let Some(request) = order.sent_request(client, ids).await? else { continue };
            let (_, found) = call.find_out(client, request.into_sent(client)?, *took, inquiry).await?;
            let Finding { verdict, evidence, answer, missing, .. } = found.finding;
            match (verdict, answer) {
                (Verdict::Happened, Some(answer)) => {
                    let lost = self.past.vouchers.then_some(LOST_CODE);
                    let created = SendResult { lost, ..SendResult::read_back(&answer) };
                    // A late response contains issues. What is read back contains none, but shows who is missing.
                    let own = answer["validationIssues"].as_array().map_or(0, Vec::len);
                    let issues = self.past.creates.then_some(missing.len().max(own));
                    self.note_made(chunk, &created, issues).await?;
                    if let Some(call) = self.past.calls.get_mut(&chunk) {
                        (call.made, call.issues) = (Some(created), issues);
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

    /// Makes the calls of earlier runs known that were made at the time of one that is `open`: a voucher that one of them has bought
    /// looks like that of another.
    async fn remember(
        &self,
        client: &Client,
        order: &dyn SendKind,
        inquiry: &Inquiry,
        open: &[u64],
    ) -> Result<()> {
        let call = |chunk: &u64| self.past.calls.get(chunk)?.call.as_ref();
        let open: Vec<&Earlier> = open.iter().filter_map(call).collect();
        for PastCall { ids, made, call, took, .. } in self.past.calls.values() {
            let Some(call) =
                call.as_ref().filter(|call| open.iter().any(|open| open.meets(call, inquiry.quiet)))
            else {
                continue;
            };
            if let Some(request) = order.sent_request(client, ids).await? {
                let answer = made.as_ref().map(|made| made.written().into());
                call.remember(request.into_sent(client)?, *took, answer);
            }
        }
        Ok(())
    }

    /// Whether another run has written to it since.
    pub fn is_as(&self, past: &Past) -> bool {
        self.past.lines == past.lines
    }

    /// Records a call before it is made, and returns the number under which its response is
    /// recorded. `write`: the number of the write in this process.
    pub async fn sends(
        &mut self,
        client: &Client,
        order: &dyn SendKind,
        seen: &Seen,
        ids: &[i64],
        write: &str,
    ) -> Result<u64> {
        let chunk = self.past.next;
        let mut records = Vec::new();
        if self.past.head.is_none() {
            let head = head_of(client, order, Some(seen), seen.targets.len(), new_salt()?)?;
            self.past.creates = head.job == CREATE_AND_INVITE;
            self.past.head = Some(head.clone());
            records.push(Record::Job(head));
        }
        if let (Some(token), Some(head)) = (self.confirmed.take(), &self.past.head) {
            let recipients = digests(seen, &head.salt);
            records.push(Record::Confirmed { token, ids: seen.targets.clone(), recipients });
        }
        let call = Earlier::now(client, write.to_owned(), client.service_ahead());
        self.sent_at = call.at;
        records.push(Record::To { chunk, ids: ids.to_vec(), at: call.at, call: Some(call) });
        self.journal.write(records).await?;
        self.past.next += 1;
        Ok(chunk)
    }

    /// Finds the members that calls of earlier runs created. `there`: the members of the panel, by row. `quiet`: after this time
    /// the service no longer processes a call.
    pub async fn attribute(&mut self, there: &BTreeMap<i64, i64>, quiet: Duration) -> Result<()> {
        let calls = self.past.calls.iter().filter(|(_, call)| call.made.is_some() && call.found.is_none());
        let quiet = u64::try_from(quiet.as_millis()).unwrap_or(u64::MAX);
        let chunks = calls.filter_map(|(chunk, call)| {
            let over = call.call.as_ref().is_some_and(|call| now().saturating_sub(call.at) >= quiet);
            Some((*chunk, attributed(&call.ids, there, call.issues.unwrap_or_default(), over)?))
        });
        for (chunk, ids) in chunks.collect::<Vec<_>>() {
            self.found(chunk, ids.clone()).await?;
            self.past.lines += 1;
            if let Some(call) = self.past.calls.get_mut(&chunk) {
                call.found = Some(ids);
            }
        }
        self.past.index();
        Ok(())
    }

    /// Records the members who were created.
    pub async fn found(&self, chunk: u64, ids: Vec<i64>) -> Result<()> {
        self.journal.write(vec![Record::Found { chunk, ids }]).await
    }

    /// Records the response.
    pub async fn made(&self, chunk: u64, made: &SendResult) -> Result<()> {
        // Only rows can be refused in part.
        self.note_made(chunk, made, self.past.creates.then_some(made.issues.len())).await
    }

    async fn note_made(&self, chunk: u64, made: &SendResult, issues: Option<usize>) -> Result<()> {
        let SendResult { sampling_project, distributor, reminder, voucher, issues: _, lost: _ } = made;
        let record = Record::Made {
            chunk,
            sampling_project: *sampling_project,
            distributor: *distributor,
            reminder: *reminder,
            voucher: voucher.as_ref().map(|code| code.reveal().to_owned()),
            issues,
        };
        self.journal.write(vec![record]).await
    }

    /// Records that the call is proven to have had no effect.
    pub async fn not_made(&self, chunk: u64) -> Result<()> {
        self.journal.write(vec![Record::No { chunk }]).await
    }

    /// Records that the caller has given up.
    pub async fn not_answered(&self, chunk: u64) -> Result<()> {
        let took = now().saturating_sub(self.sent_at);
        self.journal.write(vec![Record::Unanswered { chunk, took }]).await
    }

    pub async fn end(&self) -> Result<()> {
        self.journal.write(vec![Record::End { at: now() }]).await
    }
}
