//! The sondage command.
#![forbid(unsafe_code)]

mod archive;
mod export;
mod import;
mod sandbox;
mod webhooks;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A client of the public API of Survalyzer accounts.
#[derive(Parser)]
#[command(version)]
struct Command {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Runs a whole survey platform on this machine, until Ctrl-C.
    Sandbox(sandbox::Arguments),
    /// Downloads the interviews of a survey to a Parquet, CSV or JSONL file. The account is that of the environment
    /// (`SONDAGE_*`) or of the profile file.
    Export(export::Arguments),
    /// Stores the PDFs of a survey's interviews in a folder, with a manifest. Run it again to go on after an interruption.
    /// The account is that of the environment or of the profile file.
    Archive(archive::Arguments),
    /// Creates members from the rows of a CSV file, each person once. Run it again to go on after an interruption. The account is
    /// that of the environment or of the profile file.
    Import(import::Arguments),
    /// What a job has written down.
    Journal(import::JournalArguments),
    /// Events of the service on this machine.
    Webhooks(webhooks::Arguments),
}

fn main() -> ExitCode {
    let done = match Command::parse().what {
        What::Sandbox(arguments) => sandbox::run(&arguments),
        What::Export(arguments) => export::run(&arguments),
        What::Archive(arguments) => archive::run(&arguments),
        What::Import(arguments) => import::run(&arguments),
        What::Journal(arguments) => import::journal(&arguments),
        What::Webhooks(arguments) => webhooks::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("sondage: {why}");
            ExitCode::FAILURE
        }
    }
}
