//! An interface for every model, and a type for every enumeration, by the module in which they are defined.

use crate::surface::prelude::*;
use std::collections::BTreeMap;

/// A file for each module, and one that exports them all.
pub fn files(catalogue: &Catalogue) -> Vec<Generated> {
    let mut homes: BTreeMap<&str, (String, TypeWords)> = BTreeMap::new();
    for schema in &catalogue.enums {
        let docs = comment(&paragraphs(schema.docs), 0);
        let (body, _) = homes.entry(last(schema.module)).or_default();
        let values = quoted(schema.values, '\'', "\n  | ");
        put!(body, "\n{docs}export type {} =\n  | {values}\n  | (string & {{}});\n", schema.name);
    }
    for schema in catalogue.requests.iter().chain(&catalogue.models) {
        let (body, words) = homes.entry(last(schema.module)).or_default();
        *body += &model(schema, words);
    }
    let exports = join(homes.keys().map(|module| format!("export * from './{module}.js';")), "\n");
    let mut files = vec![generated("node/types/models.d.ts", "crates/sondage/src/model/", &exports)];
    files.extend(homes.into_iter().map(|(module, (body, words))| {
        let from = format!("crates/sondage/src/model/{module}.rs");
        generated(
            format!("node/types/{module}.d.ts"),
            &from,
            &(imports(&words, catalogue, "./", module) + &body),
        )
    }));
    files
}

fn model(schema: &'static ModelSchema, words: &mut TypeWords) -> String {
    let mut properties = String::new();
    for field in schema.fields {
        let docs = match field.absent {
            Some(_) => vec![documented(field.docs, field.absent, NODE)],
            None => paragraphs(field.docs),
        };
        properties += &property(&docs, &words.noted(typed(schema.kind, field)));
    }
    if schema.kind != Kind::Request {
        let docs = "Fields that this version does not know, unchanged.";
        properties += &property(&[docs.into()], &words.noted("$extra?: Extra".into()));
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

/// The import lines of a file in `folder` below `types/`, without those from the file itself.
pub fn imports(words: &TypeWords, catalogue: &Catalogue, folder: &str, own: &str) -> String {
    let homes = words.by_home(|name| match name {
        "BlockingCallOptions" | "CallOptions" | "Extra" | "FieldValue" | "Int" | "JsonValue" => {
            Some("values")
        }
        "Expression" => Some("../index"),
        name => catalogue.home_of(name).filter(|home| *home != own),
    });
    let line = |(module, names): (&str, Vec<&str>)| {
        let path = format!("{folder}{module}").replace("./../", "../");
        format!("import type {{ {} }} from '{path}.js';\n", names.join(", "))
    };
    homes.into_iter().map(line).collect()
}
