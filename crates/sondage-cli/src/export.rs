//! `sondage export`: a survey as a file.

use crate::account;
use crate::output::{Output, failed};
use crate::values;
use clap::{Args, ValueEnum};
use serde_json::json;
use sondage::arguments::InterviewState;
use sondage::error::Text;
use sondage::internals::runtime;
use sondage::paging::Progress;
use sondage_data::{FileFormat, FileOptions, Tables};
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Example: sondage export 7 answers.parquet --fields Age,Region --labels both")]
pub struct ExportArgs {
    /// The id of the survey.
    #[arg(value_parser = values::id)]
    survey: i64,
    /// The file, whose extension determines the format (.parquet, .csv or .jsonl).
    file: PathBuf,
    /// Only these questions and columns, separated by commas. Always name them: it saves time and traffic.
    #[arg(long, value_delimiter = ',')]
    fields: Option<Vec<String>>,
    /// Only interviews in this state.
    #[arg(long, value_parser = values::state())]
    state: Option<InterviewState>,
    /// The content of columns that have labels.
    #[arg(long, value_enum, default_value = "codes")]
    labels: CodesOrLabels,
    /// Interviews per call. The number of calls is limited, so large pages are better.
    #[arg(long, value_parser = values::count::<i64>)]
    page_size: Option<i64>,
    /// Leaves the file's permissions to the umask. Otherwise only you can read it.
    #[arg(long)]
    shared: bool,
    /// CSV that a spreadsheet opens as it is: with a byte order mark, times in UTC without T and Z, and a leading ' before
    /// text that begins like a formula.
    #[arg(long)]
    spreadsheet: bool,
    /// What separates the cells of a CSV file: `,`, `;`, `|` or `tab`. Spreadsheets of countries with a decimal comma expect
    /// `;`. Default: `,`.
    #[arg(long)]
    separator: Option<String>,
    /// Starts over instead of resuming an interrupted export.
    #[arg(long)]
    anew: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum CodesOrLabels {
    Codes,
    Labels,
    Both,
}

impl From<CodesOrLabels> for sondage_data::Labels {
    fn from(labels: CodesOrLabels) -> Self {
        match labels {
            CodesOrLabels::Codes => Self::Codes,
            CodesOrLabels::Labels => Self::Labels,
            CodesOrLabels::Both => Self::Both,
        }
    }
}

pub fn run(arguments: &ExportArgs, output: Output) -> io::Result<()> {
    FileFormat::of_name(None, &arguments.file).map_err(failed)?;
    let client = account::builder().build().map_err(failed)?;
    let mut query = client.interviews(arguments.survey);
    if let Some(fields) = &arguments.fields {
        query = query.fields(fields.iter().cloned());
    }
    if let Some(state) = arguments.state {
        query = query.state(state);
    }
    if let Some(rows) = arguments.page_size {
        query = query.page_size(rows);
    }
    if io::stderr().is_terminal() {
        query = query.on_progress(show);
    }
    let options = FileOptions::default().shared(arguments.shared).spreadsheet(arguments.spreadsheet);
    let options = options.separated_by(arguments.separator.as_deref()).map_err(failed)?;
    let export = query
        .export(&arguments.file)
        .labels(arguments.labels.into())
        .resume(!arguments.anew)
        .options(options);
    let outcome = runtime::block_on(export.run());
    if io::stderr().is_terminal() {
        eprintln!();
    }
    let report = outcome.map_err(failed)?;
    for warning in &report.warnings {
        // The warning contains column names, which come from the service.
        eprintln!("note: {}", Text::from(warning.to_string()));
    }
    let (path, calls) = (report.path.display(), report.progress.calls);
    let facts = || json!({ "path": report.path, "rows": report.rows, "size": report.size, "calls": calls });
    let text = format!("{path}: {} interviews, {} bytes, {calls} calls", report.rows, report.size);
    output.show(facts, text)
}

fn show(now: &Progress) {
    let of = now.count.map(|count| format!(" of {count}")).unwrap_or_default();
    eprint!("\r{}{of} interviews, {} calls, {} kB ", now.rows, now.calls, now.bytes / 1_000);
}
