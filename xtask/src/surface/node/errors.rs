//! A class for every kind of error, named as in Python, and the properties of all.

use crate::surface::prelude::*;
use crate::surface::python;
use crate::surface::structs::DETAILS;

pub fn files() -> [Generated; 4] {
    let mut code = String::from("'use strict';\n\nconst { SondageError, named } = require('./error.js');\n");
    let mut types = String::from("import { SondageError } from './error.js';\n");
    put!(
        types,
        "\n{}export type ErrorCode =\n  | {};\n",
        comment(&["The kind of error, the same word in every language.".into()], 0),
        quoted(ErrorKind::ALL.iter().map(|(kind, _)| kind.to_string()), '\'', "\n  | ")
    );
    for (kind, docs) in ErrorKind::ALL {
        let (name, docs) = (python::exception(*kind), comment(&paragraphs(docs), 0));
        put!(
            code,
            "\nexports.{name} = named(\n  '{name}',\n  class {name} extends SondageError {{\n    static code = '{kind}';\n    code = '{kind}';\n  }},\n);\n"
        );
        put!(
            types,
            "\n{docs}export declare class {name} extends SondageError {{\n  static readonly code: '{kind}';\n  readonly code: '{kind}';\n}}\n"
        );
    }
    let (from, from_details) = ("crates/sondage/src/error/kind.rs", "bindings/uniffi/src/error.rs");
    let [failure, details] = details();
    [
        generated("node/lib/errors.js", from, &code),
        generated("node/types/errors.d.ts", from, &types),
        generated("node/types/failure.d.ts", from_details, &failure),
        generated("node/lib/failure.js", from_details, &details),
    ]
}

/// The properties of every error, and their values.
fn details() -> [String; 2] {
    let (mut properties, mut code) = (String::new(), String::new());
    for field in DETAILS.iter().skip(1) {
        let unit = if field.name == "retry_after" { " In milliseconds." } else { "" };
        let ty = if field.name == "hint" { "string | null".into() } else { types::of_report(field.ty, NODE) };
        let unknown = match field.ty {
            ReportType::Bool => "false",
            ReportType::Count => "0",
            ReportType::Word(words) => &format!("'{}'", words.texts[0]),
            _ => "null",
        };
        // Express, Koa and Fastify would answer their own caller with `status`.
        let name = if field.name == "status" { "httpStatus".into() } else { camel(field.name) };
        properties += &property(&[line(field.docs) + unit], &format!("readonly {name}: {ty}"));
        put!(code, "  {name}: {unknown},\n");
    }
    let about = ["What is known about a failure.".to_owned()];
    [
        interface(&about, "Failure", &properties).trim_start().to_owned(),
        format!(
            "'use strict';\n\n/** The details of an error of which nothing is known. */\nexports.DETAILS = {{\n{code}}};\n"
        ),
    ]
}
