//! The options of the methods that are not operations.

use super::imports::imports;
use crate::surface::methods::{field, options};
use crate::surface::prelude::*;

/// Options of a table that are not options of a method of the client: their name, the struct, its fields that are separate
/// arguments or properties of another interface, and the documentation of labels, which each language represents in its own way.
type TableOptions = (&'static str, &'static str, &'static [&'static str], &'static str);

const LABELS: &str = "Whether to show labels, and where.";
const TABLES: [TableOptions; 4] = [
    (
        "MemberTableOptions",
        "MembersOptions",
        &["panel_id", "fields", "where", "interviews", "page_size", "verify_total"],
        "Whether to show labels. They need `definition`.",
    ),
    ("FileOptions", "ExportOptions", &["path", "labels"], LABELS),
    ("DeltaOptions", "DeltaOptions", &["state"], LABELS),
    ("SyncOptions", "SyncOptions", &["path"], ""),
];

/// The codes of [`ArgumentType::Codes`].
const CODES: &str = "
/** A code of an answer, or all integers of a range, with both ends. */
export type AnswerCode = number | bigint | string | { from: number; to: number };

/** One code, or several. */
export type AnswerCodes = AnswerCode | readonly AnswerCode[];
";

/// Options of the lazy query for members that belong to its table.
const OF_TABLES: [&str; 2] = ["definition", "language"];

pub fn is_query(row: &MethodRow) -> bool {
    ["members", "interviews"].contains(&row.name)
}

/// The name of its options, if it has any.
pub fn name_of(row: &MethodRow) -> Option<String> {
    let any = !row.arguments().1.is_empty() || row.guard().is_some();
    any.then(|| match row.name {
        "create_members_from" => "CreateFromOptions".to_owned(),
        "archive_answers" => "ArchiveOptions".to_owned(),
        "missed_events" => "MissedOptions".to_owned(),
        name => format!("{}Options", pascal(name)),
    })
}

pub fn types() -> Generated {
    let mut body = String::new();
    for row in of_the_client() {
        let (Some(name), Some(schema)) = (name_of(row), row.options()) else { continue };
        let (progress, failing, ended) = if is_query(row) {
            ("Progress", "ends the download", "Gives the reading up.")
        } else {
            let ended = "Ends the run. What is stored is kept, and another run resumes from there.";
            (row.progress, "ends the run", ended)
        };
        let blocking = if progress.is_empty() { name.clone() } else { format!("Blocking{name}") };
        let fields = row.arguments().1.into_iter();
        let fields = fields.filter(|field| row.name != "members" || !OF_TABLES.contains(&field.name));
        let own = match row.guard() {
            _ if row.name == "interviews" => optional("labels", "Labels", LABELS),
            Some(docs) => optional(
                "unknownTo",
                "Guard | StoreGuard",
                &format!("{docs} A blocking client takes a `Guard` alone."),
            ),
            None => String::new(),
        };
        let head =
            if is_query(row) { format!("{blocking} extends ListCallOptions") } else { blocking.clone() };
        body += &interface(&[schema.docs.into()], &head, &(fields.map(typed).collect::<String>() + &own));
        if progress.is_empty() {
            continue;
        }
        let callback = optional(
            "onProgress",
            &format!("((progress: {progress}) => unknown)"),
            &format!(
                "A progress callback. An error with which it throws, or its promise rejects, {failing}."
            ),
        );
        let own = callback + &optional("signal", "AbortSignal", ended);
        body += &interface(&[schema.docs.into()], &format!("{name} extends {blocking}"), &own);
    }
    for (name, schema, without, labels) in TABLES {
        let schema = options(schema);
        // A field that no longer exists must not remain in a list.
        let without: Vec<_> = without.iter().map(|name| field(schema, name).name).collect();
        let fields = schema.fields.iter().filter(|field| !without.contains(&field.name));
        let labels = if labels.is_empty() { String::new() } else { optional("labels", "Labels", labels) };
        body += &interface(&[schema.docs.into()], name, &(fields.map(typed).collect::<String>() + &labels));
    }
    generated(
        "node/types/options.d.ts",
        "crates/sondage/src/arguments",
        &(imports(&body, "./", "options") + &body + CODES),
    )
}

fn optional(name: &str, ty: &str, docs: &str) -> String {
    property(&[docs.into()], &format!("{name}?: {ty} | undefined"))
}

/// A field with its type, documentation, unit, and default.
fn typed(field: &ArgumentSchema) -> String {
    let mut docs = documented(field.docs, field.absent, NODE);
    if field.ty == ArgumentType::Time {
        docs += " In milliseconds.";
    }
    match field.default {
        None => {}
        Some("true") => docs += " Default: yes.",
        Some("false") => docs += " Default: no.",
        Some(_) if matches!(field.ty, ArgumentType::Word(_)) => {
            put!(docs, " Default: `{}`.", field.default_word().unwrap_or_default());
        }
        Some(default) => put!(docs, " Default: {default}."),
    }
    let ty = match field.ty {
        _ if field.name == "format" => "FileFormat".to_owned(),
        ty => types::of_option(ty, NODE),
    };
    let (mark, absent) = match (field.required, field.absent) {
        (true, _) => ("", ""),
        (_, Some(_)) => ("?", ""),
        _ => ("?", " | undefined"),
    };
    property(&[docs], &format!("{}{mark}: {ty}{absent}", field.wire))
}
