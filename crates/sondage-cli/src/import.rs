//! `sondage import`: creates members from the rows of a CSV file.

use crate::journal;
use crate::output::{Output, failed};
use crate::progress::shown;
use clap::{Args, ValueEnum};
use sondage::internals::runtime;
use sondage::jobs::{Existing, ImportReport, RowStatus};
use sondage::reports::Report as _;
use sondage_data::{FileFormat, FileOptions, csv_rows, import_table, row_stream};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Example: sondage import 1002 people.csv --key Email --report outcome.csv")]
pub struct ImportArgs {
    /// The id of the panel or sample.
    panel: i64,
    /// The CSV file, in UTF-8. Its first line names the fields, separated by commas.
    file: PathBuf,
    /// The field that identifies a person, for example `Email`.
    #[arg(long)]
    key: String,
    /// What to do with members who already exist.
    #[arg(long, value_enum, default_value = "skip")]
    existing: Present,
    /// Members per request.
    #[arg(long, default_value_t = 1000)]
    chunk_size: usize,
    /// Sends nothing: says what would be created and updated, and what the import costs.
    #[arg(long)]
    dry_run: bool,
    /// The journal, in which the import records what it has sent: a file, or `sqlite:FILE#NAME`. Default: a file in the
    /// user's state folder, emptied when the import is complete.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// After an interruption: how many seconds the service may still be processing the last call. Default: 180.
    #[arg(long)]
    quiet: Option<f64>,
    /// Writes the outcome of each row to this file (.csv, .parquet or .jsonl).
    #[arg(long)]
    report: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Present {
    /// Existing members are left unchanged.
    Skip,
    /// Existing members are updated with the values of their rows.
    Update,
    /// The import fails before it sends anything.
    Error,
}

pub fn run(arguments: &ImportArgs, output: Output) -> io::Result<()> {
    let format = arguments.report.as_deref().map(|path| (path, FileFormat::of_path(path)));
    let format = match format {
        Some((_, None)) => {
            return Err(io::Error::other("the name of the report must end with .csv, .parquet or .jsonl"));
        }
        Some((path, Some(format))) => Some((path, format)),
        None => None,
    };
    let client = shown(sondage::Client::builder()).build().map_err(failed)?;
    let mut import = client
        .import_members(arguments.panel, &arguments.key)
        .chunk_size(arguments.chunk_size)
        .existing(match arguments.existing {
            Present::Skip => Existing::Skip,
            Present::Update => Existing::Update,
            Present::Error => Existing::Error,
        });
    if let Some(quiet) = arguments.quiet {
        let quiet = Duration::try_from_secs_f64(quiet);
        import = import.quiet(quiet.map_err(|why| io::Error::other(format!("--quiet: {why}")))?);
    }
    if arguments.dry_run {
        import = import.dry_run();
    }
    if let Some(named) = &arguments.journal {
        import = import.journal(journal::store(named)?);
    }
    let rows = row_stream(csv_rows(&arguments.file).map_err(failed)?).map_err(failed)?;
    let report = runtime::block_on(import.run_stream(rows)).map_err(failed)?;
    if let Some((path, format)) = format {
        import_table(&report)
            .and_then(|table| table.save_with(path, format, FileOptions::default()))
            .map_err(failed)?;
    }
    output.show(|| report.facts().to_json(), &report)?;
    tell_refused(&report);
    match report.stopped {
        Some(error) => Err(failed(error)),
        None if report.is_complete() || arguments.dry_run => Ok(()),
        None => Err(io::Error::other("the outcome of some rows is unknown: run it again")),
    }
}

/// The first rows that were refused, with their reasons.
fn tell_refused(report: &ImportReport) {
    for row in report.rows().filter(|row| row.status == RowStatus::Refused).take(10) {
        // A service's message may contain a value; it is shown on this terminal only.
        eprintln!("note: row {} was refused: {}", row.row, row.reason.unwrap_or_default());
    }
}
