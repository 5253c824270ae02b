//! `sondage person`: exports or erases the data held about a person.

use crate::account;
use crate::output::{Output, failed, refused, stopped};
use crate::progress;
use crate::sync;
use clap::{Args, Subcommand};
use sondage::reports::{Report as _, StoreErasure};
use sondage_data::erase_from_store;
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{
    ErasePersonOptions, ExportPersonOptions, PlanErasePersonOptions, PlanExportPersonOptions,
};
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Example: sondage person export --panel 1002 --folder person < address.txt")]
pub struct PersonArgs {
    #[command(subcommand)]
    what: PersonCommand,
}

#[derive(Subcommand)]
enum PersonCommand {
    /// Lists the data; with a folder, exports them.
    #[command(after_help = "Example: sondage person export --panel 1002 --folder person < address.txt")]
    Export(PersonExportArgs),
    /// Shows what would be erased, and erases it if the token of that plan is passed.
    #[command(after_help = "Example: sondage person erase --panel 1002 < address.txt")]
    Erase(PersonEraseArgs),
}

#[derive(Args)]
struct WhoArgs {
    /// The panels and samples to search.
    #[arg(long = "panel", required = true, value_name = "PANEL")]
    panels: Vec<i64>,
    /// The field that identifies the person, or `Id` for a member's id.
    #[arg(long, default_value = "Email")]
    key: String,
    /// The person's value of that field. Default: the first line of standard input, which other users of this machine
    /// cannot see.
    #[arg(long)]
    value: Option<String>,
    /// A journal, an archive or an export of this library; may be given several times.
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,
}

#[derive(Args)]
pub struct PersonExportArgs {
    #[command(flatten)]
    who: WhoArgs,
    /// The folder for the export. Default: nothing is written.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Stores the answers as PDFs as well.
    #[arg(long)]
    documents: bool,
}

#[derive(Args)]
pub struct PersonEraseArgs {
    #[command(flatten)]
    who: WhoArgs,
    /// Keeps the interviews.
    #[arg(long)]
    keep_interviews: bool,
    /// Removes the person from the opt-out lists as well.
    #[arg(long)]
    opt_outs: bool,
    /// The file for the receipt.
    #[arg(long, requires = "confirm")]
    receipt: Option<PathBuf>,
    /// Erases, if this is the token of the plan that is shown without this option.
    #[arg(long, visible_alias = "yes", value_name = "TOKEN", requires = "receipt")]
    confirm: Option<String>,
    /// A store of `sondage sync`, from which the interviews that were erased are removed as well: a file that ends in .parquet, or a
    /// database. Again for each other store.
    #[arg(long = "store", value_name = "PATH", requires = "receipt")]
    stores: Vec<PathBuf>,
    /// The table in the databases.
    #[arg(long, requires = "stores")]
    table: Option<String>,
    /// Leaves the permissions of files that are stores to the umask. Otherwise only you can read them.
    #[arg(long, requires = "stores")]
    shared: bool,
}

pub fn run(arguments: &PersonArgs, output: Output) -> io::Result<()> {
    match &arguments.what {
        PersonCommand::Export(arguments) => export(arguments, output),
        PersonCommand::Erase(arguments) => erase(arguments, output),
    }
}

impl WhoArgs {
    fn value(&self) -> io::Result<String> {
        if let Some(value) = &self.value {
            return Ok(value.clone());
        }
        if io::stdin().is_terminal() {
            eprint!("The person's {}: ", self.key);
        }
        let mut line = String::new();
        io::stdin().read_line(&mut line)?;
        let value = line.trim_end_matches(['\r', '\n']).to_owned();
        if value.trim().is_empty() {
            let why = "standard input has no first line with the person's value. Nothing was sent. Pass it there, or with --value.";
            return Err(refused(why));
        }
        Ok(value)
    }

    fn files(&self) -> Option<Vec<String>> {
        (!self.files.is_empty()).then(|| self.files.clone())
    }
}

fn export(arguments: &PersonExportArgs, output: Output) -> io::Result<()> {
    let PersonExportArgs { who, folder, documents } = arguments;
    let client = progress::connect(&account::builder())?;
    let (panels, key, value) = (who.panels.clone(), who.key.as_str(), who.value()?);
    let Some(folder) = folder else {
        let mut options = PlanExportPersonOptions::new(panels, key, value).documents(*documents);
        options.files = who.files();
        let plan = client.plan_export_person(options).map_err(failed)?;
        return output.show(|| plan.to_json(), format!("{plan}\nNothing was written. `--folder` writes it."));
    };
    let mut options = ExportPersonOptions::new(panels, key, value).documents(*documents);
    options.folder = Some(folder.clone().into());
    options.files = who.files();
    let report = client.export_person(options).map_err(failed)?;
    output.show(|| report.to_json(), &report)
}

fn erase(arguments: &PersonEraseArgs, output: Output) -> io::Result<()> {
    let PersonEraseArgs { who, keep_interviews, opt_outs, receipt, confirm, .. } = arguments;
    let client = progress::connect(&account::builder())?;
    let (panels, key, value) = (who.panels.clone(), who.key.as_str(), who.value()?);
    let (Some(receipt), Some(confirm)) = (receipt, confirm) else {
        let mut options =
            PlanErasePersonOptions::new(panels, key, value, *keep_interviews).keep_opt_outs(!opt_outs);
        options.files = who.files();
        let plan = client.plan_erase_person(options).map_err(failed)?;
        let token = &plan.token;
        let next = format!(
            "{plan}\nNothing was erased. The same command with `--receipt FILE --confirm {token}` erases it."
        );
        return output.show(|| plan.to_json(), next);
    };
    // A store that cannot be one is refused before anything is erased.
    let has_database = arguments.stores.iter().any(|path| sync::is_database(path));
    let open = |path: &PathBuf| {
        let table = arguments.table.as_deref().filter(|_| !has_database || sync::is_database(path));
        sync::store(path.clone(), table, None, arguments.shared)
    };
    let stores = arguments.stores.iter().map(open).collect::<io::Result<Vec<_>>>()?;
    let mut options =
        ErasePersonOptions::new(panels, key, value, *keep_interviews, receipt.clone(), confirm.as_str())
            .keep_opt_outs(!opt_outs);
    options.files = who.files();
    let path = receipt;
    let receipt = client.erase_person(options).map_err(failed)?;
    let (mut text, mut removed, mut wrong) = (receipt.to_string(), Vec::new(), None);
    for store in stores {
        let name = store.name();
        match erase_from_store(path, store) {
            Ok(done) => {
                let StoreErasure { erased, rows, .. } = done;
                let _ = write!(text, "\n{name}: interviews removed: {erased}, left: {rows}");
                removed.push(done.to_json());
            }
            Err(error) => {
                wrong = Some(error);
                break;
            }
        }
    }
    let json = || {
        let mut told = receipt.to_json();
        told["stores"] = removed.into();
        told
    };
    output.show(json, text)?;
    wrong.map_or(Ok(()), |error| Err(stopped(error)))
}
