//! Node.js: types of the models, the operations, the errors and the settings; types and code of the other methods and of
//! the classes of errors, plans and reports. All other code is hand-written or native.

mod blocking;
mod described;
mod errors;
mod imports;
mod index;
mod methods;
mod models;
mod objects;
mod operations;
mod options;
mod reports;

use super::prelude::*;

pub fn files(catalogue: &Catalogue) -> Vec<Generated> {
    let mut files = vec![described::file(), options::types(), settings(), operations::index(catalogue)];
    files.extend(errors::files());
    files.extend(index::files());
    files.extend(reports::files());
    files.extend([methods::files(), objects::files(), objects::bases()].into_iter().flatten());
    files.extend(models::files(catalogue));
    files.extend(blocking::files());
    files.extend(catalogue.areas.iter().map(|area| operations::file(area)));
    files
}

/// The argument of `new Client({ ... })`.
fn settings() -> Generated {
    let mut rows = String::new();
    for row in SETTINGS {
        let mut paragraphs = paragraphs(row.docs);
        if types::is_duration(row) {
            paragraphs[0] += " In milliseconds, or with a unit: `\"2 min\"`.";
        }
        let default = row.default.map(|text| format!(" Default: {text}.")).unwrap_or_default();
        paragraphs.push(format!("Environment: `{}`.{default}", row.variable));
        let ty = types::of_setting(row, NODE);
        rows += &property(&paragraphs, &format!("{}?: {ty} | null | undefined", camel(row.name)));
    }
    let docs = "Settings of a client. Settings that are not given come from the environment, from a profile file, or have a default.";
    let body = "import type { Int } from './values.js';\n".to_owned()
        + &interface(&[docs.into()], "Settings", &rows);
    generated("node/types/settings.d.ts", "crates/sondage/src/config/table.rs", &body)
}

/// An interface with these properties, after a blank line.
pub fn interface(docs: &[String], head: &str, properties: &str) -> String {
    format!("\n{}export interface {head} {{\n{properties}}}\n", comment(docs, 0))
}

pub fn property(docs: &[String], text: &str) -> String {
    format!("{}  {text};\n", comment(docs, 2))
}

/// A comment for editors: on one line where it is one paragraph and fits.
pub fn comment(paragraphs: &[String], indent: usize) -> String {
    let pad = " ".repeat(indent);
    let paragraphs: Vec<String> = paragraphs.iter().map(|text| in_javascript(text)).collect();
    if let [only] = paragraphs.as_slice()
        && indent + only.chars().count() + 7 <= WIDTH
    {
        return format!("{pad}/** {only} */\n");
    }
    let mut out = format!("{pad}/**\n");
    let mut tags = false;
    for (at, paragraph) in paragraphs.iter().enumerate() {
        let is_tag = paragraph.starts_with('@');
        if at > 0 && !(is_tag && tags) {
            put!(out, "{pad} *\n");
        }
        tags = is_tag;
        for line in wrap(paragraph, indent + 3, 0) {
            put!(out, "{pad} * {}\n", line.trim_start());
        }
    }
    out + &pad + " */\n"
}
