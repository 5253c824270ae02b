//! The README's table of operations, between two markers.

use super::Generated;
use sondage::operation::Source;
use sondage::operations;
use std::fmt::Write;
use std::path::Path;

const BEGIN: &str = "<!-- operations: made by `cargo xtask surface` -->";
const END: &str = "<!-- end of operations -->";

/// The README with a fresh table; nothing when there is no README or it has no markers.
pub fn file(root: &Path) -> std::io::Result<Option<Generated>> {
    let path = root.join("README.md");
    if !path.exists() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path)?;
    let (Some(begin), Some(end)) = (text.find(BEGIN), text.find(END)) else {
        return Err(std::io::Error::other("README.md has lost the markers of its table of operations"));
    };
    let text = format!("{}{BEGIN}\n{}{}", &text[..begin], table(), &text[end..]);
    Ok(Some(Generated { path: "README.md".into(), text }))
}

fn table() -> String {
    let mut out = String::from("| operation | Rust and Python | effect | source |\n|---|---|---|---|\n");
    for row in operations::ALL {
        let source = match row.source {
            Source::Spec => "specification",
            Source::Published => "published",
        };
        let _ = writeln!(out, "| {} | `{}` | {} | {source} |", row.name, row.method, row.effect.as_str());
    }
    out
}
