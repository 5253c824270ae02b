//! A method for every operation, in the blocking and in the asyncio client.

use super::super::Generated;
use super::super::catalogue::{Catalogue, rows_of};
use super::super::prose;
use super::super::selections::{Nothing, documented};
use super::names::{self, Imports};
use super::without_await::blocking;
use super::{braces, docstring, generated};
use sondage::internals::schema::{FieldSchema, Type};
use sondage::operation::{OperationInfo, Source};
use std::fmt::Write;

const TABLE: &str = "crates/sondage/src/operations.rs";

/// All operations: a file for each client, because a program that uses one of them should not wait for the other to load.
pub fn files(catalogue: &Catalogue) -> [Generated; 2] {
    let mut imports = Imports::default();
    let mut class = String::from(
        "\n\nclass AsyncOperations:\n    \"\"\"Every operation, for asyncio.\"\"\"\n\n    __slots__ = ()\n    \
         _native: Handle\n",
    );
    for row in catalogue.areas.iter().flat_map(|area| rows_of(area)) {
        let _ = write!(class, "\n{}", method(row, &mut imports));
    }
    let body = format!(
        "\"\"\"Every operation of the API, one method each, for asyncio.\"\"\"\n\n\
         from __future__ import annotations\n\nfrom ._convert import ABSENT\n\n{}    from ._native import Handle\n{class}",
        imports.block(None)
    );
    [
        generated("python/sondage/_async_operations.py", TABLE, &body),
        generated("python/sondage/_blocking_operations.py", TABLE, &blocking(&body)),
    ]
}

fn method(row: &'static OperationInfo, imports: &mut Imports) -> String {
    let (optional, required): (Vec<_>, Vec<_>) =
        row.request.fields.iter().partition(|field| is_optional(field));
    let ordered: Vec<&'static FieldSchema> = required.into_iter().chain(optional).collect();
    let mut parameters = vec!["self".to_owned()];
    // A single required id may be given by its position.
    let by_position =
        usize::from(ordered.iter().filter(|field| !is_optional(field)).count() == 1 && is_id(ordered[0]));
    for (place, field) in ordered.iter().enumerate() {
        if place == by_position {
            parameters.push("*".into());
        }
        let (ty, default) = match (field.ty, field.absent) {
            (Type::Optional(inner), Some(_)) => (imports.taken(inner), " = ABSENT"),
            (Type::Optional(_), None) => (imports.taken(field.ty), " = None"),
            _ => (imports.taken(field.ty), ""),
        };
        parameters.push(format!("{}: {ty}{default}", names::name(field.name)));
    }
    let answer = imports.model(row.response);
    let mut out = signature(&format!("async def {}", row.method), &parameters, &answer);
    out.push_str(&docstring(&documentation(row, &ordered), 8));
    let entries: Vec<String> =
        row.request.fields.iter().map(|f| format!("\"{}\": {}", f.wire, names::name(f.name))).collect();
    let call = "await self._native.start";
    let line = format!("        return {call}(\"{}\", {{{}}})\n", row.method, entries.join(", "));
    let is_secret = |ty: &Type| matches!(ty, Type::Secret | Type::Optional(Type::Secret));
    let secrets: Vec<String> =
        row.request.fields.iter().filter(|f| is_secret(f.ty)).map(|f| names::name(f.name)).collect();
    if line.len() <= prose::WIDTH && secrets.is_empty() {
        return out + &line;
    }
    let _ = writeln!(out, "        arguments = {}", braces(&entries, 8));
    if !secrets.is_empty() {
        // Crash reporters record the variables of every frame that an exception has passed through.
        let _ = writeln!(out, "        del {}", secrets.join(", "));
        let _ = writeln!(out, "        try:\n            return {call}(\"{}\", arguments)", row.method);
        let _ = writeln!(out, "        finally:\n            arguments.clear()");
        return out;
    }
    let _ = writeln!(out, "        return {call}(\"{}\", arguments)", row.method);
    out
}

fn is_optional(field: &FieldSchema) -> bool {
    matches!(field.ty, Type::Optional(_))
}

fn is_id(field: &FieldSchema) -> bool {
    field.name.ends_with("_id") && matches!(field.ty, Type::Int)
}

fn documentation(row: &'static OperationInfo, fields: &[&FieldSchema]) -> Vec<String> {
    let mut paragraphs = prose::paragraphs(row.docs);
    if !fields.is_empty() {
        let mut lines = vec!["Args:".to_owned()];
        for field in fields {
            // The docstring indents the lines once more.
            let docs = documented(field.docs, field.absent, Nothing::Python);
            let text = format!("{}: {docs}", names::name(field.name));
            lines.extend(prose::wrap(&text, 4 + 8, 4).into_iter().map(|line| line[8..].to_owned()));
        }
        paragraphs.push(lines.join("\n"));
    }
    if let Some(reconcile) = row.reconcile {
        paragraphs.push(format!("When the outcome is unknown: {reconcile}"));
    }
    let source = match row.source {
        Source::Spec => "the specification",
        Source::Published => "the published definition",
    };
    paragraphs.push(format!(
        "Operation `{}`, effect `\"{}\"`, source: {source}.",
        row.name,
        row.effect.as_str()
    ));
    paragraphs
}

/// The head of a function, on one line if it fits.
pub fn signature(head: &str, parameters: &[String], answer: &str) -> String {
    let line = format!("    {head}({}) -> {answer}:\n", parameters.join(", "));
    if line.len() <= prose::WIDTH {
        return line;
    }
    let parameters = prose::lines(parameters, "        ");
    format!("    {head}(\n{parameters}    ) -> {answer}:\n")
}
