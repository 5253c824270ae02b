//! A class for every kind of error.

use super::super::structs::DETAILS;
use super::super::{Generated, prose, python};
use super::reports::written;
use super::words::camel;
use super::{comment, generated};
use sondage::ErrorKind;
use sondage::reports::ReportType;
use std::fmt::Write;

const FROM: &str = "crates/sondage/src/error/kind.rs";

/// The classes, named as in Python.
pub fn classes() -> Generated {
    let mut body = String::from("'use strict';\n\nconst { SondageError, named } = require('./error.js');\n");
    for (kind, _) in ErrorKind::ALL {
        let name = python::exception(*kind);
        let _ = write!(
            body,
            "\nexports.{name} = named(\n  '{name}',\n  class {name} extends SondageError {{\n    static code = '{kind}';\n    code = '{kind}';\n  }},\n);\n"
        );
    }
    generated("node/lib/errors.js", FROM, &body)
}

/// The properties of every error, and their values.
pub fn details() -> [Generated; 2] {
    let mut body = String::from("/** What is known about a failure. */\nexport interface Failure {\n");
    let mut code = String::from(
        "'use strict';\n\n/** The details of an error of which nothing is known. */\nexports.DETAILS = {\n",
    );
    for field in DETAILS.iter().skip(1) {
        let unit = if field.name == "retry_after" { " In milliseconds." } else { "" };
        let docs = comment(&[prose::line(field.docs) + unit], 2);
        let ty = if field.name == "hint" { "string | null".to_owned() } else { written(field.ty) };
        let unknown = match field.ty {
            ReportType::Bool => "false",
            ReportType::Count => "0",
            ReportType::Word(words) => &format!("'{}'", words[0]),
            _ => "null",
        };
        // Express, Koa and Fastify would answer their own caller with `status`.
        let name = if field.name == "status" { "httpStatus".to_owned() } else { camel(field.name) };
        let _ = writeln!(body, "{docs}  readonly {name}: {ty};");
        let _ = writeln!(code, "  {name}: {unknown},");
    }
    [("node/types/failure.d.ts", body + "}\n"), ("node/lib/failure.js", code + "};\n")]
        .map(|(path, text)| generated(path, "bindings/uniffi/src/error.rs", &text))
}

/// Their types.
pub fn types() -> Generated {
    let mut body = String::from("import { SondageError } from './error.js';\n");
    let codes: Vec<String> = ErrorKind::ALL.iter().map(|(kind, _)| format!("'{kind}'")).collect();
    let _ = write!(
        body,
        "\n{}export type ErrorCode =\n  | {};\n",
        comment(&["The kind of error, the same word in every language.".into()], 0),
        codes.join("\n  | ")
    );
    for (kind, docs) in ErrorKind::ALL {
        let name = python::exception(*kind);
        let _ = write!(
            body,
            "\n{}export declare class {name} extends SondageError {{\n  static readonly code: '{kind}';\n  readonly code: '{kind}';\n}}\n",
            comment(&prose::paragraphs(docs), 0)
        );
    }
    generated("node/types/errors.d.ts", FROM, &body)
}
