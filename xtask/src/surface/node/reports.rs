//! Interfaces of what methods tell.

use super::super::{Generated, prose};
use super::words::camel;
use super::{comment, generated};
use sondage::reports::{ALL, ReportSchema, ReportType};
use std::fmt::Write;

const HEAD: &str = "import type { SondageError } from './error.js';
import type { Int, JsonValue } from './values.js';
import type { Event } from './webhook_entities.js';
";

pub fn types() -> Generated {
    let mut body = String::from(HEAD);
    for schema in ALL {
        body.push_str(&interface(schema));
    }
    generated("node/types/reports.d.ts", "crates/sondage/src/reports.rs", &body)
}

fn interface(schema: &ReportSchema) -> String {
    let docs = comment(&paragraphs(schema.docs), 0);
    let mut out = format!("\n{docs}export interface {} {{\n", schema.name);
    // What stands beside a table is read from it and not changed.
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

fn written(ty: &'static ReportType) -> String {
    match ty {
        ReportType::Bool => "boolean".into(),
        ReportType::Int => "Int".into(),
        ReportType::Count | ReportType::Duration | ReportType::Real => "number".into(),
        ReportType::Text | ReportType::Path => "string".into(),
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
