//! The tests in Rust, and the programs in `examples/`.
//!
//! Cargo always builds the whole workspace: for one package alone, it may choose other features for shared crates, and
//! build them again.

use crate::package::build;
use crate::stage::{Stage, TestCounts};
use crate::{Result, files, process, toolchain, workspace};
use std::fs;
use std::process::Command;

pub const STAGES: &[Stage] =
    &[Stage::tests("rust", "Rust tests", tests), Stage::tests("rust", "Rust examples", examples)];
/// What is compiled for systems whose linkers and libraries are not on this machine.
pub const SYSTEMS: &[Stage] = &[
    Stage::check("systems", "compiled for Windows", || compile(&CHECKED[..1], EVERYTHING)),
    Stage::check("systems", "library of apps, compiled", || compile(&CHECKED[1..], &["sondage-uniffi"])),
    Stage::check("macos", "compiled for macOS", || compile(&[CHECKED[1]], EVERYTHING)),
];

/// The systems that each run compiles for: of servers, and of phones. The library of apps has all code that differs between macOS and
/// Linux.
pub const CHECKED: [&str; 3] = ["x86_64-pc-windows-gnullvm", "aarch64-apple-darwin", "aarch64-linux-android"];
const EVERYTHING: &[&str] = &["sondage-python", "sondage-node", "sondage-uniffi", "sondage-cli"];

/// Tests that run at the same time.
const THREADS: &str = "6";

/// Debian's packages with a keyring, the program that reads it, and the bus between the two.
const KEYRING: [(&str, &str); 3] = [
    ("secret-tool", "libsecret-tools"),
    ("gnome-keyring-daemon", "gnome-keyring"),
    ("dbus-daemon", "dbus-daemon"),
];

/// In CI, installs what the test of a real keyring needs. Elsewhere that test is left out with a message.
pub fn keyring() -> Result {
    let missing: Vec<&str> = KEYRING
        .into_iter()
        .filter(|(program, _)| cfg!(target_os = "linux") && !toolchain::works("which", &[program]))
        .map(|(_, package)| package)
        .collect();
    match missing.as_slice() {
        [] => Ok(()),
        missing if workspace::is_ci() => toolchain::apt(missing),
        missing => {
            println!("!! no test with a real keyring: apt-get install {} (Debian)", missing.join(" "));
            Ok(())
        }
    }
}

/// All tests of the workspace. More threads than processors, because most of them wait for a service.
fn tests() -> Result<TestCounts> {
    keyring()?;
    let mut test = workspace::cargo();
    test.args(["test", "--workspace", "--no-fail-fast"]).env("RUST_TEST_THREADS", THREADS);
    TestCounts::run(&mut test)
}

/// Runs the programs, which `cargo test` has built, and compares their output with the documents.
///
/// A program without a `.txt` file needs arguments: its test is in `crates/sondage-jobs/tests/it/examples.rs`. Warnings go to a
/// log, which the programs in Rust do not set up.
fn examples() -> Result<TestCounts> {
    let mut tally = TestCounts::default();
    for file in fs::read_dir(workspace::root().join("examples"))? {
        let source = file?.path();
        let promise = source.with_extension("txt");
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        if !files::has_extension(&source, "rs") || !promise.exists() {
            continue;
        }
        let program = workspace::built(&format!("debug/examples/{name}"))?;
        let (output, succeeded) = process::watch(&mut Command::new(program))?;
        let promised = fs::read_to_string(promise)?;
        let promised: String =
            promised.split_inclusive('\n').filter(|line| !line.starts_with("WARNING")).collect();
        let kept = succeeded && output == promised;
        if !kept {
            println!("{} does not do what its .txt promises:\n{promised}", source.display());
        }
        tally += if kept { TestCounts::PASSED } else { TestCounts::FAILED };
    }
    if tally == TestCounts::default() { Err("there are no examples".into()) } else { Ok(tally) }
}

/// Compiles packages for systems. Nothing is linked, so C code needs no compiler of that system.
fn compile(systems: &[&str], packages: &[&str]) -> Result {
    systems.iter().try_for_each(|system| toolchain::standard_library(system))?;
    let mut check = workspace::cargo();
    check.args(["check", "--quiet", "--locked"]).args(systems.iter().flat_map(|system| ["--target", system]));
    check.args(packages.iter().flat_map(|package| ["--package", package]));
    process::run(check.env("CC", "true").env("AR", "true").env("LIBNODE_PATH", build::node_library()?))
}
