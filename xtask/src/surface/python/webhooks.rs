//! Classes of events, of their entities, and of results about them.

use super::super::structs::{FACTS, OF_THE_SANDBOX};
use super::super::webhooks::{ENTITIES, EVENT, Part, Shape, kind};
use super::super::{Generated, prose};
use super::models::{slots, tuple};
use super::reports::written as told;
use super::{docstring, generated};
use sondage::reports::{Confirmation, MissedEvents, Report, ReportSchema};
use std::fmt::Write;

const HEAD: &str = r#""""Events of webhooks, and what they are about."""

from __future__ import annotations

from ._model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any, Literal, TypeAlias

    from ._models.panel import MemberField
"#;

const LEDGER: &str = r#""""What a sandbox has written down."""

from __future__ import annotations

from ._model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Literal
"#;

const UNION: &str = r#"

class Unknown(Model):
    """Something that this version cannot read: see the event's `raw`."""

    __slots__ = ()
    kind: Literal["unknown"] = "unknown"


if TYPE_CHECKING:
    Entity: TypeAlias = Interview | Member | Bounce | OptOut | Survey | Unknown
else:
    Entity = (Interview, Member, Bounce, OptOut, Survey, Unknown)
"#;

pub fn file() -> Generated {
    let mut body = String::from(HEAD);
    for shape in ENTITIES {
        body.push_str(&class(shape, Some(kind(shape))));
    }
    body.push_str(UNION);
    body.push_str(&class(&EVENT, None));
    for schema in [Confirmation::SCHEMA, MissedEvents::SCHEMA] {
        body.push_str(&report(schema));
    }
    generated("python/sondage/_entities.py", "crates/sondage/src/webhook/shapes.rs", &body)
}

/// The records of a sandbox's ledger, and the data needed to connect to a sandbox.
pub fn of_the_sandbox() -> Generated {
    let mut body = String::from(LEDGER);
    for schema in OF_THE_SANDBOX.iter() {
        // The time of the next attempt has the sandbox's format.
        body += &report(schema).replace("next: datetime", "next: str");
    }
    body.push_str(
        "\n\nclass SandboxFacts:\n    \"\"\"What a program needs to connect to a sandbox.\"\"\"\n\n",
    );
    for field in FACTS.iter() {
        let docs = docstring(&prose::paragraphs(field.docs), 4);
        let _ = write!(body, "    {}: {}\n{docs}", field.name, told(field.ty));
    }
    generated("python/sondage/_ledger.py", "crates/sondage-sandbox/src", &body)
}

fn class(shape: &Shape, kind: Option<String>) -> String {
    let mut out = head(shape.name, shape.docs, shape.fields.iter().map(|field| (field.name, field.docs)));
    if let Some(kind) = kind {
        let _ = writeln!(out, "    kind: Literal[\"{kind}\"] = \"{kind}\"");
    }
    for field in shape.fields {
        let _ = writeln!(out, "    {}: {}", field.name, written(field));
        out.push_str(&docstring(&prose::paragraphs(field.docs), 4));
    }
    out
}

fn report(schema: &'static ReportSchema) -> String {
    let mut out = head(schema.name, schema.docs, schema.fields.iter().map(|field| (field.name, field.docs)));
    for field in schema.fields {
        let _ = writeln!(out, "    {}: {}", field.name, told(field.ty));
        out.push_str(&docstring(&prose::paragraphs(field.docs), 4));
    }
    out
}

/// A class with attributes that have two names.
fn head(
    name: &str,
    docs: &str,
    fields: impl Iterator<Item = (&'static str, &'static str)> + Clone,
) -> String {
    let docs = docstring(&prose::paragraphs(docs), 4);
    let names: Vec<String> = fields.clone().map(|(name, _)| name.to_owned()).collect();
    let wires: Vec<String> = fields.clone().map(|(name, _)| sondage::error::camel(name)).collect();
    let slots = slots(fields.map(|(name, docs)| (name.to_owned(), docs)));
    format!(
        "\n\nclass {name}(Model):\n{docs}\n    __match_args__ = {}\n{slots}    _wire = {}\n",
        tuple(&names),
        tuple(&wires)
    )
}

fn written(field: &Part) -> String {
    let ty = match field.ty {
        "i64" => "int",
        "bool" => "bool",
        "Timestamp" => "datetime",
        "Fields" => "dict[str, MemberField]",
        "Json" => return "Any".into(),
        "Entity" => "Entity",
        _ => "str",
    };
    if field.always { ty.to_owned() } else { format!("{ty} | None") }
}
