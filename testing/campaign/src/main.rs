//! A hostile service with a ledger, a client that calls it, and a judge that compares the client's claims with what the
//! service saw. `cargo xtask test campaign` runs the short form, `cargo xtask campaign` the long one.

#[cfg(feature = "canaries")]
mod canaries;
mod cancel;
mod cells;
mod drive;
mod figures;
mod judge;
mod ledger;
mod lists;
mod matrix;
mod memory;
mod minimums;
mod other_clients;
mod parallel;
mod programs;
mod report;
mod script;
mod selections;
mod serve;
mod service;
mod stage;
mod tally;
mod temporary;
mod tokens;
mod worker;

use cells::CampaignLength;
use std::process::ExitCode;
use tally::Tally;

const USAGE: &str = "\
usage: sondage-campaign run [--long] [--first] [--bare] [FAMILY]
                                                the cells in Rust, or those of one family, or up to the first that is broken;
                                                bare: without the memory, for which another program is needed
       sondage-campaign serve [--long]          cells for a driver in another language
       sondage-campaign drive [--long] -- DRIVER ...
                                                the same with this driver
       sondage-campaign record CLIENT ARGUMENTS runs itself with these arguments, and writes its figures into docs/reliability.md
       sondage-campaign client REVISION         the short form against the client of a revision
       sondage-campaign defects [NAME ...]      the short form against this client with one defect after the other

A family is one of cells/*.toml, or lists, tokens, cancellation, memory, empty selections, canaries.";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some((command, rest)) = words.split_first()
        && let Some(result) = other_programs(command, rest)
    {
        return ended(result);
    }
    let told = |wanted: &str| words.iter().any(|word| word == wanted);
    let (long, first, bare) = (told("--long"), told("--first"), told("--bare"));
    let form = if long { CampaignLength::Long } else { CampaignLength::Short };
    if first {
        parallel::FIRST_IS_ENOUGH.store(true, std::sync::atomic::Ordering::SeqCst);
    }
    let words: Vec<String> = words.into_iter().filter(|word| !word.starts_with("--")).collect();
    let result = match words.split_first() {
        Some((first, rest)) if first == "run" => run(form, bare, rest.first().map(String::as_str)),
        Some((first, _)) if first == "serve" => serve::serve(form),
        Some((first, rest)) if first == "token-worker" => tokens::work(rest),
        Some((first, rest)) if first == "facts-worker" => lists::work(rest),
        _ => Err(USAGE.to_owned()),
    };
    ended(result)
}

/// The commands whose arguments belong to another program.
fn other_programs(command: &str, words: &[String]) -> Option<Result<(), String>> {
    match (command, words) {
        ("record", [client, arguments @ ..]) => Some(figures::record(client, arguments)),
        ("drive", [separator, driver @ ..]) if separator == "--" => Some(programs::drive(false, driver)),
        ("drive", [long, separator, driver @ ..]) if long == "--long" && separator == "--" => {
            Some(programs::drive(true, driver))
        }
        ("client", [revision]) => Some(other_clients::client(revision).map_err(|error| error.to_string())),
        ("defects", names) => Some(other_clients::defects(names).map_err(|error| error.to_string())),
        _ => None,
    }
}

fn ended(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// `bare`: only the parts that need no other program.
fn run(form: CampaignLength, bare: bool, only: Option<&str>) -> Result<(), String> {
    let mut tally = Tally::default();
    let wanted = |name: &str| only.is_none_or(|only| only == name);
    let parts: [(&str, &dyn Fn() -> Tally); 5] = [
        ("empty selections", &selections::run),
        ("lists", &|| lists::run(form)),
        ("cancellation", &|| cancel::run(form)),
        ("tokens", &|| tokens::run(form)),
        ("memory", &|| if bare { Tally::default() } else { memory::run(form) }),
    ];
    for (_, part) in parts.into_iter().filter(|(name, _)| wanted(name)) {
        if !parallel::is_enough(&tally) {
            tally.take_in(part());
        }
    }
    if !parallel::is_enough(&tally) {
        tally.take_in(matrix::run(form, only)?);
    }
    #[cfg(feature = "canaries")]
    // The last part, because it captures all log output.
    if wanted("canaries") && !parallel::is_enough(&tally) {
        tally.take_in(canaries::run(form));
    }
    tally.print();
    let missing = if only.is_none() { minimums::missing(&tally, form) } else { Vec::new() };
    for missing in &missing {
        println!("TOO FEW: {missing}");
    }
    println!("campaign: {} passed, {} failed", tally.cells - tally.bad, tally.bad + missing.len());
    if tally.bad + missing.len() == 0 {
        Ok(())
    } else {
        Err("the campaign found broken promises: see above".to_owned())
    }
}
