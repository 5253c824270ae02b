//! Interfaces of results.

use super::super::methods::all_reports;
use super::super::structs::{FACTS, OF_THE_SANDBOX};
use super::super::{Generated, prose};
use super::words::camel;
use super::{comment, generated};
use heck::ToSnakeCase as _;
use sondage::reports::{FieldOfReport, ReportSchema, ReportType};
use std::fmt::Write;

const HEAD: &str = "import type { Progress } from './downloads.js';
import type { SondageError } from './error.js';
import type { Int, JsonValue } from './values.js';
";

/// Reports that are declared next to the events to which they belong.
pub const OF_EVENTS: [&str; 2] = ["Confirmation", "MissedEvents"];

/// Both files.
pub fn files() -> [Generated; 2] {
    let mut types = String::from(HEAD);
    let mut code = String::from(
        "'use strict';\n// What methods tell, with the errors among it as those of this library.\n\n\
         const { made } = require('./fail.js');\n",
    );
    for schema in all_reports().filter(|schema| !OF_EVENTS.contains(&schema.name)) {
        types.push_str(&interface(schema));
        if needs_making(schema) {
            let fields: Vec<String> = schema.fields.iter().filter_map(making).collect();
            let _ = writeln!(
                code,
                "\nexports.{} = (told) => ({{ ...told, {} }});",
                maker(schema.name),
                fields.join(", ")
            );
        }
    }
    let from = "crates/sondage/src/reports.rs";
    [generated("node/types/reports.d.ts", from, &types), generated("node/lib/reports.js", from, &code)]
}

/// The records of a sandbox's ledger, and the data that a program needs to connect.
pub fn of_the_sandbox() -> Generated {
    let mut body = String::new();
    for schema in OF_THE_SANDBOX.iter() {
        let text = interface(schema).replace("interface Effect ", "interface SandboxEffect ");
        // The ledger is used as it is, as returned by the control endpoints.
        body += &if schema.name == "Attempt" { text } else { text.replace("at: Date;", "at: string;") };
    }
    body.push_str(
        "\n/** What a program needs to connect to a sandbox. */\nexport interface SandboxFacts {\n",
    );
    for field in FACTS.iter() {
        let docs = comment(&paragraphs(field.docs), 2);
        let _ = writeln!(body, "{docs}  readonly {}: {};", camel(field.name), written(field.ty));
    }
    generated("node/types/ledger.d.ts", "crates/sondage-sandbox/src", &(body + "}\n"))
}

/// The name of the function that converts a native result.
pub fn maker(name: &str) -> String {
    camel(&name.to_snake_case()) + "Of"
}

/// Whether it contains an error.
pub fn needs_making(schema: &ReportSchema) -> bool {
    schema.fields.iter().any(|field| making(field).is_some())
}

fn making(field: &FieldOfReport) -> Option<String> {
    let name = camel(field.name);
    match field.ty {
        ReportType::Error | ReportType::Optional(ReportType::Error) => {
            Some(format!("{name}: made(told.{name})"))
        }
        ReportType::Report(of) if needs_making(of()) => {
            Some(format!("{name}: exports.{}(told.{name})", maker(of().name)))
        }
        ReportType::List(ReportType::Report(of)) if needs_making(of()) => {
            Some(format!("{name}: told.{name}.map(exports.{})", maker(of().name)))
        }
        _ => None,
    }
}

pub fn interface(schema: &ReportSchema) -> String {
    let docs = comment(&paragraphs(schema.docs), 0);
    let mut out = format!("\n{docs}export interface {} {{\n", schema.name);
    // The properties of a table's facts are read-only.
    let readonly = if schema.name.ends_with("Facts") { "readonly " } else { "" };
    for field in schema.fields {
        let mut docs = paragraphs(field.docs);
        if let (ReportType::Duration, Some(last)) = (field.ty, docs.last_mut()) {
            last.push_str(" In milliseconds.");
        }
        out.push_str(&comment(&docs, 2));
        let _ = writeln!(out, "  {readonly}{}: {};", camel(field.name), written(field.ty));
    }
    out.push_str("}\n");
    out
}

fn paragraphs(docs: &str) -> Vec<String> {
    prose::paragraphs(docs).iter().map(|text| text.replace("`None`", "`null`")).collect()
}

pub fn written(ty: &'static ReportType) -> String {
    match ty {
        ReportType::Bool => "boolean".into(),
        ReportType::Int => "Int".into(),
        ReportType::Count | ReportType::Duration | ReportType::Real => "number".into(),
        ReportType::Text | ReportType::Path | ReportType::Secret => "string".into(),
        ReportType::Timestamp => "Date".into(),
        ReportType::Error => "SondageError".into(),
        ReportType::Json | ReportType::Optional(ReportType::Json) => "JsonValue".into(),
        ReportType::Word(words) => {
            words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" | ")
        }
        ReportType::Optional(inner) => format!("{} | null", written(inner)),
        ReportType::List(inner) => {
            let item = written(inner);
            if item.contains('|') { format!("({item})[]") } else { format!("{item}[]") }
        }
        ReportType::Report(schema) => schema().name.into(),
        ReportType::Named(name) => (*name).into(),
    }
}
