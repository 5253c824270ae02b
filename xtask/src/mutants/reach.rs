//! Measures which test reaches which mutants, and how long it takes, with no mutant active. All tests have to pass.

use super::tree::Tree;
use super::trial::{Ran, TestRun};
use crate::{Result, process};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A test.
pub struct ReachedTest {
    /// The program it is in.
    pub program: String,
    pub name: String,
    pub seconds: f64,
    /// The mutants whose places it executes.
    pub reached: BTreeSet<usize>,
}

/// The timeout of a single test.
const PATIENCE: Duration = Duration::from_secs(120);

pub fn measured(
    folder: &Path,
    tree: &Tree,
    programs: &BTreeMap<String, PathBuf>,
) -> Result<Vec<ReachedTest>> {
    let record = folder.join("reached.jsonl");
    let mut known: BTreeMap<String, (f64, BTreeSet<usize>)> = BTreeMap::new();
    for line in fs::read_to_string(&record).unwrap_or_default().lines() {
        let (id, seconds, reached) = serde_json::from_str(line)?;
        known.insert(id, (seconds, reached));
    }
    let mut todo = Vec::new();
    let mut tests = Vec::new();
    for (program, path) in programs {
        // A program that was not rebuilt reaches the same places as before.
        let built = fs::metadata(path)?.modified()?.duration_since(std::time::UNIX_EPOCH)?.as_secs();
        let list = process::output(Command::new(path).args(["--list", "--format", "terse"]))?;
        for name in list.lines().filter_map(|line| line.strip_suffix(": test")) {
            let id = format!("{program} {name} {built}");
            let (program, name) = (program.clone(), name.to_owned());
            match known.remove(&id) {
                Some((seconds, reached)) => tests.push(ReachedTest { program, name, seconds, reached }),
                None => todo.push((id, program, name)),
            }
        }
    }
    if !todo.is_empty() {
        println!("{} tests are run to see what they reach", todo.len());
    }
    todo.reverse();
    let record = OpenOptions::new().create(true).append(true).open(record)?;
    let (todo, done, failed) = (Mutex::new(todo), Mutex::new((tests, record)), Mutex::new(Vec::new()));
    let work = &|worker: usize| {
        while let Some((id, program, name)) = todo.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            let log = folder.join(format!("reached.{worker}"));
            // Retried once when it fails: the machine may be busy.
            let ran = measure(tree, &programs[&program], &name, &log)
                .or_else(|| measure(tree, &programs[&program], &name, &log));
            match ran {
                Some((seconds, reached)) => {
                    let line = json!([id, seconds, reached]);
                    let (tests, record) = &mut *done.lock().unwrap_or_else(PoisonError::into_inner);
                    tests.push(ReachedTest { program, name, seconds, reached });
                    // If the line cannot be read, the test is only measured again.
                    let _ = writeln!(record, "{line}");
                }
                None => {
                    failed.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{program} {name}"));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for worker in 0..super::AT_ONCE {
            scope.spawn(move || work(worker));
        }
    });
    let failed: Vec<String> = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    if !failed.is_empty() {
        return Err(format!("these tests fail without any mutant: {}", failed.join(", ")).into());
    }
    Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner).0)
}

fn measure(tree: &Tree, program: &Path, name: &str, log: &Path) -> Option<(f64, BTreeSet<usize>)> {
    let _ = fs::remove_file(log);
    let run = TestRun { tree, program, tests: &[name], timeout: PATIENCE };
    let begin = Instant::now();
    let ran = run.with("SONDAGE_MUTANTS_REACHED", &log.display().to_string()).ok()?;
    let reached = fs::read_to_string(log).unwrap_or_default();
    let reached = reached.lines().filter_map(|line| line.parse().ok()).collect();
    matches!(ran, Ran::Passed).then(|| (begin.elapsed().as_secs_f64(), reached))
}
