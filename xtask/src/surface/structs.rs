//! Structs of results in crates on which xtask does not depend: parsed from their source text.

use sondage::reports::{FieldOfReport, ReportSchema, ReportType};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use syn::{Attribute, Expr, Fields, File, Item, Lit, Meta, Type};

/// Facts of methods with tables.
pub static OF_TABLES: LazyLock<[ReportSchema; 4]> = LazyLock::new(|| {
    let folder = "crates/sondage-data/src";
    [
        read(&format!("{folder}/query/estimate.rs"), "Estimate"),
        read(&format!("{folder}/export/mod.rs"), "ExportReport"),
        read(&format!("{folder}/delta/mod.rs"), "Removed"),
        read("crates/sondage-ffi/src/objects/watch.rs", "RowProgress"),
    ]
});

/// The records of a sandbox's ledger.
pub static OF_THE_SANDBOX: LazyLock<[ReportSchema; 4]> = LazyLock::new(|| {
    let folder = "crates/sondage-sandbox/src";
    let of = |file: &str, name| read(&format!("{folder}/{file}.rs"), name);
    [
        of("ledger", "Arrival"),
        of("ledger", "Effect"),
        of("ledger", "TokenRequest"),
        of("delivery/log", "Attempt"),
    ]
});

/// The data needed to connect to a sandbox.
pub static FACTS: LazyLock<Vec<FieldOfReport>> = LazyLock::new(|| {
    let file = "crates/sondage-sandbox/src/account.rs";
    // The ids of surveys are a map, which each language writes by hand.
    let hidden = |field: &FieldOfReport| ["account", "control_key", "survey_ids"].contains(&field.name);
    let mut fields = fields_of(file, "Account");
    fields.extend(fields_of(file, "Facts").into_iter().filter(|field| !hidden(field)));
    fields
});

/// The details of an error, its message first.
pub static DETAILS: LazyLock<Vec<FieldOfReport>> = LazyLock::new(|| {
    let mut fields = fields_of("bindings/uniffi/src/error.rs", "ErrorDetails");
    // Fields that only Kotlin and Swift use.
    fields.retain(|field| field.name != "thrown");
    fields
});

fn read(file: &str, name: &'static str) -> ReportSchema {
    let (docs, _) = found(&parsed(file), name);
    ReportSchema { name, docs: docs.leak(), fields: fields_of(file, name).leak() }
}

/// A file of the workspace.
pub fn parsed(file: &str) -> File {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn found(file: &File, name: &str) -> (String, Vec<syn::Field>) {
    let found = file.items.iter().find_map(|item| match item {
        Item::Struct(item) if item.ident == name => match &item.fields {
            Fields::Named(fields) => Some((docs(&item.attrs), fields.named.iter().cloned().collect())),
            _ => None,
        },
        _ => None,
    });
    found.unwrap_or_else(|| panic!("the struct {name} no longer exists"))
}

fn fields_of(file: &str, name: &str) -> Vec<FieldOfReport> {
    let file = parsed(file);
    let (_, fields) = found(&file, name);
    // Rarely used fields are returned only on request.
    let shown =
        fields.iter().filter(|field| !attributes(&field.attrs, "serde").any(|text| text.contains("skip_")));
    let described = shown.map(|field| FieldOfReport {
        name: field.ident.as_ref().map(ToString::to_string).unwrap_or_default().leak(),
        docs: docs(&field.attrs).leak(),
        ty: Box::leak(Box::new(held(&file, &field.ty))),
    });
    described.collect()
}

/// The documentation above a line that begins with these words.
pub fn docs_above(file: &str, begins: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut docs = String::new();
    for line in text.lines().map(str::trim) {
        match line.strip_prefix("/// ") {
            Some(doc) => docs = docs + doc + "\n",
            None if line.starts_with(begins) => return docs,
            None => docs.clear(),
        }
    }
    panic!("{file} has no `{begins}` any more")
}

/// The documentation of an item.
pub fn docs(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value() + "\n"),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    attributes.iter().filter_map(line).collect()
}

fn attributes<'a>(all: &'a [Attribute], name: &'a str) -> impl Iterator<Item = String> + 'a {
    all.iter().filter(move |one| one.path().is_ident(name)).filter_map(|one| match &one.meta {
        Meta::List(list) => Some(list.tokens.to_string()),
        _ => None,
    })
}

fn held(file: &File, ty: &Type) -> ReportType {
    let Type::Path(path) = ty else { return ReportType::Text };
    let Some(last) = path.path.segments.last() else { return ReportType::Text };
    let inner = || match &last.arguments {
        syn::PathArguments::AngleBracketed(given) => given.args.iter().find_map(|given| match given {
            syn::GenericArgument::Type(ty) => Some(held(file, ty)),
            _ => None,
        }),
        _ => None,
    };
    let leaked = |ty: Option<ReportType>| -> &'static ReportType {
        Box::leak(Box::new(ty.unwrap_or(ReportType::Text)))
    };
    match last.ident.to_string().as_str() {
        "bool" => ReportType::Bool,
        "i32" | "i64" | "usize" | "u64" | "u32" | "u16" => ReportType::Count,
        "f64" => ReportType::Real,
        "DateTime" => ReportType::Timestamp,
        "PathBuf" => ReportType::Path,
        "Duration" => ReportType::Duration,
        "Delivery" => ReportType::Word(&["no", "answered", "unknown"]),
        "Progress" => ReportType::Named("Progress"),
        "Option" => ReportType::Optional(leaked(inner())),
        "Vec" => ReportType::List(leaked(inner())),
        name => words(file, name),
    }
}

/// The values of an enumeration that is written in lower case; anything else is text.
fn words(file: &File, name: &str) -> ReportType {
    let found = file.items.iter().find_map(|item| match item {
        Item::Enum(item) if item.ident == name => Some(item),
        _ => None,
    });
    let Some(item) =
        found.filter(|item| attributes(&item.attrs, "serde").any(|text| text.contains("camelCase")))
    else {
        return ReportType::Text;
    };
    let word =
        |name: String| -> &'static str { heck::ToLowerCamelCase::to_lower_camel_case(name.as_str()).leak() };
    let words: Vec<&str> = item.variants.iter().map(|variant| word(variant.ident.to_string())).collect();
    ReportType::Word(words.leak())
}
