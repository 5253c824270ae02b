//! `sondage sync`: a store that is kept equal to a survey.

use crate::account;
use crate::filters::InterviewSelection;
use crate::output::{Output, failed, refused};
use crate::progress;
use crate::values;
use clap::Args;
use sondage::error::Text;
use sondage::internals::runtime;
use sondage::reports::{Report as _, SyncReport};
use sondage_data::{Destination, Tables, store_at};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

#[derive(Args)]
#[command(after_help = "Example: sondage sync 1004 survey.parquet\n\
                  Every hour, by cron: 0 * * * * sondage sync 1004 /data/survey.parquet\n\
                  Into a table of SQLite: sondage sync 1004 survey.sqlite")]
pub struct SyncArgs {
    /// The id of the survey.
    #[arg(value_parser = values::id)]
    survey: i64,
    /// The store: a file that ends in .parquet, which is replaced as a whole, a database that ends in .sqlite or .db, or a folder of
    /// Parquet files.
    destination: PathBuf,
    /// The table in the database. Default: `survey_` and the id of the survey.
    #[arg(long)]
    table: Option<String>,
    #[command(flatten)]
    selection: InterviewSelection,
    /// Changes the store if columns are new, gone or of another type. Otherwise that is an error, and nothing is changed.
    #[arg(long)]
    evolve: bool,
    /// Leaves the permissions to the umask. Otherwise only you can read the store.
    #[arg(long)]
    shared: bool,
}

/// Makes the store of a path and a table, with the usual permissions or only those of its owner.
pub type OpenStore = fn(PathBuf, String, bool) -> Box<dyn Destination>;

static DATABASES: OnceLock<OpenStore> = OnceLock::new();

/// From now on, `.sqlite` and `.db` name stores in a database.
pub fn with_databases(open: OpenStore) {
    let _ = DATABASES.set(open);
}

/// The store at a path. `usual`: its table, if none is named.
pub fn store(
    path: PathBuf,
    table: Option<&str>,
    usual: Option<String>,
    shared: bool,
) -> io::Result<Box<dyn Destination>> {
    if !is_database(&path) {
        if table.is_some() {
            return Err(refused("--table is for a database, not for a file"));
        }
        return Ok(store_at(path, shared));
    }
    let Some(open) = DATABASES.get() else {
        let what = format!(
            "{}: only the stand-alone command writes to SQLite, and this one came with a package of Python or Node.js. Nothing was \
             changed. Name a file that ends in .parquet, or use the stand-alone command",
            path.display()
        );
        return Err(refused(&what));
    };
    let table = table.map(str::to_owned).or(usual);
    let table = table.ok_or_else(|| refused("a database needs --table: the table that a sync has made"))?;
    Ok(open(path, table, shared))
}

/// Whether a store is a database by its name; otherwise it is a file or a folder of files.
pub fn is_database(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    // An address is refused as a path: an error of the database would repeat its password.
    ["sqlite", "sqlite3", "db"].contains(&ending.as_str()) && !path.to_string_lossy().contains("://")
}

pub fn run(arguments: &SyncArgs, output: Output) -> io::Result<()> {
    let SyncArgs { survey, destination, table, shared, .. } = arguments;
    let store = store(destination.clone(), table.as_deref(), Some(format!("survey_{survey}")), *shared)?;
    let client = progress::connect_async(&account::builder())?;
    let query = client.interviews(arguments.survey);
    let query = arguments.selection.of(query)?;
    let sync = query.sync_to(store).evolve(arguments.evolve);
    let outcome = runtime::block_on(sync.run());
    progress::end();
    let report = outcome.map_err(failed)?;
    for warning in &report.warnings {
        // The warning contains column names, which come from the service.
        progress::note(Text::from(warning.clone()));
    }
    output.show(|| report.to_json(), text(&report, arguments))
}

fn text(report: &SyncReport, arguments: &SyncArgs) -> String {
    let SyncReport { rows, added, changed, removed, calls, .. } = report;
    let path = arguments.destination.display();
    format!("{path}: {rows} interviews ({added} added, {changed} changed, {removed} removed), {calls} calls")
}
