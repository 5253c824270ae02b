//! The README's tables of operations and of errors, each between two markers, and the programs that it shows.

use super::node::words::camel;
use super::{Generated, prose, python};
use sondage::operation::Source;
use sondage::{ErrorKind, operations};
use std::fmt::Write;
use std::path::Path;

const PATH: &str = "README.md";

/// Before a block of code: the file that it shows.
const SHOWS: &str = "<!-- shows ";

/// The README with fresh tables and programs.
pub fn file(root: &Path) -> std::io::Result<Generated> {
    let mut text = std::fs::read_to_string(root.join(PATH))?;
    for (name, table) in [("operations", operations()), ("errors", errors())] {
        text = replace(&text, name, &table)?;
    }
    let text = show(&text, |path| std::fs::read_to_string(root.join(path)))?;
    Ok(Generated { path: PATH.into(), text })
}

/// The text with another table between the markers.
fn replace(text: &str, name: &str, table: &str) -> std::io::Result<String> {
    let begin = format!("<!-- {name}: made by `cargo xtask surface` -->\n");
    let end = format!("<!-- end of {name} -->");
    match text.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1))) {
        Some((before, after)) => Ok(format!("{before}{begin}{table}{end}{after}")),
        None => Err(std::io::Error::other(format!("{PATH} has lost the markers of its table of {name}"))),
    }
}

/// The text with each block of code after `<!-- shows examples/first.py -->` being that file, word for word.
fn show(text: &str, read: impl Fn(&str) -> std::io::Result<String>) -> std::io::Result<String> {
    let mut parts = text.split(SHOWS);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let lost = || {
            std::io::Error::other(format!("{PATH} shows a file, but no block of code follows: {part:.40}"))
        };
        let (path, rest) = part.split_once(" -->\n```").ok_or_else(lost)?;
        let (language, rest) = rest.split_once('\n').ok_or_else(lost)?;
        let (_, after) = rest.split_once("```").ok_or_else(lost)?;
        let _ = write!(out, "{SHOWS}{path} -->\n```{language}\n{}```{after}", read(path)?);
    }
    Ok(out)
}

fn operations() -> String {
    let mut out =
        String::from("| operation | Rust and Python | Node.js | effect | source |\n|---|---|---|---|---|\n");
    for row in operations::ALL {
        let source = match row.source {
            Source::Spec => "specification",
            Source::Published => "published",
        };
        let (method, effect) = (row.method, row.effect.as_str());
        let _ = writeln!(out, "| {} | `{method}` | `{}` | {effect} | {source} |", row.name, camel(method));
    }
    out
}

fn errors() -> String {
    let mut out =
        String::from("| Rust | Python and Node.js | what it means, and what to do |\n|---|---|---|\n");
    for (kind, docs) in ErrorKind::ALL {
        let _ = writeln!(out, "| `{kind}` | `{}` | {} |", python::exception(*kind), prose::line(docs));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_markers_changes() {
        let text = "a\n<!-- x: made by `cargo xtask surface` -->\nold\n<!-- end of x -->\nb\n";
        let fresh = text.replace("old", "new");
        assert_eq!(replace(text, "x", "new\n").unwrap(), fresh);
        assert!(replace(text, "y", "new\n").is_err());
    }

    #[test]
    fn a_shown_program_is_the_tested_one() {
        let read = |path: &str| Ok(format!("the text of {path}\n"));
        let text = "a\n<!-- shows x.py -->\n```python\nold\n```\nb\n";
        assert_eq!(show(text, read).unwrap(), text.replace("old", "the text of x.py"));
        assert!(show("a\n<!-- shows x.py -->\nno block\n", read).is_err());
    }
}
