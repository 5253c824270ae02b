//! `--journal` of the commands, and `sondage journal show`.

use crate::output::{Output, failed};
use clap::{Args, Subcommand};
use sondage_jobs::options::JournalPlace;
use sondage_jobs::{FileJournal, JournalStore, JournalSummary};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Opens the journal of this name in a database.
pub type OpenDatabase = fn(&str) -> Box<dyn JournalStore>;

/// Begins the name of a journal in a database.
const IN_DATABASE: &str = "sqlite:";

static DATABASES: OnceLock<OpenDatabase> = OnceLock::new();

/// From now on, `sqlite:...` names a journal in a database.
pub fn with_databases(open: OpenDatabase) {
    let _ = DATABASES.set(open);
}

/// The store of a journal in a database; `None`: the name is that of a file.
fn in_database(named: &Path) -> io::Result<Option<Box<dyn JournalStore>>> {
    let Some(name) = named.to_str().and_then(|name| name.strip_prefix(IN_DATABASE)) else { return Ok(None) };
    let Some(open) = DATABASES.get() else {
        let what = format!(
            "{}: only the stand-alone command keeps journals in a database, and this one came with a package of Python or Node.js. \
             Nothing was sent. Name a file, or use the stand-alone command",
            named.display()
        );
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    };
    Ok(Some(open(name)))
}

/// The file that holds the journal of this name.
pub fn file_of(named: &Path) -> &Path {
    let database = named.to_str().and_then(|name| name.strip_prefix(IN_DATABASE));
    database.map_or(named, |name| Path::new(name.rsplit_once('#').map_or(name, |(file, _)| file)))
}

/// Where a job keeps the journal of this name.
pub fn place(named: &Path) -> io::Result<JournalPlace> {
    Ok(in_database(named)?.map_or_else(|| named.into(), JournalPlace::store))
}

/// The store of the journal of this name.
pub fn store(named: &Path) -> io::Result<Box<dyn JournalStore>> {
    Ok(in_database(named)?.unwrap_or_else(|| Box::new(FileJournal::new(named))))
}

#[derive(Args)]
#[command(after_help = "Example: sondage journal show wave-1.journal")]
pub struct JournalArguments {
    #[command(subcommand)]
    what: Asked,
}

#[derive(Subcommand)]
enum Asked {
    /// Shows what a job has done, and which outcomes are unknown. A file can be shown while its job runs; nothing is sent.
    #[command(after_help = "Example: sondage journal show wave-1.journal")]
    Show {
        /// The journal that was named as `journal`, or `--journal`; or the folder of an archive.
        #[arg(value_name = "FILE")]
        journal: PathBuf,
    },
}

pub fn run(arguments: &JournalArguments, output: Output) -> io::Result<()> {
    let Asked::Show { journal } = &arguments.what;
    let summary = match in_database(journal)? {
        Some(mut store) => JournalSummary::read_store(store.as_mut()),
        None => JournalSummary::read(journal),
    };
    let summary = summary.map_err(failed)?;
    output.show(|| serde_json::to_value(&summary).unwrap_or_default(), &summary)
}
