//! `sondage reconcile`: finds out whether a call of another program with an unknown outcome took effect.

use crate::account;
use crate::output::{Output, failed, refused};
use crate::progress;
use crate::values;
use clap::{ArgGroup, Args};
use serde_json::Value;
use sondage::Timestamp;
use sondage::reports::Report as _;
use sondage_jobs::Jobs as _;
use sondage_jobs::Verdict;
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::ReconcileOptions;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
#[command(
    group(ArgGroup::new("which").required(true).args(["operation", "error"])),
    after_help = "Exit status: 0 it happened, 3 it did not happen and can be called again, 4 it cannot be determined, 1 \
                  an error, 2 wrong \
                  arguments.\n\n\
                  Example: sondage reconcile --error error.json --request request.json --sent 2026-05-01T14:30:00Z"
)]
pub struct ReconcileArgs {
    /// The operation by the name of the API, for example `CreateMembers`.
    #[arg(long, hide_possible_values = true, value_parser = values::operation())]
    operation: Option<String>,
    /// A file with the error as JSON, which names the operation, or - for standard input.
    #[arg(long, value_name = "FILE")]
    error: Option<PathBuf>,
    /// The request of the call as JSON, by the names of the API: a file, or - for standard input.
    #[arg(long, value_name = "FILE")]
    request: PathBuf,
    /// A time before which nothing of the call was sent, for example 2026-05-01T14:30:00Z.
    #[arg(long, value_name = "TIME")]
    sent: Timestamp,
    /// How many seconds after that time the error occurred, or the program ended.
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", default_value = "60", value_parser = values::seconds)]
    took: Duration,
    /// How many seconds the service may still be processing the call after that. Default: 180.
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", value_parser = values::seconds)]
    quiet: Option<Duration>,
    /// The maximum number of seconds to wait if it is too early for a verdict. Default: until it is certain.
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", value_parser = values::seconds)]
    wait: Option<Duration>,
    /// The name that the service records for objects created by the login that made the call.
    #[arg(long, value_name = "NAME")]
    created_by: Option<String>,
}

pub fn run(arguments: &ReconcileArgs, output: Output) -> io::Result<u8> {
    let request = read(&arguments.request)?;
    let operation = match (&arguments.operation, &arguments.error) {
        (Some(operation), _) => operation.clone(),
        (None, Some(error)) => operation_of(&read(error)?)?,
        (None, None) => return Err(refused("neither --operation nor --error is given")),
    };
    let took = arguments.took;
    let client = progress::connect(&account::builder())?;
    let request = sondage::Json::of(&request).map_err(io::Error::other)?;
    let noted = client.as_async().note_write(&operation, &request, arguments.sent, took);
    let mut options = ReconcileOptions::new(noted.map_err(failed)?);
    (options.quiet, options.wait) = (arguments.quiet, arguments.wait);
    options.created_by.clone_from(&arguments.created_by);
    let verdict = client.reconcile(options).map_err(failed)?;
    output.show(|| verdict.to_json(), &verdict)?;
    Ok(match verdict.verdict {
        Verdict::Happened => 0,
        Verdict::DidNotHappen => 3,
        _ => 4,
    })
}

/// Reads a file or standard input as JSON.
fn read(file: &Path) -> io::Result<Value> {
    let file_name = file.display();
    let text = if file.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(file)
    };
    let text =
        text.map_err(|why| refused(&format!("{file_name} cannot be read ({why}). Nothing was sent.")))?;
    // Invalid JSON is not quoted in the message, because it may be personal data.
    serde_json::from_str(&text).map_err(|_| refused(&format!("{file_name} is not JSON. Nothing was sent.")))
}

fn operation_of(error: &Value) -> io::Result<String> {
    error["operation"].as_str().map(str::to_owned).ok_or_else(|| {
        refused(
            "the error names no operation: it has no text in the field `operation`. Nothing was sent. Give --operation",
        )
    })
}
