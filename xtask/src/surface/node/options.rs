//! The options of the methods that are not operations.

use super::super::methods::{field, options};
use super::super::{Generated, prose};
use super::{comment, generated};
use sondage::arguments::{ArgumentSchema, ArgumentType};
use std::fmt::Write;

/// An interface, and the one for the client that does not block, which also tells how far it is and can be stopped.
struct Interface {
    name: &'static str,
    options: &'static str,
    /// Fields that are arguments of their own, or properties of another interface.
    without: &'static [&'static str],
    /// Properties that are a manner of the language: name, type, documentation.
    own: &'static [(&'static str, &'static str, &'static str)],
    promised: Option<Promised>,
}

struct Promised {
    name: &'static str,
    progress: &'static str,
    told: &'static str,
    signal: &'static str,
}

const LABELS: (&str, &str, &str) = ("labels", "Labels", "Whether to show labels, and where.");
const DOWNLOAD: &str = "A progress callback. An error that it throws ends the download.";
const READING: &str = "Gives the reading up.";

const INTERFACES: [Interface; 13] = [
    Interface {
        name: "BlockingMembersOptions",
        options: "MembersOptions",
        without: &["panel_id", "definition", "language"],
        own: &[],
        promised: Some(Promised {
            name: "MembersOptions",
            progress: "Progress",
            told: DOWNLOAD,
            signal: READING,
        }),
    },
    Interface {
        name: "MemberTableOptions",
        options: "MembersOptions",
        without: &["panel_id", "fields", "where", "interviews", "page_size", "verify_total"],
        own: &[("labels", "Labels", "Whether to show labels. They need `definition`.")],
        promised: None,
    },
    Interface {
        name: "BlockingInterviewsOptions",
        options: "InterviewsOptions",
        without: &["survey_id"],
        own: &[LABELS],
        promised: Some(Promised {
            name: "InterviewsOptions",
            progress: "Progress",
            told: DOWNLOAD,
            signal: READING,
        }),
    },
    Interface {
        name: "FileOptions",
        options: "ExportOptions",
        without: &["path", "labels"],
        own: &[LABELS],
        promised: None,
    },
    Interface {
        name: "DeltaOptions",
        options: "DeltaOptions",
        without: &["state"],
        own: &[LABELS],
        promised: None,
    },
    Interface {
        name: "CreateFromOptions",
        options: "CreateOptions",
        without: &["panel_id", "rows"],
        own: &[],
        promised: None,
    },
    Interface {
        name: "ImportMembersOptions",
        options: "ImportOptions",
        without: &["panel_id", "rows"],
        own: &[],
        promised: None,
    },
    Interface {
        name: "PlanUpdateOptions",
        options: "UpdateOptions",
        without: &["panel_id", "rows"],
        own: &[],
        promised: None,
    },
    Interface { name: "PlanInviteOptions", options: "InviteOptions", without: &[], own: &[], promised: None },
    Interface { name: "PlanRemindOptions", options: "RemindOptions", without: &[], own: &[], promised: None },
    Interface {
        name: "FieldReportOptions",
        options: "FieldReportOptions",
        without: &["survey_id"],
        own: &[],
        promised: None,
    },
    Interface {
        name: "BlockingArchiveOptions",
        options: "ArchiveOptions",
        without: &["survey_id", "folder"],
        own: &[],
        promised: Some(Promised {
            name: "ArchiveOptions",
            progress: "ArchiveProgress",
            told: "A progress callback. An error that it throws ends the run.",
            signal: "Ends the run. What is stored stays, and another run goes on from there.",
        }),
    },
    Interface {
        name: "MissedOptions",
        options: "MissedOptions",
        without: &["survey_id"],
        own: &[("unknownTo", "Guard", "Leaves out what this guard knows as handled.")],
        promised: None,
    },
];

/// The interfaces.
pub fn types() -> Generated {
    let mut body = String::from(
        "import type { Expression } from './condition.js';\n\
         import type { FileFormat, Progress } from './downloads.js';\n\
         import type { ArchiveProgress } from './reports.js';\n\
         import type { Labels } from './table.js';\n\
         import type { Int } from './values.js';\n\
         import type { Guard } from './webhooks.js';\n",
    );
    for interface in &INTERFACES {
        let schema = options(interface.options);
        // A field that is gone must not stay in a list.
        for name in interface.without {
            let _: &ArgumentSchema = field(schema, name);
        }
        let _ =
            write!(body, "\n{}export interface {} {{\n", comment(&[schema.docs.into()], 0), interface.name);
        for field in schema.fields.iter().filter(|field| !interface.without.contains(&field.name)) {
            let required = if field.required { ": " } else { "?: " };
            let absent = if field.required { "" } else { " | undefined" };
            let _ = writeln!(
                body,
                "{}  {}{required}{}{absent};",
                comment(&documentation(field), 2),
                field.wire,
                written(field)
            );
        }
        for (name, ty, docs) in interface.own {
            let _ = writeln!(body, "{}  {name}?: {ty} | undefined;", comment(&[(*docs).into()], 2));
        }
        body.push_str("}\n");
        if let Some(promised) = &interface.promised {
            let Promised { name, progress, told, signal } = promised;
            let _ = write!(
                body,
                "\n{}export interface {name} extends {} {{\n{}  onProgress?: ((progress: {progress}) => void) | undefined;\n\
                 {}  signal?: AbortSignal | undefined;\n}}\n",
                comment(&[schema.docs.into()], 0),
                interface.name,
                comment(&[(*told).into()], 2),
                comment(&[(*signal).into()], 2),
            );
        }
    }
    generated("node/types/options.d.ts", "crates/sondage/src/arguments", &body)
}

/// What a field is, its unit, and what it is when it is left out.
fn documentation(field: &ArgumentSchema) -> Vec<String> {
    let mut text = prose::line(field.docs);
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
        ArgumentType::Timestamp => "Date",
        ArgumentType::Path => "string | URL",
        ArgumentType::Filter => "Expression",
        ArgumentType::Rows => "Rows",
        ArgumentType::Word(words) => {
            return words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" | ");
        }
    };
    ty.to_owned()
}
