//! Tables in documents that are generated from tables in code, each between two markers.

use super::node::words::camel;
use super::{parity, prose, python};
use crate::files;
use sondage::config::SETTINGS;
use sondage::{ErrorKind, operations};
use std::fmt::Write;
use std::io::{Error, Result};

/// A table: its document, its name in the markers, and the function that generates it.
struct DocTable {
    home: &'static str,
    name: &'static str,
    make: fn() -> String,
}

const TABLES: [DocTable; 4] = [
    DocTable { home: "docs/connecting.md", name: "settings", make: settings },
    DocTable { home: "docs/errors.md", name: "errors", make: errors },
    DocTable { home: "docs/operations.md", name: "operations", make: operations },
    DocTable { home: "docs/parity.md", name: "parity", make: parity::table },
];

/// The text of a document with current tables. Every document with a table must have its markers.
pub fn fresh(path: &str, mut text: String) -> Result<String> {
    for table in TABLES.iter().filter(|table| table.home == path) {
        let begin = format!("<!-- {}: made by `cargo xtask surface` -->\n", table.name);
        let end = format!("<!-- end of {} -->", table.name);
        let lost = || Error::other(format!("{path}: the markers of `{}` are missing", table.name));
        text = files::between(&text, [&begin, &end], |_| (table.make)()).ok_or_else(lost)?;
    }
    Ok(text)
}

fn operations() -> String {
    let mut out = String::from(
        "| operation | Rust and Python | Node.js, Kotlin, Swift | effect | source |\n|---|---|---|---|---|\n",
    );
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

fn settings() -> String {
    let mut out = String::from("| setting | value | default | what it is |\n|---|---|---|---|\n");
    for row in SETTINGS {
        let default = row.default.map(|value| format!("`{value}`")).unwrap_or_default();
        let mut docs = prose::line(row.docs);
        if row.variable != format!("SONDAGE_{}", row.name.to_uppercase()) {
            let _ = write!(docs, " In the environment: `{}`.", row.variable);
        }
        // Without the examples, which only appear in errors about a value.
        let shape = row.shape.split(", such as").next().unwrap_or_default();
        let shape = shape.split(" such as").next().unwrap_or_default();
        let _ = writeln!(out, "| `{}` | {shape} | {default} | {docs} |", row.name);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_table_stands_in_its_home_and_nowhere_else() {
        let text = "<!-- errors: made by `cargo xtask surface` -->\nold\n<!-- end of errors -->\n";
        assert!(fresh("docs/errors.md", text.into()).unwrap().contains("| `OutcomeUnknown` |"));
        assert_eq!(fresh("docs/tables.md", text.into()).unwrap(), text);
        assert!(fresh("docs/errors.md", "no markers".into()).is_err());
    }

    #[test]
    fn no_cell_breaks_its_row() {
        for table in TABLES {
            let rows = (table.make)();
            let columns = rows.lines().next().unwrap().matches('|').count();
            let whole = |row: &str| row.replace("\\|", "").matches('|').count() == columns;
            assert!(rows.lines().all(whole), "{}", table.name);
        }
    }
}
