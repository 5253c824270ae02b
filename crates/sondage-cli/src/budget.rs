//! `sondage budget`: the day's calls and bytes, used and left.

use crate::export::failed;
use clap::Args;
use serde_json::json;
use sondage::budget::BudgetReport;
use std::io::{self, Write as _};

#[derive(Args)]
pub struct BudgetArgs {
    /// As JSON, for programs: sizes in bytes, times in UTC.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &BudgetArgs) -> io::Result<()> {
    let client = sondage::Client::builder().build_blocking().map_err(failed)?;
    let report = client.budget();
    let mut out = io::stdout().lock();
    if arguments.json {
        return writeln!(out, "{}", written(&report));
    }
    writeln!(out, "{report}")?;
    let shared = client.as_async().config().budget.folder.is_some();
    if report.counted && !shared {
        writeln!(
            out,
            "  Each process counts separately: set SONDAGE_BUDGET_FOLDER to a folder to share one count."
        )?;
    }
    Ok(())
}

fn written(report: &BudgetReport) -> serde_json::Value {
    let time = |time: Option<sondage::Timestamp>| time.map(|time| time.to_string());
    json!({
        "tenant": report.tenant,
        "mode": report.mode.as_str(),
        "counted": report.counted,
        "calls": report.calls,
        "callsLeft": report.calls_left,
        "callsLimit": report.calls_limit,
        "bytes": report.bytes,
        "bytesLeft": report.bytes_left,
        "bytesLimit": report.bytes_limit,
        "sent": report.sent,
        "received": report.received,
        "begins": time(Some(report.begins)),
        "ends": time(Some(report.ends)),
        "since": time(report.since),
        "file": report.file,
        "trouble": report.trouble,
        "pausedUntil": time(report.paused_until),
    })
}
