//! A hostile service with a ledger, a client who calls it, and a judge who compares what the client claims with what the
//! service saw. `cargo xtask test campaign` runs the short form, `cargo xtask campaign` the long one.

mod cells;
mod drive;
mod judge;
mod ledger;
mod matrix;
mod report;
mod script;
mod service;
mod stage;
mod tally;

use cells::Form;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let form = if words.iter().any(|word| word == "--long") { Form::Long } else { Form::Short };
    match matrix::run(form, words.iter().find_map(|word| word.strip_prefix("--family="))) {
        Ok(tally) => {
            tally.print();
            if tally.broken() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
