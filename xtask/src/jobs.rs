//! Runs the long form of the tests of jobs. The last line that a test prints has its figures, for `docs/reliability.md`.

use crate::{Result, bench, node, process, python, workspace};
use std::process::Command;

/// The modules of the tests, in the programs that have them. `cost` is a measurement of `bench/`, because its limits are times.
const PARTS: [&str; 8] = [
    "import_matrix",
    "import_kills",
    "import_memory",
    "invitation_panels",
    "plan_matrix",
    "reconcile_matrix",
    "budget_processes",
    "cost",
];

/// `jobs [--from CELL] [PART ...]`: runs one part after the other. `--from`: resumes the imports of an earlier run, at the number that
/// it printed last.
pub fn run(words: &[&str]) -> Result {
    let (from, words) = match words {
        ["--from", cell, rest @ ..] => (*cell, rest),
        words => ("0", words),
    };
    if let Some(unknown) = words.iter().find(|word| !PARTS.contains(word)) {
        return Err(format!("there is no part {unknown}; there are {}", PARTS.join(", ")).into());
    }
    for part in PARTS.into_iter().filter(|part| words.is_empty() || words.contains(part)) {
        println!("== {part}");
        let mut command = command(part)?;
        if part == "budget_processes" {
            callers(&mut command)?;
        }
        process::run(command.env("SONDAGE_FROM", from))?;
    }
    Ok(())
}

/// The long form of a part.
fn command(part: &str) -> Result<Command> {
    if part == "cost" {
        let mut cost = Command::new(bench::program()?);
        cost.arg("cost");
        return Ok(cost);
    }
    let mut test = workspace::cargo();
    test.args(["test", "--workspace", "--test", "it", "--test", "reconcile", "--", "--nocapture"]);
    test.arg(format!("{part}::")).env("SONDAGE_LONG", "1");
    // The matrix writes some hundred thousand lines of journals, each flushed to disk: no cell is about a loss of power.
    let memory = std::path::Path::new("/dev/shm");
    if part == "import_matrix" && memory.is_dir() {
        test.env("TMPDIR", memory);
    }
    Ok(test)
}

/// The programs in other languages that share the budget.
fn callers(test: &mut Command) -> Result {
    python::install()?;
    node::install()?;
    let file = |path: &str| workspace::root().join(path).display().to_string();
    let python = python::ready()?.program("python").display().to_string();
    test.env("SONDAGE_BUDGET_PYTHON", format!("{python}\n-P\n{}", file("tests/python/budget_calls.py")));
    test.env("SONDAGE_BUDGET_NODE", format!("node\n{}", file("tests/node/budget_calls.mjs")));
    Ok(())
}
