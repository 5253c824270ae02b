//! The tests in Rust, and the programs in `examples/`.
//!
//! Cargo always builds the whole workspace: for one package alone, it may choose other features for shared crates, and
//! build them again.

use crate::stage::{Stage, TestCounts};
use crate::{Result, files, process, toolchain, workspace};
use std::fs;
use std::process::Command;

pub const STAGES: &[Stage] =
    &[Stage::tests("rust", "Rust tests", tests), Stage::tests("rust", "Rust examples", examples)];

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
