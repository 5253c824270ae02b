//! Interfaces of events, and of their entities.

use super::super::webhooks::{ENTITIES, EVENT, Part, Shape, kind};
use super::super::{Generated, prose};
use super::reports;
use super::words::camel;
use super::{comment, generated};
use sondage::reports::{Confirmation, MissedEvents, Report};
use std::fmt::Write;

const HEAD: &str = "// Fields that are optional may be absent: the format of callbacks is not published.
import type { MemberField } from './panel.js';
import type { Int, JsonValue } from './values.js';
import type { EventType } from './web_hook.js';
";

const UNKNOWN: &str = "
/** An entity that this version cannot read: see the event's `raw`. */
export interface UnknownEntity {
  kind: 'unknown';
}
";

pub fn types() -> Generated {
    let mut body = String::from(HEAD);
    for shape in ENTITIES {
        body.push_str(&interface(shape, Some(kind(shape))));
    }
    body.push_str(UNKNOWN);
    let names: Vec<&str> = ENTITIES.iter().map(|shape| shape.other_name).collect();
    let _ = write!(
        body,
        "\n/** What an event is about. `kind` tells them apart. */\nexport type Entity = {} | UnknownEntity;\n",
        names.join(" | ")
    );
    body.push_str(&interface(&EVENT, None));
    for schema in [Confirmation::SCHEMA, MissedEvents::SCHEMA] {
        body.push_str(&reports::interface(schema));
    }
    generated("node/types/webhook_entities.d.ts", "crates/sondage/src/webhook/shapes.rs", &body)
}

fn interface(shape: &Shape, kind: Option<String>) -> String {
    let docs = comment(&prose::paragraphs(shape.docs), 0);
    let mut out = format!("\n{docs}export interface {} {{\n", shape.other_name);
    if let Some(kind) = kind {
        let _ = writeln!(out, "  kind: '{kind}';");
    }
    for field in shape.fields {
        out.push_str(&comment(&prose::paragraphs(field.docs), 2));
        let optional = if field.always { "" } else { "?" };
        let _ = writeln!(out, "  {}{optional}: {};", camel(field.name), written(field));
    }
    out.push_str("}\n");
    out
}

fn written(field: &Part) -> &'static str {
    match field.ty {
        "i64" => "Int",
        "bool" => "boolean",
        "Timestamp" => "Date",
        "Fields" => "Record<string, MemberField>",
        "Json" => "JsonValue",
        "Entity" => "Entity",
        "EventType" => "EventType",
        "Source" => "'delivered' | 'reconciled'",
        _ => "string",
    }
}
