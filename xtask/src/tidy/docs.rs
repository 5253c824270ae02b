//! Rules about the documents: their links work, their programs are tested, and the tests that they name exist.

use super::{File, Problems, quoted};
use crate::workspace;
use std::collections::BTreeSet;
use std::path::Path;

const NOTES: &str = "docs/spec-notes.md";

/// The maximum size in bytes: the README is for newcomers. Details belong in `docs/`.
const README: usize = 8192;

/// Languages whose programs are tested.
const LANGUAGES: [&str; 7] = ["js", "kotlin", "py", "python", "rust", "swift", "ts"];

/// Folders whose files a page must name by their full path.
const FOLDERS: [&str; 8] =
    ["bench/", "bindings/", "crates/", "fuzz/", "node/", "python/", "tests/", "xtask/"];

pub fn rules(files: &[File]) -> Problems {
    let mut problems = Problems::new();
    for file in files.iter().filter(|file| file.extension() == "md") {
        problems.extend(file.in_lines(|line| links(file, files, line)));
        // Pages about the code.
        if file.path.starts_with("docs/internals/") || file.path == "CONTRIBUTING.md" {
            problems.extend(file.in_lines(paths));
        }
        problems.extend(programs(file));
        let size = file.text.len();
        if file.path == "README.md" && size > README {
            problems
                .push(file.problem(format!("{size} bytes; it has at most {README}: move details to docs/")));
        }
    }
    match files.iter().find(|file| file.path == NOTES) {
        Some(notes) => problems.extend(notes_without_test(notes, &names_of_tests(files))),
        None => problems.push(format!("{NOTES} is gone")),
    }
    problems
}

/// Relative links: the file exists, and so does the heading.
fn links(file: &File, files: &[File], line: &str) -> Problems {
    let leads_somewhere = |link: &&str| {
        if link.contains("://") || link.starts_with("mailto:") {
            return true;
        }
        let (path, heading) = link.split_once('#').unwrap_or((link, ""));
        let folder = Path::new(&file.path).parent().unwrap_or(Path::new(""));
        let path = if path.is_empty() { file.path.clone() } else { plain(&folder.join(path)) };
        match files.iter().find(|file| file.path == path) {
            Some(target) => heading.is_empty() || has_heading(target, heading),
            None => heading.is_empty() && workspace::root().join(path).exists(),
        }
    };
    let links = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let lost = links.filter(|link| !leads_somewhere(link));
    lost.map(|link| format!("the link {link} leads nowhere")).collect()
}

/// A program is a part of a tested file, or is marked as a fragment: one or two calls that need no surrounding code.
fn programs(file: &File) -> Problems {
    let (mut before, mut is_inside) = ("", false);
    file.in_lines(|line| {
        let Some(language) = line.trim_start().strip_prefix("```") else {
            before = line.trim_start();
            return None;
        };
        let is_marked = before.starts_with("<!-- shows ") || before == "<!-- fragment -->";
        let is_lost = !is_inside && LANGUAGES.contains(&language) && !is_marked;
        (before, is_inside) = (line, !is_inside);
        is_lost.then(|| {
            "a program of no tested file: show one with <!-- shows FILE from \"...\" to \"...\" -->, or mark it \
             with <!-- fragment -->"
                .to_owned()
        })
    })
}

/// The files and folders that a line names must exist.
fn paths(line: &str) -> impl Iterator<Item = String> {
    let is_path = |word: &&str| {
        let has_placeholder = word.contains(['<', '*', '{', ' ']);
        FOLDERS.iter().any(|folder| word.starts_with(folder)) && !has_placeholder
    };
    let lost = quoted(line).filter(is_path).filter(|path| !workspace::root().join(path).exists());
    lost.map(|path| format!("there is no {path}"))
}

/// Resolves `docs/../README.md` to `README.md`.
fn plain(path: &Path) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.iter().filter_map(|part| part.to_str()).filter(|part| *part != ".") {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
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

/// The functions of all files with code, which include all tests.
pub fn names_of_tests(files: &[File]) -> BTreeSet<&str> {
    let lines = files.iter().filter(|file| file.is_code()).flat_map(|file| file.text.lines());
    let names = lines.filter_map(|line| {
        let line = line.trim_start().trim_start_matches("async ").trim_start_matches("pub ");
        let rest = line.strip_prefix("fn ").or_else(|| line.strip_prefix("def "))?;
        rest.split(['(', '<']).next()
    });
    names.collect()
}

/// Each row of a table in the notes ends with the tests that verify it.
fn notes_without_test(notes: &File, tests: &BTreeSet<&str>) -> Problems {
    notes.in_lines(|row| {
        if !row.starts_with("| ") || row.starts_with("| point") {
            return Problems::new();
        }
        let last = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap_or_default();
        missing_tests(last, tests, "names no test")
    })
}

/// The tests that a text names and that do not exist, or that it names none.
pub fn missing_tests(text: &str, tests: &BTreeSet<&str>, none: &str) -> Problems {
    let missing =
        quoted(text).filter(|name| !tests.contains(name)).map(|name| format!("there is no test {name}"));
    if quoted(text).next().is_none() { vec![none.to_owned()] } else { missing.collect() }
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn follows_links_and_headings() {
        let files = [file("docs/a.md", ""), file("docs/b.md", "# One idea, two\n")];
        let problems = |text: &str| links(&files[0], &files, text).len();
        assert_eq!(problems("[b](b.md) [b](b.md#one-idea-two) [x](https://docs.rs/x)"), 0);
        assert_eq!(problems("[b](nowhere.md)"), 1);
        assert_eq!(problems("[b](b.md#another)"), 1);
    }

    #[test]
    fn the_readme_stays_short_and_pages_about_the_code_name_files_that_are_there() {
        for (path, text, number) in [
            ("docs/internals/a.md", "`xtask/src/main.rs`, `crates/`, `bindings/<x>/src`", 0),
            ("docs/internals/a.md", "see `xtask/src/gone.rs`", 1),
            ("docs/a.md", "see `xtask/src/gone.rs`", 0),
            ("README.md", &"x".repeat(README), 0),
            ("README.md", &"x".repeat(README + 1), 1),
        ] {
            assert_eq!(rules(&[file(path, text), file(NOTES, "")]).len(), number, "{path}: {text:.60}");
        }
    }

    #[test]
    fn a_program_is_tested_or_marked() {
        let problems = |text: &str| programs(&file("docs/a.md", text)).len();
        let marked =
            "<!-- shows a.py -->\n```python\na\n```\n\n<!-- fragment -->\n```js\na\n```\n```sh\nb\n```\n";
        assert_eq!(problems(marked), 0);
        assert_eq!(problems("```python\na\n```\n"), 1);
        assert_eq!(problems("<!-- fragment -->\nText.\n```rust\na\n```\n"), 1);
    }

    #[test]
    fn a_note_names_a_test_that_exists() {
        let code = [file("a.rs", "    #[test]\n    async fn pins_it() {\n")];
        let tests = names_of_tests(&code);
        let problems = |row: &str| notes_without_test(&file(NOTES, row), &tests).len();
        assert_eq!(problems("| point | test |\n|---|---|\n| paging | `pins_it` |"), 0);
        assert_eq!(problems("| paging | |"), 1);
        assert_eq!(problems("| paging | `pins_nothing` |"), 1);
    }
}
