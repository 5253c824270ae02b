//! Runs the long form of the tests of jobs, and writes their figures into `docs/reliability.md`.

use crate::{Result, bench, files, node, process, python, workspace};
use std::process::Command;

const FILE: &str = "docs/reliability.md";
const MARKS: [&str; 2] = [
    "<!-- figures of the jobs: `cargo xtask jobs` writes them -->\n",
    "<!-- end of the figures of the jobs -->",
];

/// What is measured, its test, and the form of the test's last line, which has the result.
type Part = (&'static str, &'static str, &'static str);

const PARTS: [Part; 8] = [
    ("Imports", "import_matrix", " cells, 0 twice"),
    ("Killed imports", "import_kills", " of them resumed, 0 twice"),
    ("Memory of an import", "import_memory", " MiB beyond the base process of "),
    ("Plans that send", "invitation_panels", " messages, "),
    ("Mails, vouchers and transitions", "plan_matrix", " done, 0 twice, 0 against the plan"),
    ("Unknown outcomes", "reconcile_matrix", ", 0 wrong verdicts, "),
    ("Budget", "budget_processes", " calls of 4 processes (3 of "),
    // A measurement of `bench/`, because its limits are times.
    ("Cost", "cost", " times the CPU of the calls that create"),
];

/// `jobs [--from CELL] [PART ...]`: runs the long form, one part after the other, and writes the result of each as soon as it has
/// ended. `--from`: resumes the imports of an earlier run, at the number that it printed last.
pub fn run(words: &[&str]) -> Result {
    let (from, words) = match words {
        ["--from", cell, rest @ ..] => (cell.parse::<usize>()?, rest),
        words => (0, words),
    };
    if let Some(unknown) = words.iter().find(|word| PARTS.iter().all(|(_, test, _)| test != *word)) {
        let names = PARTS.map(|(_, test, _)| test).join(", ");
        return Err(format!("there is no part {unknown}; there are {names}").into());
    }
    let others = words.is_empty() || words.contains(&"budget_processes");
    if others {
        python::install()?;
        node::install()?;
    }
    let file = |path: &str| workspace::root().join(path).display().to_string();
    let in_python =
        if others { python::ready()?.program("python").display().to_string() } else { String::new() };
    let in_python = format!("{in_python}\n-P\n{}", file("tests/python/budget_calls.py"));
    let in_node = format!("node\n{}", file("tests/node/budget_calls.mjs"));
    let wanted = || PARTS.iter().filter(|(_, test, _)| words.is_empty() || words.contains(test));
    for (number, part @ (name, test, _)) in wanted().enumerate() {
        println!("part {} of {}: {name}", number + 1, wanted().count());
        let settings = [
            ("SONDAGE_FROM", from.to_string()),
            ("SONDAGE_BUDGET_PYTHON", in_python.clone()),
            ("SONDAGE_BUDGET_NODE", in_node.clone()),
        ];
        let (output, succeeded) = process::watch(command(test)?.envs(settings))?;
        if !succeeded {
            return Err(format!("{test} found something: its figures are not written").into());
        }
        let figures = figures(part, &output).ok_or("the test has not printed its result")?;
        let mut git = Command::new("git");
        git.args(["rev-parse", "--short", "HEAD"]).current_dir(workspace::root());
        let revision = process::output(&mut git)?;
        let day = sondage::model::Timestamp::now().to_string();
        let line = format!("- {name}: {} at {}: {figures}.", &day[..10], revision.trim());
        files::rewrite(FILE, MARKS, |old| placed(old, name, &line))?;
        println!("{FILE} has the figures of {name}");
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
    // The modules of that name, in the programs that have them.
    test.args(["test", "--workspace", "--test", "it", "--test", "reconcile", "--", "--nocapture"]);
    test.arg(format!("{part}::")).env("SONDAGE_LONG", "1");
    // The matrix writes some hundred thousand lines of journals, each flushed to disk: no cell is about a loss of power.
    let memory = std::path::Path::new("/dev/shm");
    if part == "import_matrix" && memory.is_dir() {
        test.env("TMPDIR", memory);
    }
    Ok(test)
}

/// The line with the result of a part.
fn figures<'a>((_, _, result): &Part, output: &'a str) -> Option<&'a str> {
    output.lines().find(|line| line.contains(result))
}

/// The lines of the page with the one of a part replaced.
fn placed(old: &str, part: &str, line: &str) -> String {
    let lines = PARTS.iter().filter_map(|(name, ..)| {
        let begin = format!("- {name}: ");
        if *name == part { Some(line) } else { old.lines().find(|line| line.starts_with(&begin)) }
    });
    format!("\n{}\n\n", lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_replaces_its_own_figures() {
        let [imports, kills, memory, plans, sends, questions, budget, cost] = &PARTS;
        let output = "running 1 test\n500 of 585 cells after 9 s\n585 cells, 0 twice, 0 lost, 0 wrong rows, 98 s\nok\n";
        assert_eq!(figures(imports, output), Some("585 cells, 0 twice, 0 lost, 0 wrong rows, 98 s"));
        let output = "9 cells, 9 questions, 0 wrong verdicts, 1 s\n10000 calls of 4 processes (3 of other languages), 9 s\n";
        assert_eq!(figures(questions, output), output.lines().next());
        assert_eq!(figures(budget, output), output.lines().nth(1));
        let output =
            "55 kill -9 of 41 imports, 51 of them resumed, 0 twice, 0 lost, 0 wrong rows, 17 s\nok\n";
        assert_eq!(figures(kills, output), output.lines().next());
        let output = "50000 rows imported in 8 MiB beyond the base process of 21 MiB, 9 s\nok\n";
        assert_eq!(figures(memory, output), output.lines().next());
        let output = "an import of 9 rows takes 0.60 times the CPU of the calls that create the same members (1 s and 2 s)\n";
        assert_eq!(figures(cost, output), output.lines().next());
        let output = "9 plans of mails, vouchers and transitions, 8 with a fault, 7 done, 0 twice, 0 against the plan, 1 s\n";
        assert_eq!(figures(sends, output), output.lines().next());
        assert!(figures(plans, output).is_none() && figures(imports, "585 cells, 1 twice").is_none());
        let lines = placed("\n- Imports: old\n- Plans that send: 3\n\n", "Imports", "- Imports: new");
        assert_eq!(lines, "\n- Imports: new\n- Plans that send: 3\n\n");
        let lines = placed(&lines, "Plans that send", "- Plans that send: 4");
        assert_eq!(lines, "\n- Imports: new\n- Plans that send: 4\n\n");
    }
}
