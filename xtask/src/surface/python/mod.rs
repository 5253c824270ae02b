//! Python: classes of the models, methods of the clients, exceptions, names of enumerations.

mod errors;
mod exports;
mod methods;
mod models;
mod objects;
mod operations;
mod reports;
mod settings;
mod without_await;

pub use errors::name as exception;

use super::prelude::*;
use std::collections::BTreeMap;

pub fn files(catalogue: &Catalogue) -> Vec<Generated> {
    let mut files = vec![settings::file(), objects::file(), objects::bases()];
    files.extend(errors::files());
    files.extend(reports::files());
    files.extend(models::files(catalogue));
    files.extend(["queries", "client"].map(without_await::file));
    files.extend(operations::files(catalogue));
    files.extend(methods::files());
    files.extend(exports::files());
    files
}

/// A docstring: one paragraph with its quotes around it, several with the closing quotes on a line of their own.
pub fn docstring(paragraphs: &[String], indent: usize) -> String {
    let spelt = [("`false`", "`False`"), ("`true`", "`True`"), ("\\", "\\\\"), ("\"\"\"", "'''")];
    let mut paragraphs: Vec<String> = paragraphs.iter().map(|text| replaced(text, &spelt)).collect();
    let Some(first) = paragraphs.first_mut() else { return String::new() };
    first.insert_str(0, "\"\"\"");
    if paragraphs.len() == 1 {
        let text = format!("{}\"\"\"", paragraphs.concat());
        return wrap(&text, indent, 0).join("\n") + "\n";
    }
    let pad = " ".repeat(indent);
    let block = |paragraph: &String| {
        // A paragraph of several lines is already formatted.
        if paragraph.contains('\n') {
            join(paragraph.lines().map(|line| format!("{pad}{line}")), "\n")
        } else {
            wrap(paragraph, indent, 0).join("\n")
        }
    };
    format!("{}\n{pad}\"\"\"\n", join(paragraphs.iter().map(block), "\n\n"))
}

/// A parameter with its type and its default, and the documentation of it.
pub type Parameter = (String, String);

/// The head of a method, and its docstring: paragraphs, the documentation of the parameters, and more paragraphs.
fn method(
    head: &str,
    [positional, named]: [Vec<Parameter>; 2],
    result: &str,
    mut docs: Vec<String>,
    more: Vec<String>,
) -> String {
    let mut parameters = vec!["self".to_owned()];
    parameters.extend(positional.iter().map(|(typed, _)| typed.clone()));
    parameters.extend((!named.is_empty()).then(|| "*".to_owned()));
    parameters.extend(named.iter().map(|(typed, _)| typed.clone()));
    // The docstring indents the lines once more.
    let wrapped = |(_, about): &Parameter| wrap(about, 4 + 8, 4).into_iter().map(|line| line[8..].to_owned());
    let lines: Vec<String> = positional.iter().chain(&named).flat_map(wrapped).collect();
    docs.extend((!lines.is_empty()).then(|| format!("Args:\n{}", lines.join("\n"))));
    docs.extend(more);
    signature(head, &parameters, result) + &docstring(&docs, 8)
}

fn signature(head: &str, parameters: &[String], result: &str) -> String {
    on_lines(["    ", "        "], &format!("{head}("), parameters, &format!(") -> {result}:\n"))
}

fn attribute(name: &str, ty: &str, docs: &str) -> String {
    format!("    {name}: {ty}\n{}", docstring(&paragraphs(docs), 4))
}

/// A dictionary: on one line if that fits after `indent` spaces and the name.
fn braces(entries: &[String], indent: usize) -> String {
    let line = format!("{{{}}}", entries.join(", "));
    if indent + 12 + line.len() <= WIDTH {
        return line;
    }
    let pad = " ".repeat(indent);
    format!("{{\n{}{pad}}}", lines(entries, &format!("{pad}    ")))
}

/// A tuple of texts, on several lines if needed.
fn tuple(names: &[String]) -> String {
    let texts: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    match texts.as_slice() {
        [] => "()".into(),
        [one] => format!("({one},)"),
        many if many.iter().map(|name| name.len() + 2).sum::<usize>() < 88 => {
            format!("({})", many.join(", "))
        }
        many => format!("(\n{}    )", lines(many, "        ")),
    }
}

/// A field's name as an attribute or a keyword argument, which cannot be `from`.
fn safe_name(field: &str) -> String {
    const KEYWORDS: [&str; 35] = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
        "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
        "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ];
    if KEYWORDS.contains(&field) { format!("{field}_") } else { field.to_owned() }
}

/// The import block of a text, of its words that others define: only for type checkers, so that it costs nothing at run time. `own`:
/// the module, if it is one of models.
fn imports(text: &str, catalogue: &Catalogue, own: Option<&str>) -> String {
    let (models, types) = if own.is_some() { (".", "..types") } else { ("._models.", ".types") };
    let is_enum = |name: &str| catalogue.enums.iter().any(|schema| schema.name == name);
    let home_of = |name: &str| match name {
        "Iterable" | "Mapping" => Some((0, "collections.abc".to_owned())),
        "datetime" => Some((1, "datetime".to_owned())),
        "Any" => Some((2, "typing".to_owned())),
        name if name == "FieldValue" || is_enum(name) => Some((4, types.to_owned())),
        name => {
            let home = catalogue.home_of(name).filter(|home| Some(*home) != own)?;
            Some((3, format!("{models}{home}")))
        }
    };
    let code = text.replace("\\\"", "");
    let outside = code
        .split("\"\"\"")
        .step_by(2)
        .flat_map(|part| part.lines().flat_map(|line| line.split('"').step_by(2)));
    let mut homes: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for word in outside.flat_map(|text| text.split(|c: char| !(c.is_alphanumeric() || c == '_'))) {
        if let Some(home) = home_of(word) {
            homes.entry(home).or_default().insert(word.to_owned());
        }
    }
    if homes.is_empty() {
        return String::new();
    }
    let standard = homes.keys().filter(|(place, _)| *place < 3).count();
    let mut out = String::from("TYPE_CHECKING = False\nif TYPE_CHECKING:\n");
    for (number, ((_, home), names)) in homes.into_iter().enumerate() {
        out += if number > 0 && number == standard { "\n" } else { "" };
        let line = format!("    from {home} import {}\n", join(&names, ", "));
        if line.len() <= WIDTH + 1 {
            out += &line;
        } else {
            let names: Vec<String> = names.into_iter().collect();
            put!(out, "    from {home} import (\n{}    )\n", lines(&names, "        "));
        }
    }
    out
}
