//! A record for every struct of results, for uniffi.

use super::super::Generated;
use super::super::prose;
use super::{docs, generated, types};
use sondage::reports::{ReportSchema, ReportType};
use std::fmt::Write;

/// Results of tables, or of hand-written functions.
const WITHOUT: [&str; 4] = ["ImportFacts", "PlanFacts", "SkippedRow", "UpdateReport"];

/// Results that only the receiving side of webhooks has.
const OF_WEBHOOKS: [&str; 3] = ["Confirmation", "EnsuredWebHook", "MissedEvents"];

pub fn file() -> Generated {
    let mut body = String::from("use super::prelude::*;\nuse crate::described::reports as described;\n");
    for schema in
        crate::surface::methods::reports_without_tables().filter(|schema| !WITHOUT.contains(&schema.name))
    {
        body.push_str(&record(schema));
    }
    generated("bindings/uniffi/src/methods/reports.rs", "crates/sondage/src/reports.rs", &body)
}

fn record(schema: &ReportSchema) -> String {
    let name = schema.name;
    let only = if OF_WEBHOOKS.contains(&name) { "#[cfg(feature = \"webhook\")]\n" } else { "" };
    let about = docs(&prose::paragraphs(schema.docs), 0);
    let mut out = format!("\n{about}{only}#[derive(Debug, uniffi::Record)]\n");
    let _ = writeln!(out, "pub struct {name} {{");
    // Required fields come first, as in every record.
    let mut fields: Vec<_> = schema.fields.iter().collect();
    fields.sort_by_key(|field| matches!(field.ty, ReportType::Optional(_)));
    for field in fields {
        out.push_str(&docs(&prose::paragraphs(field.docs), 4));
        if matches!(field.ty, ReportType::Optional(_)) {
            out.push_str("    #[uniffi(default = None)]\n");
        }
        let _ = writeln!(out, "    pub {}: {},", types::name(field.name), rust(field.ty));
    }
    let _ = writeln!(out, "}}\n\n{only}impl IntoFfi<{name}> for described::{name} {{");
    let _ = writeln!(out, "    fn into_ffi(self) -> {name} {{\n        {name} {{");
    for field in schema.fields {
        let name = types::name(field.name);
        let word = "as_str().to_owned()";
        let value = match field.ty {
            ReportType::Word(_) => word.to_owned(),
            ReportType::Optional(ReportType::Word(_)) => format!("map(|one| one.{word})"),
            ReportType::List(ReportType::Word(_)) => format!("into_iter().map(|one| one.{word}).collect()"),
            _ => "into_ffi()".to_owned(),
        };
        let _ = writeln!(out, "            {name}: self.{name}.{value},");
    }
    out.push_str("        }\n    }\n}\n");
    out
}

fn rust(ty: &'static ReportType) -> String {
    let plain = match ty {
        ReportType::Bool => "bool",
        ReportType::Int | ReportType::Count => "i64",
        ReportType::Real => "f64",
        ReportType::Text | ReportType::Path | ReportType::Json | ReportType::Word(_) => "String",
        ReportType::Secret => "Secret",
        ReportType::Timestamp => "SystemTime",
        ReportType::Duration => "Duration",
        ReportType::Error => "SondageError",
        ReportType::Report(schema) => schema().name,
        ReportType::Named(name) => name,
        ReportType::Optional(inner) => return format!("Option<{}>", rust(inner)),
        ReportType::List(inner) => return format!("Vec<{}>", rust(inner)),
    };
    plain.to_owned()
}
