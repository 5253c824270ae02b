//! `sondage budget`: the day's calls and bytes, used and left.

use crate::account;
use crate::output::Output;
use crate::progress;
use clap::Args;
use sondage::reports::Report as _;
use std::io::{self, Write as _};

#[derive(Args)]
#[command(after_help = "Example: sondage budget --facts")]
pub struct BudgetArgs {
    /// What is known about the service instead, so that lists take fewer calls: each fact with its evidence and time.
    #[arg(long)]
    facts: bool,
}

pub fn run(arguments: &BudgetArgs, output: Output) -> io::Result<()> {
    let client = progress::connect(&account::builder())?;
    if arguments.facts {
        let report = client.service_facts();
        return output.show(|| report.to_json(), &report);
    }
    let report = client.budget();
    output.show(|| report.to_json(), &report)?;
    let shared = client.as_async().config().budget.folder.is_some();
    if report.counted && !shared && !output.json {
        // Unlike `println!`, this does not panic when the pipe is closed.
        writeln!(
            io::stdout(),
            "  Each process counts separately: set SONDAGE_BUDGET_FOLDER to a folder to share one count."
        )?;
    }
    Ok(())
}
