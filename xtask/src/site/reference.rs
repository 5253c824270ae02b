//! The reference generated from the tables: names, arguments, results and effects of every operation, and every
//! type.

use super::{Page, cell};
use crate::surface::prelude::*;
use std::collections::BTreeMap;

pub fn pages() -> Vec<Page> {
    let mut catalogue = Catalogue::of_the_table();
    // A response is described with its operation.
    catalogue.models.retain(|schema| schema.kind != Kind::Response);
    let areas: BTreeSet<&str> = catalogue.homes().into_iter().chain(catalogue.areas.clone()).collect();
    areas.into_iter().map(|area| (format!("reference/{area}.md"), page(&catalogue, area))).collect()
}

fn page(catalogue: &Catalogue, area: &str) -> String {
    let names = join(rows_of_area(area).map(|row| format!("`{}`", row.name)), ", ");
    let about = if names.is_empty() {
        "Types that operations of several areas use.".to_owned()
    } else {
        format!("The operations of this area are {names}.")
    };
    let mut out = format!(
        "# Reference: {}\n\n{about} Field names are those of the API, of Node.js, Kotlin and Swift; in Python and Rust they \
         are written like `panel_id`. [All operations](../docs/operations.md), [errors](../docs/errors.md).\n",
        area.replace('_', " ")
    );
    rows_of_area(area).for_each(|row| operation(&mut out, row));
    let models: BTreeMap<&str, _> = catalogue.models_of(area).map(|schema| (schema.name, schema)).collect();
    for schema in models.into_values() {
        put!(out, "\n## {}\n{}\n", schema.name, line(schema.docs));
        fields(&mut out, "Fields", schema, |_| "");
    }
    let enums = catalogue.enums.iter().filter(|schema| last(schema.module) == area);
    let enums: BTreeMap<&str, _> = enums.map(|schema| (schema.name, schema)).collect();
    for (name, schema) in enums {
        let (docs, values) = (line(schema.docs), quoted(schema.values, '`', ", "));
        put!(out, "\n## {name}\n{docs} Values known to this version: {values}. Others are kept.\n");
    }
    out
}

fn operation(out: &mut String, row: &OperationInfo) {
    put!(
        out,
        "\n## {}\n{}\n\n- Python and Rust: `{}`; Node.js, Kotlin and Swift: `{}`\n- Effect: `{}`. Without a response, {}.\n",
        row.name,
        line(row.docs),
        row.method,
        camel(row.method),
        row.effect.as_str(),
        unanswered(row.effect)
    );
    let required = |field: &FieldSchema| if field.required && !field.filled_in { "required" } else { "" };
    fields(out, "It takes", row.request, required);
    fields(out, "It returns", row.response, |_| "");
}

/// What the client does when a call gets no response.
fn unanswered(effect: Effect) -> &'static str {
    match effect {
        Effect::Read | Effect::Token => "it is retried, because it changes nothing",
        Effect::IdempotentWrite => "it is retried, because its effect is the same however often it happens",
        Effect::Create | Effect::SchemaChange | Effect::Send => {
            "it is not retried: the error is `OutcomeUnknown`, and [`reconcile`](../docs/reconcile.md) finds out what happened"
        }
    }
}

fn fields(out: &mut String, title: &str, model: &ModelSchema, note: impl Fn(&FieldSchema) -> &'static str) {
    if model.fields.is_empty() {
        return;
    }
    put!(out, "\n**{title}**\n\n| field | type | |\n|---|---|---|\n");
    for field in model.fields {
        let (docs, kind) = (cell(field.docs), types::held(field.ty, types::PAGE));
        let note = Some(note(field)).filter(|note| !note.is_empty()).map(|note| format!("**{note}**. "));
        put!(out, "| `{}` | {kind} | {}{docs} |\n", field.wire, note.unwrap_or_default());
    }
}
