//! What CI runs in a process of its own, because it leaves a processor idle: what stages install, then the tests in Kotlin and Swift.

use crate::stage::{Stage, TestCounts};
use crate::{Result, browser, java, kotlin, node, programs, python, rust, toolchain, workspace};
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::Mutex;

pub const BEGIN_INSTALLING: &[Stage] =
    &[Stage::check("begin", "installations, begun", || begin(&["install"]))];
pub const INSTALL: &[Stage] = &[Stage::check("install", "installations", install)];
pub const END_INSTALLING: &[Stage] = &[Stage::tests("end", "installations", end)];

pub const BEGIN_TESTS: &[Stage] = &[Stage::check("begin", "Kotlin and Swift, begun", || begin(&TESTED))];
pub const END_TESTS: &[Stage] = &[Stage::tests("end", "Kotlin and Swift", tested)];

/// The groups that run only here.
pub const GROUPS: [&str; 3] = ["begin", "install", "end"];
/// Groups of tests that CI runs in the background.
pub const TESTED: [&str; 2] = ["kotlin", "swift"];

static RUNNING: Mutex<Option<Child>> = Mutex::new(None);

fn log() -> Result<PathBuf> {
    Ok(workspace::target()?.join("background.log"))
}

/// Begins groups of stages in a process of their own.
fn begin(groups: &[&str]) -> Result {
    let log = File::create(log()?)?;
    let mut stages = Command::new(std::env::current_exe()?);
    let begun = stages.arg("test").args(groups).stdout(log.try_clone()?).stderr(log).spawn()?;
    *RUNNING.lock().map_err(|_| "a stage has panicked")? = Some(begun);
    Ok(())
}

/// Waits for their end, and shows what they printed.
fn end() -> Result<TestCounts> {
    let begun = RUNNING.lock().map_err(|_| "a stage has panicked")?.take();
    let succeeded = begun.ok_or("they were not begun")?.wait()?.success();
    let text = fs::read_to_string(log()?)?;
    println!("{text}");
    TestCounts::read(&text, succeeded)
}

/// Everything that later stages install. Each does it again, and fails, if it is not there.
fn install() -> Result {
    let failures: Vec<String> = [
        rust::keyring,
        || python::ready().map(drop),
        || node::ready().map(drop),
        || rust::CHECKED.iter().try_for_each(|system| toolchain::standard_library(system)),
        java::find,
        || toolchain::swift().map(drop),
        || python::lowest_ready().map(drop),
        python::spark_ready,
        programs::has_statistics,
        toolchain::postgresql,
        || browser::find().map(drop),
        browser::tmux,
        || browser::ready().map(drop),
    ]
    .into_iter()
    .filter_map(|install: fn() -> Result| install().err())
    .map(|error| error.to_string())
    .collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

fn tested() -> Result<TestCounts> {
    let counts = end()?;
    if counts.failed == 0 {
        // The campaign runs a program of the package.
        kotlin::is_compiled()?;
    }
    Ok(counts)
}
