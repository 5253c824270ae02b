//! The campaign: a hostile service, and a judge that compares the clients' claims with what it saw
//! (`testing/campaign`).
//!
//! `cargo xtask test campaign` runs the short form and changes nothing; `cargo xtask campaign` runs the long form and writes
//! its figures into `docs/reliability.md`. The minimum number of cells is defined in `testing/campaign/src/minimums.rs`.

mod figures;
mod languages;
mod others;

use crate::stage::{Stage, TestCounts};
use crate::{Result, process, workspace};
use std::path::{Path, PathBuf};
use std::process::Command;

pub const STAGES: &[Stage] = &[
    Stage { group: "campaign", name: "campaign in Rust", run: || rust(&[]).map(|said| said.tally) },
    Stage {
        group: "campaign",
        name: "campaign in Python",
        run: || languages::python(&[]).map(|said| said.tally),
    },
    Stage {
        group: "campaign",
        name: "campaign in Node.js",
        run: || languages::node(&[]).map(|said| said.tally),
    },
    Stage {
        group: "campaign",
        name: "campaign in Kotlin",
        run: || languages::kotlin(&[]).map(|said| said.tally),
    },
    Stage {
        group: "campaign",
        name: "campaign in Swift",
        run: || languages::swift(&[]).map(|said| said.tally),
    },
];

/// The result of a run, and its output.
pub struct RunResult {
    pub tally: TestCounts,
    pub text: String,
}

/// `campaign [--client REVISION | --defects [NAME ...] | --in LANGUAGE | --long LANGUAGE]`
pub fn run(words: &[&str]) -> Result {
    match words {
        ["--in", language] => one(language),
        [] => figures::long(None),
        ["--long", language] => figures::long(Some(language)),
        ["--client", revision] => others::client(revision),
        ["--defects", names @ ..] => others::defects(names),
        _ => Err(
            "campaign, campaign --client REVISION, campaign --defects [NAME ...], campaign --in LANGUAGE, or campaign --long LANGUAGE"
                .into(),
        ),
    }
}

/// The short form through one client.
fn one(language: &str) -> Result {
    let wanted = format!("campaign in {language}").to_lowercase();
    let stage = STAGES.iter().find(|stage| stage.name.to_lowercase().starts_with(&wanted));
    let tally = (stage.ok_or("campaign --in rust, python, node, kotlin or swift")?.run)()?;
    if tally.failed > 0 { Err("promises were broken: see above".into()) } else { Ok(()) }
}

fn rust(words: &[&str]) -> Result<RunResult> {
    let campaign = ours()?;
    build(workspace::root(), &workspace::target()?, MEMORY)?;
    let mut run = Command::new(campaign);
    let (text, _) = process::watch(run.arg("run").args(words))?;
    read(text)
}

/// The program that reads responses while its memory is measured.
const MEMORY: &str = "sondage-campaign-memory";

/// Builds a program of a workspace into a folder. The whole workspace is built: for one package alone, cargo may choose
/// other features for shared crates, and build them again.
fn build(root: &Path, target: &Path, name: &str) -> Result<PathBuf> {
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--workspace", "--bin", name]).current_dir(root);
    cargo.arg("--target-dir").arg(target);
    process::run(&mut cargo)?;
    Ok(target.join("debug").join(name).with_extension(std::env::consts::EXE_EXTENSION))
}

/// The campaign of a workspace.
fn program(root: &Path, target: &Path) -> Result<PathBuf> {
    build(root, target, "sondage-campaign")
}

/// The campaign of this workspace.
fn ours() -> Result<PathBuf> {
    program(workspace::root(), &workspace::target()?)
}

/// Reads the closing line: `campaign: 12 passed, 0 failed`.
fn read(text: String) -> Result<RunResult> {
    let closing = text.lines().rev().find_map(|line| line.strip_prefix("campaign: "));
    let numbers: Vec<usize> =
        closing.unwrap_or_default().split(' ').filter_map(|word| word.parse().ok()).collect();
    let [passed, failed] = numbers[..] else { return Err("the campaign did not finish".into()) };
    Ok(RunResult { tally: TestCounts { passed, failed, skipped: 0 }, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_closing_line() {
        let said = read("x\ncampaign: 12 passed, 3 failed\n".to_owned()).unwrap();
        assert_eq!(said.tally, TestCounts { passed: 12, failed: 3, skipped: 0 });
        assert!(read("campaign: no\n".to_owned()).is_err());
    }
}
