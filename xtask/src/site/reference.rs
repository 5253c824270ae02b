//! The reference generated from the tables: names, arguments, results and effects of every operation, and every
//! type.

use super::Page;
use sondage::internals::schema::{EnumSchema, FieldSchema, ModelSchema, Type};
use sondage::operation::{Effect, OperationInfo};
use sondage::operations;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The contents of an area of the API.
#[derive(Default)]
struct ApiArea {
    operations: Vec<&'static OperationInfo>,
    models: BTreeMap<&'static str, &'static ModelSchema>,
    enums: BTreeMap<&'static str, &'static EnumSchema>,
}

/// A page for each area.
pub fn pages() -> Vec<Page> {
    let mut areas: BTreeMap<&'static str, ApiArea> = BTreeMap::new();
    for row in operations::ALL {
        areas.entry(row.area).or_default().operations.push(row);
        for field in row.request.fields.iter().chain(row.response.fields) {
            collect(&mut areas, field.ty);
        }
    }
    areas.into_iter().map(|(name, area)| (format!("reference/{name}.md"), area.text(name))).collect()
}

/// The types that a type refers to.
fn collect(areas: &mut BTreeMap<&'static str, ApiArea>, ty: &'static Type) {
    match ty {
        Type::Optional(inner) | Type::List(inner) | Type::Map(inner) => collect(areas, inner),
        Type::Enum(schema) => {
            areas.entry(module(schema.module)).or_default().enums.insert(schema.name, schema);
        }
        Type::Model(schema) => {
            let schema = schema();
            let models = &mut areas.entry(module(schema.module)).or_default().models;
            if models.insert(schema.name, schema).is_none() {
                schema.fields.iter().for_each(|field| collect(areas, field.ty));
            }
        }
        _ => {}
    }
}

fn module(path: &'static str) -> &'static str {
    path.rsplit("::").next().unwrap_or(path)
}

impl ApiArea {
    fn text(&self, area: &str) -> String {
        let names: Vec<_> = self.operations.iter().map(|row| format!("`{}`", row.name)).collect();
        let about = if names.is_empty() {
            "Types that operations of several areas use.".to_owned()
        } else {
            format!("The operations of this area are {}.", names.join(", "))
        };
        let mut out = format!(
            "# Reference: {}\n\n{about} Field names are those of the API, of Node.js, Kotlin and Swift; in Python and Rust they \
             are written like `panel_id`. [All operations](../docs/operations.md), [errors](../docs/errors.md).\n",
            area.replace('_', " ")
        );
        self.operations.iter().for_each(|row| operation(&mut out, row));
        for schema in self.models.values() {
            let _ = write!(out, "\n## {}\n{}\n", schema.name, sondage_openapi::prose::line(schema.docs));
            fields(&mut out, "Fields", schema, |_| "");
        }
        for schema in self.enums.values() {
            let values: Vec<_> = schema.values.iter().map(|value| format!("`{value}`")).collect();
            let docs = sondage_openapi::prose::line(schema.docs);
            let _ = write!(
                out,
                "\n## {}\n{docs} Values known to this version: {}. Others are kept.\n",
                schema.name,
                values.join(", ")
            );
        }
        out
    }
}

fn operation(out: &mut String, row: &OperationInfo) {
    let camel = heck::ToLowerCamelCase::to_lower_camel_case(row.method);
    let _ = write!(
        out,
        "\n## {}\n{}\n\n- Python and Rust: `{}`; Node.js, Kotlin and Swift: `{camel}`\n- Effect: `{}`. Without a response, {}.\n",
        row.name,
        sondage_openapi::prose::line(row.docs),
        row.method,
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
    let _ = write!(out, "\n**{title}**\n\n| field | type | |\n|---|---|---|\n");
    for field in model.fields {
        let docs = sondage_openapi::prose::line(field.docs).replace('|', "\\|");
        let note = Some(note(field)).filter(|note| !note.is_empty()).map(|note| format!("**{note}**. "));
        let _ =
            writeln!(out, "| `{}` | {} | {}{docs} |", field.wire, kind(field.ty), note.unwrap_or_default());
    }
}

fn kind(ty: &Type) -> String {
    let linked =
        |name: &str, of: &'static str| format!("[`{name}`]({}.md#{})", module(of), name.to_lowercase());
    match ty {
        Type::Optional(inner) => kind(inner),
        Type::List(inner) => format!("list of {}", kind(inner)),
        Type::Map(inner) => format!("map of {}", kind(inner)),
        Type::Model(schema) => linked(schema().name, schema().module),
        Type::Enum(schema) => linked(schema.name, schema.module),
        Type::Bool => "boolean".to_owned(),
        Type::Int => "integer".to_owned(),
        Type::Float => "number".to_owned(),
        Type::Timestamp => "timestamp, UTC".to_owned(),
        Type::Text => "text".to_owned(),
        Type::Secret => "text that is never shown".to_owned(),
        Type::FieldValue => "text, number, boolean or nothing".to_owned(),
        Type::Json => "any JSON".to_owned(),
    }
}
