//! A record for every struct of results, for uniffi, and the properties of errors in Kotlin and Swift.

use super::models::record;
use super::name;
use crate::surface::methods::reports_without_tables;
use crate::surface::prelude::*;
use crate::surface::structs::DETAILS;

/// Results of tables, or of hand-written functions.
pub const WITHOUT: [&str; 4] = ["ImportFacts", "PlanFacts", "SkippedRow", "UpdateReport"];

/// Results that only the receiving side of webhooks has.
const OF_WEBHOOKS: [&str; 3] = ["Confirmation", "EnsuredWebHook", "MissedEvents"];

const KOTLIN: &str = "package sondage

import java.time.Duration

/** The properties of every [SondageException]. Its `cause` is the exception of the token provider, if
there was one. */
public abstract class SondageFailure internal constructor(internal val details: ErrorDetails) :
    Exception(null, details.thrown?.let(Thrown::find)) {
    override val message: String get() = details.message

    init {
        stackTrace = begunAt(details.operation, stackTrace.asList())
    }
";

pub fn files() -> [Generated; 3] {
    let mut body = String::from("use super::prelude::*;\nuse crate::described::reports as described;\n");
    body.extend(reports_without_tables().filter(|schema| !WITHOUT.contains(&schema.name)).map(record_of));
    let (mut kotlin, mut swift) = (String::new(), Vec::new());
    for field in DETAILS.iter() {
        let (name, docs) = (camel(field.name), paragraphs(field.docs));
        let [in_kotlin, in_swift] = in_phones(field.ty);
        swift.push(format!("{}    public var {name}: {in_swift} {{ details.{name} }}\n", rustdoc(&docs, 4)));
        if name != "message" {
            put!(
                kotlin,
                "\n{}    public val {name}: {in_kotlin} get() = details.{name}\n",
                comment(&docs, 4)
            );
        }
    }
    let swift = format!("import Foundation\n\nextension SondageError {{\n{}}}\n", swift.join("\n"));
    let from = "bindings/uniffi/src/error.rs";
    [
        generated("bindings/uniffi/src/methods/reports.rs", "crates/sondage/src/reports/mod.rs", &body),
        generated("kotlin/src/main/kotlin/sondage/SondageFailure.kt", from, &format!("{KOTLIN}{kotlin}}}\n")),
        generated("swift/Sources/Sondage/ErrorDetails.swift", from, &swift),
    ]
}

fn record_of(schema: &ReportSchema) -> String {
    let only = if OF_WEBHOOKS.contains(&schema.name) { "#[cfg(feature = \"webhook\")]\n" } else { "" };
    let field = |field: &FieldOfReport| {
        let (default, value) = match field.ty {
            ReportType::Optional(_) => (Some("default = None"), "into_ffi()"),
            _ => (None, "into_ffi()"),
        };
        (name(field.name), paragraphs(field.docs), default, types::of_report(field.ty, types::RUST), value)
    };
    record("described", schema.name, schema.docs, only, schema.fields.iter().map(field).collect())
}

/// The type of a detail in Kotlin, and in Swift.
fn in_phones(ty: &ReportType) -> [String; 2] {
    let plain = match ty {
        ReportType::Optional(inner) => return in_phones(inner).map(|inner| inner + "?"),
        ReportType::Bool => ["Boolean", "Bool"],
        ReportType::Count => ["Int", "Int32"],
        ReportType::Duration => ["Duration", "TimeInterval"],
        ReportType::Word(words) => [words.name; 2],
        _ => ["String", "String"],
    };
    plain.map(str::to_owned)
}
