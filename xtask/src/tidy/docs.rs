//! Rules about the documents: their links work, their programs are tested, and the tests that they name exist.

use super::{File, Problems};
use crate::workspace;
use std::path::Path;

const NOTES: &str = "docs/spec-notes.md";

/// The maximum size in bytes: the README is for newcomers. Details belong in `docs/`.
const README: usize = 8192;

pub fn rules(files: &[File]) -> Problems {
    let mut problems = Problems::new();
    for file in files.iter().filter(|file| file.extension() == "md") {
        problems.extend(links(file, files));
        problems.extend(paths(file));
        problems.extend(programs(file));
    }
    let tests: Vec<&str> = files.iter().filter(|file| file.is_code()).flat_map(names_of_tests).collect();
    let long = |file: &&File| file.path == "README.md" && file.text.len() > README;
    problems.extend(files.iter().filter(long).map(|file| {
        format!("README.md: {} bytes; it has at most {README}: move details to docs/", file.text.len())
    }));
    match files.iter().find(|file| file.path == NOTES) {
        Some(notes) => problems.extend(notes_without_test(notes, &tests)),
        None => problems.push(format!("{NOTES} is gone")),
    }
    problems
}

/// Relative links: the file exists, and so does the heading.
fn links(file: &File, files: &[File]) -> Problems {
    let mut problems = Problems::new();
    let folder = Path::new(&file.path).parent().unwrap_or(Path::new(""));
    for (number, line) in file.lines() {
        for link in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let path = if path.is_empty() { file.path.clone() } else { plain(&folder.join(path)) };
            let there = workspace::root().join(&path).exists() || files.iter().any(|file| file.path == path);
            let target = files.iter().find(|file| file.path == path);
            if !there || !heading.is_empty() && !target.is_some_and(|target| has_heading(target, heading)) {
                problems.push(format!("{}:{number}: the link {link} leads nowhere", file.path));
            }
        }
    }
    problems
}

/// Languages whose programs are tested.
const LANGUAGES: [&str; 7] = ["js", "kotlin", "py", "python", "rust", "swift", "ts"];

/// A program is a part of a tested file, or is marked as a fragment: one or two calls that need no surrounding code.
fn programs(file: &File) -> Problems {
    let mut problems = Problems::new();
    let (mut before, mut is_inside) = ("", false);
    for (number, line) in file.lines() {
        let Some(language) = line.trim_start().strip_prefix("```") else {
            before = line.trim_start();
            continue;
        };
        let is_marked = before.starts_with("<!-- shows ") || before == "<!-- fragment -->";
        if !is_inside && LANGUAGES.contains(&language) && !is_marked {
            problems.push(format!(
                "{}:{number}: a program of no tested file: show one with <!-- shows FILE from \"...\" to \"...\" -->, or mark it \
                 with <!-- fragment -->",
                file.path
            ));
        }
        is_inside = !is_inside;
        before = line;
    }
    problems
}

/// Folders whose files a page must name by their full path.
const FOLDERS: [&str; 8] =
    ["bench/", "bindings/", "crates/", "fuzz/", "node/", "python/", "tests/", "xtask/"];

/// Pages about the code: the files and folders that they name must exist.
fn paths(file: &File) -> Problems {
    let about_code = file.path.starts_with("docs/internals/") || file.path == "CONTRIBUTING.md";
    let mut problems = Problems::new();
    for (number, line) in file.lines().filter(|_| about_code) {
        let named = line.split('`').skip(1).step_by(2).filter(|word| is_path(word));
        for path in named.filter(|path| !workspace::root().join(path).exists()) {
            problems.push(format!("{}:{number}: there is no {path}", file.path));
        }
    }
    problems
}

/// Whether a word is a path without a placeholder.
fn is_path(word: &str) -> bool {
    FOLDERS.iter().any(|folder| word.starts_with(folder)) && !word.contains(['<', '*', '{', ' '])
}

/// Resolves `docs/../README.md` to `README.md`.
fn plain(path: &Path) -> String {
    let mut parts: Vec<_> = Vec::new();
    for part in path.iter().map(|part| part.to_string_lossy()) {
        match part.as_ref() {
            "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

fn has_heading(file: &File, anchor: &str) -> bool {
    file.text.lines().filter(|line| line.starts_with('#')).any(|line| {
        let heading = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        heading.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).eq(anchor.chars())
    })
}

/// The functions of a file, which include all its tests.
pub fn names_of_tests(file: &File) -> impl Iterator<Item = &str> {
    file.text.lines().filter_map(|line| {
        let line = line.trim_start().trim_start_matches("async ").trim_start_matches("pub ");
        let rest = line.strip_prefix("fn ").or_else(|| line.strip_prefix("def "))?;
        rest.split(['(', '<']).next()
    })
}

/// Each row of a table in the notes ends with the tests that verify it.
fn notes_without_test(notes: &File, tests: &[&str]) -> Problems {
    let mut problems = Problems::new();
    let rows = notes.lines().filter(|(_, line)| line.starts_with("| ") && !line.starts_with("| point"));
    for (number, row) in rows {
        let last = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap_or_default();
        let named: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
        if named.is_empty() {
            problems.push(format!("{NOTES}:{number}: names no test"));
        }
        for name in named.iter().filter(|name| !tests.contains(name)) {
            problems.push(format!("{NOTES}:{number}: there is no test {name}"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn follows_links_and_headings() {
        let files = [file("docs/a.md", ""), file("docs/b.md", "# One idea, two\n")];
        let problems = |text: &str| links(&file("docs/a.md", text), &files).len();
        assert_eq!(problems("[b](b.md) [b](b.md#one-idea-two) [x](https://docs.rs/x)"), 0);
        assert_eq!(problems("[b](nowhere.md)"), 1);
        assert_eq!(problems("[b](b.md#another)"), 1);
    }

    #[test]
    fn a_page_about_the_code_names_files_that_are_there() {
        let problems = |path: &str, text: &str| paths(&file(path, text)).len();
        assert_eq!(problems("docs/internals/a.md", "`xtask/src/main.rs`, `crates/`, `bindings/<x>/src`"), 0);
        assert_eq!(problems("docs/internals/a.md", "see `xtask/src/gone.rs`"), 1);
        assert_eq!(problems("docs/a.md", "see `xtask/src/gone.rs`"), 0);
    }

    #[test]
    fn a_program_is_tested_or_marked() {
        let problems = |text: &str| programs(&file("docs/a.md", text)).len();
        assert_eq!(
            problems(
                "<!-- shows a.py -->\n```python\na\n```\n\n<!-- fragment -->\n```js\na\n```\n```sh\nb\n```\n"
            ),
            0
        );
        assert_eq!(problems("```python\na\n```\n"), 1);
        assert_eq!(problems("<!-- fragment -->\nText.\n```rust\na\n```\n"), 1);
    }

    #[test]
    fn the_readme_stays_short() {
        let problems =
            |length: usize| rules(&[file("README.md", &"x".repeat(length)), file(NOTES, "")]).len();
        assert_eq!((problems(README), problems(README + 1)), (0, 1));
    }

    #[test]
    fn a_note_names_a_test_that_exists() {
        let code = file("a.rs", "    #[test]\n    async fn pins_it() {\n");
        let tests: Vec<&str> = names_of_tests(&code).collect();
        let problems = |row: &str| notes_without_test(&file(NOTES, row), &tests).len();
        assert_eq!(problems("| point | test |\n|---|---|\n| paging | `pins_it` |"), 0);
        assert_eq!(problems("| paging | |"), 1);
        assert_eq!(problems("| paging | `pins_nothing` |"), 1);
    }
}
