//! Converts documentation from Rust to other languages.

pub use sondage_openapi::prose::{line, paragraphs};

/// The maximum width of a generated line.
pub const WIDTH: usize = 110;

/// Wraps a paragraph, indenting each line by `indent` spaces and all lines but the first by `hang` more.
pub fn wrap(text: &str, indent: usize, hang: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut current = " ".repeat(indent);
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && current.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut current, " ".repeat(indent + hang)));
            empty = true;
        }
        if !empty {
            current.push(' ');
        }
        current.push_str(word);
        empty = false;
    }
    lines.push(current);
    lines
}

/// The entries of a list, one line each.
pub fn lines(entries: &[String], indent: &str) -> String {
    let mut out = String::new();
    for entry in entries {
        out.push_str(indent);
        out.push_str(entry);
        out.push_str(",\n");
    }
    out
}
