//! `sondage import`: creates members from the rows of a CSV file or a workbook.

use crate::account;
use crate::journal;
use crate::output::{Output, failed, stopped};
use crate::progress;
use crate::values;
use clap::{Args, ValueEnum};
use sondage::Error;
use sondage::internals::runtime;
use sondage::reports::Report as _;
use sondage_data::{Csv, FileFormat, FileOptions, file_rows, import_table, row_stream};
use sondage_jobs::Jobs as _;
use sondage_jobs::options::{ImportOptions, JournalPlace};
use sondage_jobs::{Duplicates, Existing, ImportReport, RowStatus, RowStream};
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Example: sondage import 1002 people.csv --key Email --report outcome.csv")]
pub struct ImportArgs {
    /// The id of the panel or sample.
    #[arg(value_parser = values::id)]
    panel: i64,
    /// The CSV file, or the workbook (.xlsx). Its first line names the fields. How a CSV file is written is recognised.
    file: PathBuf,
    #[command(flatten)]
    csv: CsvArgs,
    /// The field that identifies a person, for example `Email`.
    #[arg(long)]
    key: String,
    /// What to do with members who already exist.
    #[arg(long, value_enum, default_value = "skip")]
    existing: Present,
    #[command(flatten)]
    rules: RuleArgs,
    /// Members per request.
    #[arg(long, default_value_t = 1000, value_parser = values::count::<usize>)]
    chunk_size: usize,
    /// Sends nothing: says what would be created and updated, and what the import costs.
    #[arg(long)]
    dry_run: bool,
    /// The journal, in which the import records what it has sent: a file, or `sqlite:FILE#NAME`. Default: a file in the
    /// user's state folder, emptied when the import is complete.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// After an interruption: how many seconds the service may still be processing the last call. Default: 180.
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", value_parser = values::seconds)]
    quiet: Option<Duration>,
    /// Writes the outcome of each row to this file (.csv, .parquet or .jsonl).
    #[arg(long)]
    report: Option<PathBuf>,
}

/// How a file is read.
#[derive(Args)]
pub struct CsvArgs {
    /// What separates the columns of the file: a sign, or `tab`. Default: it is recognised.
    #[arg(long, value_name = "SIGN")]
    separator: Option<String>,
    /// The encoding of the file, for example `windows-1252`. Default: it is recognised.
    #[arg(long)]
    encoding: Option<String>,
    /// What separates the decimals of numbers in the file: `.` or `,`. Default: it is recognised.
    #[arg(long, value_name = "SIGN")]
    decimal: Option<String>,
    /// Whether texts of the file have the sign `'` before them that `export --spreadsheet` writes: it is removed, or belongs to the text.
    #[arg(long, value_name = "true|false")]
    guarded: Option<bool>,
    /// The sheet of a workbook. Default: the first that is shown.
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
}

impl CsvArgs {
    pub fn rows(&self, file: &Path) -> sondage::Result<impl RowStream + use<>> {
        let mut csv = Csv::new();
        csv.separator.clone_from(&self.separator);
        csv.encoding.clone_from(&self.encoding);
        csv.decimal.clone_from(&self.decimal);
        csv.guarded = self.guarded;
        row_stream(file_rows(file, &csv, self.sheet.as_deref())?)
    }
}

/// Which rows count, and how their values are read.
#[derive(Args)]
pub struct RuleArgs {
    /// What to do with rows that have the same key.
    #[arg(long, value_enum, default_value = "error")]
    duplicates: Repeated,
    /// Removes blanks around the values of rows.
    #[arg(long)]
    pub strip: bool,
}

impl RuleArgs {
    pub fn duplicates(&self) -> Duplicates {
        match self.duplicates {
            Repeated::Error => Duplicates::Error,
            Repeated::First => Duplicates::First,
            Repeated::Last => Duplicates::Last,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Repeated {
    /// None of them counts, and all are refused.
    Error,
    /// The first of them counts.
    First,
    /// The last of them counts.
    Last,
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
    let report_file = arguments.report.as_deref().map(|path| report_place(path, arguments)).transpose()?;
    let client = progress::connect_async(&progress::shown(account::builder()))?;
    let mut options = ImportOptions::new(arguments.panel, &arguments.key)
        .chunk_size(arguments.chunk_size)
        .dry_run(arguments.dry_run)
        .duplicates(arguments.rules.duplicates())
        .strip(arguments.rules.strip)
        .existing(match arguments.existing {
            Present::Skip => Existing::Skip,
            Present::Update => Existing::Update,
            Present::Error => Existing::Error,
        });
    options.quiet = arguments.quiet;
    if let Some(named) = &arguments.journal {
        options = options.journal(JournalPlace::store(journal::store(named)?));
    }
    // As people count, and as messages about lines of the file do.
    let import = client.import_members(options).rows_from(1);
    let rows = arguments.csv.rows(&arguments.file).map_err(failed)?;
    let report = runtime::block_on(import.run_stream(rows)).map_err(failed)?;
    output.show(|| report.facts().to_json(), &report)?;
    tell_refused(&report);
    if let Some((path, format)) = report_file {
        let written =
            import_table(&report).and_then(|table| table.save_with(path, format, FileOptions::default()));
        written.map_err(|error| unwritten(&error))?;
    }
    match report.stopped {
        Some(error) => Err(stopped(error)),
        None if report.is_complete() || arguments.dry_run => Ok(()),
        None => Err(io::Error::other("the outcome of some rows is unknown: run it again")),
    }
}

/// Where the report is written, checked before anything is sent: the outcome of each row would be lost otherwise.
fn report_place<'a>(path: &'a Path, arguments: &ImportArgs) -> io::Result<(&'a Path, FileFormat)> {
    let refused =
        |what: String| io::Error::new(ErrorKind::InvalidInput, format!("{what}. Nothing was sent."));
    let format = FileFormat::of_path(path).ok_or_else(|| {
        refused("the name of the --report must end with .csv, .parquet or .jsonl".to_owned())
    })?;
    if path.is_dir() {
        return Err(refused(format!("the --report {} is a folder", path.display())));
    }
    let journal = arguments.journal.as_deref().map(journal::file_of);
    for (other, what) in [(Some(&*arguments.file), "file that is imported"), (journal, "--journal")] {
        if other.is_some_and(|other| is_same_place(path, other)) {
            return Err(refused(format!(
                "the --report {} is the {what}, which it would replace: name another file",
                path.display()
            )));
        }
    }
    let probe = path.with_extension(format!("{}.check", process::id()));
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&probe)
        .and_then(|_| fs::remove_file(&probe))
        .map_err(|why| refused(format!("the --report {} cannot be written ({why})", path.display())))?;
    Ok((path, format))
}

/// Whether two names are those of one file, which need not be there yet.
fn is_same_place(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| {
        path.canonicalize().or_else(|_| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            Ok(folder.unwrap_or(Path::new(".")).canonicalize()?.join(path.file_name().unwrap_or_default()))
        })
    };
    let paths: [io::Result<PathBuf>; 2] = [real(one), real(other)];
    matches!(paths, [Ok(one), Ok(other)] if one == other) || is_same_file(one, other)
}

/// Whether a file has both names, as after `ln`.
#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let files = [one, other].map(|path| fs::metadata(path).map(|file| (file.dev(), file.ino())));
    matches!(files, [Ok(one), Ok(other)] if one == other)
}

#[cfg(not(unix))]
fn is_same_file(_: &Path, _: &Path) -> bool {
    false
}

/// The import has ended, whatever the library says about the writing of a file.
fn unwritten(error: &Error) -> io::Error {
    io::Error::other(format!(
        "{}, so there is no --report. The import has ended as shown above: the same command finds the members that it has created.",
        error.what()
    ))
}

/// How many refused rows are shown.
const SHOWN: usize = 10;

/// The first rows that were refused, with their reasons.
fn tell_refused(report: &ImportReport) {
    for row in report.rows().filter(|row| row.status == RowStatus::Refused).take(SHOWN) {
        // A service's message may contain a value; it is shown on this terminal only.
        let place = row.line.map_or_else(|| row.row.to_string(), |line| format!("{} (line {line})", row.row));
        progress::note(format_args!("row {place} was refused: {}", row.reason.unwrap_or_default()));
    }
    let refused = report.count(RowStatus::Refused);
    if refused > SHOWN {
        progress::note(format_args!(
            "{} more were refused; --report writes the outcome of each row",
            refused - SHOWN
        ));
    }
    if refused > 0 {
        progress::note(
            "row 1 is the one below the names of the columns; rows without a value are not counted",
        );
    }
}
