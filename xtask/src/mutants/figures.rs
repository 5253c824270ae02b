//! Writes the results into `docs/reliability.md`.

use super::list::Mutant;
use super::{MutantOutcome, build, trial};
use crate::{Result, workspace};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

const FILE: &str = "docs/reliability.md";
const BEGIN: &str = "<!-- figures of the mutants: `cargo xtask mutants` writes them -->\n";
const END: &str = "<!-- end of the figures of the mutants -->";

/// The minimum percentage of mutants that must be caught, of those that compile.
const CAUGHT: usize = 97;

pub fn figures(
    chosen: &[&Mutant],
    dropped: &BTreeMap<String, String>,
    results: &BTreeMap<String, MutantOutcome>,
    commit: &str,
) -> Result {
    let of = |always: bool| {
        let mutants: Vec<&Mutant> =
            chosen.iter().copied().filter(|mutant| mutant.always() == always).collect();
        let ended = |wanted: &str| {
            let end = |mutant: &&&Mutant| {
                !dropped.contains_key(&mutant.key)
                    && results.get(&mutant.key).is_some_and(|known| known.end == wanted)
            };
            mutants.iter().filter(end).count()
        };
        let left_out = |wanted: &str| {
            mutants.iter().filter(|mutant| dropped.get(&mutant.key).is_some_and(|why| why == wanted)).count()
        };
        [
            mutants.len(),
            left_out(build::UNVIABLE),
            left_out(build::APART),
            ended(trial::CAUGHT),
            ended(trial::TIMEOUT),
            ended(trial::ALIVE),
        ]
    };
    let (always, others) = (of(true), of(false));
    let mut sum = always;
    sum.iter_mut().zip(others).for_each(|(sum, more)| *sum += more);
    let rows = [
        ("files of which every mutant is tried", always),
        ("sample of the others", others),
        ("together", sum),
    ];
    let mut table = "| | listed | do not compile | compile only alone, not tried | caught by a failing test | caught by a test that never ends | alive |\n|---|---|---|---|---|---|---|\n".to_owned();
    for (name, row) in rows {
        let cells = row.map(|cell| cell.to_string()).join(" | ");
        writeln!(table, "| {name} | {cells} |")?;
    }
    println!("\n{table}");

    let path = workspace::root().join(FILE);
    let text = fs::read_to_string(&path)?;
    for mutant in chosen {
        if results.get(&mutant.key).is_some_and(|known| known.end == trial::ALIVE) {
            let reason = if text.contains(&mutant.place()) {
                ""
            } else {
                " (without a reason in docs/reliability.md)"
            };
            println!("ALIVE {}{reason}", mutant.name);
        }
    }
    let [listed, unviable, apart, failed, timed_out, alive] = sum;
    let (caught, tried) = (failed + timed_out, failed + timed_out + alive);
    let open = listed - unviable - apart - tried;
    if tried == 0 {
        return Ok(());
    }
    let share = format!("{}.{}", caught * 100 / tried, caught * 1000 / tried % 10);
    let rest_of_them = if open > 0 { format!(" {open} are not tried yet.") } else { String::new() };
    let (before, rest) =
        text.split_once(BEGIN).ok_or("docs/reliability.md has no marker for the start of the mutants")?;
    let (_, after) =
        rest.split_once(END).ok_or("docs/reliability.md has no marker for the end of the mutants")?;
    let figures = format!(
        "Core at commit {}: {tried} mutants tried, {caught} caught, {share} %.{rest_of_them}\n\n{table}",
        &commit[..7]
    );
    fs::write(&path, format!("{before}{BEGIN}\n{figures}\n{END}{after}"))?;
    println!("{share} % of {tried} are caught; {FILE} is written");
    if open == 0 && caught * 100 < tried * CAUGHT {
        return Err(format!("less than {CAUGHT} % were caught").into());
    }
    Ok(())
}
