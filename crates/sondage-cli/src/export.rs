//! `sondage export`: a survey as a file.

use crate::account;
use crate::output::{Output, failed, refused};
use crate::progress;
use crate::values;
use clap::{Args, ValueEnum};
use serde_json::json;
use sondage::arguments::{InterviewState, NotAvailable, Spreadsheet};
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
    /// The file, whose extension determines the format (.parquet, .csv, .jsonl, .xlsx, .sav or .dta).
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
    /// The code by which closed questions say that a choice is not available, a missing answer in the file; `none` leaves it an answer.
    #[arg(long, value_name = "CODE", default_value = "9999999", value_parser = not_available)]
    not_available: NotAvailable,
    /// Labels with the markup of the questionnaire.
    #[arg(long)]
    markup: bool,
    /// Interviews per call. The number of calls is limited, so large pages are better.
    #[arg(long, value_parser = values::count::<i64>)]
    page_size: Option<i64>,
    /// Leaves the file's permissions to the umask. Otherwise only you can read it.
    #[arg(long)]
    shared: bool,
    /// CSV that a spreadsheet opens as it is: with a byte order mark, times in UTC without T and Z, and a leading ' before
    /// text that begins like a formula. With a language, such as `de`, cells and decimals are separated as there.
    #[arg(long, value_name = "LANGUAGE", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    spreadsheet: Option<String>,
    /// What separates the cells of a CSV file: `,`, `;`, `|` or `tab`. Default: `,`.
    #[arg(long)]
    separator: Option<String>,
    /// The decimal sign of a CSV file: `.` or `,`. Default: `.`.
    #[arg(long, value_name = "SIGN")]
    decimal: Option<String>,
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
    let client = progress::connect_async(&account::builder())?;
    let mut query =
        client.interviews(arguments.survey).not_available(arguments.not_available.0).markup(arguments.markup);
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
    let spreadsheet = arguments.spreadsheet.as_deref().map(spreadsheet).transpose()?;
    let (separator, decimal) = (arguments.separator.as_deref(), arguments.decimal.as_deref());
    let options = FileOptions::default().shared(arguments.shared);
    let options = options.csv(spreadsheet, separator, decimal, None).map_err(failed)?;
    let export = query
        .export(&arguments.file)
        .labels(arguments.labels.into())
        .resume(!arguments.anew)
        .options(options);
    let outcome = runtime::block_on(export.run());
    progress::end();
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

/// A code, or `none`.
fn not_available(text: &str) -> Result<NotAvailable, String> {
    match text {
        "none" => Ok(NotAvailable(None)),
        code => code
            .parse()
            .map(|code| NotAvailable(Some(code)))
            .map_err(|_| "a whole number or `none` is needed".to_owned()),
    }
}

/// A language, or any spreadsheet without one.
fn spreadsheet(language: &str) -> io::Result<Spreadsheet> {
    if language.is_empty() {
        return Ok(Spreadsheet::Yes);
    }
    serde_json::from_value(language.into()).map_err(|error| refused(&format!("--spreadsheet: {error}")))
}

fn show(now: &Progress) {
    let of = now.count.map(|count| format!(" of {count}")).unwrap_or_default();
    progress::report(format!("{}{of} interviews, {} calls, {} kB", now.rows, now.calls, now.bytes / 1_000));
}
