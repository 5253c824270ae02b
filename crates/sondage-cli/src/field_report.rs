//! `sondage field-report`: the dispositions of everybody who was invited, and the response rates.

use crate::account;
use crate::output::{Output, failed};
use crate::progress;
use crate::values;
use clap::Args;
use sondage::reports::Report as _;
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::FieldReportOptions;
use std::io;

#[derive(Args)]
#[command(after_help = "Example: sondage field-report 1004")]
pub struct FieldReportArgs {
    /// The id of the survey.
    #[arg(value_parser = values::id)]
    survey: i64,
    /// Counts interviews that were started but not completed as partial interviews, not as break-offs.
    #[arg(long)]
    partial: bool,
}

pub fn run(arguments: &FieldReportArgs, output: Output) -> io::Result<()> {
    let client = progress::connect(&account::builder())?;
    let options = FieldReportOptions::new(arguments.survey).partial(arguments.partial);
    let report = client.field_report(options).map_err(failed)?;
    output.show(|| report.to_json(), &report)
}
