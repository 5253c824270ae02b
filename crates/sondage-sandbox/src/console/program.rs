//! What a page does, as a program does it.

use super::curl;
use maud::{Markup, html};
use serde_json::Value;
use sondage::operation::OperationInfo;

/// A piece of a program, or a command.
pub(super) struct Snippet {
    language: &'static str,
    text: String,
}

impl Snippet {
    pub(super) fn new(language: &'static str, text: impl Into<String>) -> Self {
        Self { language, text: text.into() }
    }
}

/// The end of a page: the same in other ways.
pub(super) fn same(snippets: &[Snippet]) -> Markup {
    html! {
        @if !snippets.is_empty() {
            section.same aria-label="The same in a program" {
                h2 { "The same in a program" }
                @for snippet in snippets {
                    h3 { (snippet.language) }
                    pre tabindex="0" { code { (snippet.text) } }
                }
            }
        }
    }
}

/// A call of an operation with a request as JSON. Secrets in it are hidden.
pub(super) fn operation(row: &OperationInfo, request: &Value) -> Vec<Snippet> {
    let mut request = request.clone();
    curl::mask(&mut request);
    without_secrets(row, &request)
}

/// The same with a request that holds no secrets.
pub(super) fn without_secrets(row: &OperationInfo, request: &Value) -> Vec<Snippet> {
    let node = format!("await client.{}({});", camel(row.method), js(request, 0));
    vec![
        Snippet::new("Command", format!("sondage call {} {} --yes", row.name, quoted(&request.to_string()))),
        Snippet::new("Python", python(row, request)),
        Snippet::new("Node.js", node),
    ]
}

/// A method with its arguments where they are plain values, or the path with the request as the service gets it.
fn python(row: &OperationInfo, request: &Value) -> String {
    let plain = |value: &Value| match value {
        Value::Array(items) => items.iter().all(|item| !item.is_object() && !item.is_array()),
        other => !other.is_object(),
    };
    match request.as_object().filter(|fields| fields.values().all(plain)) {
        Some(fields) => {
            let arguments: Vec<String> =
                fields.iter().map(|(name, value)| format!("{}={}", snake(name), py(value, 0))).collect();
            format!("client.{}({})", row.method, arguments.join(", "))
        }
        None => format!("client.raw({:?}, {}, effect={:?})", row.path, py(request, 0), row.effect.as_str()),
    }
}

fn py(value: &Value, depth: usize) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        _ => literal(value, depth, py, |name| format!("{}: ", Value::from(name))),
    }
}

fn js(value: &Value, depth: usize) -> String {
    let is_plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    literal(value, depth, js, |name| {
        if is_plain(name) { format!("{name}: ") } else { format!("{}: ", Value::from(name)) }
    })
}

/// Objects and lists, over several lines if they are long.
fn literal(
    value: &Value,
    depth: usize,
    inner: fn(&Value, usize) -> String,
    key: impl Fn(&str) -> String,
) -> String {
    /// The longest line of an object.
    const LINE: usize = 72;
    let (open, close, parts): (_, _, Vec<String>) = match value {
        Value::Array(items) => ('[', ']', items.iter().map(|item| inner(item, depth + 1)).collect()),
        Value::Object(fields) => {
            let part = |(name, value): (&String, &Value)| format!("{}{}", key(name), inner(value, depth + 1));
            ('{', '}', fields.iter().map(part).collect())
        }
        other => return other.to_string(),
    };
    let pad = if open == '{' && !parts.is_empty() { " " } else { "" };
    let line = format!("{open}{pad}{}{pad}{close}", parts.join(", "));
    if line.len() <= LINE && !line.contains('\n') {
        return line;
    }
    let (step, end) = ("  ".repeat(depth + 1), "  ".repeat(depth));
    format!("{open}\n{step}{}\n{end}{close}", parts.join(&format!(",\n{step}")))
}

fn camel(name: &str) -> String {
    let mut out = String::new();
    for (at, word) in name.split('_').enumerate() {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if at > 0 => out.extend(first.to_uppercase().chain(letters)),
            Some(first) => out.extend(std::iter::once(first).chain(letters)),
            None => {}
        }
    }
    out
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// Quotes a text as one word of a POSIX shell.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
