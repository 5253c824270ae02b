//! `sondage archive`: the answers of a survey as documents in a folder.

use crate::account;
use crate::output::{Output, failed};
use crate::progress;
use crate::sandbox::Signals;
use crate::values;
use clap::Args;
use sondage::internals::runtime;
use sondage::reports::Report as _;
use sondage_jobs::Jobs as _;
use sondage_jobs::options::ArchiveOptions;
use sondage_jobs::{Archive, ArchiveProgress, ArchiveReport};
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Example: sondage archive 7 answers --locale de")]
pub struct ArchiveArgs {
    /// The id of the survey.
    #[arg(value_parser = values::id)]
    survey: i64,
    /// The folder. It is created if it does not exist; existing files are kept.
    folder: PathBuf,
    /// Includes interviews that are not completed.
    #[arg(long)]
    partial: bool,
    /// The language of the documents, for example `de`.
    #[arg(long)]
    locale: Option<String>,
    /// The time zone of the times in the documents, for example `Europe/Zurich`.
    #[arg(long)]
    time_zone: Option<String>,
    /// How many documents are downloaded concurrently.
    #[arg(long, default_value_t = ArchiveOptions::DEFAULT_MAX_CONCURRENCY, value_parser = values::count::<usize>)]
    max_concurrency: usize,
    /// Stores nothing: says which documents are there, and what the archive costs.
    #[arg(long)]
    dry_run: bool,
    /// Reports progress even if standard error is not a terminal: a line for each document.
    #[arg(long)]
    progress: bool,
}

pub fn run(arguments: &ArchiveArgs, output: Output) -> io::Result<()> {
    let client = progress::connect_quietly(&account::builder())?;
    let mut options = ArchiveOptions::new(arguments.survey, &arguments.folder)
        .max_concurrency(arguments.max_concurrency)
        .partial(arguments.partial)
        .dry_run(arguments.dry_run);
    options.locale.clone_from(&arguments.locale);
    options.time_zone.clone_from(&arguments.time_zone);
    let mut archive = client.archive_answers(options);
    let terminal = io::stderr().is_terminal() && !arguments.dry_run;
    if terminal || arguments.progress {
        archive = archive.on_progress(move |now| {
            if terminal { progress::report(shown(now)) } else { eprintln!("{}", shown(now)) }
        });
    }
    let report = until_the_end(archive);
    progress::end();
    let report = report?;
    for failed in &report.failed {
        eprintln!("{}: {}", failed.interview, failed.error);
    }
    let now = &report.progress;
    let manifest = report.manifest.display();
    let text = match report.cost {
        Some(cost) => format!("{manifest}: {}; nothing was stored, and the archive costs {cost}", shown(now)),
        None => format!("{manifest}: {}, {} bytes stored", shown(now), now.bytes),
    };
    output.show(|| report.to_json(), text)?;
    if report.failed.is_empty() {
        return Ok(());
    }
    let what = format!("{} documents could not be downloaded; run it again to retry them", now.failed);
    Err(io::Error::other(what))
}

/// Runs until it is complete or interrupted; documents stored by then are kept.
fn until_the_end(archive: Archive) -> io::Result<ArchiveReport> {
    let waiting = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    waiting.block_on(async {
        let end = Signals::listen()?;
        let work = runtime::spawn(archive.run());
        tokio::select! {
            report = work => report.map_err(failed),
            _ = end.wait() => {
                Err(io::Error::other("interrupted; stored documents are kept, and the same command resumes"))
            }
        }
    })
}

fn shown(now: &ArchiveProgress) -> String {
    let present = now.kept + now.stored;
    let failed = if now.failed > 0 { format!(", {} failed", now.failed) } else { String::new() };
    format!("{present} of {} documents{failed}", now.interviews)
}
