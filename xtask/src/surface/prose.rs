//! Converts documentation and names from Rust to other languages.

pub use sondage::error::camel;
pub use sondage_openapi::prose::{line, paragraphs};

/// The maximum width of a generated line.
pub const WIDTH: usize = 110;

/// `web_hook` as `WebHook`.
pub fn pascal(snake: &str) -> String {
    camel(&format!("_{snake}"))
}

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
    join(entries.iter().map(|entry| format!("{indent}{entry},\n")), "")
}

/// A list between two texts: on one line, or with a line for each entry if that is too long.
pub fn on_lines([outer, inner]: [&str; 2], begin: &str, entries: &[String], end: &str) -> String {
    let text = format!("{outer}{begin}{}{end}", entries.join(", "));
    if text.len() <= WIDTH {
        return text;
    }
    format!("{outer}{}\n{}{outer}{}", begin.trim_end(), lines(entries, inner), end.trim_start())
}

/// Texts, with another one between them.
pub fn join(texts: impl IntoIterator<Item: AsRef<str>>, between: &str) -> String {
    let mut out = String::new();
    for (number, text) in texts.into_iter().enumerate() {
        out += if number > 0 { between } else { "" };
        out += text.as_ref();
    }
    out
}

/// Words, each between quotation marks.
pub fn quoted(words: impl IntoIterator<Item: AsRef<str>>, mark: char, between: &str) -> String {
    join(words.into_iter().map(|word| format!("{mark}{}{mark}", word.as_ref())), between)
}

/// A text in which the names between backticks are those of JavaScript. What contains anything but small letters, digits and
/// `_` is left unchanged: a value is written with quotation marks, which `cargo xtask tidy` checks.
pub fn in_javascript(text: &str) -> String {
    let name = |word: &str| match word {
        "None" => "null".to_owned(),
        _ if word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') => camel(word),
        _ => word.to_owned(),
    };
    let parts = text.split('`').enumerate();
    join(parts.map(|(i, part)| if i % 2 == 1 { name(part) } else { part.to_owned() }), "`")
        .replace("*/", "* /")
}
