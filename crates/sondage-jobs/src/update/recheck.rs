//! Reads the members of a plan again: whether they still have the values that the plan shows, and which of them a call
//! has updated.

use super::plan::Change;
use super::{Update, fit};
use sondage::error::{Error, Result};
use sondage::model::FieldValue;
use sondage::text;
use std::collections::{HashMap, HashSet};

/// The current state of the members.
#[derive(Default)]
pub(super) struct Standing {
    /// Members that have the new values.
    pub new: HashSet<i64>,
    /// Members that have neither the old nor the new values.
    other: Vec<i64>,
    /// Members that exist.
    seen: HashSet<i64>,
}

impl Standing {
    /// Reads these members.
    pub async fn read(update: &Update, members: &[&[Change]]) -> Result<Self> {
        let changes_by_member: HashMap<i64, &[Change]> =
            members.iter().map(|changes| (changes[0].member, *changes)).collect();
        let fields: HashSet<&String> =
            changes_by_member.values().copied().flatten().map(|change| &change.field).collect();
        let mut pages = update
            .client
            .members(update.panel_id)
            .fields(fields.into_iter().cloned())
            .thorough(true)
            .pager()?;
        pages.fetch_ahead();
        let mut standing = Self::default();
        while let Some(page) = pages.next().await? {
            for member in page {
                let Some(changes) = changes_by_member.get(&member.id) else { continue };
                let now = |change: &Change| member.value(&change.field).unwrap_or(&FieldValue::Null).clone();
                let is =
                    |change: &Change, value: &FieldValue| fit::same(&now(change), value, &change.field_type);
                standing.seen.insert(member.id);
                if changes.iter().all(|change| is(change, &change.new)) {
                    standing.new.insert(member.id);
                } else if changes.iter().any(|change| !is(change, &change.old) && !is(change, &change.new)) {
                    standing.other.push(member.id);
                }
            }
        }
        Ok(standing)
    }

    /// The error if values differ from those of the plan: they would be overwritten.
    pub fn check(&self, members: &[&[Change]]) -> Result<()> {
        let missing: Vec<i64> =
            members.iter().map(|changes| changes[0].member).filter(|id| !self.seen.contains(id)).collect();
        if self.other.is_empty() && missing.is_empty() {
            return Ok(());
        }
        let what = text!(
            "the panel has changed since it was planned: {} have other values now ({}), {} are gone ({})",
            self.other.len(),
            shown(&self.other),
            missing.len(),
            shown(&missing)
        );
        Err(Error::invalid_argument(what)
            .with_hint("Nothing was sent. Plan again, and look at the new plan."))
    }
}

/// The first members, by their ids.
fn shown(members: &[i64]) -> String {
    if members.is_empty() {
        return "nobody".to_owned();
    }
    let first: Vec<String> = members.iter().take(10).map(ToString::to_string).collect();
    let more = if members.len() > first.len() { ", ..." } else { "" };
    first.join(", ") + more
}
