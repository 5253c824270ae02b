//! The README's tables of operations and of errors, each between two markers.

use super::node::words::camel;
use super::{prose, python};
use sondage::{ErrorKind, operations};
use std::fmt::Write;

pub const PATH: &str = "README.md";

/// The README with fresh tables.
pub fn tables(mut text: String) -> std::io::Result<String> {
    for (name, table) in [("operations", operations()), ("errors", errors())] {
        text = replace(&text, name, &table)?;
    }
    Ok(text)
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

fn operations() -> String {
    let mut out =
        String::from("| operation | Rust and Python | Node.js | effect | source |\n|---|---|---|---|---|\n");
    for row in operations::ALL {
        let source = row.request.source.unwrap_or_default();
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
}
