//! An interface for every model, and a type for every enumeration, by the module in which they are defined.

use super::imports::imports;
use crate::surface::prelude::*;
use std::collections::BTreeMap;

/// A file for each module, and one that exports them all.
pub fn files(catalogue: &Catalogue) -> Vec<Generated> {
    let mut homes: BTreeMap<&str, String> = BTreeMap::new();
    for schema in &catalogue.enums {
        let docs = comment(&paragraphs(schema.docs), 0);
        let body = homes.entry(last(schema.module)).or_default();
        let values = quoted(schema.values, '\'', "\n  | ");
        put!(body, "\n{docs}export type {} =\n  | {values}\n  | (string & {{}});\n", schema.name);
    }
    for schema in catalogue.requests.iter().chain(&catalogue.models) {
        *homes.entry(last(schema.module)).or_default() += &model(schema);
    }
    let exports = join(homes.keys().map(|module| format!("export * from './{module}.js';")), "\n");
    let mut files = vec![generated("node/types/models.d.ts", "crates/sondage/src/model/", &exports)];
    files.extend(homes.into_iter().map(|(module, body)| {
        let from = format!("crates/sondage/src/model/{module}.rs");
        generated(format!("node/types/{module}.d.ts"), &from, &(imports(&body, "./", module) + &body))
    }));
    files
}

fn model(schema: &'static ModelSchema) -> String {
    let mut properties = String::new();
    for field in schema.fields {
        let docs = match field.absent {
            Some(_) => vec![documented(field.docs, field.absent, NODE)],
            None => paragraphs(field.docs),
        };
        properties += &property(&docs, &typed(schema.kind, field));
    }
    if schema.kind != Kind::Request {
        let docs = "Fields that this version does not know, unchanged.";
        properties += &property(&[docs.into()], "$extra?: Extra");
    }
    interface(&paragraphs(schema.docs), schema.name, &properties)
}

fn typed(kind: Kind, field: &'static FieldSchema) -> String {
    let sent = matches!(kind, Kind::Request | Kind::Value);
    let spelt = |ty| if sent { types::taken(ty, NODE) } else { types::held(ty, NODE) };
    let (ty, absent) = match field.ty {
        Type::Optional(inner) if field.absent.is_some() => (*inner, ""),
        Type::Optional(inner) if sent => (*inner, " | null | undefined"),
        ty => return format!("{}: {}", field.wire, spelt(ty)),
    };
    let conditions = kind == Kind::Request
        && matches!(ty, Type::List(Type::Model(schema)) if schema().name == "Condition");
    let or = if conditions { " | Expression" } else { "" };
    format!("{}?: {}{or}{absent}", field.wire, spelt(ty))
}
