//! The reference of the second table: methods that are not operations, their options and results.

use super::{Page, cell};
use crate::surface::methods::{data, objects_without_arrow, report};
use crate::surface::prelude::*;
use types::{PAGE, report_link};

/// Objects that each language represents in its own way, or that only the bindings see.
const INTERNAL: [&str; 3] = ["library", "pages", "batches"];
/// Rows that users know by another name: `with_response`, and `members`.
const OTHERWISE: [&str; 2] = ["whole", "member_table"];
const RESULTS: &str = "reference/results.md";

/// A page for each object, and one for the results of methods.
pub fn pages() -> Vec<Page> {
    let objects = objects_without_arrow().chain(data::OBJECTS).filter(|(name, _)| !INTERNAL.contains(name));
    let mut pages: Vec<Page> = Vec::new();
    for (name, about) in objects {
        let path = format!("reference/methods-{}.md", name.replace('_', "-"));
        // The client has rows in both tables.
        if pages.iter().all(|(other, _)| *other != path) {
            pages.push((path, object(name, about)));
        }
    }
    pages.push((RESULTS.to_owned(), results()));
    pages
}

fn object(name: &'static str, about: &str) -> String {
    let mut out = format!(
        "# Methods: {}\n\n{} Names are written like `plan_invite` in Python and Rust, and like `planInvite` in Node.js, Kotlin and Swift. \
         [Which language has which](../docs/parity.md), [operations of the API](../docs/operations.md).\n",
        name.replace('_', " "),
        line(about)
    );
    rows_of(name).filter(|row| !OTHERWISE.contains(&row.name)).for_each(|row| method(&mut out, row));
    out
}

fn method(out: &mut String, row: &MethodRow) {
    let kind = match row.kind {
        "Immediate" => "It makes no call.",
        "Blocking" => "It works in this process and makes no call.",
        "Call" => "It makes calls.",
        _ => "Its result makes calls while it is read.",
    };
    put!(out, "\n## {}\n{} {kind}\n", camel(row.name), line(row.docs));
    if !row.progress.is_empty() {
        let told = report(row.progress).map_or_else(|| "its progress".to_owned(), linked);
        put!(out, "\nWhile it works it reports {told}.\n");
    }
    match row.options() {
        Some(options) => {
            put!(out, "\n**It takes**\n\n| option | type | |\n|---|---|---|\n");
            options.fields.iter().for_each(|field| option(out, field));
        }
        None if !row.argument.is_empty() && !row.argument.ends_with("Options") => {
            put!(out, "\nIt takes `{}`.\n", row.named.trim_start_matches("r#"));
        }
        None => {}
    }
    let gives = match row.given() {
        Given::Nothing => return,
        Given::Report(schema) => linked(schema),
        Given::Reports(schema) => format!("a list of {}", linked(schema)),
        Given::Object(name) => format!("a `{}`", name.split('<').next().unwrap_or(name).trim()),
        Given::Value(ty) => format!("`{ty}`, as each language writes it"),
    };
    put!(out, "\nIt returns {gives}.\n");
}

fn option(out: &mut String, field: &ArgumentSchema) {
    let kind = types::of_option(field.ty, PAGE);
    let note = match (field.required, field.default) {
        (true, _) => "**required**. ".to_owned(),
        (false, Some(default)) if !default.contains("::") => {
            format!("Default: `{}`. ", default.replace('_', ""))
        }
        (false, Some(_)) => {
            field.default_word().map(|word| format!("Default: `{word}`. ")).unwrap_or_default()
        }
        (false, None) => String::new(),
    };
    put!(out, "| `{}` | {kind} | {note}{} |\n", field.wire, cell(field.docs));
}

fn linked(schema: &ReportSchema) -> String {
    report_link(schema, "results.md")
}

fn results() -> String {
    let mut out = String::from(
        "# What methods return\n\nReports, plans and progress of the methods. Names are those of Node.js, Kotlin and Swift; in Python and \
         Rust they are written like `panel_id`. With `--json` the command writes the same fields.\n",
    );
    let mut all: Vec<_> = all_reports().collect();
    all.sort_by_key(|schema| schema.name);
    all.dedup_by_key(|schema| schema.name);
    for schema in all {
        put!(out, "\n## {}\n{}\n\n| field | type | |\n|---|---|---|\n", schema.name, line(schema.docs));
        for field in schema.fields {
            let name = camel(field.name);
            put!(out, "| `{name}` | {} | {} |\n", types::of_report(field.ty, PAGE), cell(field.docs));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_says_what_it_takes_and_returns() {
        let client = object("client", "A client.");
        let invite = client.split("\n## ").find(|part| part.starts_with("planInvite\n")).expect("a method");
        assert!(invite.contains("| `surveyId` | integer | **required**. The survey"), "{invite}");
        assert!(invite.contains("| `again` | boolean | Default: `false`. "), "{invite}");
        assert!(invite.ends_with("It returns a `SendPlan`.\n"), "{invite}");
        assert!(client.contains("It returns [`ArchiveReport`](results.md#archivereport)."));
        assert!(results().contains("| `stopped` | error, or nothing |"));
    }
}
