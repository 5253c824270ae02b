//! Structs and enumerations in crates on which xtask does not depend: parsed from their source text.

use super::prelude::*;
use crate::workspace;
use sondage::Delivery;
use sondage::reports::{
    Comparison, Crosstab, CrosstabCategory, CrosstabCell, DropOut, ErasedRows, Frequencies, Frequency,
    HistogramClass, IndependenceTest, MarkedInterview, NumberSummary, Quality, QualityCheck, StoreChanges,
    StoreColumn, StoreErasure, StoreValue, SyncReport, WaveChange,
};
use sondage::words::Words;
use std::fs;
use std::sync::LazyLock;
use syn::{
    Attribute, Expr, ExprLit, File, GenericArgument, Item, ItemEnum, Lit, Meta, PathArguments, Variant,
};

/// Facts of methods with tables.
pub static OF_TABLES: LazyLock<[ReportSchema; 24]> = LazyLock::new(|| {
    let folder = "crates/sondage-data/src";
    [
        ReportSchema { ..*HistogramClass::SCHEMA },
        ReportSchema { ..*NumberSummary::SCHEMA },
        ReportSchema { ..*Frequency::SCHEMA },
        ReportSchema { ..*Frequencies::SCHEMA },
        ReportSchema { ..*CrosstabCategory::SCHEMA },
        ReportSchema { ..*CrosstabCell::SCHEMA },
        ReportSchema { ..*IndependenceTest::SCHEMA },
        ReportSchema { ..*Crosstab::SCHEMA },
        ReportSchema { ..*QualityCheck::SCHEMA },
        ReportSchema { ..*MarkedInterview::SCHEMA },
        ReportSchema { ..*DropOut::SCHEMA },
        ReportSchema { ..*Quality::SCHEMA },
        ReportSchema { ..*SyncReport::SCHEMA },
        ReportSchema { ..*WaveChange::SCHEMA },
        ReportSchema { ..*Comparison::SCHEMA },
        ReportSchema { ..*StoreColumn::SCHEMA },
        ReportSchema { ..*StoreValue::SCHEMA },
        ReportSchema { ..*StoreChanges::SCHEMA },
        ReportSchema { ..*StoreErasure::SCHEMA },
        ReportSchema { ..*ErasedRows::SCHEMA },
        read(&format!("{folder}/query/estimate.rs"), "Estimate"),
        read(&format!("{folder}/export/mod.rs"), "ExportReport"),
        read(&format!("{folder}/delta/mod.rs"), "Removed"),
        read("crates/sondage-ffi/src/objects/watch.rs", "RowProgress"),
    ]
});

/// Results that can be drawn, in languages that have tables.
pub const PICTURES: [&str; 5] = ["Frequencies", "Crosstab", "Distribution", "FieldReport", "Quality"];

/// The records of a sandbox's ledger.
pub static OF_THE_SANDBOX: LazyLock<[ReportSchema; 4]> = LazyLock::new(|| {
    let files = [
        ("ledger", "Arrival"),
        ("ledger", "Effect"),
        ("ledger", "TokenRequest"),
        ("delivery/log", "Attempt"),
    ];
    files.map(|(file, name)| read(&format!("crates/sondage-sandbox/src/{file}.rs"), name))
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

fn read(path: &str, name: &'static str) -> ReportSchema {
    let file = parsed(path);
    let found = file.items.iter().find_map(|item| match item {
        Item::Struct(item) if item.ident == name => Some(item),
        _ => None,
    });
    let found = found.unwrap_or_else(|| panic!("{path} has no struct {name} any more"));
    let other = |name: &str| match (name, enumeration(&file, name)) {
        ("Delivery", _) => ReportType::Word(Delivery::WORDS),
        ("Progress", _) => ReportType::Named("Progress"),
        (_, Some(item)) if has(&item.attrs, "camelCase") => words(item),
        _ => ReportType::Text,
    };
    // Rarely used fields are returned only on request.
    let shown = found.fields.iter().filter(|field| !has(&field.attrs, "skip_"));
    let described = shown.map(|field| FieldOfReport {
        name: field.ident.as_ref().map(ToString::to_string).unwrap_or_default().leak(),
        docs: docs(&field.attrs).leak(),
        ty: held(&field.ty, &other),
    });
    ReportSchema { name, docs: docs(&found.attrs).leak(), fields: described.collect::<Vec<_>>().leak() }
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

/// Whether an attribute other than documentation has this word.
pub fn has(attributes: &[Attribute], word: &str) -> bool {
    let lists = attributes.iter().filter_map(|one| one.meta.require_list().ok());
    lists.map(|list| list.tokens.to_string()).any(|text| text.contains(word))
}

/// A type of Rust, as one of results. `other`: what a type is that occurs in some files only.
pub fn held(ty: &syn::Type, other: &dyn Fn(&str) -> ReportType) -> &'static ReportType {
    let syn::Type::Path(path) = ty else { return &ReportType::Text };
    let Some(last) = path.path.segments.last() else { return &ReportType::Text };
    let mut inner = Vec::new();
    if let PathArguments::AngleBracketed(given) = &last.arguments {
        inner.extend(given.args.iter().filter_map(|given| match given {
            GenericArgument::Type(ty) => Some(held(ty, other)),
            _ => None,
        }));
    }
    let ty = match last.ident.to_string().as_str() {
        "bool" => ReportType::Bool,
        "i32" | "i64" | "usize" | "u64" | "u32" | "u16" => ReportType::Count,
        "f64" => ReportType::Real,
        "DateTime" => ReportType::Timestamp,
        "PathBuf" | "FilePath" => ReportType::Path,
        "Duration" => ReportType::Duration,
        "String" | "Secret" => ReportType::Text,
        "Json" => ReportType::Json,
        "Option" => ReportType::Optional(inner[0]),
        "Vec" => ReportType::List(inner[0]),
        "BTreeMap" | "IndexMap" => {
            let inner = join(inner.into_iter().map(|ty| types::of_report(ty, NODE)), ", ");
            ReportType::Named(format!("Record<{inner}>").leak())
        }
        name => other(name),
    };
    Box::leak(Box::new(ty))
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
