//! The long form, and its figures in `docs/reliability.md`.

use super::{Said, languages, rust};
use crate::{Result, workspace};
use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

const FILE: &str = "docs/reliability.md";
const BEGIN: &str = "<!-- figures of the campaign: `cargo xtask campaign` writes them -->\n";
const END: &str = "<!-- end of the figures -->";

type Part = (&'static str, fn(&[&str]) -> Result<Said>);

const PARTS: [Part; 5] = [
    ("Rust", rust),
    ("Python", languages::python),
    ("Node.js", languages::node),
    ("Kotlin", languages::kotlin),
    ("Swift", languages::swift),
];

/// Runs everything, and writes down what it came to when nothing was found.
pub fn long() -> Result {
    let (mut rows, mut families, mut failed) = (String::new(), String::new(), Vec::new());
    for (language, run) in PARTS {
        let begin = Instant::now();
        let said = run(&["--long"])?;
        let all = said.tally.passed + said.tally.failed;
        let seconds = begin.elapsed().as_secs();
        writeln!(rows, "| {language} | {all} | {} | {seconds} s |", said.tally.failed)?;
        if language == "Rust" {
            families = table(&said.text);
        }
        if said.tally.failed > 0 {
            failed.push(language);
        }
    }
    if !failed.is_empty() {
        return Err(format!("promises were broken in {}: nothing is written", failed.join(", ")).into());
    }
    let path = workspace::root().join(FILE);
    let text = fs::read_to_string(&path)?;
    let (before, rest) = text.split_once(BEGIN).ok_or("docs/reliability.md has no place for the figures")?;
    let (_, after) = rest.split_once(END).ok_or("docs/reliability.md has no end of the figures")?;
    let revision = crate::process::output(
        std::process::Command::new("git")
            .args(["rev-parse", "--short", "HEAD"])
            .current_dir(workspace::root()),
    )?;
    let figures = format!(
        "Of the client of {}:\n\n| client | cells | broken | time |\n|---|---|---|---|\n{rows}\n{families}",
        revision.trim()
    );
    fs::write(&path, format!("{before}{BEGIN}\n{figures}\n{END}{after}"))?;
    println!("{FILE} is written");
    Ok(())
}

/// The families of a run, as it prints them, and what it says of them all.
fn table(text: &str) -> String {
    let mut rows = "| in Rust | cells |\n|---|---|\n".to_owned();
    for line in text.lines().filter(|line| line.len() == 46 && !line.starts_with(' ')) {
        if let Ok(cells) = line[40..].trim().parse::<usize>() {
            rows.extend(["| ", line[..40].trim(), " | ", &cells.to_string(), " |\n"]);
        }
    }
    let sum = text.lines().rev().find(|line| line.contains(" cells, ")).unwrap_or_default();
    format!("{rows}\n{sum}.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_families() {
        let line = format!("{:<40}{:>6}", "request cut", 144);
        let text = format!("BROKEN in nothing\n{line}\n\n144 cells, 0 broken; 3 requests came whole\n");
        let table = table(&text);
        assert!(
            table.contains("| request cut | 144 |")
                && table.ends_with("144 cells, 0 broken; 3 requests came whole.\n")
        );
    }
}
