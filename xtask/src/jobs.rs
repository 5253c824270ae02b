//! The long form of the tests of jobs, and their figures in `docs/reliability.md`.

use crate::{Result, node, process, python, workspace};
use std::fs;

const FILE: &str = "docs/reliability.md";
const BEGIN: &str = "<!-- figures of the jobs: `cargo xtask jobs` writes them -->\n";
const END: &str = "<!-- end of the figures of the jobs -->";

/// Runs the long form, and writes down what it came to when nothing was found.
pub fn run() -> Result {
    python::install()?;
    node::install()?;
    let mut test = workspace::cargo();
    let tests = [
        "--test",
        "import_matrix",
        "--test",
        "invitation_panels",
        "--test",
        "reconcile_matrix",
        "--test",
        "budget_processes",
    ];
    let file = |path: &str| workspace::root().join(path).display().to_string();
    let python = python::ready()?.program("python").display().to_string();
    let python = format!("{python}\n-P\n{}", file("tests/python/budget_calls.py"));
    test.env("SONDAGE_BUDGET_PYTHON", python);
    test.env("SONDAGE_BUDGET_NODE", format!("node\n{}", file("tests/node/budget_calls.mjs")));
    test.args(["test", "--workspace"]).args(tests).args(["--", "--nocapture"]).env("SONDAGE_LONG", "1");
    let (output, succeeded) = process::watch(&mut test)?;
    if !succeeded {
        return Err("the tests of jobs found something: their figures are not written".into());
    }
    let figures = figures(&output).ok_or("the tests of jobs have not said what they came to")?;
    let mut git = std::process::Command::new("git");
    git.args(["rev-parse", "--short", "HEAD"]).current_dir(workspace::root());
    let revision = process::output(&mut git)?;
    let day = sondage::model::Timestamp::now().to_string();
    let path = workspace::root().join(FILE);
    let [imports, plans, questions, budget] = figures;
    let line = format!(
        "{} at {}: imports: {imports}. Plans that send: {plans}. Unknown outcomes: {questions}. Budget: {budget}.",
        &day[..10],
        revision.trim()
    );
    fs::write(&path, placed(&fs::read_to_string(&path)?, &line)?)?;
    println!("{FILE} is written");
    Ok(())
}

/// The lines in which the matrix of imports, the random panels, the matrix of unknown outcomes and the processes that count
/// print their results.
fn figures(output: &str) -> Option<[&str; 4]> {
    let line = |told: &str| output.lines().find(|line| line.contains(told));
    let (questions, budget) = (line(", 0 wrong verdicts, ")?, line(" calls of 4 processes (3 of ")?);
    Some([line(" cells, 0 twice")?, line(" messages, ")?, questions, budget])
}

/// The page with the line between its marks.
fn placed(page: &str, line: &str) -> Result<String> {
    let (before, rest) =
        page.split_once(BEGIN).ok_or("docs/reliability.md has no place for the figures of the jobs")?;
    let (_, after) =
        rest.split_once(END).ok_or("docs/reliability.md has no end of the figures of the jobs")?;
    Ok(format!("{before}{BEGIN}\n{line}\n\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_replaces_its_own_figures() {
        let output = "running 1 test\n585 cells, 0 twice, 0 lost, 0 wrong rows, 98 s\nok\n200 panels, 7 messages, 0 more\n\
                      9 cells, 0 wrong verdicts, 1 s\n10000 calls of 4 processes (3 of other languages), 9 s\n";
        let [imports, plans, questions, budget] = figures(output).unwrap();
        assert_eq!(plans, "200 panels, 7 messages, 0 more");
        assert_eq!(questions, "9 cells, 0 wrong verdicts, 1 s");
        assert!(budget.starts_with("10000 calls"));
        let page = placed(&format!("before\n{BEGIN}old\n{END}\nafter\n"), imports).unwrap();
        assert!(page.contains("\n585 cells, 0 twice, 0 lost, 0 wrong rows, 98 s\n") && !page.contains("old"));
        assert!(page.starts_with("before\n") && page.ends_with("\nafter\n"));
        assert!(placed("no marks", "x").is_err() && figures("585 cells, 1 twice").is_none());
    }
}
