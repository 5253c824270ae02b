//! Runs one mutant against the tests that reach it.

use super::list::Mutant;
use super::reach::ReachedTest;
use super::tree::Tree;
use crate::Result;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

pub const CAUGHT: &str = "caught";
pub const TIMEOUT: &str = "timeout";
pub const ALIVE: &str = "ALIVE";

/// The minimum timeout of a test, in seconds.
const QUICK: f64 = 1.0;

/// A slower test, in seconds, is not used: hundreds of mutants would wait for it.
const SLOW: f64 = 20.0;

pub struct Trial<'run> {
    programs: &'run BTreeMap<String, PathBuf>,
    tests: &'run [ReachedTest],
    tree: &'run Tree,
    /// Held exclusively to confirm that a test hangs, so that no other mutant slows it down.
    alone: RwLock<()>,
}

impl<'run> Trial<'run> {
    pub fn new(
        programs: &'run BTreeMap<String, PathBuf>,
        tests: &'run [ReachedTest],
        tree: &'run Tree,
    ) -> Self {
        Self { programs, tests, tree, alone: RwLock::new(()) }
    }

    /// The result, and the test that detected it.
    pub fn run(&self, mutant: &Mutant) -> Result<(&'static str, String)> {
        let mut runs: BTreeMap<(bool, &str), Vec<&ReachedTest>> = BTreeMap::new();
        let asked = |test: &&ReachedTest| test.reached.contains(&mutant.id) && test.seconds < SLOW;
        for test in self.tests.iter().filter(asked) {
            runs.entry((test.seconds > QUICK, &test.program)).or_default().push(test);
        }
        // Quick tests first: most mutants are caught by one of them, and a hanging one shows early. Then tests that reach
        // few mutants before those that reach many: they are more specific to this place.
        let mut runs: Vec<_> = runs.into_iter().collect();
        let reach =
            |tests: &[&ReachedTest]| tests.iter().map(|test| test.reached.len()).sum::<usize>() / tests.len();
        runs.sort_by_key(|((slow, _), tests)| (*slow, reach(tests)));
        for ((_, program), tests) in runs {
            let longest = tests.iter().map(|test| test.seconds).fold(0.0, f64::max);
            let tests: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
            let timeout = Duration::from_secs_f64(10.0 + 2.0 * longest);
            let id = mutant.id.to_string();
            let run = |tests: &[&str]| {
                TestRun { tree: self.tree, program: &self.programs[program], tests, timeout }
                    .with("SONDAGE_MUTANT", &id)
            };
            let shared = self.alone.read().unwrap_or_else(PoisonError::into_inner);
            let first = run(&tests)?;
            drop(shared);
            let ran = match first {
                Ran::TimedOut(open) => {
                    let _alone = self.alone.write().unwrap_or_else(PoisonError::into_inner);
                    run(&open.iter().map(String::as_str).collect::<Vec<_>>())?
                }
                ran => ran,
            };
            match ran {
                Ran::Passed => {}
                Ran::Failed(test) => return Ok((CAUGHT, format!("{program} {test}"))),
                Ran::TimedOut(tests) => return Ok((TIMEOUT, format!("{program} {}", tests.join(" ")))),
            }
        }
        Ok((ALIVE, String::new()))
    }
}

/// Some tests of a program.
pub struct TestRun<'run> {
    pub tree: &'run Tree,
    pub program: &'run Path,
    pub tests: &'run [&'run str],
    /// The timeout of a test.
    pub timeout: Duration,
}

pub enum Ran {
    Passed,
    /// The first one that failed.
    Failed(String),
    /// The tests that timed out.
    TimedOut(Vec<String>),
}

impl TestRun<'_> {
    /// Runs them with the mutant's variable set, until the first one fails.
    pub fn with(&self, variable: &str, value: &str) -> Result<Ran> {
        let mut command = Command::new(self.program);
        command.args(["--test-threads", "4", "--exact"]).args(self.tests).env(variable, value);
        command.current_dir(self.tree.root.join("crates/sondage"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let lines = BufReader::new(child.stdout.take().ok_or("no output")?).lines();
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            lines.map_while(std::io::Result::ok).try_for_each(|line| sender.send(line))
        });
        let mut open: Vec<String> = self.tests.iter().map(|&test| test.to_owned()).collect();
        let mut end = Instant::now() + self.timeout;
        let ran = loop {
            match receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    let said = line.strip_prefix("test ").and_then(|line| line.split_once(" ... "));
                    if let Some((test, said)) = said {
                        // A test that should panic has a note behind its name.
                        let test = test.split(" - ").next().unwrap_or(test);
                        if said == "FAILED" {
                            break Ran::Failed(test.to_owned());
                        }
                        open.retain(|name| name != test);
                        end = Instant::now() + self.timeout;
                    }
                }
                Err(RecvTimeoutError::Timeout) => break Ran::TimedOut(open),
                // The process may have ended without reporting its tests.
                Err(RecvTimeoutError::Disconnected) if child.wait()?.success() => return Ok(Ran::Passed),
                Err(RecvTimeoutError::Disconnected) => break Ran::Failed("ended".to_owned()),
            }
        };
        stop(&mut child)?;
        Ok(ran)
    }
}

/// Kills a program and its child processes.
fn stop(child: &mut Child) -> Result {
    #[cfg(unix)]
    let _ = Command::new("kill")
        .args(["-KILL", "--", &format!("-{}", child.id())])
        .stderr(Stdio::null())
        .status();
    let _ = child.kill();
    child.wait()?;
    Ok(())
}
