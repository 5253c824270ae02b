//! Spells names and types for Python.

use sondage::internals::schema::{EnumSchema, ModelSchema, Type};
use std::collections::BTreeSet;

/// A field's name as an attribute or a keyword argument, which cannot be `from`.
pub fn name(field: &str) -> String {
    const KEYWORDS: [&str; 35] = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
        "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
        "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ];
    if KEYWORDS.contains(&field) { format!("{field}_") } else { field.to_owned() }
}

/// The imports that a file needs for its annotations.
#[derive(Default)]
pub struct Imports {
    pub models: BTreeSet<(String, &'static str)>,
    pub types: BTreeSet<&'static str>,
    pub abc: BTreeSet<&'static str>,
    pub any: bool,
    pub datetime: bool,
}

impl Imports {
    /// The type of an attribute.
    pub fn held(&mut self, ty: &'static Type) -> String {
        match ty {
            Type::Optional(inner) => or_none(self.held(inner)),
            Type::List(inner) => format!("list[{}]", self.held(inner)),
            Type::Map(inner) => format!("dict[str, {}]", self.held(inner)),
            Type::Model(schema) => self.model(schema()),
            other => self.scalar(other),
        }
    }

    /// The type of an argument: any iterable for a list, a mapping with the API's names for a model.
    pub fn taken(&mut self, ty: &'static Type) -> String {
        match ty {
            Type::Optional(inner) => or_none(self.taken(inner)),
            Type::List(inner) => {
                self.abc.insert("Iterable");
                format!("Iterable[{}]", self.taken(inner))
            }
            Type::Map(inner) => {
                self.abc.insert("Mapping");
                format!("Mapping[str, {}]", self.taken(inner))
            }
            Type::Model(schema) => {
                self.abc.insert("Mapping");
                self.any = true;
                format!("{} | Mapping[str, Any]", self.model(schema()))
            }
            other => self.scalar(other),
        }
    }

    /// A model's class.
    pub fn model(&mut self, schema: &'static ModelSchema) -> String {
        self.models.insert((super::super::catalogue::module(schema).to_owned(), schema.name));
        schema.name.to_owned()
    }

    fn scalar(&mut self, ty: &'static Type) -> String {
        let name = match ty {
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Float => "float",
            Type::Timestamp => {
                self.datetime = true;
                "datetime"
            }
            Type::FieldValue => {
                self.types.insert("FieldValue");
                "FieldValue"
            }
            Type::Json => {
                self.any = true;
                "Any"
            }
            Type::Enum(EnumSchema { name, .. }) => {
                self.types.insert(name);
                name
            }
            _ => "str",
        };
        name.to_owned()
    }

    /// The import block: only for type checkers, so that it costs nothing at run time.
    pub fn block(&self, own: Option<&str>) -> String {
        let mut lines = Vec::new();
        if !self.abc.is_empty() {
            lines.push(format!("from collections.abc import {}", joined(&self.abc)));
        }
        if self.datetime {
            lines.push("from datetime import datetime".to_owned());
        }
        if self.any {
            lines.push("from typing import Any".to_owned());
        }
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let modules: BTreeSet<&String> = self.models.iter().map(|(module, _)| module).collect();
        for module in modules.into_iter().filter(|module| Some(module.as_str()) != own) {
            let names: BTreeSet<&str> =
                self.models.iter().filter(|(home, _)| home == module).map(|(_, name)| *name).collect();
            let from = if own.is_some() { format!(".{module}") } else { format!("._models.{module}") };
            lines.push(import(&from, &names));
        }
        if !self.types.is_empty() {
            lines.push(import(if own.is_some() { "..types" } else { ".types" }, &self.types));
        }
        if lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        let indented = lines
            .iter()
            .flat_map(|line| line.lines().map(str::to_owned).chain(line.is_empty().then(String::new)));
        let body: Vec<String> =
            indented.map(|line| if line.is_empty() { line } else { format!("    {line}") }).collect();
        if body.is_empty() {
            return String::new();
        }
        format!("TYPE_CHECKING = False\nif TYPE_CHECKING:\n{}\n", body.join("\n"))
    }
}

fn import(from: &str, names: &BTreeSet<&str>) -> String {
    let line = format!("from {from} import {}", joined(names));
    if line.len() + 4 <= super::prose::WIDTH {
        return line;
    }
    let names: Vec<String> = names.iter().map(|name| format!("    {name},")).collect();
    format!("from {from} import (\n{}\n)", names.join("\n"))
}

fn joined(names: &BTreeSet<&str>) -> String {
    names.iter().copied().collect::<Vec<_>>().join(", ")
}

fn or_none(ty: String) -> String {
    if ty.ends_with("| None") || ty == "Any" { ty } else { format!("{ty} | None") }
}
