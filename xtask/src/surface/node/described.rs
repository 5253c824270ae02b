//! Interfaces that take their properties and their documentation from source text: what callers pass to the core as data,
//! records of the log, and the result of claiming an event.

use crate::surface::prelude::*;
use crate::surface::structs::{about, docs, enumeration, has, held, structure, text_of, word_of, words};
use syn::{File, Visibility};

/// Structs and enumerations: the file, and the names in Rust and in TypeScript.
const GIVEN: [(&str, &str, &str); 8] = [
    ("bindings/uniffi/src/log.rs", "LogRecord", "LogRecord"),
    ("crates/sondage/src/options.rs", "CallOptions", "BlockingCallOptions"),
    ("crates/sondage-sandbox/src/builder/mod.rs", "Builder", "SandboxOptions"),
    ("crates/sondage-sandbox/src/fault/mod.rs", "Fault", "Fault"),
    ("crates/sondage-sandbox/src/fault/mod.rs", "FaultAction", "FaultAction"),
    ("crates/sondage-sandbox/src/delivery/cause.rs", "Cause", "Cause"),
    ("crates/sondage-sandbox/src/delivery/fault.rs", "DeliveryFault", "DeliveryFault"),
    ("crates/sondage-sandbox/src/delivery/fault.rs", "DeliveryAction", "DeliveryAction"),
];

/// Fields that JavaScript takes from elsewhere.
const ELSEWHERE: [&str; 2] = ["frames", "parent"];

/// The row or function that documents a property, its type, and additional documentation.
const CLAIM: [(&str, &str, &str); 6] = [
    ("fn state(", "readonly state: 'new' | 'done' | 'busy'", ""),
    ("", "readonly isNew: boolean", "Whether the event is to be handled now."),
    (
        "",
        "readonly status: 204 | 503",
        "The status to respond with: 503, if `\"busy\"`, makes the service retry.",
    ),
    ("pub fn done(", "done(): void", ""),
    ("pub fn release(", "release(): void", "`using` calls it."),
    ("", "[Symbol.dispose](): void", "The same as `release`."),
];

pub fn file() -> Generated {
    let mut body = String::from("import type { Int, JsonValue } from './values.js';\n");
    for (file, name, shown) in GIVEN {
        body += &given(&parsed(file), name, shown);
    }
    let rows = "crates/sondage/src/methods.rs";
    let mut claim = String::new();
    for (begins, signature, more) in CLAIM {
        let home = if begins.starts_with("pub") { "bindings/uniffi/src/webhook/guard.rs" } else { rows };
        let docs = if begins.is_empty() { String::new() } else { line(&docs_above(home, begins)) };
        claim += &property(&[format!("{docs} {more}").trim().to_owned()], signature);
    }
    body += &interface(&paragraphs(&docs_above(rows, "claim {")), "Claim", &claim);
    generated("node/types/described.d.ts", "the structs and methods of the crates", &body)
}

/// A struct as an interface, or an enumeration of structs as a union, each with its `kind`.
fn given(file: &File, name: &str, shown: &str) -> String {
    if let Some(item) = enumeration(file, name) {
        let variants = item.variants.iter().map(|variant| {
            let fields = variant.fields.iter().filter_map(|field| typed(file, field, false));
            let fields = join(fields.map(|(_, text)| format!("; {text}")), "");
            let kind = word_of(variant);
            format!("\n{}\n  | {{ kind: '{kind}'{fields} }}", comment(&[about(&variant.attrs)], 2).trim_end())
        });
        let (docs, union) = (comment(&[about(&item.attrs)], 0), variants.collect::<String>());
        return format!("\n{docs}export type {shown} ={union};\n");
    }
    let item = structure(file, name);
    let lenient = has(&item.attrs, "default") || has(&item.attrs, "Default");
    let fields = item.fields.iter().filter_map(|field| typed(file, field, lenient));
    let fields: String = fields.map(|(docs, text)| property(&[docs], &text)).collect();
    interface(&[about(&item.attrs)], shown, &fields)
}

/// The documentation of a property, and its type. A field of the crate's own is none. `lenient`: every field has a default.
fn typed(file: &File, field: &syn::Field, lenient: bool) -> Option<(String, String)> {
    let (name, docs) = (field.ident.as_ref()?.to_string(), line(&docs(&field.attrs)));
    let hidden = matches!(field.vis, Visibility::Restricted(_)) || ELSEWHERE.contains(&name.as_str());
    if docs.is_empty() || hidden {
        return None;
    }
    let other = |name: &str| match enumeration(file, name) {
        Some(item) if item.variants.iter().all(|variant| variant.fields.is_empty()) => words(item),
        _ if name == "Value" => ReportType::Named("JsonValue"),
        _ if ["Map", "Profile"].contains(&name) => ReportType::Named("Record<string, JsonValue>"),
        _ => ReportType::Named(name.to_owned().leak()),
    };
    let (ty, maybe) = match held(&field.ty, &other) {
        ReportType::Optional(inner) => (*inner, true),
        ty => (ty, false),
    };
    let unit = if maybe && matches!(ty, ReportType::Duration) { " In milliseconds." } else { "" };
    // Its default is another value than none.
    let null = if maybe && has(&field.attrs, "default =") { " | null" } else { "" };
    let optional = lenient || maybe || has(&field.attrs, "default");
    let (mark, absent) = if optional { ("?", " | undefined") } else { ("", "") };
    let ty = types::of_report(ty, NODE);
    // An id may have more digits than a number holds; what is counted has fewer.
    let ty = if text_of(&field.ty).contains("i64") { ty.replace("number", "Int") } else { ty };
    Some((docs + unit, format!("{}{mark}: {ty}{null}{absent}", camel(&name))))
}
