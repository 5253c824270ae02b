//! Interfaces of results, of events and of their entities.

use super::imports::imports;
use crate::surface::prelude::*;
use crate::surface::structs::{FACTS, OF_THE_SANDBOX, PICTURES};
use crate::surface::webhooks::{ENTITIES, EVENT, REPORTS, is_of_events};

const CODE: &str = "'use strict';
// What methods tell, with the errors among it as those of this library.

const { made } = require('./fail.js');
const { pictured } = require('./pictures.js');
";
const UNKNOWN: &str = "
/** An entity that this version cannot read: see the event's `raw`. */
export interface UnknownEntity {
  kind: 'unknown';
}

/** What an event is about. `kind` tells them apart. */
";

/// The results of methods, the events, and what a sandbox records.
pub fn files() -> [Generated; 4] {
    let (mut types, mut code) = (String::new(), String::from(CODE));
    for schema in all_reports().filter(|schema| !is_of_events(schema)) {
        types += &described(schema);
        if needs_making(schema) {
            let fields = join(schema.fields.iter().filter_map(making), ", ");
            let maker = maker(schema.name);
            if PICTURES.contains(&schema.name) {
                put!(code, "\nexports.{maker} = (told) => pictured('{}', told);\n", schema.name);
            } else {
                put!(code, "\nexports.{maker} = (told) => ({{ ...told, {fields} }});\n");
            }
        }
    }
    let from = "crates/sondage/src/reports/mod.rs";
    [
        generated("node/types/reports.d.ts", from, &(imports(&types, "./", "reports") + &types)),
        generated("node/lib/reports.js", from, &code),
        generated("node/types/webhook_entities.d.ts", "crates/sondage/src/webhook/shapes.rs", &events()),
        generated("node/types/ledger.d.ts", "crates/sondage-sandbox/src", &of_the_sandbox()),
    ]
}

fn events() -> String {
    let mut body = String::new();
    for shape in ENTITIES.iter().chain([&EVENT]) {
        let mut fields = String::new();
        if shape.schema.name == EVENT.schema.name {
            let names = join(ENTITIES.iter().map(|shape| shape.other_name), " | ");
            put!(body, "{UNKNOWN}export type Entity = {names} | UnknownEntity;\n");
        } else {
            put!(fields, "  kind: '{}';\n", shape.kind());
        }
        for field in shape.schema.fields {
            let (mark, ty) = match field.ty {
                ReportType::Optional(inner) => ("?", *inner),
                ty => ("", ty),
            };
            let ty = types::of_report(ty, NODE).replace("Fields", "Record<string, MemberField>");
            fields += &property(&paragraphs(field.docs), &format!("{}{mark}: {ty}", camel(field.name)));
        }
        body += &interface(&paragraphs(shape.schema.docs), shape.other_name, &fields);
    }
    body += &join(REPORTS.map(described), "");
    let head = "// Fields that are optional may be absent: the format of callbacks is not published.\n";
    format!("{head}{}{body}", imports(&body, "./", "webhook_entities"))
}

/// The records of a sandbox's ledger, and the data that a program needs to connect.
fn of_the_sandbox() -> String {
    let mut body = String::new();
    for schema in OF_THE_SANDBOX.iter() {
        let text = described(schema).replace("interface Effect ", "interface SandboxEffect ");
        // The ledger is used as it is, as returned by the control endpoints.
        body += &if schema.name == "Attempt" { text } else { text.replace("at: Date;", "at: string;") };
    }
    let about = "What a program needs to connect to a sandbox.".to_owned();
    body + &interface(
        &[about],
        "SandboxFacts",
        &FACTS.iter().map(|field| of_field(field, "readonly ")).collect::<String>(),
    )
}

/// The name of the function that converts a native result.
pub fn maker(name: &str) -> String {
    camel(&name.to_snake_case()) + "Of"
}

pub fn needs_making(schema: &ReportSchema) -> bool {
    PICTURES.contains(&schema.name) || schema.fields.iter().any(|field| making(field).is_some())
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

fn described(schema: &ReportSchema) -> String {
    // The properties of a table's facts are read-only.
    let readonly = if schema.name.ends_with("Facts") { "readonly " } else { "" };
    let fields: String = schema.fields.iter().map(|field| of_field(field, readonly)).collect();
    let extends = if PICTURES.contains(&schema.name) { " extends Picture" } else { "" };
    interface(&paragraphs(schema.docs), &format!("{}{extends}", schema.name), &fields)
}

fn of_field(field: &FieldOfReport, readonly: &str) -> String {
    let mut docs = paragraphs(field.docs);
    if let (ReportType::Duration, Some(last)) = (field.ty, docs.last_mut()) {
        *last += " In milliseconds.";
    }
    property(&docs, &format!("{readonly}{}: {}", camel(field.name), types::of_report(field.ty, NODE)))
}
