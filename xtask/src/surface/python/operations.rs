//! A method for every operation, in the blocking and in the asyncio client.

use super::without_await::blocking;
use super::{braces, imports, safe_name};
use crate::surface::prelude::*;

const TABLE: &str = "crates/sondage/src/operations.rs";

/// All operations: a file for each client, because a program that uses one of them should not wait for the other to load.
pub fn files(catalogue: &Catalogue) -> [Generated; 2] {
    let mut class = String::from(
        "\n\nclass AsyncOperations:\n    \"\"\"Every operation, for asyncio.\"\"\"\n\n    __slots__ = ()\n    \
         _native: Handle\n",
    );
    for row in catalogue.areas.iter().flat_map(|area| rows_of_area(area)) {
        put!(class, "\n{}", method(row));
    }
    let body = format!(
        "\"\"\"Every operation of the API, one method each, for asyncio.\"\"\"\n\n\
         from __future__ import annotations\n\nfrom ._convert import ABSENT\n\n{}    from ._native import Handle\n{class}",
        imports(&class, catalogue, None)
    );
    [
        generated("python/sondage/_async_operations.py", TABLE, &body),
        generated("python/sondage/_blocking_operations.py", TABLE, &blocking(&body)),
    ]
}

fn method(row: &'static OperationInfo) -> String {
    let is_optional = |field: &&FieldSchema| matches!(field.ty, Type::Optional(_));
    let (optional, required): (Vec<_>, Vec<_>) = row.request.fields.iter().partition(is_optional);
    let parameter = |field: &&'static FieldSchema| {
        let (ty, default) = match (field.ty, field.absent) {
            (Type::Optional(inner), Some(_)) => (*inner, " = ABSENT"),
            (Type::Optional(_), None) => (field.ty, " = None"),
            _ => (field.ty, ""),
        };
        let name = safe_name(field.name);
        let about = format!("{name}: {}", documented(field.docs, field.absent, PYTHON));
        (format!("{name}: {}{default}", types::taken(ty, PYTHON)), about)
    };
    // A single required id may be given by its position.
    let is_id = |field: &FieldSchema| field.name.ends_with("_id") && matches!(field.ty, Type::Int);
    let by_position = usize::from(matches!(required.as_slice(), [only] if is_id(only)));
    let mut positional: Vec<_> = required.iter().chain(&optional).map(parameter).collect();
    let named = positional.split_off(by_position);
    let mut more: Vec<String> = reconciled(row).into_iter().collect();
    let effect = row.effect.as_str();
    more.push(format!("Operation `{}`, effect `\"{effect}\"`, source: {}.", row.name, source_of(row)));
    let head = format!("async def {}", row.method);
    let mut out = super::method(&head, [positional, named], row.response.name, paragraphs(row.docs), more);
    let entry = |field: &FieldSchema| format!("\"{}\": {}", field.wire, safe_name(field.name));
    let entries: Vec<String> = row.request.fields.iter().map(entry).collect();
    let call =
        |given: &str| format!("        return await self._native.start(\"{}\", {given})\n", row.method);
    let is_secret = |ty: &Type| matches!(ty, Type::Secret | Type::Optional(Type::Secret));
    let secrets = row.request.fields.iter().filter(|field| is_secret(field.ty));
    let secrets = join(secrets.map(|field| safe_name(field.name)), ", ");
    let short = call(&format!("{{{}}}", entries.join(", ")));
    if short.len() <= WIDTH && secrets.is_empty() {
        return out + &short;
    }
    put!(out, "        arguments = {}\n", braces(&entries, 8));
    if secrets.is_empty() {
        return out + &call("arguments");
    }
    // Crash reporters record the variables of every frame that an exception has passed through.
    put!(
        out,
        "        del {secrets}\n        try:\n    {}        finally:\n            arguments.clear()\n",
        call("arguments")
    );
    out
}
