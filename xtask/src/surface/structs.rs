//! Structs and enumerations in crates on which xtask does not depend: parsed from their source text.

use super::prelude::*;
use crate::workspace;
use sondage::Delivery;
use sondage::words::Words;
use std::fs;
use std::sync::LazyLock;
use syn::{Attribute, Expr, ExprLit, File, Item, ItemEnum, ItemStruct, Lit, Meta, Variant};

macro_rules! schemas {
    ($($name:ident)*) => { [$(sondage::reports::$name::SCHEMA),*] };
}

/// Facts of methods with tables.
pub static OF_TABLES: LazyLock<Vec<&ReportSchema>> = LazyLock::new(|| {
    let mut all = schemas!(
        HistogramClass NumberSummary Frequency Frequencies CrosstabCategory CrosstabCell IndependenceTest Crosstab QualityCheck
        MarkedInterview DropOut Quality SyncReport WaveChange Comparison StoreColumn StoreValue StoreChanges StoreErasure ErasedRows
    )
    .to_vec();
    all.extend([
        read("crates/sondage-data/src/query/estimate.rs", "Estimate"),
        read("crates/sondage-data/src/export/mod.rs", "ExportReport"),
        read("crates/sondage-data/src/delta/mod.rs", "Removed"),
        read("crates/sondage-ffi/src/objects/watch.rs", "RowProgress"),
    ]);
    all
});

/// Results that can be drawn, in languages that have tables.
pub const PICTURES: [&str; 5] = ["Frequencies", "Crosstab", "Distribution", "FieldReport", "Quality"];

/// The records of a sandbox's ledger.
pub static OF_THE_SANDBOX: LazyLock<[&ReportSchema; 4]> = LazyLock::new(|| {
    let ledger = |name| read("crates/sondage-sandbox/src/ledger.rs", name);
    let attempt = read("crates/sondage-sandbox/src/delivery/log.rs", "Attempt");
    [ledger("Arrival"), ledger("Effect"), ledger("TokenRequest"), attempt]
});

/// The data needed to connect to a sandbox. The ids of surveys are a map, which each language writes by hand.
pub static FACTS: LazyLock<Vec<&FieldOfReport>> = LazyLock::new(|| {
    let shown = |field: &&FieldOfReport| !["account", "control_key", "survey_ids"].contains(&field.name);
    let all = ["Account", "Facts"].map(|name| read("crates/sondage-sandbox/src/account.rs", name).fields);
    all.into_iter().flatten().filter(shown).collect()
});

/// The details of an error, its message first, without those that only Kotlin and Swift use.
pub static DETAILS: LazyLock<Vec<&FieldOfReport>> = LazyLock::new(|| {
    let all = read("bindings/uniffi/src/error.rs", "ErrorDetails").fields;
    all.iter().filter(|field| field.name != "thrown").collect()
});

/// The text of a file of the repository, which has to exist.
pub fn source(file: &str) -> String {
    fs::read_to_string(workspace::root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The syntax of a file of the repository.
pub fn parsed(file: &str) -> File {
    syn::parse_file(&source(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// A text after replacements, in this order.
pub fn replaced(text: &str, replacements: &[(&str, &str)]) -> String {
    replacements.iter().fold(text.to_owned(), |text, (old, new)| text.replace(old, new))
}

fn read(path: &str, name: &'static str) -> &'static ReportSchema {
    let file = parsed(path);
    let item = structure(&file, name);
    let other = |name: &str| match (name, enumeration(&file, name)) {
        ("Delivery", _) => ReportType::Word(Delivery::WORDS),
        ("Progress", _) => ReportType::Named("Progress"),
        (_, Some(item)) if has(&item.attrs, "camelCase") => words(item),
        _ => ReportType::Text,
    };
    // Rarely used fields are returned only on request.
    let shown = item.fields.iter().filter(|field| !has(&field.attrs, "skip_"));
    let described = shown.map(|field| FieldOfReport {
        name: field.ident.as_ref().map(ToString::to_string).unwrap_or_default().leak(),
        docs: docs(&field.attrs).leak(),
        ty: held(&field.ty, &other),
    });
    let (docs, fields) = (docs(&item.attrs).leak(), described.collect::<Vec<_>>().leak());
    Box::leak(Box::new(ReportSchema { name, docs, fields }))
}

/// The documentation above a line that begins with these words.
pub fn docs_above(file: &str, begins: &str) -> String {
    let mut docs = String::new();
    for line in source(file).lines().map(str::trim) {
        match line.strip_prefix("/// ") {
            Some(doc) => docs = docs + doc + "\n",
            None if line.starts_with(begins) => return docs,
            None => docs.clear(),
        }
    }
    panic!("{file} has no `{begins}` any more")
}

pub fn docs(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value() + "\n"),
            _ => None,
        },
        _ => None,
    };
    attributes.iter().filter_map(line).collect()
}

/// The first paragraph of documentation, which says what it is.
pub fn about(attributes: &[Attribute]) -> String {
    paragraphs(&docs(attributes)).into_iter().next().unwrap_or_default().replace('\n', " ")
}

/// Whether an attribute other than documentation has this word.
pub fn has(attributes: &[Attribute], word: &str) -> bool {
    let lists = attributes.iter().filter_map(|one| one.meta.require_list().ok());
    lists.map(|list| list.tokens.to_string()).any(|text| text.contains(word))
}

/// A type of Rust, as one of results. `other`: what a type is that occurs in some files only.
pub fn held(ty: &syn::Type, other: &dyn Fn(&str) -> ReportType) -> &'static ReportType {
    held_text(&text_of(ty), other)
}

/// A type as text, without blanks.
pub fn text_of(ty: &syn::Type) -> String {
    quote::quote!(#ty).to_string().replace(' ', "")
}

/// The name of a type, and what is between its angle brackets.
pub fn outer(ty: &str) -> (&str, &str) {
    let (path, inner) = ty.strip_suffix('>').and_then(|ty| ty.split_once('<')).unwrap_or((ty, ""));
    (path.rsplit("::").next().unwrap_or(path), inner)
}

fn held_text(ty: &str, other: &dyn Fn(&str) -> ReportType) -> &'static ReportType {
    let (name, inner) = outer(ty);
    Box::leak(Box::new(match name {
        "bool" => ReportType::Bool,
        "i32" | "i64" | "usize" | "u64" | "u32" | "u16" => ReportType::Count,
        "f64" => ReportType::Real,
        "DateTime" => ReportType::Timestamp,
        "PathBuf" | "FilePath" => ReportType::Path,
        "Duration" => ReportType::Duration,
        "String" | "Secret" => ReportType::Text,
        "Json" => ReportType::Json,
        "Option" => ReportType::Optional(held_text(inner, other)),
        "Vec" => ReportType::List(held_text(inner, other)),
        "BTreeMap" | "IndexMap" => {
            let inner = join(inner.split(',').map(|ty| types::of_report(held_text(ty, other), NODE)), ", ");
            ReportType::Named(format!("Record<{inner}>").leak())
        }
        name if name.starts_with('&') => ReportType::Text,
        name => other(name),
    }))
}

pub fn structure<'a>(file: &'a File, name: &str) -> &'a ItemStruct {
    let found = file.items.iter().find_map(|item| match item {
        Item::Struct(item) if item.ident == name => Some(item),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("there is no struct {name} any more"))
}

pub fn enumeration<'a>(file: &'a File, name: &str) -> Option<&'a ItemEnum> {
    file.items.iter().find_map(|item| match item {
        Item::Enum(item) if item.ident == name => Some(item),
        _ => None,
    })
}

/// Its values, as it serialises them in the style of JavaScript.
pub fn words(item: &ItemEnum) -> ReportType {
    let word = |variant: &Variant| -> &'static str { word_of(variant).leak() };
    let texts = item.variants.iter().map(word).collect::<Vec<_>>().leak();
    let name = item.ident.to_string().leak();
    ReportType::Word(Box::leak(Box::new(Words { name, docs: "", texts, listed: "", variants: &[] })))
}

/// A variant as a value in JavaScript.
pub fn word_of(variant: &Variant) -> String {
    camel(&variant.ident.to_string().to_snake_case())
}
