//! The sondage command as a program of its own.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    sondage_cli::run(std::env::args_os()).into()
}
