//! The report of the daily budget.

use serde::Serialize;
use sondage::{Timestamp, budget};

/// The day's calls and bytes, used and left.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BudgetReport {
    tenant: String,
    mode: &'static str,
    counted: bool,
    calls: u64,
    calls_left: u64,
    calls_limit: u64,
    bytes: u64,
    bytes_left: u64,
    bytes_limit: u64,
    sent: u64,
    received: u64,
    begins: Timestamp,
    ends: Timestamp,
    since: Option<Timestamp>,
    file: Option<String>,
    trouble: Option<String>,
    paused_until: Option<Timestamp>,
}

impl From<budget::BudgetReport> for BudgetReport {
    fn from(report: budget::BudgetReport) -> Self {
        Self {
            tenant: report.tenant,
            mode: report.mode.as_str(),
            counted: report.counted,
            calls: report.calls,
            calls_left: report.calls_left,
            calls_limit: report.calls_limit,
            bytes: report.bytes,
            bytes_left: report.bytes_left,
            bytes_limit: report.bytes_limit,
            sent: report.sent,
            received: report.received,
            begins: report.begins,
            ends: report.ends,
            since: report.since,
            file: report.file.map(|file| file.display().to_string()),
            trouble: report.trouble,
            paused_until: report.paused_until,
        }
    }
}
