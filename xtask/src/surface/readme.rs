//! The README's tables of operations and of errors, each between two markers.

use super::node::words::camel;
use super::{marked, prose, python};
use sondage::{ErrorKind, operations};
use std::fmt::Write;

pub const PATH: &str = "README.md";

/// The README with fresh tables.
pub fn tables(mut text: String) -> std::io::Result<String> {
    for (name, table) in [("operations", operations()), ("errors", errors())] {
        let begin = format!("<!-- {name}: made by `cargo xtask surface` -->\n");
        text = marked::replace(&text, &begin, &format!("<!-- end of {name} -->"), &table)?;
    }
    Ok(text)
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
