//! Runs a part of the cells through the client of each language: a program in that language gets cells from the campaign,
//! makes the calls, and reports the results.

use super::{RunResult, ours, read};
use crate::{Result, kotlin, node, python, swift, workspace};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

pub fn python(words: &[&str]) -> Result<RunResult> {
    python::install()?;
    let mut driver = python::ready()?.python();
    driver.args(["-P", "tests/python/campaign.py"]).current_dir(workspace::root());
    beside(driver, words)
}

pub fn node(words: &[&str]) -> Result<RunResult> {
    node::install()?;
    let mut driver = node::node();
    driver.arg("tests/node/campaign.mjs");
    beside(driver, words)
}

pub fn kotlin(words: &[&str]) -> Result<RunResult> {
    beside(kotlin::program("sondage.Campaign")?, words)
}

pub fn swift(words: &[&str]) -> Result<RunResult> {
    beside(swift::program("Campaign")?, words)
}

/// Runs a driver next to the service, which ends when its standard input is closed.
fn beside(mut driver: Command, words: &[&str]) -> Result<RunResult> {
    let mut service = Command::new(ours()?)
        .arg("serve")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut lines = BufReader::new(service.stdout.take().ok_or("the campaign says nothing")?).lines();
    let address = lines.next().ok_or("the campaign did not start")??;
    let ended = driver.env("CAMPAIGN_CONTROL", address).status();
    drop(service.stdin.take());
    let mut text = String::new();
    for line in lines {
        let line = line?;
        println!("{line}");
        text += &line;
        text.push('\n');
    }
    service.wait()?;
    let mut said = read(text)?;
    if !ended?.success() {
        println!("the driver failed");
        said.tally.failed += 1;
    }
    Ok(said)
}
