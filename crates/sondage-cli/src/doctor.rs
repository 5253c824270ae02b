//! `sondage doctor`: examines the set-up, and says what to do about what is wrong.

use crate::export::failed;
use clap::Args;
use sondage::arguments::DoctorOptions;
use sondage::blocking::Client;
use sondage::doctor::Diagnosis;
use std::io::{self, Write as _};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 nothing is wrong; 1 something is.\n\nExample: sondage doctor --state webhook.json"
)]
pub struct DoctorArgs {
    /// The state file of a webhook: whether the service still has the registration, and when it expires.
    #[arg(long)]
    state: Option<PathBuf>,
    /// As JSON, for programs.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &DoctorArgs) -> io::Result<u8> {
    let diagnosis = match Client::builder().build_blocking() {
        Ok(client) => {
            let mut options = DoctorOptions::new();
            options.state = arguments.state.clone().map(Into::into);
            client.doctor(options).map_err(failed)?
        }
        Err(error) => Diagnosis::of_settings(&error),
    };
    let mut out = io::stdout().lock();
    if arguments.json {
        let text = serde_json::to_string_pretty(&diagnosis).map_err(io::Error::other)?;
        writeln!(out, "{text}")?;
    } else {
        writeln!(out, "{diagnosis}")?;
    }
    Ok(u8::from(!diagnosis.healthy))
}
