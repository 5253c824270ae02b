//! `sondage doctor`: examines the set-up, and says how to correct what is wrong.

use crate::account;
use crate::output::{Output, failed};
use clap::Args;
use sondage::arguments::DoctorOptions;
use sondage::doctor::Diagnosis;
use sondage::reports::Report as _;
use std::io;
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 nothing is wrong; 1 something is.\n\nExample: sondage doctor --state webhook.json"
)]
pub struct DoctorArgs {
    /// The state file of a webhook: whether the service still has the registration, and when it expires.
    #[arg(long)]
    state: Option<PathBuf>,
}

pub fn run(arguments: &DoctorArgs, output: Output) -> io::Result<u8> {
    let diagnosis = match account::builder().build_blocking() {
        Ok(client) => {
            let mut options = DoctorOptions::new();
            options.state = arguments.state.clone().map(Into::into);
            client.doctor(options).map_err(failed)?
        }
        Err(error) => Diagnosis::of_settings(&error),
    };
    output.show(|| diagnosis.to_json(), &diagnosis)?;
    Ok(u8::from(!diagnosis.healthy))
}
