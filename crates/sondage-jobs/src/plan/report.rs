//! The outcome of a plan, with a row for each recipient.

use super::left_out::LeftOutRow;
use super::seen::TargetKind;
use sondage::error::Error;
use sondage::model::Secret;
use sondage_macros::{report, words};
use std::collections::BTreeMap;
use std::fmt;

/// The outcome for one recipient of a plan.
#[words]
#[non_exhaustive]
pub enum SendStatus {
    /// The service confirmed the call: the message was taken, the voucher bought, the transition made.
    Done,
    /// The service refused it, and `reason` says why. Nothing was done.
    Refused,
    /// Unknown: the service may have done it, and it is not sent again.
    Unknown,
    /// Not sent, because the run stopped before.
    NotSent,
    /// The plan left it out: `reason` is the plan's reason.
    LeftOut,
}

/// The outcome for one recipient of a plan.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SendRow {
    /// Id of the member; for a member who is created, the row, counted from 0; for a voucher without a member, its number,
    /// counted from 1; for a transition, the id of its object.
    pub target: i64,
    /// For a row: the line of the file, counted from 1, in which it begins; of a workbook, the row of the sheet. Nothing if the rows are
    /// not from a file.
    pub line: Option<u64>,
    /// The outcome, by its name in `docs/plans.md`.
    pub status: SendStatus,
    /// Why, when it is not `done`; of a voucher whose code was lost, that it was.
    pub reason: Option<String>,
    /// The code of a voucher. Anyone who knows it can use it: store it, and do not show it to anybody else.
    pub voucher_code: Option<Secret>,
    /// For a row: the member who was created from it, or who has its key.
    pub member_id: Option<i64>,
}

/// The outcome of a plan.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SendReport {
    /// A row for each recipient and each member who was left out, in the order of their ids; of a plan that creates members, a
    /// row for each row.
    pub rows: Vec<SendRow>,
    /// The members to whom it was sent, or may have been; of new members, those whose ids are known.
    pub members: Vec<i64>,
    /// Rows that are `done`, including those of earlier runs of the journal.
    pub done: usize,
    /// Those of `done` that earlier runs of the journal have sent.
    pub done_before: usize,
    /// Rows that the service refused.
    pub refused: usize,
    /// Rows with an unknown outcome.
    pub unknown: usize,
    /// Rows that were not sent.
    pub not_sent: usize,
    /// Whether the outcome of every row is known, and nothing is left to send.
    pub complete: bool,
    /// Whether it resumed an earlier run of the journal.
    pub resumed: bool,
    /// The sampling project of an invitation.
    pub sampling_project_id: Option<i64>,
    /// The distributor of an invitation.
    pub distributor_id: Option<i64>,
    /// Id of a reminder.
    pub reminder_id: Option<i64>,
    /// The journal, if there is one.
    pub journal: Option<String>,
    /// How to continue; `None` if it is complete.
    pub next: Option<String>,
    /// The error that stopped it; if rows are `unknown`, it says how to find out. `None` if nothing stopped it.
    pub stopped: Option<Error>,
}

/// The results of a run, during the run and afterwards.
#[derive(Clone, Default)]
pub(super) struct Outcome {
    pub rows: BTreeMap<i64, RowOutcome>,
    pub kind: TargetKind,
    /// Members or rows.
    pub left_out: Vec<LeftOutRow>,
    /// The lines of the file in which rows begin.
    pub lines: BTreeMap<i64, u64>,
    pub made: super::request::SendResult,
    pub resumed: bool,
    pub done_before: usize,
    pub journal: Option<String>,
    pub rest: &'static str,
    pub stopped: Option<Error>,
}

#[derive(Clone)]
pub(super) struct RowOutcome {
    pub status: SendStatus,
    pub reason: Option<String>,
    pub voucher: Option<Secret>,
    /// The member who was created.
    pub member: Option<i64>,
}

impl RowOutcome {
    pub fn new(status: SendStatus, reason: Option<String>) -> Self {
        Self { status, reason, voucher: None, member: None }
    }
}

impl Outcome {
    /// Sets the rows of a call.
    pub fn set(&mut self, targets: &[i64], status: SendStatus, reason: Option<&str>) {
        for target in targets {
            self.rows.insert(*target, RowOutcome::new(status, reason.map(str::to_owned)));
        }
    }

    pub fn count(&self, status: SendStatus) -> usize {
        self.rows.values().filter(|row| row.status == status).count()
    }

    pub fn report(&self) -> SendReport {
        let mut rows: Vec<SendRow> = self
            .rows
            .iter()
            .map(|(target, row)| SendRow {
                target: *target,
                line: self.lines.get(target).copied(),
                status: row.status,
                reason: row.reason.clone(),
                voucher_code: row.voucher.clone(),
                member_id: row.member,
            })
            .collect();
        let excluded = self.left_out.iter().filter(|left| !self.rows.contains_key(&left.row));
        rows.extend(excluded.map(|excluded| SendRow {
            target: excluded.row,
            line: excluded.line,
            status: SendStatus::LeftOut,
            reason: Some(match &excluded.why {
                Some(why) => format!("{}: {why}", excluded.reason.as_str()),
                None => excluded.reason.as_str().to_owned(),
            }),
            voucher_code: None,
            member_id: excluded.member,
        }));
        rows.sort_by_key(|row| row.target);
        let perhaps = |row: &&SendRow| matches!(row.status, SendStatus::Done | SendStatus::Unknown);
        let member = |row: &SendRow| match self.kind {
            TargetKind::Members => Some(row.target),
            TargetKind::Rows => row.member_id,
            TargetKind::Other => None,
        };
        let members = rows.iter().filter(perhaps).filter_map(member).collect();
        let [unknown, not_sent] = [SendStatus::Unknown, SendStatus::NotSent].map(|it| self.count(it));
        let refused = self.count(SendStatus::Refused);
        SendReport {
            rows,
            members,
            done: self.count(SendStatus::Done),
            done_before: self.done_before,
            refused,
            unknown,
            not_sent,
            complete: unknown + not_sent == 0,
            resumed: self.resumed,
            sampling_project_id: self.made.sampling_project,
            distributor_id: self.made.distributor,
            reminder_id: self.made.reminder,
            journal: self.journal.clone(),
            next: self.next(unknown, not_sent),
            stopped: self.stopped.clone().map(Error::in_report),
        }
    }

    fn next(&self, unknown: usize, not_sent: usize) -> Option<String> {
        let mut parts = Vec::new();
        if unknown > 0 {
            parts.push(format!(
                "For {unknown} it is not known whether it happened, and nothing is sent to them again automatically: \
                 `stopped`, if present, says how to find out."
            ));
        }
        if not_sent > 0 {
            parts.push(match &self.journal {
                Some(journal) => format!(
                    "{not_sent} were not sent. The same plan with the journal {journal} goes on with them."
                ),
                None => format!("{not_sent} were not sent. {}", self.rest),
            });
        }
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

impl fmt::Display for SendReport {
    /// Counts only, without personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { done, refused, unknown, not_sent, .. } = self;
        if self.rows.is_empty() && self.stopped.is_none() {
            return f.write_str("nothing was sent: nobody was left");
        }
        if self.unknown > 0 && *done == 0 {
            write!(f, "perhaps sent to {unknown}")?;
        } else {
            write!(f, "sent to {done}")?;
            if (1..*done).contains(&self.done_before) {
                write!(f, " ({} of them by an earlier run)", self.done_before)?;
            }
            if *unknown > 0 {
                write!(f, ", perhaps to {unknown} more")?;
            }
        }
        match (self.distributor_id, self.reminder_id) {
            (Some(id), _) => write!(f, " by distributor {id}")?,
            (None, Some(id)) => write!(f, " as reminder {id}")?,
            (None, None) => {}
        }
        // An unknown row may have been sent by this run.
        if *done > 0 && self.done_before == *done && *unknown == 0 {
            f.write_str(" by an earlier run; nothing was sent now")?;
        }
        for (count, what) in [(refused, "refused"), (not_sent, "not sent")] {
            if *count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        match &self.stopped {
            Some(error) => write!(f, ": {error}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_run_that_cannot_have_sent_says_that_it_sent_nothing() {
        let mut outcome = Outcome { resumed: true, done_before: 1, ..Outcome::default() };
        outcome.set(&[1], SendStatus::Done, None);
        assert_eq!(outcome.report().to_string(), "sent to 1 by an earlier run; nothing was sent now");
        outcome.set(&[2], SendStatus::Unknown, None);
        assert_eq!(outcome.report().to_string(), "sent to 1, perhaps to 1 more");
        outcome.set(&[2], SendStatus::Done, None);
        assert_eq!(outcome.report().to_string(), "sent to 2 (1 of them by an earlier run)");
    }
}
