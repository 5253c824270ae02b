//! The settings of a client.

use super::super::{Generated, prose};
use super::words::camel;
use super::{comment, generated};
use sondage::budget::{BudgetMode, CountedBytes};
use sondage::config::{DataCenter, Grant};
use std::fmt::Write;

macro_rules! table {
    ($($(#[doc = $doc:literal])* $name:ident $variable:literal: $Type:ident $(= $default:literal)?;)*) => {
        /// Every setting: its name, environment variable, type, default and documentation.
        const TABLE: &[(&str, &str, &str, Option<&str>, &str)] = &[$((
            stringify!($name),
            $variable,
            stringify!($Type),
            table!(@default $($default)?),
            concat!($($doc, "\n"),*),
        )),*];
    };
    (@default) => { None };
    (@default $default:literal) => { Some($default) };
}
sondage::settings!(table);

/// The argument of `new Client({ ... })`.
pub fn types() -> Generated {
    let mut body = String::from("import type { Int } from './values.js';\n\n");
    body.push_str(&comment(
        &["Settings of a client. Settings that are not given come from the environment, from a profile file, or have a default.".into()],
        0,
    ));
    body.push_str("export interface Settings {\n");
    for (name, variable, ty, default, docs) in TABLE {
        let mut paragraphs = prose::paragraphs(docs);
        let default = default.map(|text| format!(" Default: {text}.")).unwrap_or_default();
        let unit = if *ty == "Duration" { " In milliseconds, or with a unit: `\"2 min\"`." } else { "" };
        if let Some(first) = paragraphs.first_mut() {
            first.push_str(unit);
        }
        paragraphs.push(format!("Environment: `{variable}`.{default}"));
        let _ = writeln!(
            body,
            "{}  {}?: {} | null | undefined;",
            comment(&paragraphs, 2),
            camel(name),
            written(ty)
        );
    }
    body.push_str("}\n");
    generated("node/types/settings.d.ts", "crates/sondage/src/config/table.rs", &body)
}

fn written(ty: &str) -> String {
    let words =
        |words: Vec<&str>| words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" | ");
    match ty {
        "Duration" | "u64" => "number | string".into(),
        "i64" => "Int".into(),
        "u32" | "f64" => "number".into(),
        "bool" => "boolean".into(),
        "DataCenter" => words(DataCenter::ALL.iter().map(|center| center.as_str()).collect()),
        "CountedBytes" => words(CountedBytes::ALL.iter().map(|counted| counted.as_str()).collect()),
        "BudgetMode" => words(BudgetMode::ALL.iter().map(|mode| mode.as_str()).collect()),
        "Grant" => words(Grant::ALL.iter().map(|grant| grant.as_str()).collect()),
        _ => "string".into(),
    }
}
