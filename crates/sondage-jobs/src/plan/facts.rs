//! The content of a plan: what would be sent, and to whom.

use super::kind::SendKind;
use super::left_out::{LeftOut, LeftOutRow};
use super::past::{Kept, OpenPast, Past};
use super::report::{Outcome, SendReport, SendStatus};
use super::seen::{Seen, TargetKind};
use crate::JournalStore;
use crate::reconcile::Inquiry;
use crate::timing::{MAX_AGE, QUIET};
use ring::digest::{Context, SHA256};
use sondage::Client;
use sondage::budget::Cost;
use sondage::error::Result;
use sondage_macros::report;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A plan that sends an invitation, with or without creating its recipients, a reminder or mails, buys vouchers, or makes a
/// workflow transition.
///
/// `Display` shows how many members it reaches and why others are left out, the cost, and the token that [`SendPlan::run`] requires,
/// without personal data.
#[must_use = "nothing is sent before `run`"]
#[derive(Clone)]
pub struct SendPlan(pub(super) Arc<Planned>);

/// The content of a plan, as data.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SendPlanFacts {
    /// The survey, if the plan has one.
    pub survey_id: Option<i64>,
    /// The panel or sample, if the plan has one.
    pub panel_id: Option<i64>,
    /// The number of matching members, or rows, including those that are left out.
    pub matches: usize,
    /// How many messages are sent, vouchers bought or transitions made.
    pub count: usize,
    /// The recipients, by their ids.
    pub members: Vec<i64>,
    /// The matching members who are left out.
    pub left_out: Vec<LeftOut>,
    /// The rows from which members are created and invited, counted from 0. Other plans have none.
    pub rows: Vec<i64>,
    /// The rows from which nobody is created, in a plan that creates members.
    pub rows_left_out: Vec<LeftOutRow>,
    /// The number of calls that running it makes: those that read everything again, those that send, and those that read new
    /// members back. It is exact as long as the lists do not change.
    pub calls: u64,
    /// The cost of running it: these calls, the bytes of the lists that are read and of the requests, and the minutes if each
    /// call takes as long as those of the plan did.
    pub cost: Cost,
    /// What would cost fewer calls, as sentences; empty if nothing is known to.
    pub cheaper: Vec<String>,
    /// The token that `run` requires. It begins with the number of messages, vouchers or transitions.
    pub token: String,
    /// The recipients, the reasons why others are left out, and the cost, in sentences without personal data.
    pub text: String,
}

pub(super) struct Planned {
    pub client: Client,
    pub order: Box<dyn SendKind>,
    pub seen: Seen,
    pub past: Past,
    pub journal: Option<Kept>,
    pub token: String,
    pub cost: Cost,
    pub made: Instant,
    pub max_age: Duration,
    /// Whether it was sent, or may have been.
    pub used: AtomicBool,
    /// The report of a run so far, even if its caller has given up.
    pub outcome: Mutex<Option<Outcome>>,
}

pub(super) async fn plan(
    client: Client,
    order: Box<dyn SendKind>,
    journal: Option<Box<dyn JournalStore>>,
) -> Result<SendPlan> {
    order.check()?;
    let journal = journal.map(Kept::new);
    let quiet = order.common().quiet.unwrap_or(QUIET);
    let mut open = match &journal {
        Some(journal) => {
            let mut open = journal.open(&client, &*order).await?;
            open.settle(&client, &*order, &Inquiry { quiet, ..Inquiry::default() }).await?;
            Some(open)
        }
        None => None,
    };
    let past = |open: &Option<OpenPast>| open.as_ref().map(|open| open.past.clone()).unwrap_or_default();
    // A write that was in time may be reported after its deadline.
    if open.as_ref().is_none_or(|open| open.past.is_empty()) {
        order.check_schedule()?;
    }
    let begun = Instant::now();
    let mut audience = read(&client, &*order, &past(&open), None).await?;
    if let (Some(open), Some(there)) = (&mut open, audience.existing_members()) {
        open.attribute(there, quiet).await?;
    }
    let past = past(&open);
    drop(open);
    exclude_done(&client, &*order, &past, &mut audience)?;
    if audience.targets.is_empty() && past.is_empty() {
        order.check_reach(&audience)?;
    }
    if !audience.targets.is_empty() {
        order.check_schedule()?;
    }
    let Price { token, bytes, calls } = price(&client, &*order, &audience)?;
    let each = begun.elapsed().div_f64(f64::from(u32::try_from(audience.calls).unwrap_or(u32::MAX).max(1)));
    let each = (audience.calls > 0).then_some(each);
    let cost = Cost::new(audience.calls + calls + audience.calls_after, audience.bytes + bytes, each);
    let max_age = order.common().max_age.unwrap_or(MAX_AGE);
    let (made, used, outcome) = (Instant::now(), AtomicBool::new(false), Mutex::new(None));
    Ok(SendPlan(Arc::new(Planned {
        client,
        order,
        seen: audience,
        past,
        journal,
        token,
        cost,
        made,
        max_age,
        used,
        outcome,
    })))
}

/// Reads whom it would reach at this moment, without those reached before. A completed journal needs no reading.
pub(super) async fn read_audience(
    client: &Client,
    order: &dyn SendKind,
    past: &Past,
    before: &Seen,
) -> Result<Seen> {
    let mut audience = read(client, order, past, Some(before)).await?;
    exclude_done(client, order, past, &mut audience)?;
    Ok(audience)
}

async fn read(client: &Client, order: &dyn SendKind, past: &Past, before: Option<&Seen>) -> Result<Seen> {
    if past.ended {
        Ok(Seen { kind: past.kind(), ..Seen::default() })
    } else {
        order.read(client, before).await
    }
}

/// What is left after earlier runs.
fn exclude_done(client: &Client, order: &dyn SendKind, past: &Past, seen: &mut Seen) -> Result<()> {
    if past.ended {
        return Ok(());
    }
    seen.without(past);
    order.settle(client, seen)
}

/// The calls that send.
pub(super) struct Price {
    pub token: String,
    pub bytes: u64,
    pub calls: u64,
}

/// A digest of the calls, and a token that is the same for the same calls, so that a command can plan, be confirmed, and plan
/// again.
pub(super) fn price(client: &Client, order: &dyn SendKind, seen: &Seen) -> Result<Price> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let config = client.config();
    let mut sum = Context::new(&SHA256);
    sum.update(format!("{}\n{}\n{}\n", config.base_url, config.tenant, seen.frozen_terms).as_bytes());
    let (mut bytes, mut calls) = (0, 0);
    for targets in seen.targets.chunks(order.max_targets_per_call()) {
        let request = order.request(seen, targets)?.written()?;
        sum.update(format!("{targets:?}").as_bytes());
        for target in targets {
            sum.update(seen.recipient(*target).as_bytes());
        }
        sum.update(request.as_bytes());
        bytes += request.len() as u64;
        calls += 1;
    }
    let letter = |byte: &u8| char::from(LETTERS[usize::from(byte % 32)]);
    let letters: String = sum.finish().as_ref().iter().take(6).map(letter).collect();
    Ok(Price { token: format!("{}-{letters}", seen.targets.len()), bytes, calls })
}

impl Planned {
    /// The number of calls of a run.
    pub fn calls(&self) -> u64 {
        self.seen.calls + self.sends() + self.seen.calls_after
    }

    fn sends(&self) -> u64 {
        self.seen.targets.len().div_ceil(self.order.max_targets_per_call()) as u64
    }

    /// The outcomes that are known before anything is sent.
    pub fn begin(&self) -> Outcome {
        let left_out = self.seen.left_out.iter().map(|left| left.member);
        let rows = self.seen.targets.iter().copied().chain(left_out);
        let mut outcome = Outcome {
            kind: self.seen.kind,
            left_out: self.seen.left_out.iter().map(|left| self.seen.left_out_row(left)).collect(),
            lines: rows.filter_map(|row| Some((row, self.seen.line(row)?))).collect(),
            journal: self.journal.as_ref().map(Kept::name),
            rest: self.order.continuation_hint(),
            ..Outcome::default()
        };
        self.past.tell(&mut outcome);
        outcome.done_before = outcome.count(SendStatus::Done);
        outcome.set(&self.seen.targets, SendStatus::NotSent, None);
        outcome
    }
}

impl SendPlan {
    /// The survey, if the plan has one.
    pub fn survey_id(&self) -> Option<i64> {
        self.0.seen.survey_id
    }

    /// The panel or sample, if the plan has one.
    pub fn panel_id(&self) -> Option<i64> {
        self.0.seen.panel_id
    }

    /// The number of matching members, or rows, including those that are left out.
    pub fn matches(&self) -> usize {
        match self.0.seen.kind {
            TargetKind::Other => 0,
            TargetKind::Members | TargetKind::Rows => self.count() + self.0.seen.left_out.len(),
        }
    }

    /// How many messages [`SendPlan::run`] sends, vouchers it buys or transitions it makes.
    pub fn count(&self) -> usize {
        self.0.seen.targets.len()
    }

    /// The recipients, by their ids.
    pub fn members(&self) -> &[i64] {
        if self.0.seen.kind == TargetKind::Members { &self.0.seen.targets } else { &[] }
    }

    /// The matching members who are left out.
    pub fn left_out(&self) -> &[LeftOut] {
        if self.0.seen.kind == TargetKind::Rows { &[] } else { &self.0.seen.left_out }
    }

    /// The rows from which members are created and invited, counted from 0. Other plans have none.
    pub fn rows(&self) -> &[i64] {
        if self.0.seen.kind == TargetKind::Rows { &self.0.seen.targets } else { &[] }
    }

    /// The rows from which nobody is created, in a plan that creates members.
    pub fn rows_left_out(&self) -> Vec<LeftOutRow> {
        let Seen { kind, left_out, .. } = &self.0.seen;
        let rows = left_out.iter().filter(|_| *kind == TargetKind::Rows);
        rows.map(|left| self.0.seen.left_out_row(left)).collect()
    }

    /// The number of calls that [`SendPlan::run`] makes: those that read everything again, those that send, and those that
    /// read new members back. It is exact as long as the lists do not change.
    pub fn calls(&self) -> u64 {
        self.0.calls()
    }

    /// The cost of [`SendPlan::run`].
    pub fn cost(&self) -> Cost {
        self.0.cost
    }

    /// What would cost fewer calls, as sentences; empty if nothing is known to.
    pub fn cheaper(&self) -> &[String] {
        &self.0.seen.cheaper
    }

    /// The plan as data.
    pub fn facts(&self) -> SendPlanFacts {
        SendPlanFacts {
            survey_id: self.survey_id(),
            panel_id: self.panel_id(),
            matches: self.matches(),
            count: self.count(),
            members: self.members().to_vec(),
            left_out: self.left_out().to_vec(),
            rows: self.rows().to_vec(),
            rows_left_out: self.rows_left_out(),
            calls: self.calls(),
            cost: self.cost(),
            cheaper: self.cheaper().to_vec(),
            token: self.token().to_owned(),
            text: self.to_string(),
        }
    }

    /// The token that [`SendPlan::run`] requires. It begins with the number of messages, vouchers or transitions.
    pub fn token(&self) -> &str {
        &self.0.token
    }

    /// Whether [`SendPlan::run`] takes this token: that of the plan, or that of an earlier run of its journal, if nobody is reached who
    /// was not a recipient then.
    pub fn is_confirmed_by(&self, token: &str) -> bool {
        self.0.is_confirmed_by(token)
    }

    /// The plan in sentences, without its token.
    #[doc(hidden)] // for sondage-mcp
    pub fn sentences(&self) -> String {
        let text = self.to_string();
        text.rsplit_once('\n').map_or_else(String::new, |(text, _)| text.to_owned())
    }

    /// What is sent, the same for the same calls to the same recipients.
    #[doc(hidden)] // for sondage-mcp
    pub fn identity(&self) -> Result<String> {
        let Planned { order, seen, .. } = &*self.0;
        Ok(format!("{} {} {:?}", order.name(), order.identity()?, seen.targets))
    }

    /// The report of a run so far, even if its caller gave up. Before a run every row is [`SendStatus::NotSent`].
    pub fn report(&self) -> SendReport {
        let outcome = self.0.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        outcome.as_ref().map_or_else(|| self.0.begin().report(), Outcome::report)
    }
}

impl fmt::Display for SendPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Planned { order, seen, past, journal, token, max_age, cost, .. } = &*self.0;
        if let (true, Some(journal)) = (past.ended, journal) {
            writeln!(
                f,
                "the journal {} is of a job that is complete: running the plan reports it, and sends nothing",
                journal.name()
            )?;
        } else {
            writeln!(f, "{}", order.summary(seen))?;
        }
        if seen.targets.is_empty() && past.is_empty() {
            return f.write_str("  nobody is left: running it sends nothing");
        }
        let (reading, sends) = (seen.calls, self.0.sends());
        write!(f, "  running it costs {cost}: {reading} calls to read again, ")?;
        match seen.calls_after {
            0 => writeln!(f, "and {sends} to send")?,
            after => writeln!(f, "{sends} to send, and {after} to read the new members back")?,
        }
        for way in &seen.cheaper {
            writeln!(f, "  cheaper: {way}")?;
        }
        write!(f, "  confirm with {token} within {} minutes", max_age.as_secs().div_ceil(60))
    }
}

impl fmt::Debug for SendPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SendPlan({self})")
    }
}
