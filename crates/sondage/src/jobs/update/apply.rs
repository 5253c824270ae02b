//! Sends the changes of a plan.

use super::plan::{Change, UpdatePlan};
use super::{Update, fit};
use crate::error::{Error, ErrorKind, Result};
use crate::model::{FieldValue, MemberChange, MemberField, UpdateMembersRequest, ValidationIssue};
use indexmap::IndexMap;
use sondage_macros::report;
use std::collections::{HashMap, HashSet};
use std::time::Instant;

/// The outcome for the members of a plan, by id. Each is in one of the four lists.
#[report]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct UpdateReport {
    /// They were updated with the values of their rows.
    pub applied: Vec<i64>,
    /// The service refused their values: see `issues`.
    pub refused: Vec<i64>,
    /// It is unknown whether they were updated. Plan the same rows again: the plan shows what is left to do.
    pub unknown: Vec<i64>,
    /// They were not updated, because the run stopped before.
    pub left: Vec<i64>,
    /// Why members were refused. An issue names neither the member nor the field.
    // API 3.5, published
    pub issues: Vec<ValidationIssue>,
    /// The error that stopped the run; `None` when everything was sent.
    pub stopped: Option<Error>,
}

impl UpdatePlan {
    /// Sends only the differences, in chunks, and stops at the first failure.
    ///
    /// Changes in the panel since the plan was made are not detected: apply a plan soon. Updates are idempotent, so a call without a response is retried like a read. If the service reports issues,
    /// or the outcome stays unknown, the members are read again to see who was updated.
    pub async fn apply(&self) -> UpdateReport {
        let (mut report, mut doubtful) = (UpdateReport::default(), Vec::new());
        let members: Vec<&[Change]> = self.changes.chunk_by(|a, b| a.member == b.member).collect();
        for chunk in members.chunks(self.update.chunk_size) {
            let ids = || chunk.iter().map(|changes| changes[0].member);
            if report.stopped.is_some() {
                report.left.extend(ids());
                continue;
            }
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
                    report.stopped = Some(error);
                }
            }
        }
        if !doubtful.is_empty() {
            let read = read_again(&self.update, &doubtful).await;
            for (changes, doubt) in doubtful {
                let id = changes[0].member;
                let list = match (&read, doubt) {
                    (Ok(changed), _) if changed.contains(&id) => &mut report.applied,
                    (Ok(_), Doubt::Issues) => &mut report.refused,
                    _ => &mut report.unknown,
                };
                list.push(id);
            }
            report.stopped = report.stopped.or(read.err());
        }
        report
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
    let field = |change: &Change| {
        let (name, kind) = (change.field.clone(), change.field_type.clone());
        (name.clone(), MemberField::new(name, kind, change.new.clone()))
    };
    let member = |changes: &&[Change]| {
        MemberChange::new(changes[0].member, changes.iter().map(field).collect::<IndexMap<_, _>>())
    };
    let request = UpdateMembersRequest::new(update.panel_id, chunk.iter().map(member));
    Ok(update.client.update_members(request).await?.validation_issues)
}

/// Which of these members have their new values.
async fn read_again(update: &Update, doubtful: &[(&[Change], Doubt)]) -> Result<HashSet<i64>> {
    let wanted: HashMap<i64, &[Change]> =
        doubtful.iter().map(|(changes, _)| (changes[0].member, *changes)).collect();
    let fields: HashSet<&String> = wanted.values().copied().flatten().map(|change| &change.field).collect();
    let mut pages = update.client.members(update.panel_id).fields(fields.into_iter().cloned()).pager()?;
    let mut changed = HashSet::new();
    while let Some(page) = pages.next().await? {
        for member in page {
            let has = |change: &Change| {
                let value = member.value(&change.field).unwrap_or(&FieldValue::Null);
                fit::same(value, &change.new, &change.field_type)
            };
            if wanted.get(&member.id).is_some_and(|changes| changes.iter().all(has)) {
                changed.insert(member.id);
            }
        }
    }
    Ok(changed)
}
