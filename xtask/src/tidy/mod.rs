//! `cargo xtask tidy`: the house rules, as a test.
//!
//! A rule is a function from a file to its problems. The rules and their reasons are in CONTRIBUTING.md.

mod attributes;
mod authority;
mod bindings;
mod code;
mod docs;
mod features;
mod knots;
mod machine;
mod places;
pub mod spelling;
mod versions;

use crate::{Result, process, workspace};
use std::fs;
use std::process::Command;

/// A file of the repository, tracked or new.
pub struct File {
    /// Its path from the root, with slashes.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl File {
    /// Its extension: `rs`, `py`, `md`, ...
    fn extension(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// Whether it is code in any of the project's languages.
    fn is_code(&self) -> bool {
        ["rs", "py", "pyi", "ts", "mts", "js", "mjs", "cjs", "kt", "swift", "sh"].contains(&self.extension())
    }

    /// Whether it is generated. Such a file says so at its top.
    fn is_generated(&self) -> bool {
        self.text.lines().take(5).any(|line| line.contains("@generated"))
    }

    /// The lines with their numbers.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

/// An error and its location: `path:line: what`.
pub type Problems = Vec<String>;

pub fn run() -> Result {
    let files = files()?;
    let mut problems = Problems::new();
    for file in &files {
        for rule in [code::rules, machine::rules, bindings::rules] {
            problems.extend(rule(file));
        }
    }
    problems.extend(docs::rules(&files));
    problems.extend(places::rules(&files));
    problems.extend(authority::rules(&files));
    problems.extend(knots::rules(&files));
    problems.extend(versions::rules(&files));
    problems.extend(spelling::rules(&files));
    problems.extend(attributes::rules(&files)?);
    problems.extend(features::rules()?);
    for problem in &problems {
        println!("{problem}");
    }
    if problems.is_empty() {
        println!("{} files keep the house rules", files.len());
        return Ok(());
    }
    Err(format!("{} breaches of the house rules (CONTRIBUTING.md, \"House rules\")", problems.len()).into())
}

/// Every text file that git tracks or would add.
fn files() -> Result<Vec<File>> {
    let read = |path: String| {
        let text = fs::read_to_string(workspace::root().join(&path)).ok()?;
        Some(File { path, text })
    };
    Ok(listed(&[])?.into_iter().filter_map(read).collect())
}

/// The paths that git tracks or would add and that match.
fn listed(patterns: &[&str]) -> Result<Vec<String>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard", "--"]).args(patterns);
    let listed = process::output(git.current_dir(workspace::root()))?;
    Ok(listed.lines().map(str::to_owned).collect())
}

/// A file for the tests of the rules.
#[cfg(test)]
fn file(path: &str, text: &str) -> File {
    File { path: path.to_owned(), text: text.to_owned() }
}
