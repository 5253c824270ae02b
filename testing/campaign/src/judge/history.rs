//! The facts about a cell when it is judged.

use crate::cells::CampaignCell;
use crate::ledger::{Exchange, LedgerData, Verdict};
use crate::report::CallReport;
use std::time::{Duration, Instant};

pub struct CallFacts<'a> {
    pub cell: &'a CampaignCell,
    pub report: &'a CallReport,
    pub pages: &'a LedgerData,
    pub begun: Instant,
    /// When the caller got its result.
    pub ended: Instant,
    /// Every connection was closed, or idle on the service's side.
    pub settled: bool,
}

impl CallFacts<'_> {
    /// The error's kind. None for a success, and for a caller that gave up.
    pub fn error(&self) -> Option<&str> {
        self.report.kind()
    }

    pub fn succeeded(&self) -> bool {
        self.report.kind.is_none() && !self.report.left
    }

    pub fn reads(&self) -> bool {
        self.cell.effect == "read"
    }

    /// Sending it twice would have two effects.
    pub fn only_once(&self) -> bool {
        !matches!(self.cell.effect, "read" | "idempotent_write")
    }

    pub fn exchanges(&self) -> &[Exchange] {
        &self.pages.exchanges
    }

    pub fn last(&self) -> Option<&Exchange> {
        self.pages.exchanges.last()
    }

    /// A request that arrived completely and was not clearly refused.
    pub fn doubtful(&self) -> Option<&Exchange> {
        self.exchanges()
            .iter()
            .find(|exchange| exchange.doubtful() && exchange.means() != Some(Verdict::Success))
    }

    /// Requests whose head arrived before the caller got its result.
    pub fn in_time(&self) -> usize {
        self.exchanges().iter().filter(|exchange| exchange.begun <= self.ended).count()
    }

    /// The maximum number of attempts that the service can have seen.
    pub fn tries(&self) -> usize {
        let theirs = self.pages.connections.iter().filter(|connection| !connection.own);
        theirs.map(|connection| connection.tries.max(1)).sum()
    }

    /// The deadline of the call had passed, or nearly so.
    pub fn out_of_time(&self) -> bool {
        self.ended - self.begun >= Duration::from_millis(self.cell.setting.deadline).mul_f64(0.7)
    }
}
