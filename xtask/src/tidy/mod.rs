//! `cargo xtask tidy`: the house rules, as a test.
//!
//! A rule is a function from a file to its problems. The rules and their reasons are in CONTRIBUTING.md.

mod authority;
mod code;
mod docs;
mod knots;
mod places;
pub mod spelling;

use crate::{Result, process, workspace};
use std::fs;
use std::process::Command;

/// A file of the repository, tracked or new.
pub struct File {
    /// Its path from the root, with slashes.
    pub path: String,
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

    fn problem(&self, what: impl std::fmt::Display) -> String {
        format!("{}: {what}", self.path)
    }

    /// The problems that a rule finds in lines, with their places.
    fn in_lines<'a, P: IntoIterator<Item = String>>(
        &'a self,
        mut rule: impl FnMut(&'a str) -> P,
    ) -> Problems {
        let mut problems = Problems::new();
        for (index, line) in self.text.lines().enumerate() {
            let place = format!("{}:{}", self.path, index + 1);
            problems.extend(rule(line).into_iter().map(|what| format!("{place}: {what}")));
        }
        problems
    }
}

/// An error and its location: `path:line: what`.
pub type Problems = Vec<String>;

pub fn run() -> Result {
    let files = files()?;
    let mut problems: Problems = files.iter().flat_map(code::rules).collect();
    for rules in [docs::rules, places::rules, authority::rules, knots::rules, spelling::rules] {
        problems.extend(rules(&files));
    }
    problems.extend(places::attributes(&files)?);
    problems.extend(places::features()?);
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

/// The text of a file; none if there is no such file.
fn text_of<'a>(files: &'a [File], path: &str) -> &'a str {
    files.iter().find(|file| file.path == path).map_or("", |file| &file.text)
}

/// What is between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// A file for the tests of the rules.
#[cfg(test)]
fn file(path: &str, text: &str) -> File {
    File { path: path.to_owned(), text: text.to_owned() }
}
