//! Sends the changes of a plan.

use super::Update;
use super::plan::{Change, UpdatePlan};
use super::recheck::Standing;
use crate::timing::check_age;
use indexmap::IndexMap;
use sondage::error::{Error, ErrorKind, Result};
use sondage::model::{MemberChange, MemberField, UpdateMembersRequest, ValidationIssue};
use sondage_macros::report;
use std::sync::PoisonError;
use std::time::Instant;

/// The outcome for the members of a plan, by id. Each is in one of the four lists.
#[report]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct UpdateReport {
    /// Members that were updated with the values of their rows.
    pub applied: Vec<i64>,
    /// The service refused their values: see `issues`.
    pub refused: Vec<i64>,
    /// Members for whom the outcome is unknown. Plan the same rows again: the plan shows what is left to do.
    pub unknown: Vec<i64>,
    /// Members that were not updated, because the run stopped before.
    pub left: Vec<i64>,
    /// Why members were refused. An issue names neither the member nor the field.
    // API 3.5, published
    pub issues: Vec<ValidationIssue>,
    /// The error that stopped the run; `None` when everything was sent.
    pub stopped: Option<Error>,
}

impl UpdatePlan {
    /// Reads the members again, and sends only the differences, in chunks. It stops at the first failure.
    ///
    /// If somebody has changed one of the values since, or deleted a member, or if the plan is too old, nothing is sent: `stopped` says
    /// why. Updates are idempotent, so a call without a response is retried like a read. If the service reports issues, or the outcome
    /// stays unknown, the members are read again to see who was updated.
    pub async fn apply(&self) -> UpdateReport {
        let (mut report, mut doubtful) = (UpdateReport::default(), Vec::new());
        let members = self.by_member();
        report.stopped = self.refusal(&members).await.err();
        for (at, chunk) in members.chunks(self.update.chunk_size).enumerate() {
            let ids = || chunk.iter().map(|changes| changes[0].member);
            if report.stopped.is_some() {
                report.left.extend(ids());
                continue;
            }
            let rest =
                members.iter().skip((at + 1) * self.update.chunk_size).map(|changes| changes[0].member);
            let waiting = doubtful.iter().map(|(changes, _): &(&[Change], Doubt)| changes[0].member);
            self.note(UpdateReport {
                unknown: waiting.chain(ids()).collect(),
                left: rest.collect(),
                ..report.clone()
            });
            let begun = Instant::now();
            let sent = send(&self.update, chunk).await;
            self.update.client.tracer().step("plan_update", chunk.len(), sent.as_ref().err(), begun);
            match sent {
                Ok(issues) if issues.is_empty() => report.applied.extend(ids()),
                Ok(issues) => {
                    report.issues.extend(issues);
                    doubtful.extend(chunk.iter().map(|changes| (*changes, Doubt::Issues)));
                }
                Err(error) => {
                    if may_have_happened(&error) {
                        doubtful.extend(chunk.iter().map(|changes| (*changes, Doubt::Outcome)));
                    } else {
                        report.left.extend(ids());
                    }
                    report.stopped = Some(error.in_report());
                }
            }
        }
        if !doubtful.is_empty() {
            let named: Vec<&[Change]> = doubtful.iter().map(|(changes, _)| *changes).collect();
            let read = Standing::read(&self.update, &named).await;
            for (changes, doubt) in doubtful {
                let id = changes[0].member;
                let list = match (&read, doubt) {
                    (Ok(now), _) if now.new.contains(&id) => &mut report.applied,
                    (Ok(_), Doubt::Issues) => &mut report.refused,
                    _ => &mut report.unknown,
                };
                list.push(id);
            }
            report.stopped = report.stopped.or(read.err().map(Error::in_report));
        }
        self.note(report.clone());
        report
    }

    /// Why the plan cannot be applied any more.
    async fn refusal(&self, members: &[&[Change]]) -> Result<()> {
        if members.is_empty() {
            return Ok(());
        }
        check_age(self.made, self.max_age)?;
        if !self.update.recheck {
            return Ok(());
        }
        let now = Standing::read(&self.update, members).await?;
        now.check(members)
    }

    /// Stores the results so far for callers who ask during the run, or after its caller gave up.
    fn note(&self, report: UpdateReport) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
    }
}

/// Why it is unknown whether a member was updated.
#[derive(Clone, Copy)]
enum Doubt {
    /// The service reported issues, and an issue does not name its member.
    Issues,
    /// No response arrived. A member with old values may still be updated.
    Outcome,
}

/// Whether members may have been updated although the call failed: an undecodable response, or a server error after the
/// request, proves nothing.
fn may_have_happened(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::OutcomeUnknown | ErrorKind::UnexpectedResponse | ErrorKind::Internal => true,
        ErrorKind::Network => error.status().is_some(),
        _ => false,
    }
}

async fn send(update: &Update, chunk: &[&[Change]]) -> Result<Vec<ValidationIssue>> {
    Ok(update.client.update_members(request(update, chunk)).await?.validation_issues)
}

fn request(update: &Update, chunk: &[&[Change]]) -> UpdateMembersRequest {
    let field = |change: &Change| {
        let (name, kind) = (change.field.clone(), change.field_type.clone());
        (name.clone(), MemberField::new(name, kind, change.new.clone()))
    };
    let member = |changes: &&[Change]| {
        MemberChange::new(changes[0].member, changes.iter().map(field).collect::<IndexMap<_, _>>())
    };
    UpdateMembersRequest::new(update.panel_id, chunk.iter().map(member))
}

/// The size of a request in bytes.
pub(super) fn request_size(update: &Update, chunk: &[&[Change]]) -> u64 {
    serde_json::to_vec(&request(update, chunk)).map_or(0, |body| body.len() as u64)
}
