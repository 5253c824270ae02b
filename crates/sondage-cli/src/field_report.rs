//! `sondage field-report` and `sondage distribution`: what became of those who were invited.

use crate::account;
use crate::output::{Output, failed};
use crate::progress;
use crate::results::show;
use crate::values;
use clap::Args;
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{DistributionOptions, FieldReportOptions};
use std::io;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Example: sondage field-report 1004 --by Language")]
pub struct FieldReportArgs {
    /// The id of the survey.
    #[arg(value_parser = values::id)]
    survey: i64,
    /// The column by whose values the cases are broken down: one of the service, or a closed question.
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// Counts interviews that were started but not completed as partial interviews, not as break-offs.
    #[arg(long)]
    partial: bool,
    /// Writes a picture to this file, as SVG; `-` is standard output, in place of the result.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "Example: sondage distribution 1031 --survey 1004")]
pub struct DistributionArgs {
    /// The id of the distributor, which `sondage distributors` lists.
    #[arg(value_parser = values::id)]
    distributor: i64,
    /// The id of its survey. Default: it is looked up.
    #[arg(long, value_parser = values::id)]
    survey: Option<i64>,
    /// Writes a picture to this file, as SVG; `-` is standard output, in place of the result.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub fn run(arguments: &FieldReportArgs, output: Output) -> io::Result<()> {
    let client = progress::connect(&account::builder())?;
    let mut options = FieldReportOptions::new(arguments.survey).partial(arguments.partial);
    options.by.clone_from(&arguments.by);
    let report = client.field_report(options).map_err(failed)?;
    show(&report, arguments.svg.as_deref(), output)
}

pub fn distribution(arguments: &DistributionArgs, output: Output) -> io::Result<()> {
    let client = progress::connect(&account::builder())?;
    let mut options = DistributionOptions::new(arguments.distributor);
    options.survey_id = arguments.survey;
    let report = client.distribution(options).map_err(failed)?;
    show(&report, arguments.svg.as_deref(), output)
}
