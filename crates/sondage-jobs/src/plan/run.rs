//! Runs a plan: refuses it if it is not confirmed, too old or no longer accurate, and sends every call at most once.

use super::facts::{Planned, SendPlan, price, read_audience};
use super::past::OpenPast;
use super::report::{Outcome, SendReport, SendStatus};
use super::seen::{Seen, TargetKind};
use crate::timing::check_age;
use sondage::error::{Error, Result};
use sondage::internals::call::sent_writes;
use sondage::internals::runtime;
use sondage::text;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

/// After this many consecutive refusals the others are not tried.
const REFUSALS: usize = 3;

impl SendPlan {
    /// Reads everything again, and sends what was planned if nothing has changed. `confirm` is [`SendPlan::token`], passed by
    /// whoever approves the plan.
    ///
    /// A plan that resumes from a journal also takes the token with which its earlier run was confirmed, as long as everybody who is
    /// left was among its recipients: so the same command can simply be run again.
    ///
    /// After an error nothing was sent: the token is a different one, the plan is too old or was already run, its data have
    /// changed (the error lists the changes), or the service refused. Once something may have been sent, the result is a report,
    /// and the plan cannot be run again.
    pub async fn run(&self, confirm: &str) -> Result<SendReport> {
        let (planned, confirm) = (Arc::clone(&self.0), confirm.to_owned());
        runtime::here(async move { planned.run(&confirm).await }).await
    }

    /// The same, blocking.
    #[cfg(feature = "blocking")]
    pub fn wait(&self, confirm: &str) -> Result<SendReport> {
        let (planned, confirm) = (Arc::clone(&self.0), confirm.to_owned());
        runtime::block_on(async move { planned.run(&confirm).await })
    }
}

/// Allows the plan to be run again, unless something may have been sent.
struct RunGuard<'a> {
    plan: &'a Planned,
    may_have_sent: bool,
}

impl Drop for RunGuard<'_> {
    fn drop(&mut self) {
        if !self.may_have_sent {
            self.plan.used.store(false, Ordering::SeqCst);
        }
    }
}

/// How a run continues after a call.
enum Next {
    GoOn,
    Stop,
}

impl Planned {
    pub(super) fn is_confirmed_by(&self, token: &str) -> bool {
        token.trim() == self.token || self.past.confirms(token.trim(), &self.seen)
    }

    /// Whether there is nothing to do, and was nothing before.
    fn is_empty(&self) -> bool {
        self.seen.targets.is_empty() && self.past.is_empty()
    }

    async fn run(&self, confirm: &str) -> Result<SendReport> {
        if !self.is_confirmed_by(confirm) {
            return Err(Error::invalid_argument(text!("{confirm:?} does not confirm this plan"))
                .with_hint("Nothing was sent. Look at the plan, and pass the `token` that it shows."));
        }
        if self.used.swap(true, Ordering::SeqCst) {
            return Err(Error::invalid_argument("this plan has already been run")
                .with_hint("Nothing was sent by this call. Make another plan to send another message."));
        }
        let mut guard = RunGuard { plan: self, may_have_sent: false };
        check_age(self.made, self.max_age)?;
        if !self.seen.targets.is_empty() {
            self.order.check_schedule()?;
        }
        let mut journal = self.journal().await?;
        if let Some(open) = journal.as_mut().filter(|_| confirm.trim() == self.token) {
            open.confirmed = Some(self.token.clone());
        }
        let mut outcome = self.begin();
        // With nobody to reach nothing is sent, whatever has changed since.
        if self.past.ended || self.is_empty() {
            return Ok(outcome.report());
        }
        self.client.ensure_calls_left(self.calls()).await?;
        self.ensure_unchanged(&read_audience(&self.client, &*self.order, &self.past, &self.seen).await?)?;
        self.note(&outcome);
        let mut refusals = 0;
        for targets in self.seen.targets.chunks(self.order.max_targets_per_call()) {
            let begun = Instant::now();
            let next = self.send(targets, &mut outcome, journal.as_mut(), &mut guard, &mut refusals).await;
            let error = next.as_ref().err().or(outcome.stopped.as_ref());
            self.client.tracer().step(self.order.name(), targets.len(), error, begun);
            match next? {
                Next::GoOn => {}
                Next::Stop => break,
            }
        }
        if let Some(journal) = journal
            && (outcome.stopped.is_none() || self.seen.kind != TargetKind::Rows)
            && outcome.count(SendStatus::Unknown) + outcome.count(SendStatus::NotSent) == 0
            && let Err(error) = journal.end().await
        {
            outcome.stopped.get_or_insert(error);
        }
        self.note(&outcome);
        Ok(outcome.report())
    }

    /// Opens the journal again, and checks that no other run has written to it since.
    async fn journal(&self) -> Result<Option<OpenPast>> {
        let Some(journal) = &self.journal else { return Ok(None) };
        let open = journal.open(&self.client, &*self.order).await?;
        if open.is_as(&self.past) {
            return Ok(Some(open));
        }
        Err(Error::invalid_argument(text!("another run has continued the journal {}", journal.name()))
            .with_hint("Nothing was sent by this call. Plan again, and look at the new plan."))
    }

    /// Returns an error if the data have changed since planning.
    fn ensure_unchanged(&self, now: &Seen) -> Result<()> {
        let what = if let Some((came, went)) = now.difference(&self.seen) {
            text!(
                "the audience has changed since it was planned: {} added ({}), {} removed ({})",
                came.len(),
                shown(now.kind, &came),
                went.len(),
                shown(now.kind, &went)
            )
        } else if now.frozen_terms != self.seen.frozen_terms {
            text!(
                "it has changed since it was planned: then {}, now {}",
                self.seen.frozen_terms,
                now.frozen_terms
            )
        } else if price(&self.client, &*self.order, now)?.token != self.token {
            text!("an address or a language has changed since it was planned")
        } else {
            return Ok(());
        };
        Err(Error::invalid_argument(what)
            .with_hint("Nothing was sent. Plan again, and look at the new plan."))
    }

    /// Makes one call. An error means that this run sent nothing.
    async fn send(
        &self,
        targets: &[i64],
        outcome: &mut Outcome,
        mut journal: Option<&mut OpenPast>,
        guard: &mut RunGuard<'_>,
        refusals: &mut usize,
    ) -> Result<Next> {
        let first = !guard.may_have_sent;
        let request = self.order.request(&self.seen, targets)?;
        // The number of the write in this process, under which its outcome is found even if the caller gives up.
        let write = sent_writes::next_id();
        let noted = match &mut journal {
            Some(journal) => {
                match journal.sends(&self.client, &*self.order, &self.seen, targets, &write).await {
                    Ok(chunk) => chunk,
                    Err(error) if first => return Err(error),
                    Err(error) => {
                        outcome.stopped = Some(error);
                        return Ok(Next::Stop);
                    }
                }
            }
            None => 0,
        };
        // From here on it may have been sent, even if the caller gives up.
        guard.may_have_sent = true;
        outcome.set(
            targets,
            SendStatus::Unknown,
            Some("it was sent, and its caller gave up before the response"),
        );
        self.note(outcome);
        let sent = request.send(&self.client.noting(write)).await;
        let mut written = match (&sent, &journal) {
            (Ok(made), Some(journal)) => journal.made(noted, made).await,
            (Err(error), Some(journal)) if error.changed_nothing() => journal.not_made(noted).await,
            (Err(_), Some(journal)) => journal.not_answered(noted).await,
            (_, None) => Ok(()),
        };
        let next = match sent {
            Ok(made) => {
                *refusals = 0;
                outcome.set(targets, SendStatus::Done, None);
                for target in targets {
                    if let Some(row) = outcome.rows.get_mut(target) {
                        row.voucher.clone_from(&made.voucher);
                    }
                }
                self.note(outcome);
                let noted = journal.as_deref().map(|journal| (journal, noted)).filter(|_| written.is_ok());
                let attributed = self.attribute(targets, &made, outcome, noted).await;
                written = written.and(attributed);
                outcome.made = super::request::SendResult { voucher: None, ..made };
                Next::GoOn
            }
            Err(error) if error.changed_nothing() => {
                if self.order.continues_after(&error) {
                    outcome.set(targets, SendStatus::Refused, Some(error.what()));
                    *refusals += 1;
                    if *refusals < REFUSALS { Next::GoOn } else { stop(outcome, error) }
                } else if first {
                    guard.may_have_sent = false;
                    *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = None;
                    return Err(error);
                } else {
                    outcome.set(targets, SendStatus::NotSent, Some(error.what()));
                    stop(outcome, error)
                }
            }
            Err(error) => {
                outcome.set(targets, SendStatus::Unknown, Some(error.what()));
                stop(outcome, error)
            }
        };
        self.note(outcome);
        match written {
            Ok(()) => Ok(next),
            Err(error) => Ok(stop(outcome, error)),
        }
    }

    /// Stores the results so far for callers who ask during the run, or after its caller gave up.
    fn note(&self, outcome: &Outcome) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome.clone());
    }
}

fn stop(outcome: &mut Outcome, error: Error) -> Next {
    outcome.stopped.get_or_insert(error);
    Next::Stop
}

/// The first members, by their ids, or the first rows.
fn shown(kind: TargetKind, members: &[i64]) -> String {
    if members.is_empty() {
        return "nobody".to_owned();
    }
    let word = if kind == TargetKind::Rows { "row " } else { "" };
    let first: Vec<String> = members.iter().take(10).map(|id| format!("{word}{id}")).collect();
    let more = if members.len() > first.len() { ", ..." } else { "" };
    first.join(", ") + more
}
