//! Runs the long form of the tests of jobs, and writes their figures into `docs/reliability.md`.

mod cost;

use crate::{Result, node, process, python, workspace};
use std::fs;

const FILE: &str = "docs/reliability.md";
const BEGIN: &str = "<!-- figures of the jobs: `cargo xtask jobs` writes them -->\n";
const END: &str = "<!-- end of the figures of the jobs -->";

/// A test, and the form of its last line, which has the result.
struct Part {
    name: &'static str,
    test: &'static str,
    told: &'static str,
}

const PARTS: [Part; 8] = [
    Part { name: "Imports", test: "import_matrix", told: " cells, 0 twice" },
    Part { name: "Killed imports", test: "import_kills", told: " of them resumed, 0 twice" },
    Part { name: "Memory of an import", test: "import_memory", told: " MiB beyond the base process of " },
    Part { name: "Plans that send", test: "invitation_panels", told: " messages, " },
    Part {
        name: "Mails, vouchers and transitions",
        test: "plan_matrix",
        told: " done, 0 twice, 0 against the plan",
    },
    Part { name: "Unknown outcomes", test: "reconcile_matrix", told: ", 0 wrong verdicts, " },
    Part { name: "Budget", test: "budget_processes", told: " calls of 4 processes (3 of " },
    // This part is not a test, because its limits are times.
    Part { name: "Cost", test: "cost", told: " times the CPU of the calls that create" },
];

/// `jobs [--from CELL] [PART ...]`: runs the long form, one part after the other, and writes the result of each as soon as it has
/// ended. `--from`: resumes the imports of an earlier run, at the number that it printed last.
pub fn run(words: &[&str]) -> Result {
    let (from, words) = match words {
        ["--from", cell, rest @ ..] => (cell.parse::<usize>()?, rest),
        words => (0, words),
    };
    if let Some(unknown) = words.iter().find(|word| PARTS.iter().all(|part| part.test != **word)) {
        let names = PARTS.map(|part| part.test).join(", ");
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
    let wanted: Vec<&Part> =
        PARTS.iter().filter(|part| words.is_empty() || words.contains(&part.test)).collect();
    for (number, part) in wanted.iter().enumerate() {
        println!("part {} of {}: {}", number + 1, wanted.len(), part.name);
        let figures = if part.test == "cost" {
            cost::measure()?
        } else {
            let set = [
                ("SONDAGE_FROM", from.to_string()),
                ("SONDAGE_BUDGET_PYTHON", in_python.clone()),
                ("SONDAGE_BUDGET_NODE", in_node.clone()),
            ];
            tested(part, set)?
        };
        let mut git = std::process::Command::new("git");
        git.args(["rev-parse", "--short", "HEAD"]).current_dir(workspace::root());
        let revision = process::output(&mut git)?;
        let day = sondage::model::Timestamp::now().to_string();
        let line = format!("- {}: {} at {}: {figures}.", part.name, &day[..10], revision.trim());
        let path = workspace::root().join(FILE);
        fs::write(&path, placed(&fs::read_to_string(&path)?, part, &line)?)?;
        println!("{FILE} has the figures of {}", part.name);
    }
    Ok(())
}

/// The result of a part that is a test, in its long form.
fn tested(part: &Part, settings: [(&str, String); 3]) -> Result<String> {
    let mut test = workspace::cargo();
    // The modules of that name, in the programs that have them.
    test.args(["test", "--workspace", "--test", "it", "--test", "reconcile", "--", "--nocapture"]);
    test.arg(format!("{}::", part.test)).env("SONDAGE_LONG", "1");
    // The matrix writes some hundred thousand lines of journals, each flushed to disk: no cell is about a loss of power.
    let memory = std::path::Path::new("/dev/shm");
    if part.test == "import_matrix" && memory.is_dir() {
        test.env("TMPDIR", memory);
    }
    let (output, succeeded) = process::watch(test.envs(settings))?;
    if !succeeded {
        return Err(format!("{} found something: its figures are not written", part.test).into());
    }
    Ok(figures(part, &output).ok_or("the test has not printed its result")?.to_owned())
}

/// The line with the result of a part.
fn figures<'a>(part: &Part, output: &'a str) -> Option<&'a str> {
    output.lines().find(|line| line.contains(part.told))
}

/// Replaces the line of a part between its markers on the page, and keeps those of the others.
fn placed(page: &str, part: &Part, line: &str) -> Result<String> {
    let (before, rest) = page
        .split_once(BEGIN)
        .ok_or("docs/reliability.md has no marker for the start of the figures of the jobs")?;
    let (old, after) = rest
        .split_once(END)
        .ok_or("docs/reliability.md has no marker for the end of the figures of the jobs")?;
    let of = |part: &Part| format!("- {}: ", part.name);
    let lines = PARTS.iter().filter_map(|other| {
        let kept = || old.lines().find(|line| line.starts_with(&of(other)));
        if other.name == part.name { Some(line) } else { kept() }
    });
    let lines: Vec<&str> = lines.collect();
    Ok(format!("{before}{BEGIN}\n{}\n\n{END}{after}", lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_replaces_its_own_figures() {
        let [imports, kills, memory, plans, sends, questions, budget, cost] = &PARTS;
        let output = "running 1 test\n500 of 585 cells after 9 s\n585 cells, 0 twice, 0 lost, 0 wrong rows, 98 s\nok\n";
        assert_eq!(figures(imports, output), Some("585 cells, 0 twice, 0 lost, 0 wrong rows, 98 s"));
        let told = "9 cells, 9 questions, 0 wrong verdicts, 1 s\n10000 calls of 4 processes (3 of other languages), 9 s\n";
        assert_eq!(figures(questions, told), told.lines().next());
        assert_eq!(figures(budget, told), told.lines().nth(1));
        let told = "55 kill -9 of 41 imports, 51 of them resumed, 0 twice, 0 lost, 0 wrong rows, 17 s\nok\n";
        assert_eq!(figures(kills, told), told.lines().next());
        let told = "50000 rows imported in 8 MiB beyond the base process of 21 MiB, 9 s\nok\n";
        assert_eq!(figures(memory, told), told.lines().next());
        let told = "an import of 9 rows takes 0.60 times the CPU of the calls that create the same members (1 s and 2 s)\n";
        assert_eq!(figures(cost, told), told.lines().next());
        let told = "9 plans of mails, vouchers and transitions, 8 with a fault, 7 done, 0 twice, 0 against the plan, 1 s\n";
        assert_eq!(figures(sends, told), told.lines().next());
        assert!(figures(plans, output).is_none() && figures(imports, "585 cells, 1 twice").is_none());
        let page = format!("before\n{BEGIN}\n- Imports: old\n- Plans that send: 3\n\n{END}\nafter\n");
        let page = placed(&page, imports, "- Imports: new").unwrap();
        assert_eq!(page, format!("before\n{BEGIN}\n- Imports: new\n- Plans that send: 3\n\n{END}\nafter\n"));
        let page = placed(&page, plans, "- Plans that send: 4").unwrap();
        assert!(page.contains("- Imports: new\n- Plans that send: 4\n"));
        assert!(placed("no marks", imports, "x").is_err());
    }
}
