//! The data read for a plan: its recipients, and the cost of reading them again.

use super::left_out::{LeftOut, LeftOutReason, LeftOutRow};
use super::past::Past;
use crate::message::newcomers::Newcomers;
use crate::redeem::Stock;
use sondage::model::PanelField;
use std::collections::{BTreeMap, HashSet};

/// The data read for a plan.
#[derive(Default)]
pub(crate) struct Seen {
    pub survey_id: Option<i64>,
    pub panel_id: Option<i64>,
    /// The recipients in ascending order: members by their ids, rows counted from 0, vouchers counted from 1, or the one
    /// object of a transition.
    pub targets: Vec<i64>,
    pub kind: TargetKind,
    /// For each recipient of a message: where it goes, and the language of the recipient. A plan is refused when one of them has
    /// changed since.
    pub recipients: BTreeMap<i64, Recipient>,
    /// Matching members, or rows, that are left out, in ascending order.
    pub left_out: Vec<LeftOut>,
    /// The fields of the panel, and the workspace of the survey: they decide about nobody, so a run does not read them again.
    pub fields: Vec<PanelField>,
    pub workspace_id: Option<i64>,
    /// The number of calls for reading everything once more.
    pub calls: u64,
    /// The number of calls that read back what was created.
    pub calls_after: u64,
    /// Bytes of the lists that are read.
    pub bytes: u64,
    /// What would cost fewer calls, as sentences.
    pub cheaper: Vec<String>,
    /// Other data that must not change until the plan is run, and are displayed.
    pub frozen_terms: String,
    /// Other data that are displayed.
    pub notes: String,
    pub detail: Detail,
}

/// Where a message to a recipient goes by its channel, and in which language the recipient reads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Recipient {
    pub address: String,
    pub language: Option<String>,
}

/// What the numbers of recipients mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TargetKind {
    /// Ids of members.
    Members,
    /// Rows from which members are created.
    Rows,
    /// Anything else. Nobody is left out.
    #[default]
    Other,
}

/// Other data that the calls need.
#[derive(Default)]
pub(crate) enum Detail {
    #[default]
    None,
    /// The address of each member's mail.
    Mails(BTreeMap<i64, MailTo>),
    /// The price of the vouchers, and what is available.
    Stock(Stock),
    /// The members to create.
    Newcomers(Box<Newcomers>),
}

/// The address of a mail, and its language.
pub(crate) struct MailTo {
    pub address: String,
    pub language: String,
}

impl Seen {
    /// The recipient, as a text for a digest. It is empty for what is no message.
    pub fn recipient(&self, target: i64) -> String {
        self.recipients.get(&target).map_or_else(String::new, |recipient| format!("{recipient:?}"))
    }

    /// Removes recipients to whom an earlier run has sent, or may have sent.
    pub(super) fn without(&mut self, past: &Past) {
        if past.is_empty() {
            return;
        }
        let (left_out, named) = (&mut self.left_out, self.kind != TargetKind::Other);
        self.targets.retain(|target| {
            let reason = match past.status(*target) {
                None => return true,
                Some(true) => LeftOutReason::Sent,
                Some(false) => LeftOutReason::Unknown,
            };
            if named {
                left_out.push(LeftOut { member: *target, reason });
            }
            false
        });
        // A member who got the message in an earlier run is left out for that reason, whatever has changed since.
        for left in left_out.iter_mut() {
            match past.status(left.member) {
                Some(true) if named => left.reason = LeftOutReason::Sent,
                Some(false) if named => left.reason = LeftOutReason::Unknown,
                _ => {}
            }
        }
        left_out.sort_by_key(|left| left.member);
    }

    /// The members who have the keys of rows, by row.
    pub fn existing_members(&self) -> Option<&BTreeMap<i64, i64>> {
        match &self.detail {
            Detail::Newcomers(newcomers) => Some(&newcomers.existing_members),
            _ => None,
        }
    }

    /// The line of the file in which a row begins.
    pub fn line(&self, row: i64) -> Option<u64> {
        match &self.detail {
            Detail::Newcomers(newcomers) => newcomers.format.as_ref()?.line(usize::try_from(row).ok()?),
            _ => None,
        }
    }

    /// A row that is left out, with what is known about it.
    pub fn left_out_row(&self, left: &LeftOut) -> LeftOutRow {
        let why = match &self.detail {
            Detail::Newcomers(newcomers) => newcomers.why.get(&left.member).map(ToString::to_string),
            _ => None,
        };
        let member = self.existing_members().and_then(|members| members.get(&left.member).copied());
        LeftOutRow { row: left.member, line: self.line(left.member), reason: left.reason, why, member }
    }

    /// `58 of 66: 6 have no address, 2 opted out`
    pub fn reached(&self) -> String {
        let reached = self.targets.len();
        let describe = |reason: LeftOutReason| {
            let count = self.left_out.iter().filter(|left| left.reason == reason).count();
            (count > 0).then(|| format!("{count} {}", reason.of(count)))
        };
        let reasons: Vec<String> = LeftOutReason::ALL.into_iter().filter_map(describe).collect();
        let joint = if reasons.is_empty() { "" } else { ": " };
        format!("{reached} of {}{joint}{}", reached + self.left_out.len(), reasons.join(", "))
    }

    /// The members who were added and removed since an earlier reading.
    pub fn difference(&self, before: &Self) -> Option<(Vec<i64>, Vec<i64>)> {
        let without = |all: &[i64], others: &[i64]| -> Vec<i64> {
            let others: HashSet<i64> = others.iter().copied().collect();
            all.iter().copied().filter(|id| !others.contains(id)).collect()
        };
        let came = without(&self.targets, &before.targets);
        let went = without(&before.targets, &self.targets);
        (!came.is_empty() || !went.is_empty()).then_some((came, went))
    }
}
