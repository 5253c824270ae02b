//! Tables in documents that are generated from tables in code, each between two markers.

use super::prelude::*;
use super::{parity, python};
use crate::{Result, files};

/// A table: its document, its name in the markers, and the function that generates it.
type DocTable = (&'static str, &'static str, fn() -> String);

const TABLES: [DocTable; 4] = [
    ("docs/connecting.md", "settings", settings),
    ("docs/errors.md", "errors", errors),
    ("docs/operations.md", "operations", operations),
    ("docs/parity.md", "parity", parity::table),
];

/// The text of a document with current tables. Every document with a table must have its markers.
pub fn fresh(path: &str, mut text: String) -> Result<String> {
    for (_, name, make) in TABLES.iter().filter(|(home, ..)| *home == path) {
        let marks = [
            &format!("<!-- {name}: made by `cargo xtask surface` -->\n") as &str,
            &format!("<!-- end of {name} -->"),
        ];
        text = files::between(&text, marks, |_| make())
            .ok_or_else(|| format!("{path}: the markers of `{name}` are missing"))?;
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
        put!(out, "| {} | `{method}` | `{}` | {effect} | {source} |\n", row.name, camel(method));
    }
    out
}

fn errors() -> String {
    let mut out =
        String::from("| Rust | Python and Node.js | what it means, and what to do |\n|---|---|---|\n");
    for (kind, docs) in ErrorKind::ALL {
        put!(out, "| `{kind}` | `{}` | {} |\n", python::exception(*kind), line(docs));
    }
    out
}

fn settings() -> String {
    let mut out = String::from("| setting | value | default | what it is |\n|---|---|---|---|\n");
    for row in SETTINGS {
        let default = row.default.map(|value| format!("`{value}`")).unwrap_or_default();
        let mut docs = line(row.docs);
        if row.variable != format!("SONDAGE_{}", row.name.to_uppercase()) {
            put!(docs, " In the environment: `{}`.", row.variable);
        }
        // Without the examples, which only appear in errors about a value.
        let shape = row.shape.split(" such as").next().unwrap_or_default().trim_end_matches(',');
        put!(out, "| `{}` | {shape} | {default} | {docs} |\n", row.name);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_breaks_its_row() {
        for (_, name, make) in TABLES {
            let rows = make();
            let columns = rows.lines().next().unwrap().matches('|').count();
            let whole = |row: &str| row.replace("\\|", "").matches('|').count() == columns;
            assert!(rows.lines().all(whole), "{name}");
        }
    }
}
