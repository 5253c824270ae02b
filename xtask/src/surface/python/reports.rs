//! Classes of results, and the functions that convert them.
//!
//! A class whose name ends in `Facts` is the base of a class with more: tables, or methods that continue the work.

use super::super::methods::all_reports;
use super::super::{Generated, prose};
use super::{docstring, generated};
use heck::ToSnakeCase as _;
use sondage::error::camel;
use sondage::reports::{ReportSchema, ReportType};
use std::fmt::Write;

const HEAD: &str = r#""""What methods tell, and how it is read from what the compiled part tells."""

from __future__ import annotations

from typing import NamedTuple

from ._error import error_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any, Literal, TypeVar

    from ._error import SondageError
    from ._progress import Progress

    Facts = TypeVar("Facts", bound="ImportFacts")
"#;

/// Models, like the events to which they belong.
const MODELS: [&str; 2] = ["Confirmation", "MissedEvents"];

pub fn file() -> Generated {
    let mut body = String::from(HEAD);
    let mut all = Vec::new();
    for schema in all_reports().filter(|schema| !MODELS.contains(&schema.name)) {
        if schema.name.ends_with("Facts") {
            body.push_str(&facts(schema));
        } else {
            body.push_str(&class(schema));
            all.push(format!("\"{}\"", schema.name));
        }
    }
    let _ = write!(body, "\n\n__all__ = [\n{}]\n", prose::lines(&all, "    "));
    generated("python/sondage/_reports.py", "crates/sondage/src/reports.rs", &body)
}

fn class(schema: &ReportSchema) -> String {
    let mut out = format!("\n\nclass {}(NamedTuple):\n", schema.name);
    out.push_str(&docstring(&prose::paragraphs(schema.docs), 4));
    out.push('\n');
    for field in schema.fields {
        out.push_str(&attribute(field.name, field.ty, field.docs));
    }
    if schema.name.ends_with("Progress") {
        out.push_str("    seconds: float = 0.0\n    \"\"\"Seconds since it began.\"\"\"\n");
    }
    out.push_str(&raise(schema));
    out.push_str(&hidden(schema));
    let name = schema.name;
    let progress = schema.fields.iter().any(|field| matches!(field.ty, ReportType::Named("Progress")));
    let import = if progress { "    from ._progress import Progress\n\n" } else { "" };
    let _ =
        write!(out, "\n\ndef {}(told: dict[str, Any]) -> {name}:\n{import}    return {name}(\n", maker(name));
    for field in schema.fields {
        let value = read(field.ty, &format!("told[\"{}\"]", camel(field.name)));
        let _ = writeln!(out, "        {}={value},", field.name);
    }
    if schema.name.ends_with("Progress") {
        out.push_str("        seconds=told.get(\"seconds\", 0.0),\n");
    }
    out.push_str("    )\n");
    out
}

/// Secrets are not displayed.
fn hidden(schema: &ReportSchema) -> String {
    let secret =
        |ty: &ReportType| matches!(ty, ReportType::Secret | ReportType::Optional(ReportType::Secret));
    if !schema.fields.iter().any(|field| secret(field.ty)) {
        return String::new();
    }
    let shown = schema.fields.iter().map(|field| {
        let name = field.name;
        if secret(field.ty) {
            format!("{name}={{None if self.{name} is None else '***'!r}}")
        } else {
            format!("{name}={{self.{name}!r}}")
        }
    });
    let shown: Vec<String> = shown.collect();
    format!(
        "\n    def __repr__(self) -> str:\n        \"\"\"Its fields, but for what is secret.\"\"\"\n        \
         return f\"{}({})\"\n",
        schema.name,
        shown.join(", ")
    )
}

fn facts(schema: &ReportSchema) -> String {
    let mut out = format!("\n\nclass {}:\n", schema.name);
    out.push_str(&docstring(&prose::paragraphs(schema.docs), 4));
    let names: Vec<String> = schema.fields.iter().map(|field| format!("\"{}\"", field.name)).collect();
    let _ = writeln!(out, "\n    __slots__ = (\n{}    )", prose::lines(&names, "        "));
    for field in schema.fields {
        out.push_str(&attribute(field.name, field.ty, field.docs));
    }
    out.push_str("\n    def _read(self, told: dict[str, Any]) -> None:\n");
    for field in schema.fields {
        let value = read(field.ty, &format!("told[\"{}\"]", camel(field.name)));
        let _ = writeln!(out, "        self.{} = {value}", field.name);
    }
    out.push_str(&raise(schema));
    out
}

fn attribute(name: &str, ty: &'static ReportType, docs: &str) -> String {
    format!("    {name}: {}\n{}", written(ty), docstring(&prose::paragraphs(docs), 4))
}

/// A result with a `stopped` error can be raised as an exception.
fn raise(schema: &ReportSchema) -> String {
    if !schema.fields.iter().any(|field| field.name == "stopped") {
        return String::new();
    }
    let (this, owner) =
        if schema.name.ends_with("Facts") { ("self: Facts", "Facts") } else { ("self", schema.name) };
    format!(
        "\n    def raise_if_stopped({this}) -> {owner}:\n        \
         \"\"\"The report, or the error that stopped the work.\"\"\"\n        \
         if self.stopped is not None:\n            raise self.stopped\n        return self\n"
    )
}

/// The name of the function that converts a native result.
pub fn maker(name: &str) -> String {
    format!("{}_of", name.to_snake_case())
}

fn read(ty: &'static ReportType, value: &str) -> String {
    match ty {
        ReportType::Error | ReportType::Optional(ReportType::Error) => format!("error_of({value})"),
        ReportType::Named("Progress") => format!("Progress(**{value})"),
        ReportType::Report(schema) => format!("{}({value})", maker(schema().name)),
        ReportType::Optional(ReportType::Report(schema)) => {
            format!("None if {value} is None else {}({value})", maker(schema().name))
        }
        ReportType::List(ReportType::Report(schema)) => {
            format!("[{}(one) for one in {value}]", maker(schema().name))
        }
        _ => value.to_owned(),
    }
}

/// The type of an attribute.
pub fn written(ty: &'static ReportType) -> String {
    match ty {
        ReportType::Bool => "bool".into(),
        ReportType::Int | ReportType::Count => "int".into(),
        ReportType::Text | ReportType::Path | ReportType::Secret => "str".into(),
        ReportType::Timestamp => "datetime".into(),
        ReportType::Duration | ReportType::Real => "float".into(),
        ReportType::Error => "SondageError".into(),
        ReportType::Word(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            format!("Literal[{}]", words.join(", "))
        }
        ReportType::Json | ReportType::Optional(ReportType::Json) => "Any".into(),
        ReportType::Optional(inner) => format!("{} | None", written(inner)),
        ReportType::List(inner) => format!("list[{}]", written(inner)),
        ReportType::Report(schema) => schema().name.into(),
        ReportType::Named(name) => (*name).into(),
    }
}
