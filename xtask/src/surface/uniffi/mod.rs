//! Kotlin and Swift: the records, enumerations and operations for uniffi, as Rust, and what uniffi cannot express, as
//! Kotlin and Swift.

mod cases;
mod durations;
mod lists;
mod methods;
mod models;
mod objects;
mod operations;
mod reports;
mod settings;
mod words;

pub use cases::{swift_cases, table};

use super::prelude::*;

/// Every generated file of `bindings/uniffi`, and of the packages for Kotlin and Swift.
pub fn files(catalogue: &Catalogue) -> Vec<Generated> {
    let modules = catalogue.homes();
    let mut files = vec![
        index("models", "crates/sondage/src/model/", &modules),
        index("operations", "crates/sondage/src/operations.rs", &catalogue.areas),
        models::identifiable(catalogue),
        models::words(catalogue),
        models::codecs(catalogue),
        objects::file(),
    ];
    files.extend(modules.iter().map(|module| models::file(catalogue, module)));
    files.extend(catalogue.areas.iter().map(|area| operations::file(area)));
    files.extend(lists::files());
    files.extend(methods::files());
    files.extend(reports::files());
    files.extend(durations::files());
    files.push(settings::file());
    files.push(words::file());
    files.extend(words::texts());
    files
}

/// The module that declares the others. Generated files are formatted already, and skipped by rustfmt.
fn index<'a>(
    folder: &str,
    from: &str,
    modules: impl IntoIterator<Item = &'a &'static str> + Copy,
) -> Generated {
    let (open, shown) = if folder == "models" { ("", true) } else { ("pub ", false) };
    let declared = modules.into_iter().map(|module| format!("#[rustfmt::skip]\n{open}mod {module};\n"));
    let mut body = declared.collect::<String>() + "\nuse crate::prelude;\n";
    body.extend(modules.into_iter().filter(|_| shown).map(|module| format!("pub use {module}::*;\n")));
    generated(format!("bindings/uniffi/src/{folder}/mod.rs"), from, &body)
}

/// How the documentation of a parameter begins, so that it is shown beside it.
const IN_KOTLIN: &str = "@param ";
const IN_SWIFT: &str = "- Parameter ";

/// A line of documentation, in which the language's marker for parameters replaces `- `number`: `.
fn at_parameter(line: &str, mark: &str) -> String {
    let parts = line.strip_prefix("- `").and_then(|rest| rest.split_once("`: "));
    let colon = if mark == IN_SWIFT { ":" } else { "" };
    parts.map_or_else(|| line.to_owned(), |(name, docs)| format!("{mark}{name}{colon} {docs}"))
}

/// Lines of documentation, each after a mark.
fn marked(lines: impl IntoIterator<Item: AsRef<str>>, mark: &str) -> String {
    let line = |line: &str| format!("{mark} {line}").trim_end().to_owned() + "\n";
    lines.into_iter().map(|text| line(text.as_ref())).collect()
}

/// Documentation as Rust's comments.
pub fn rustdoc(paragraphs: &[String], indent: usize) -> String {
    let pad = " ".repeat(indent);
    let mut out = String::new();
    for (number, paragraph) in paragraphs.iter().enumerate() {
        if number > 0 {
            put!(out, "{pad}///\n");
        }
        // A list is already wrapped.
        for part in paragraph.lines() {
            let lines = wrap(part, indent + 4, if part.starts_with("- ") { 2 } else { 0 });
            out += &marked(lines.iter().map(|line| line.trim_start()), &format!("{pad}///"));
        }
    }
    out
}

/// The name of a type in Swift, where Apple's modules have types of some names.
pub fn in_swift(name: &str) -> &str {
    const SETTINGS: &str = include_str!("../../../../bindings/uniffi/uniffi.toml");
    let table = SETTINGS.split("[bindings.swift.rename]\n").nth(1).unwrap_or_default();
    let mut rows = table.lines().map_while(|line| line.split_once(" = "));
    rows.find(|(old, _)| *old == name).map_or(name, |(_, new)| new.trim_matches('"'))
}

/// A field's name in Rust, which cannot be `type`.
fn name(field: &str) -> String {
    if syn::parse_str::<syn::Ident>(field).is_ok() { field.to_owned() } else { format!("r#{field}") }
}

/// Whether a JSON text is somewhere in a value.
fn holds_json(ty: &Type) -> bool {
    match ty {
        Type::Json => true,
        Type::Optional(inner) | Type::List(inner) | Type::Map(inner) => holds_json(inner),
        _ => false,
    }
}
