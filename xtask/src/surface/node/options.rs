//! The options of the methods that are not operations.

use super::super::Generated;
use super::super::methods::{MethodRow, field, of_the_client, options};
use super::super::selections::{Nothing, documented};
use super::words::pascal;
use super::{comment, generated};
use sondage::arguments::{ArgumentSchema, ArgumentType, OptionsSchema};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Options of a table that are not options of a method of the client.
struct Interface {
    name: &'static str,
    options: &'static str,
    /// Fields that are separate arguments, or properties of another interface.
    without: &'static [&'static str],
    /// The documentation of labels, which each language represents in its own way.
    labels: &'static str,
}

const LABELS: &str = "Whether to show labels, and where.";
const TABLES: [Interface; 3] = [
    Interface {
        name: "MemberTableOptions",
        options: "MembersOptions",
        without: &["panel_id", "fields", "where", "interviews", "page_size", "verify_total"],
        labels: "Whether to show labels. They need `definition`.",
    },
    Interface { name: "FileOptions", options: "ExportOptions", without: &["path", "labels"], labels: LABELS },
    Interface { name: "DeltaOptions", options: "DeltaOptions", without: &["state"], labels: LABELS },
];

/// The codes of [`ArgumentType::Codes`].
const CODES: &str = "
/** A code of an answer, or all integers of a range, with both ends. */
export type AnswerCode = number | bigint | string | { from: number; to: number };

/** One code, or several. */
export type AnswerCodes = AnswerCode | readonly AnswerCode[];
";

/// Lazy queries, and which of their options belong to their table.
const QUERIES: [(&str, &[&str]); 2] = [("members", &["definition", "language"]), ("interviews", &[])];

/// Options that are not named after their method.
const NAMES: [(&str, &str); 3] = [
    ("create_members_from", "CreateFromOptions"),
    ("archive_answers", "ArchiveOptions"),
    ("missed_events", "MissedOptions"),
];

/// Whether it is a lazy query.
pub fn is_query(row: &MethodRow) -> bool {
    QUERIES.iter().any(|(name, _)| *name == row.name)
}

/// The name of its options, if it has any.
pub fn name_of(row: &MethodRow) -> Option<String> {
    let named = NAMES.iter().find(|(name, _)| *name == row.name).map(|(_, options)| (*options).to_owned());
    let any = !row.arguments().1.is_empty() || row.guard().is_some();
    any.then(|| named.unwrap_or_else(|| format!("{}Options", pascal(row.name))))
}

/// The interfaces.
pub fn types() -> Generated {
    let mut body = String::new();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for row in of_the_client() {
        let (Some(name), Some(schema)) = (name_of(row), row.options()) else { continue };
        let tables = QUERIES.iter().find(|(name, _)| *name == row.name).map_or(&[][..], |(_, fields)| fields);
        let shown = |field: &&ArgumentSchema| !tables.contains(&field.name);
        let mut own = String::new();
        if row.name == "interviews" {
            own = property("labels", "Labels", LABELS);
        } else if let Some(docs) = row.guard() {
            own = property("unknownTo", "Guard", docs);
        }
        let (progress, failing, ended) = match (is_query(row), row.progress) {
            (true, _) => ("Progress", "ends the download", "Gives the reading up."),
            (_, progress) => (
                progress,
                "ends the run",
                "Ends the run. What is stored is kept, and another run resumes from there.",
            ),
        };
        let blocking = if progress.is_empty() { name.clone() } else { format!("Blocking{name}") };
        interface(&mut body, &blocking, schema, row.arguments().1.into_iter().filter(shown), &own);
        if !progress.is_empty() {
            told.extend((progress != "Progress").then_some(progress));
            let heard = format!(
                "A progress callback. An error with which it throws, or its promise rejects, {failing}."
            );
            let _ = write!(
                body,
                "\n{}export interface {name} extends {blocking} {{\n{}{}}}\n",
                comment(&[schema.docs.into()], 0),
                property("onProgress", &format!("((progress: {progress}) => unknown)"), &heard),
                property("signal", "AbortSignal", ended),
            );
        }
    }
    for Interface { name, options: schema, without, labels } in &TABLES {
        let schema = options(schema);
        // A field that no longer exists must not remain in a list.
        for name in *without {
            let _: &ArgumentSchema = field(schema, name);
        }
        let fields = schema.fields.iter().filter(|field| !without.contains(&field.name));
        interface(&mut body, name, schema, fields, &property("labels", "Labels", labels));
    }
    let head = format!(
        "import type {{ Filter }} from './condition.js';\n\
         import type {{ FileFormat, Progress }} from './downloads.js';\n\
         import type {{ {} }} from './reports.js';\n\
         import type {{ JournalStore }} from './stores.js';\n\
         import type {{ Labels }} from './table.js';\n\
         import type {{ Int }} from './values.js';\n\
         import type {{ Guard }} from './webhooks.js';\n",
        told.into_iter().collect::<Vec<_>>().join(", ")
    );
    generated("node/types/options.d.ts", "crates/sondage/src/arguments", &(head + &body + CODES))
}

fn property(name: &str, ty: &str, docs: &str) -> String {
    format!("{}  {name}?: {ty} | undefined;\n", comment(&[docs.into()], 2))
}

fn interface<'a>(
    body: &mut String,
    name: &str,
    schema: &OptionsSchema,
    fields: impl Iterator<Item = &'a ArgumentSchema>,
    own: &str,
) {
    let _ = write!(body, "\n{}export interface {name} {{\n", comment(&[schema.docs.into()], 0));
    for field in fields {
        let docs = comment(&documentation(field), 2);
        let (mark, absent) = match (field.required, field.absent) {
            (true, _) => ("", ""),
            (_, Some(_)) => ("?", ""),
            _ => ("?", " | undefined"),
        };
        let _ = writeln!(body, "{docs}  {}{mark}: {}{absent};", field.wire, written(field));
    }
    let _ = writeln!(body, "{own}}}");
}

/// The documentation of a field, its unit, and its default.
fn documentation(field: &ArgumentSchema) -> Vec<String> {
    let mut text = documented(field.docs, field.absent, Nothing::Node);
    if field.ty == ArgumentType::Time {
        text.push_str(" In milliseconds.");
    }
    match field.default {
        None => {}
        Some("true") => text.push_str(" Default: yes."),
        Some("false") => text.push_str(" Default: no."),
        Some(_) if matches!(field.ty, ArgumentType::Word(_)) => {
            let _ = write!(text, " Default: `{}`.", field.default_word().unwrap_or_default());
        }
        Some(default) => {
            let _ = write!(text, " Default: {default}.");
        }
    }
    vec![text]
}

fn written(field: &ArgumentSchema) -> String {
    let ty = match field.ty {
        _ if field.name == "format" => "FileFormat",
        ArgumentType::Bool => "boolean",
        ArgumentType::Int => "Int",
        ArgumentType::Count | ArgumentType::Time => "number",
        ArgumentType::Text => "string",
        ArgumentType::Texts => "readonly string[]",
        ArgumentType::Ints => "readonly Int[]",
        ArgumentType::Timestamp => "Date",
        ArgumentType::Path => "string | URL",
        ArgumentType::Journal => "string | URL | JournalStore",
        ArgumentType::Filter => "Filter",
        ArgumentType::Rows => "Rows",
        ArgumentType::Blocks => "Readonly<Record<string, Readonly<Record<string, string>>>>",
        ArgumentType::Codes => "AnswerCodes | Readonly<Record<string, AnswerCodes>>",
        ArgumentType::Word(words) => {
            return words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" | ");
        }
    };
    ty.to_owned()
}
