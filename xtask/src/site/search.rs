//! Files for searching instead of reading: the index of the search, and texts for language models.

use super::markdown::SitePage;
use super::pages;
use crate::Result;
use serde_json::json;
use std::fmt::Write as _;

/// The index as a script, because pages opened from a folder can load scripts but not JSON.
pub fn index(pages: &[SitePage]) -> Result<String> {
    let entries: Vec<_> = pages
        .iter()
        .map(|page| {
            let headings: Vec<_> = page.headings.iter().skip(1).collect();
            let words: Vec<_> = page.source.split_whitespace().filter(|word| !word.starts_with("<!--")).collect();
            json!({ "page": page.place.output(), "title": page.title, "headings": headings, "text": words.join(" ") })
        })
        .collect();
    Ok(format!("globalThis.searchIndex = {};\n", serde_json::to_string(&entries)?))
}

/// `llms.txt`: a line for each page.
pub fn overview(all: &[SitePage]) -> String {
    let mut out = String::from("# sondage\n");
    if let Some(first) = all.first() {
        let _ = writeln!(out, "\n> {}", first.description);
    }
    for part in pages::parts() {
        let _ = writeln!(out, "\n## {part}");
        for page in all.iter().filter(|page| page.place.part == part) {
            let _ = writeln!(out, "- [{}]({}): {}", page.title, page.place.output(), page.description);
        }
    }
    out
}

/// `llms-full.txt`: all documents.
pub fn everything(pages: &[SitePage]) -> String {
    let mut out = String::new();
    for page in pages {
        let _ = writeln!(out, "<!-- {} -->\n{}\n", page.place.path, page.source.trim());
    }
    out
}
