//! `cargo xtask api`: the public API of the crates as text, so that a review shows what has changed.
//!
//! The tools have to be compiled first, so they are not part of the tests. `cargo xtask tidy` compares the names in the text with
//! the sources, which detects anything that was removed or renamed.

use crate::stage::Missing;
use crate::{Result, process, workspace};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The crates whose API is recorded.
const CRATES: [&str; 2] = ["sondage", "sondage-data"];

/// `api [REVISION]`
pub fn run(words: &[&str]) -> Result {
    let revision = match words {
        [] => last_release(),
        [revision] => Some((*revision).to_owned()),
        _ => return Err("usage: cargo xtask api [REVISION]".into()),
    };
    needed("cargo-public-api", "cargo-public-api lists the public surface; it needs a nightly toolchain.")?;
    for name in CRATES {
        let mut list = tool("public-api")?;
        list.args(["--package", name, "--all-features", "-sss", "--color", "never"]);
        let text = process::output(&mut list)?;
        fs::write(workspace::root().join("crates").join(name).join("public-api.txt"), text)?;
        println!("wrote crates/{name}/public-api.txt");
    }
    let Some(revision) = revision else {
        println!("There is no release yet with which the surface could be compared: give a revision.");
        return Ok(());
    };
    needed("cargo-semver-checks", "cargo-semver-checks compares the surface with that of a release.")?;
    for name in CRATES {
        let arguments = ["--package", name, "--baseline-rev", &revision, "--all-features"];
        process::run(tool("semver-checks")?.args(arguments))?;
    }
    Ok(())
}

/// The tag of the newest release in the history.
fn last_release() -> Option<String> {
    let mut git = Command::new("git");
    git.args(["describe", "--tags", "--abbrev=0", "--match", "v*"]).current_dir(workspace::root());
    let tag = git.stderr(Stdio::null()).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&tag.stdout).trim().to_owned())
}

/// A cargo subcommand that builds with another compiler, and so in another folder.
fn tool(name: &str) -> Result<Command> {
    let mut command = Command::new(format!("cargo-{name}"));
    let target: PathBuf = workspace::target()?.join("api");
    workspace::undescribed(command.arg(name).current_dir(workspace::root()).env("CARGO_TARGET_DIR", target));
    Ok(command)
}

fn needed(program: &'static str, what: &'static str) -> Result {
    let there = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if there.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    let install = match program {
        "cargo-public-api" => {
            "cargo install --locked cargo-public-api && rustup toolchain install nightly --profile minimal"
        }
        _ => "cargo install --locked cargo-semver-checks",
    };
    Err(Missing { what, install }.into())
}
