//! Interfaces that take their properties and their documentation from source text: what callers pass to the core as data,
//! records of the log, and the result of claiming an event.

use super::super::structs::{docs, docs_above, parsed};
use super::super::{Generated, prose};
use super::words::camel;
use super::{comment, generated};
use heck::ToSnakeCase as _;
use std::fmt::Write;
use syn::{Attribute, File, GenericArgument, Item, PathArguments, Type, Visibility};

/// Structs and enumerations: the file, and the names in Rust and in TypeScript.
const GIVEN: [(&str, &str, &str); 7] = [
    ("bindings/uniffi/src/log.rs", "LogRecord", "LogRecord"),
    ("crates/sondage/src/options.rs", "CallOptions", "BlockingCallOptions"),
    ("crates/sondage-sandbox/src/builder.rs", "Builder", "SandboxOptions"),
    ("crates/sondage-sandbox/src/fault/mod.rs", "Fault", "Fault"),
    ("crates/sondage-sandbox/src/fault/mod.rs", "FaultAction", "FaultAction"),
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
    let _ = write!(
        body,
        "\n{}export interface Claim {{\n",
        comment(&prose::paragraphs(&docs_above(rows, "claim {")), 0)
    );
    for (begins, signature, more) in CLAIM {
        let home = if begins.starts_with("pub") { "bindings/uniffi/src/webhook/guard.rs" } else { rows };
        let docs = if begins.is_empty() { String::new() } else { docs_above(home, begins) };
        let docs = format!("{} {more}", prose::line(&docs));
        let _ = writeln!(body, "{}  {signature};", comment(&[docs.trim().to_owned()], 2));
    }
    body.push_str("}\n");
    generated("node/types/described.d.ts", "the structs and methods of the crates", &body)
}

/// A struct as an interface, or an enumeration of structs as a union, each with its `kind`.
fn given(file: &File, name: &str, shown: &str) -> String {
    let found = file.items.iter().find_map(|item| match item {
        Item::Struct(item) if item.ident == name => {
            let lenient = has(&item.attrs, "default") || has(&item.attrs, "Default");
            let fields = item.fields.iter().filter_map(|field| property(file, field, lenient));
            let fields: Vec<String> = fields.map(|(docs, text)| format!("{docs}  {text};\n")).collect();
            Some(format!("\n{}export interface {shown} {{\n{}}}\n", about(&item.attrs, 0), fields.concat()))
        }
        Item::Enum(item) if item.ident == name => {
            let variants = item.variants.iter().map(|variant| {
                let fields = variant.fields.iter().filter_map(|field| property(file, field, false));
                let fields = fields.map(|(_, text)| format!("; {text}")).collect::<Vec<_>>().concat();
                let kind = camel(&variant.ident.to_string().to_snake_case());
                format!("\n{}  | {{ kind: '{kind}'{fields} }}", about(&variant.attrs, 2).trim_end())
                    .replace("*/  |", "*/\n  |")
            });
            let union: String = variants.collect();
            Some(format!("\n{}export type {shown} ={union};\n", about(&item.attrs, 0)))
        }
        _ => None,
    });
    found.unwrap_or_else(|| panic!("there is no `{name}` any more"))
}

/// The first paragraph of its documentation.
fn about(attributes: &[Attribute], indent: usize) -> String {
    comment(&prose::paragraphs(&docs(attributes))[..1], indent)
}

/// A property with its documentation. A field of the crate's own is none. `lenient`: every field has a default.
fn property(file: &File, field: &syn::Field, lenient: bool) -> Option<(String, String)> {
    let name = field.ident.as_ref()?.to_string();
    let text = prose::line(&docs(&field.attrs));
    if text.is_empty() || matches!(field.vis, Visibility::Restricted(_)) || ELSEWHERE.contains(&name.as_str())
    {
        return None;
    }
    let ty = typed(file, &field.ty);
    let in_milliseconds = if begins_with(&field.ty, "Option<Duration>") { " In milliseconds." } else { "" };
    let optional = lenient || has(&field.attrs, "default") || begins_with(&field.ty, "Option");
    // Its default is another value than none.
    let null =
        if has(&field.attrs, "default =") && begins_with(&field.ty, "Option") { " | null" } else { "" };
    let (mark, absent) = if optional { ("?", " | undefined") } else { ("", "") };
    let docs = comment(&[text + in_milliseconds], 2);
    Some((docs, format!("{}{mark}: {ty}{null}{absent}", camel(&name))))
}

/// Whether an attribute other than documentation has this word.
fn has(attributes: &[Attribute], word: &str) -> bool {
    let lists = attributes.iter().filter_map(|one| one.meta.require_list().ok());
    lists.map(|list| list.tokens.to_string()).any(|text| text.contains(word))
}

/// Whether a type begins with these words.
fn begins_with(ty: &Type, begins: &str) -> bool {
    quote::quote!(#ty).to_string().replace(' ', "").starts_with(begins)
}

fn typed(file: &File, ty: &Type) -> String {
    let Type::Path(path) = ty else { panic!("a type that is no path") };
    let last = path.path.segments.last().map(|last| (last.ident.to_string(), &last.arguments));
    let Some((name, arguments)) = last else { panic!("an empty type") };
    let inner: Vec<String> = match arguments {
        PathArguments::AngleBracketed(given) => given
            .args
            .iter()
            .filter_map(
                |given| if let GenericArgument::Type(ty) = given { Some(typed(file, ty)) } else { None },
            )
            .collect(),
        _ => Vec::new(),
    };
    match name.as_str() {
        "bool" => "boolean".to_owned(),
        "i64" => "Int".to_owned(),
        "u16" | "u32" | "u64" | "usize" | "Duration" => "number".to_owned(),
        "FilePath" | "Secret" | "String" => "string".to_owned(),
        "Json" => "JsonValue".to_owned(),
        "Profile" => "Record<string, JsonValue>".to_owned(),
        "Option" => inner.concat(),
        "Vec" => format!("{}[]", inner.concat()),
        "BTreeMap" | "IndexMap" => format!("Record<{}>", inner.join(", ")),
        _ => words(file, &name).unwrap_or(name),
    }
}

/// The values of an enumeration without fields.
fn words(file: &File, name: &str) -> Option<String> {
    let variants = file.items.iter().find_map(|item| match item {
        Item::Enum(item) if item.ident == name => Some(&item.variants),
        _ => None,
    })?;
    let plain = variants.iter().all(|variant| variant.fields.is_empty());
    let word = |variant: &syn::Variant| format!("'{}'", camel(&variant.ident.to_string().to_snake_case()));
    plain.then(|| variants.iter().map(word).collect::<Vec<_>>().join(" | "))
}
