//! `cargo xtask test`: runs every stage, then prints a summary.

use crate::stage::{Stage, TestCounts, tally_of};
use crate::{
    Result, background, browser, campaign, crates, kotlin, lint, node, package, programs, python, rust, site,
    swift, workspace,
};
use std::time::{Duration, Instant};

/// A group stops at its first failure if its later stages need the earlier ones; the next group still runs.
fn stages() -> impl Iterator<Item = &'static Stage> {
    let groups = [
        background::BEGIN_INSTALLING,
        background::INSTALL,
        lint::STAGES,
        background::END_INSTALLING,
        lint::LICENCES,
        crates::STAGES,
        rust::STAGES,
        background::BEGIN_TESTS,
        python::STAGES,
        node::STAGES,
        package::STAGES,
        rust::SYSTEMS,
        kotlin::STAGES,
        swift::STAGES,
        python::SPARK,
        programs::STAGES,
        browser::STAGES,
        site::STAGES,
        python::DEMO,
        background::END_TESTS,
        campaign::STAGES,
    ];
    groups.into_iter().flatten()
}

/// Groups that run only when named, or in CI, because they take minutes.
const ON_REQUEST: [&str; 2] = ["systems", "campaign"];
/// Groups that run only when named, because they install or compile much.
const NAMED: [&str; 3] = ["lakes", "office", "macos"];

/// Groups with independent stages: all of them run.
const APART: [&str; 4] = ["begin", "end", "lint", "campaign"];

pub fn run(groups: &[&str]) -> Result {
    if let Some(unknown) = groups.iter().find(|group| !stages().any(|stage| stage.group == **group)) {
        return Err(format!("there is no group of tests called {unknown}").into());
    }
    let mut results: Vec<(&Stage, TestCounts, Duration)> = Vec::new();
    let in_ci = |stage: &Stage| !background::TESTED.contains(&stage.group) && stage.group != "install";
    let elsewhere = |stage: &Stage| ![&ON_REQUEST[..], &background::GROUPS].concat().contains(&stage.group);
    let usual = |stage: &Stage| {
        let is_usual = if workspace::is_ci() { in_ci(stage) } else { elsewhere(stage) };
        groups.is_empty() && is_usual && !NAMED.contains(&stage.group)
    };
    for stage in stages().filter(|stage| usual(stage) || groups.contains(&stage.group)) {
        let broken =
            results.iter().any(|(earlier, tally, _)| earlier.group == stage.group && tally.failed > 0);
        let (tally, time) = if broken && !APART.contains(&stage.group) {
            println!("\n== {}: not run, because an earlier stage failed", stage.name);
            (TestCounts::FAILED, Duration::ZERO)
        } else {
            perform(stage)
        };
        results.push((stage, tally, time));
    }
    summary(&results)
}

fn perform(stage: &Stage) -> (TestCounts, Duration) {
    println!("\n== {}", stage.name);
    let start = Instant::now();
    let tally = stage.run().unwrap_or_else(|error| {
        println!("{error}");
        tally_of(error.as_ref())
    });
    (tally, start.elapsed())
}

fn summary(results: &[(&Stage, TestCounts, Duration)]) -> Result {
    let mut total = TestCounts::default();
    println!("\n== summary");
    for (stage, tally, time) in results {
        println!("{:<34}{:>8.1} s   {tally}", stage.name, time.as_secs_f64());
        total += *tally;
    }
    println!("\n{total}");
    match total {
        TestCounts { failed: 0, passed: 0, .. } => Err("nothing was tested".into()),
        TestCounts { failed: 0, .. } => Ok(()),
        _ => Err("something failed: see above".into()),
    }
}
