//! The campaign: a hostile service, and a judge that compares the clients' claims with what it saw
//! (`testing/campaign`).
//!
//! `cargo xtask test campaign` runs the short form and changes nothing; `cargo xtask campaign` runs the long form and writes
//! its figures into `docs/reliability.md`. The minimum number of cells is defined in `testing/campaign/src/minimums.rs`.

use crate::stage::{Stage, TestCounts};
use crate::{Result, kotlin, node, process, python, swift, workspace};
use std::process::Command;

pub const STAGES: &[Stage] = &[
    Stage::tests("campaign", "campaign in Rust", || short("Rust")),
    Stage::tests("campaign", "campaign in Python", || short("Python")),
    Stage::tests("campaign", "campaign in Node.js", || short("Node.js")),
    Stage::tests("campaign", "campaign in Kotlin", || short("Kotlin")),
    Stage::tests("campaign", "campaign in Swift", || short("Swift")),
];

const CLIENTS: [&str; 5] = ["Rust", "Python", "Node.js", "Kotlin", "Swift"];

/// `campaign [--client REVISION | --defects [NAME ...] | --in LANGUAGE | --long LANGUAGE]`
pub fn run(words: &[&str]) -> Result {
    match words {
        ["--in", language] => match short(client(language)?)? {
            TestCounts { failed: 0, .. } => Ok(()),
            _ => Err("promises were broken: see above".into()),
        },
        [] => CLIENTS.into_iter().try_for_each(long),
        ["--long", language] => long(client(language)?),
        ["--client", revision] => process::run(program()?.args(["client", revision])),
        ["--defects", names @ ..] => process::run(program()?.arg("defects").args(names)),
        _ => {
            Err("the options are --client REVISION, --defects [NAME ...], --in LANGUAGE, and --long LANGUAGE"
                .into())
        }
    }
}

/// The client in a language: `rust`, `node`, ...
fn client(language: &str) -> Result<&'static str> {
    let client = CLIENTS.into_iter().find(|name| name.to_lowercase().starts_with(&language.to_lowercase()));
    Ok(client.ok_or("the languages are rust, python, node, kotlin and swift")?)
}

fn short(client: &str) -> Result<TestCounts> {
    TestCounts::run(&mut command(client, &[])?)
}

fn long(client: &str) -> Result {
    process::run(&mut command(client, &["record", client, "--long"])?)
}

/// The campaign for a client. A program in another language gets cells, makes the calls, and reports the results.
fn command(client: &str, words: &[&str]) -> Result<Command> {
    let driver = match client {
        "Python" => {
            python::install()?;
            let mut driver = python::ready()?.python();
            driver.args(["-P", "tests/python/campaign.py"]).current_dir(workspace::root());
            Some(driver)
        }
        "Node.js" => {
            node::install()?;
            let mut driver = node::node();
            driver.arg("tests/node/campaign.mjs");
            Some(driver)
        }
        "Kotlin" => Some(kotlin::program("sondage.Campaign")?),
        "Swift" => Some(swift::program("Campaign")?),
        _ => None,
    };
    let (long, record): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| **word == "--long");
    let mut campaign = program()?;
    campaign.args(record).arg(if driver.is_some() { "drive" } else { "run" }).args(long);
    let Some(driver) = driver else { return Ok(campaign) };
    campaign.arg("--").arg(driver.get_program()).args(driver.get_args());
    for (name, value) in driver.get_envs() {
        match value {
            Some(value) => campaign.env(name, value),
            None => campaign.env_remove(name),
        };
    }
    campaign.current_dir(driver.get_current_dir().unwrap_or(workspace::root()));
    Ok(campaign)
}

/// The campaign, and the program that reads responses while its memory is measured. The whole workspace is built: for one package
/// alone, cargo may choose other features for shared crates, and build them again.
fn program() -> Result<Command> {
    let programs = ["--bin", "sondage-campaign", "--bin", "sondage-campaign-memory"];
    process::run(workspace::cargo().args(["build", "--workspace"]).args(programs))?;
    Ok(Command::new(workspace::built("debug/sondage-campaign")?))
}
