//! What CI runs in processes of their own, because it leaves a processor idle: what stages install, and the tests in Kotlin and Swift.

use crate::stage::{Stage, TestCounts};
use crate::{Result, browser, java, kotlin, node, programs, python, rust, toolchain, workspace};
use std::fs::{self, File};
use std::process::{Child, Command, ExitStatus};
use std::sync::Mutex;

pub const BEGIN_INSTALLING: &[Stage] = &[Stage::check("begin", "installations, begun", || INSTALLER.begin())];
pub const INSTALL: &[Stage] = &[Stage::check("install", "installations", install)];
pub const END_INSTALLING: &[Stage] = &[Stage::check("end", "installations", installed)];

pub const BEGIN_TESTS: &[Stage] = &[Stage::check("begin", "Kotlin and Swift, begun", || TESTS.begin())];
pub const END_TESTS: &[Stage] = &[Stage::tests("end", "Kotlin and Swift", tested)];

/// The groups that run only here.
pub const GROUPS: [&str; 3] = ["begin", "install", "end"];
/// Groups of tests that CI runs in the background.
pub const TESTED: [&str; 2] = ["kotlin", "swift"];

static INSTALLER: Background = Background::new(&["install"]);
static TESTS: Background = Background::new(&TESTED);

/// Groups of stages in a process of their own.
struct Background {
    groups: &'static [&'static str],
    process: Mutex<Option<Child>>,
}

impl Background {
    const fn new(groups: &'static [&'static str]) -> Self {
        Self { groups, process: Mutex::new(None) }
    }

    fn log(&self) -> Result<std::path::PathBuf> {
        Ok(workspace::target()?.join(self.groups.concat()).with_extension("log"))
    }

    fn begin(&self) -> Result {
        let log = File::create(self.log()?)?;
        let mut stages = Command::new(std::env::current_exe()?);
        stages.arg("test").args(self.groups).stdout(log.try_clone()?).stderr(log);
        *self.process.lock().map_err(|_| "a stage has panicked")? = Some(stages.spawn()?);
        Ok(())
    }

    /// Waits for its end, and shows and returns what it printed.
    fn end(&self) -> Result<(String, ExitStatus)> {
        let begun = self.process.lock().map_err(|_| "a stage has panicked")?.take();
        let status = begun.ok_or("they were not begun")?.wait()?;
        let log = fs::read_to_string(self.log()?)?;
        println!("{log}");
        Ok((log, status))
    }
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

fn installed() -> Result {
    let (_, status) = INSTALLER.end()?;
    if status.success() { Ok(()) } else { Err("something could not be installed: see above".into()) }
}

fn tested() -> Result<TestCounts> {
    let (log, status) = TESTS.end()?;
    if status.success() {
        // The campaign runs a program of the package.
        kotlin::is_compiled()?;
    }
    TestCounts::read(&log, status.success())
}
