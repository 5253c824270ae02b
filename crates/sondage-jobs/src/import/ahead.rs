//! The dry run of an import: what would be sent, and what that costs.

use super::match_members::add_member;
use super::report::RowStatus;
use super::run::Run;
use crate::journal::ChunkKind;
use sondage::budget::Cost;
use sondage::error::Result;
use std::fmt;
use std::time::Instant;

/// What an import has read so far.
pub(super) struct Readings {
    pub begun: Instant,
    /// The calls that reading it again takes.
    pub calls: u64,
    pub bytes: u64,
}

/// What an import would send.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImportAhead {
    pub create: usize,
    pub update: usize,
    pub cost: Cost,
}

impl Run {
    /// What is left to send, now that the existing members are known.
    pub fn ahead(&mut self) -> Result<ImportAhead> {
        let (mut counts, mut calls, mut bytes) = ([0, 0], 0, 0);
        while let Some((what, rows)) = self.due() {
            calls += 1;
            match what {
                ChunkKind::Create => {
                    counts[0] += rows.len();
                    bytes += super::head(&self.import.client, self.import.panel_id)?.len() + super::END.len();
                    let mut member = Vec::new();
                    for row in &rows {
                        member.clear();
                        add_member(&mut self.checked, &self.columns, *row, &mut member)?;
                        bytes += member.len() + 1;
                    }
                }
                ChunkKind::Update => {
                    counts[1] += rows.len();
                    bytes += serde_json::to_vec(&self.changes(&rows)?).map_or(0, |body| body.len());
                }
            }
        }
        let [create, update] = counts;
        let Readings { begun, calls: reading, bytes: read } = self.read;
        let each = begun.elapsed() / u32::try_from(reading).unwrap_or(u32::MAX).max(1);
        // An import with nothing to send has cost what reading costs.
        let bytes = read + u64::try_from(bytes).unwrap_or(u64::MAX);
        Ok(ImportAhead { create, update, cost: Cost::new(reading + calls, bytes, Some(each)) })
    }
}

impl super::ImportReport {
    /// The result of a dry run: how many rows would be created and updated, and the cost of the import.
    pub fn ahead(&self) -> Option<(usize, usize, Cost)> {
        self.ahead.map(|ahead| (ahead.create, ahead.update, ahead.cost))
    }

    /// The counts of a dry run, for display.
    pub(super) fn said_ahead(&self, f: &mut fmt::Formatter<'_>, mut sign: &str) -> fmt::Result {
        let Some(ImportAhead { create, update, cost }) = self.ahead else { return Ok(()) };
        let waiting = self.count(RowStatus::NotSent).saturating_sub(create + update);
        let counts = [
            (create, "to create"),
            (update, "to update"),
            (waiting, "of an earlier call without a response"),
        ];
        for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, "{sign}{count} {what}")?;
            sign = ", ";
        }
        write!(f, "; nothing was sent, and the import costs {cost}")
    }
}
