//! The properties of an error, for Kotlin's exceptions and Swift's errors.

use super::super::structs::DETAILS;
use super::super::{Generated, node, prose};
use super::{camel, docs, generated};
use sondage::reports::ReportType;
use std::fmt::Write;

const FROM: &str = "bindings/uniffi/src/error.rs";
const KOTLIN: &str = "package sondage

import java.time.Duration

/** The properties of every [SondageException]. Its `cause` is the exception of the token provider, if
there was one. */
public abstract class SondageFailure internal constructor(internal val details: ErrorDetails) :
    Exception(null, details.thrown?.let(Thrown::find)) {
    override val message: String get() = details.message
";

/// Both languages.
pub fn files() -> [Generated; 2] {
    let (mut kotlin, mut swift) =
        (KOTLIN.to_owned(), String::from("import Foundation\n\nextension SondageError {\n"));
    for field in DETAILS.iter() {
        let (name, about) = (camel(field.name), prose::paragraphs(field.docs));
        let (in_kotlin, in_swift) = written(field.ty);
        if name != "message" {
            let about = node::comment(&about, 4);
            let _ = write!(kotlin, "\n{about}    public val {name}: {in_kotlin} get() = details.{name}\n");
        }
        let _ =
            write!(swift, "{}    public var {name}: {in_swift} {{ details.{name} }}\n\n", docs(&about, 4));
    }
    [
        generated("kotlin/src/main/kotlin/sondage/SondageFailure.kt", FROM, &(kotlin + "}\n")),
        generated("swift/Sources/Sondage/ErrorDetails.swift", FROM, &(swift.trim_end().to_owned() + "\n}\n")),
    ]
}

fn written(ty: &'static ReportType) -> (String, String) {
    let (kotlin, swift) = match ty {
        ReportType::Optional(inner) => {
            let (kotlin, swift) = written(inner);
            return (kotlin + "?", swift + "?");
        }
        ReportType::Bool => ("Boolean", "Bool"),
        ReportType::Count => ("Int", "Int32"),
        ReportType::Duration => ("Duration", "TimeInterval"),
        ReportType::Word(_) => ("Delivery", "Delivery"),
        _ => ("String", "String"),
    };
    (kotlin.to_owned(), swift.to_owned())
}
