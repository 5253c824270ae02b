//! What was read for a plan: whom or what it reaches, and what reading it again costs.

use super::left_out::{LeftOut, LeftOutReason};
use super::past::Past;
use crate::jobs::redeem::Stock;
use std::collections::{BTreeMap, HashSet};

/// What was read for a plan.
#[derive(Default)]
pub(in crate::jobs) struct Seen {
    pub survey_id: Option<i64>,
    pub panel_id: Option<i64>,
    /// What it reaches, ascending: members by their numbers, vouchers counted from 1, or the one thing that goes to another state.
    pub targets: Vec<i64>,
    /// Whether the targets are members.
    pub members: bool,
    /// They match and are not reached, ascending.
    pub left_out: Vec<LeftOut>,
    /// Calls that reading it once more takes.
    pub calls: u64,
    /// Bytes of the lists that are read for it.
    pub bytes: u64,
    /// What the plan is bound to beside its targets, and shows.
    pub bound: String,
    /// What it shows beside that.
    pub beside: String,
    pub detail: Detail,
}

/// What the calls need beside the targets.
#[derive(Default)]
pub(in crate::jobs) enum Detail {
    #[default]
    None,
    /// Where each member's mail goes.
    Mails(BTreeMap<i64, MailTo>),
    /// What there is to buy vouchers with.
    Stock(Stock),
}

/// Where a mail goes, and in which language.
pub(in crate::jobs) struct MailTo {
    pub address: String,
    pub language: String,
}

impl Seen {
    /// Takes out what an earlier run has sent, or may have.
    pub(super) fn without(&mut self, past: &Past) {
        if past.is_empty() {
            return;
        }
        let (left_out, members) = (&mut self.left_out, self.members);
        self.targets.retain(|target| {
            let reason = match past.status(*target) {
                None => return true,
                Some(true) => LeftOutReason::Sent,
                Some(false) => LeftOutReason::Unknown,
            };
            if members {
                left_out.push(LeftOut { member: *target, reason });
            }
            false
        });
        // Who got the message in an earlier run is left out for that reason, whatever it has made of them since.
        for left in left_out.iter_mut() {
            match past.status(left.member) {
                Some(true) if members => left.reason = LeftOutReason::Sent,
                Some(false) if members => left.reason = LeftOutReason::Unknown,
                _ => {}
            }
        }
        left_out.sort_by_key(|left| left.member);
    }

    /// `58 of 66: 6 have no address, 2 opted out`
    pub fn reached(&self) -> String {
        let reached = self.targets.len();
        let told = |reason: LeftOutReason| {
            let count = self.left_out.iter().filter(|left| left.reason == reason).count();
            (count > 0).then(|| format!("{count} {}", reason.of(count)))
        };
        let reasons: Vec<String> = LeftOutReason::ALL.into_iter().filter_map(told).collect();
        let joint = if reasons.is_empty() { "" } else { ": " };
        format!("{reached} of {}{joint}{}", reached + self.left_out.len(), reasons.join(", "))
    }

    /// Who came and who went since an earlier reading.
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
