//! `sondage budget`: the day's calls and bytes, used and left.

use crate::account;
use crate::output::{Output, failed};
use sondage::reports::Report as _;
use std::io::{self, Write as _};

pub fn run(output: Output) -> io::Result<()> {
    let client = account::builder().build_blocking().map_err(failed)?;
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
