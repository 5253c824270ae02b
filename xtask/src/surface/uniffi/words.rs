//! An enumeration for every set of words among settings, options and results, for uniffi.

use super::models::raw_values;
use super::reports::WITHOUT;
use crate::surface::methods::{reports_without_tables, rows_without_arrow};
use crate::surface::prelude::*;
use sondage::Delivery;
use sondage::words::Words;
use sondage_jobs::{Duplicates, Existing, RowStatus};
use std::collections::BTreeMap;

/// Words of hand-written types, and of those that only the receiving side of webhooks has.
const BY_HAND: [&Words; 4] = [Delivery::WORDS, Duplicates::WORDS, Existing::WORDS, RowStatus::WORDS];
const OF_WEBHOOKS: [&str; 1] = ["EnsureOutcome"];

/// Every set of words that Kotlin and Swift see, by name.
fn all() -> BTreeMap<&'static str, &'static Words> {
    let reports = reports_without_tables().filter(|schema| !WITHOUT.contains(&schema.name));
    let all = types::words(reports, rows_without_arrow().filter_map(MethodRow::options)).chain(BY_HAND);
    all.map(|words| (words.name, words)).collect()
}

/// A row for each, which `bindings/uniffi/src/method.rs` expands.
pub fn file() -> Generated {
    let mut body = String::from("use super::prelude::*;\nuse crate::described::words as described;\n");
    for (attribute, of_webhooks) in [("", false), ("#[cfg(feature = \"webhook\")]\n", true)] {
        let sets = all().into_values().filter(|words| OF_WEBHOOKS.contains(&words.name) == of_webhooks);
        put!(body, "\n{attribute}words! {{\n{}}}\n", join(sets.map(row), "\n"));
    }
    generated("bindings/uniffi/src/methods/words.rs", FROM_METHODS, &body)
}

fn row(words: &Words) -> String {
    let variants = words.variants.iter();
    let variants = variants.map(|(name, docs)| format!("{}        {name},\n", rustdoc(&paragraphs(docs), 8)));
    let docs = rustdoc(&paragraphs(words.docs), 4);
    format!("{docs}    {} {{\n{}    }}\n", words.name, join(variants, ""))
}

/// The words of each enumeration in Kotlin, and in Swift.
pub fn texts() -> [Generated; 2] {
    let mut kotlin = String::from("package sondage\n");
    let mut swift = String::from("// The word for each value, the same in every language.\n");
    for words in all().into_values().filter(|words| !OF_WEBHOOKS.contains(&words.name)) {
        let cases = words.variants.iter().map(|(variant, _)| *variant).zip(words.texts.iter().copied());
        let branch = |(variant, text): (&str, &str)| {
            format!("        {}.{} -> \"{text}\"\n", words.name, variant.to_snake_case().to_uppercase())
        };
        put!(
            kotlin,
            "\n/** The word, the same in every language: in messages, logs and records. */\npublic val {}.word: String\n    \
             get() = when (this) {{\n{}    }}\n",
            words.name,
            join(cases.clone().map(branch), "")
        );
        swift += &raw_values(words.name, cases, false);
    }
    [
        generated("kotlin/src/main/kotlin/sondage/Words.kt", FROM_METHODS, &kotlin),
        generated("swift/Sources/Sondage/ClosedWords.swift", FROM_METHODS, &swift),
    ]
}
