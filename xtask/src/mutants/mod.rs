//! `cargo xtask mutants`: changes the core in one place at a time and checks whether a test fails.
//!
//! cargo-mutants lists the places. All mutants are built into one program, each with a number, and an environment variable
//! selects the active one: so a mutant costs a few runs of tests and no build. It is run with the tests that reach its
//! place, in a copy of the last commit. The command can be interrupted and resumed, and several machines can share the work.
//! It is never part of the tests, because cargo-mutants has to be compiled first.

mod build;
mod edits;
mod figures;
mod list;
mod reach;
mod render;
mod tree;
mod trial;

use crate::{Result, workspace};
use list::Mutant;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use trial::Trial;

/// How many mutants are tried concurrently: most tests spend their time waiting.
const AT_ONCE: usize = 2;

/// The result of a mutant.
#[derive(Clone)]
pub struct MutantOutcome {
    /// `caught`, `timeout` or `ALIVE`.
    pub end: String,
    commit: String,
}

/// `mutants [SHARD/SHARDS] [PART OF A NAME ...]`, or `mutants figures` for the known results
pub fn run(words: &[&str]) -> Result {
    let (share, only) = match words {
        [share, rest @ ..] if share.contains('/') && !share.contains('.') => (*share, rest),
        rest => ("0/1", rest),
    };
    let (mine, shards) = share
        .split_once('/')
        .and_then(|(mine, of)| Some((mine.parse::<usize>().ok()?, of.parse::<usize>().ok()?)))
        .filter(|(mine, of)| mine < of)
        .ok_or("usage: mutants [SHARD/SHARDS] [PART OF A NAME]; a share is written 0/2")?;

    list::ready()?;
    let folder = workspace::target()?.join("mutants");
    let tree = tree::at_head(&folder)?;
    let mutants = list::all(&tree)?;
    if words == ["figures"] {
        let dropped = build::dropped(&folder)?;
        let chosen = list::chosen(&mutants, &dropped);
        return figures::figures(&chosen, &dropped, &results(&folder)?, &tree.commit);
    }
    let build = build::build(&folder, &tree, &mutants)?;
    let reach = reach::measured(&folder, &tree, &build.programs)?;
    let chosen = list::chosen(&mutants, &build.dropped);

    let known = results(&folder)?;
    let todo: VecDeque<&Mutant> = chosen
        .iter()
        .copied()
        .enumerate()
        .filter(|(number, _)| number % shards == mine)
        .map(|(_, mutant)| mutant)
        .filter(|mutant| only.iter().all(|part| mutant.name.contains(part)))
        .filter(|mutant| !build.dropped.contains_key(&mutant.key))
        .filter(|mutant| known.get(&mutant.key).is_none_or(|known| !known.holds(&tree.commit)))
        .collect();
    println!("{} of {} mutants are to be tried", todo.len(), chosen.len());
    let trial = Trial::new(&build.programs, &reach, &tree);
    try_all(&trial, todo, &folder, &tree.commit)?;
    figures::figures(&chosen, &build.dropped, &results(&folder)?, &tree.commit)
}

fn try_all(trial: &Trial, todo: VecDeque<&Mutant>, folder: &Path, commit: &str) -> Result {
    let log = OpenOptions::new().create(true).append(true).open(folder.join("results.jsonl"))?;
    let (todo, log) = (Mutex::new(todo), Mutex::new(log));
    let work = || -> std::result::Result<(), String> {
        loop {
            let next = todo.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(mutant) = next else { return Ok(()) };
            let (end, by) = trial.run(mutant).map_err(|error| error.to_string())?;
            println!("{end:<8} {} {by}", mutant.name);
            let line = json!({ "key": mutant.key, "end": end, "by": by, "commit": commit });
            writeln!(log.lock().unwrap_or_else(PoisonError::into_inner), "{line}")
                .map_err(|error| error.to_string())?;
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(done) => done.map_err(Into::into),
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}

impl MutantOutcome {
    /// Whether the mutant need not be tried again. A surviving mutant is tried again if there may be new tests.
    fn holds(&self, commit: &str) -> bool {
        self.end != trial::ALIVE || self.commit == commit
    }
}

/// The last result of each mutant, by its key.
fn results(folder: &Path) -> Result<BTreeMap<String, MutantOutcome>> {
    let text = fs::read_to_string(folder.join("results.jsonl")).unwrap_or_default();
    let mut results = BTreeMap::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line)?;
        let of = |field: &str| line[field].as_str().unwrap_or_default().to_owned();
        results.insert(of("key"), MutantOutcome { end: of("end"), commit: of("commit") });
    }
    Ok(results)
}
