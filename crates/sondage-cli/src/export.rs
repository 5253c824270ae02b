//! `sondage export`: a survey as a file.

use crate::account;
use crate::filters::InterviewSelection;
use crate::output::{Output, failed, refused};
use crate::progress;
use crate::values;
use clap::{Args, ValueEnum};
use serde_json::json;
use sondage::arguments::{AnswerCode, AnswerCodes, NotAvailable, Spreadsheet};
use sondage::error::Text;
use sondage::internals::runtime;
use sondage_data::{FileFormat, FileOptions, Tables};
use std::fs::{self, DirBuilder, File};
use std::io;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(Args)]
#[command(after_help = "Example: sondage export 1004 answers.parquet --fields vote,age --labels both\n\
                  In a pipe: sondage export 1004 - --format jsonl --where 'State = Completed' | head")]
pub struct ExportArgs {
    /// The id of the survey.
    #[arg(value_parser = values::id)]
    survey: i64,
    /// The file, whose extension determines the format (.parquet, .csv, .jsonl, .xlsx, .sav or .dta); `-` writes to standard output
    /// when everything has been read.
    file: PathBuf,
    /// The format, whatever the file is called. Default on standard output: CSV.
    #[arg(long)]
    format: Option<String>,
    #[command(flatten)]
    selection: InterviewSelection,
    /// The content of columns that have labels.
    #[arg(long, value_enum, default_value = "codes")]
    labels: CodesOrLabels,
    /// The code by which closed questions say that a choice is not available, a missing answer in the file; `none` leaves it an answer.
    #[arg(long, value_name = "CODE", default_value = "9999999", value_parser = not_available)]
    not_available: NotAvailable,
    /// Labels with the markup of the questionnaire.
    #[arg(long)]
    markup: bool,
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
    /// Whether a CSV file begins with a byte order mark, by which spreadsheets recognise UTF-8. Default: with --spreadsheet only.
    #[arg(long, value_name = "TRUE|FALSE", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    bom: Option<bool>,
    /// The language of questions and labels, such as `de`. Default: the survey's default language.
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// Codes that mean a missing answer in a file of SPSS or Stata, for all columns or for one: `99,-9`, `Q1=96..99`. Can be repeated.
    /// The whole table is then in memory.
    #[arg(long, value_name = "[COLUMN=]CODES", allow_hyphen_values = true, value_parser = missing)]
    missing: Vec<AnswerCodes>,
    /// The column that weights the rows of an SPSS file.
    #[arg(long, value_name = "COLUMN")]
    weight: Option<String>,
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
    let to_stdout = arguments.file.as_os_str() == "-";
    let format = match &arguments.format {
        None if to_stdout => FileFormat::Csv,
        name => FileFormat::of_name(name.as_deref(), &arguments.file).map_err(failed)?,
    };
    if to_stdout {
        output.none("export -")?;
        if arguments.shared || arguments.anew {
            return Err(refused(
                "--shared and --anew are about a file, and there is none on standard output",
            ));
        }
    }
    let spreadsheet = arguments.spreadsheet.as_deref().map(spreadsheet).transpose()?;
    let (separator, decimal) = (arguments.separator.as_deref(), arguments.decimal.as_deref());
    let options = FileOptions::default().shared(arguments.shared);
    let mut options = options.csv(spreadsheet, separator, decimal, arguments.bom).map_err(failed)?;
    options.weight.clone_from(&arguments.weight);
    let client = progress::connect_async(&account::builder())?;
    let mut query =
        client.interviews(arguments.survey).not_available(arguments.not_available.0).markup(arguments.markup);
    if let Some(language) = &arguments.language {
        query = query.language(language);
    }
    let query = arguments.selection.of(query)?;
    let folder = to_stdout.then(TemporaryFolder::create).transpose()?;
    let path = folder.as_ref().map_or(arguments.file.clone(), |folder| folder.0.join("export"));
    let mut export = query
        .export(&path)
        .format(format)
        .labels(arguments.labels.into())
        .resume(!arguments.anew && !to_stdout)
        .options(options);
    if !arguments.missing.is_empty() {
        let all = |codes: AnswerCodes, more: &AnswerCodes| {
            more.iter().fold(codes, |codes, (column, some)| codes.and(column, some.to_vec()))
        };
        export = export.missing(arguments.missing.iter().fold(AnswerCodes::default(), all));
    }
    let outcome = runtime::block_on(export.run());
    progress::end();
    let report = outcome.map_err(failed)?;
    for warning in &report.warnings {
        // The warning contains column names, which come from the service.
        progress::note(Text::from(warning.to_string()));
    }
    if to_stdout {
        io::copy(&mut File::open(&path)?, &mut io::stdout().lock())?;
        return Ok(());
    }
    let (path, calls) = (report.path.display(), report.progress.calls);
    let facts = || json!({ "path": report.path, "rows": report.rows, "size": report.size, "calls": calls });
    let text = format!("{path}: {} interviews, {} bytes, {calls} calls", report.rows, report.size);
    output.show(facts, text)
}

/// A folder that only this user can read, and that is removed at the end.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn create() -> io::Result<Self> {
        let folder = DirBuilder::new();
        #[cfg(unix)]
        let folder = {
            let mut private = folder;
            std::os::unix::fs::DirBuilderExt::mode(&mut private, 0o700);
            private
        };
        let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let path = std::env::temp_dir().join(format!("sondage-export-{}-{started}", std::process::id()));
        folder.create(&path)?;
        progress::remove_when_interrupted(&path);
        Ok(Self(path))
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // If this fails, the operating system removes it some day.
        let _ = fs::remove_dir_all(&self.0);
    }
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

/// Codes for all columns or of one, each a number, a text or a range of numbers with both ends.
fn missing(text: &str) -> Result<AnswerCodes, String> {
    let (column, list) = text.split_once('=').unwrap_or((AnswerCodes::ALL, text));
    if column.trim().is_empty() {
        return Err("a column is needed before `=`, such as Q1=99".to_owned());
    }
    let codes = list.split(',').map(|text| code(text.trim())).collect::<Result<Vec<_>, _>>()?;
    Ok(AnswerCodes::of(column, codes))
}

fn code(text: &str) -> Result<AnswerCode, String> {
    if let Some((low, high)) = text.split_once("..") {
        return match (low.parse::<i64>(), high.parse::<i64>()) {
            (Ok(low), Ok(high)) if low <= high => Ok(AnswerCode::from(low..=high)),
            (Ok(_), Ok(_)) => Err(format!("{text} has no codes: give the lower end first")),
            _ => Err(format!("{text:?} is no range: it has two whole numbers, such as 96..99")),
        };
    }
    Ok(match (text.parse::<i64>(), text.parse::<f64>()) {
        _ if text.is_empty() => {
            return Err("a code is missing: give some such as 99,-9 or Q1=96..99".to_owned());
        }
        // `01` is a text.
        (Ok(number), _) if number.to_string() == text => AnswerCode::from(number),
        (Err(_), Ok(number)) if number.is_finite() => AnswerCode::from(number),
        _ => AnswerCode::from(text),
    })
}

/// A language, or any spreadsheet without one.
fn spreadsheet(language: &str) -> io::Result<Spreadsheet> {
    if language.is_empty() {
        return Ok(Spreadsheet::Yes);
    }
    let why =
        || format!("--spreadsheet: {language:?} is not the tag of a language; use one such as de or fr-CH");
    serde_json::from_value(language.into()).map_err(|_| refused(&why()))
}
