//! An interface for every model, and a type for every enumeration, by the module in which they are defined.

use super::super::Generated;
use super::super::catalogue::{Catalogue, module};
use super::super::prose;
use super::super::selections::{Nothing, documented};
use super::{comment, generated};
use sondage::internals::schema::{EnumSchema, FieldSchema, Kind, ModelSchema, Type};
use sondage::operations;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The content of one file.
#[derive(Default)]
struct Home {
    enums: Vec<&'static EnumSchema>,
    models: Vec<&'static ModelSchema>,
}

/// A file for each module, and one that exports them all.
pub fn files(catalogue: &Catalogue) -> Vec<Generated> {
    let mut homes: BTreeMap<&str, Home> = BTreeMap::new();
    for schema in &catalogue.enums {
        homes.entry(home_of(schema)).or_default().enums.push(schema);
    }
    let requests = operations::ALL.iter().map(|row| row.request);
    for schema in requests.chain(catalogue.models.iter().copied()) {
        let models = &mut homes.entry(module(schema)).or_default().models;
        if !models.iter().any(|known| known.name == schema.name) {
            models.push(schema);
        }
    }
    let mut files: Vec<Generated> = homes.iter().map(|(module, home)| file(module, home)).collect();
    let exports: Vec<String> = homes.keys().map(|module| format!("export * from './{module}.js';")).collect();
    files.push(generated("node/types/models.d.ts", "crates/sondage/src/model/", &exports.join("\n")));
    files
}

fn file(module: &str, home: &Home) -> Generated {
    let mut imports = TypeImports::default();
    let mut body = String::new();
    for schema in &home.enums {
        let values: Vec<String> = schema.values.iter().map(|value| format!("'{value}'")).collect();
        let docs = comment(&prose::paragraphs(schema.docs), 0);
        let _ = write!(
            body,
            "\n{docs}export type {} =\n  | {}\n  | (string & {{}});\n",
            schema.name,
            values.join("\n  | ")
        );
    }
    for schema in &home.models {
        let docs = comment(&prose::paragraphs(schema.docs), 0);
        let _ = write!(body, "\n{docs}export interface {} {{\n", schema.name);
        for field in schema.fields {
            let docs = match field.absent {
                Some(_) => vec![documented(field.docs, field.absent, Nothing::Node)],
                None => prose::paragraphs(field.docs),
            };
            let docs = comment(&docs, 2);
            let _ = writeln!(body, "{docs}  {}", imports.property(schema.kind, field));
        }
        if schema.kind != Kind::Request {
            let docs = comment(&["Fields that this version does not know, unchanged.".into()], 2);
            let _ = writeln!(body, "{docs}  $extra?: {};", imports.named("values", "Extra"));
        }
        body.push_str("}\n");
    }
    let body = imports.block("./", module) + &body;
    generated(format!("node/types/{module}.d.ts"), &format!("crates/sondage/src/model/{module}.rs"), &body)
}

/// The last part of an enumeration's Rust module.
fn home_of(schema: &EnumSchema) -> &'static str {
    schema.module.rsplit("::").next().unwrap_or(schema.module)
}

/// The imports of a file.
#[derive(Default)]
pub struct TypeImports(BTreeMap<String, BTreeSet<String>>);

impl TypeImports {
    /// A name from another file.
    pub fn named(&mut self, module: &str, name: &str) -> String {
        self.0.entry(module.to_owned()).or_default().insert(name.to_owned());
        name.to_owned()
    }

    /// The import lines of a file in `folder` below `types/`, without those from the file itself.
    pub fn block(&self, folder: &str, own: &str) -> String {
        let mut out = String::new();
        for (module, names) in self.0.iter().filter(|(module, _)| *module != own) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let path = format!("{folder}{module}").replace("./../", "../");
            let _ = writeln!(out, "import type {{ {} }} from '{path}.js';", names.join(", "));
        }
        out
    }

    /// The type of a list's row.
    pub fn item(&mut self, ty: &'static Type) -> String {
        self.ty(ty, Kind::Record)
    }

    fn property(&mut self, kind: Kind, field: &'static FieldSchema) -> String {
        let sent = matches!(kind, Kind::Request | Kind::Value);
        match field.ty {
            Type::Optional(inner) if field.absent.is_some() => {
                format!("{}?: {};", field.wire, self.ty(inner, kind))
            }
            Type::Optional(inner) if sent => {
                format!("{}?: {} | null | undefined;", field.wire, self.ty(inner, kind))
            }
            ty => format!("{}: {};", field.wire, self.ty(ty, kind)),
        }
    }

    fn ty(&mut self, ty: &'static Type, kind: Kind) -> String {
        match ty {
            Type::Optional(inner) => format!("{} | null", self.ty(inner, kind)),
            Type::List(Type::Model(schema)) if kind == Kind::Request && schema().name == "Condition" => {
                let condition = self.named(module(schema()), schema().name);
                format!("readonly {condition}[] | {}", self.named("../index", "Expression"))
            }
            Type::List(inner) => {
                let item = self.ty(inner, kind);
                let item = if item.contains('|') { format!("({item})") } else { item };
                let readonly = if matches!(kind, Kind::Request | Kind::Value) { "readonly " } else { "" };
                format!("{readonly}{item}[]")
            }
            Type::Map(inner) => format!("Record<string, {}>", self.ty(inner, kind)),
            Type::Model(schema) => self.named(module(schema()), schema().name),
            Type::Enum(schema) => self.named(home_of(schema), schema.name),
            Type::Bool => "boolean".into(),
            Type::Int => self.named("values", "Int"),
            Type::Float => "number".into(),
            Type::Text | Type::Secret => "string".into(),
            Type::Timestamp => "Date".into(),
            Type::FieldValue => self.named("values", "FieldValue"),
            Type::Json => self.named("values", "JsonValue"),
        }
    }
}
