//! The texts that the core accepts and returns: they are the same in every language.

use super::methods::rows;
use super::prelude::*;
use super::structs::OF_THE_SANDBOX;
use super::webhooks::{ENTITIES, EVENT, Shape};
use crate::{files, workspace};
use sondage::trace::TraceKind;
use std::collections::HashSet;
use std::fs;

/// The sources whose texts reach a caller.
const SOURCES: [&str; 5] = ["sondage", "sondage-data", "sondage-jobs", "sondage-ffi", "sondage-sandbox"];

/// Every text of the core: the texts in its sources, the values of the API's enumerations, and the API's names.
pub fn of_the_core() -> HashSet<String> {
    let mut values = HashSet::new();
    for name in SOURCES {
        let folder = workspace::root().join("crates").join(name).join("src");
        for text in files::all(&folder).into_iter().flatten().flat_map(fs::read_to_string) {
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            values.extend(code.flat_map(|line| line.split('"').skip(1).step_by(2)).map(str::to_owned));
        }
    }
    let catalogue = Catalogue::of_the_table();
    values.extend(catalogue.enums.iter().flat_map(|schema| schema.values).map(|value| (*value).to_owned()));
    values.extend(operations::ALL.iter().map(|row| row.name.to_owned()));
    values.extend(rows().map(|row| row.name.to_owned()));
    values.extend(ENTITIES.iter().map(Shape::kind));
    values.extend(fields().into_iter().flat_map(|(_, _, values)| values).map(str::to_owned));
    values
}

/// A field, option or setting whose values are known: its name, its documentation, and its values.
type KnownField = (String, &'static str, Vec<&'static str>);

fn fields() -> Vec<KnownField> {
    let mut fields: Vec<KnownField> = Vec::new();
    for schema in all_reports().chain(*OF_THE_SANDBOX).chain([&EVENT.schema]) {
        fields.extend(schema.fields.iter().map(|field| {
            let name = format!("{}.{}", schema.name, field.name);
            let values = of_text(&name).unwrap_or_else(|| of_report(field.ty).to_vec());
            (name, field.docs, values)
        }));
    }
    for schema in sondage_jobs::options_of_all_crates() {
        for field in schema.fields {
            let ArgumentType::Word(values) = field.ty else { continue };
            fields.push((format!("{}.{}", schema.name, field.name), field.docs, values.texts.to_vec()));
        }
    }
    fields.extend(SETTINGS.iter().map(|row| {
        (row.name.to_owned(), row.docs, row.choices.map_or_else(Vec::new, |words| words.texts.to_vec()))
    }));
    fields.retain(|(_, _, values)| !values.is_empty());
    fields
}

/// The values of fields that are texts because there may be others, and those that their documentation names.
fn of_text(field: &str) -> Option<Vec<&'static str>> {
    match field {
        "TraceEntry.operation" => {
            let kinds = TraceKind::ALL.map(TraceKind::as_str);
            Some(rows().map(|row| row.name).chain(["doctor"]).chain(kinds).collect())
        }
        "ErasureStep.what" => Some(vec!["file", "interview", "opt_out", "member"]),
        _ => None,
    }
}

fn of_report(ty: &'static ReportType) -> &'static [&'static str] {
    match ty {
        ReportType::Word(values) => values.texts,
        ReportType::Optional(inner) | ReportType::List(inner) => of_report(inner),
        _ => &[],
    }
}

/// Fields whose documentation names a value that they do not have, or a value as if it were a name.
pub fn of_fields() -> Vec<String> {
    fields().iter().flat_map(problems).collect()
}

fn problems((name, docs, values): &KnownField) -> Vec<String> {
    let problem = |word: &str| match word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        None if values.contains(&word) => {
            Some(format!("{name}: the value `{word}` is written as if it were a name: `\"{word}\"`"))
        }
        Some(value) if !values.contains(&value) => {
            Some(format!("{name}: `{value}` is not one of its values: {values:?}"))
        }
        _ => None,
    };
    docs.split('`').skip(1).step_by(2).filter_map(problem).collect()
}

/// Values that are no names as well, as they would be spelt if they were.
pub fn misspelt() -> HashSet<String> {
    let is_name = |value: &&str| {
        SETTINGS.iter().any(|setting| setting.name == *value) || rows().any(|row| row.name == *value)
    };
    let values = fields().into_iter().flat_map(|(_, _, values)| values);
    values.filter(|value| value.contains('_') && !is_name(value)).map(camel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_in_the_documentation_of_a_field_is_marked_and_exists() {
        for (name, docs, values) in [
            ("Reconciled.verdict", "`did_not_happen`: again.", &["happened", "did_not_happen"][..]),
            ("grant", "Like `client_credentials`.", &["client_credentials"]),
            ("budget", "`hard_stop` (also).", &["off", "hard_stop"]),
            ("TraceEntry.operation", "For example `import_members`.", &["import_members"]),
            ("ErasureStep.what", "`opt_out` or another.", &["opt_out"]),
            ("Reconciled.verdict", "`\"didNotHappen\"`: again.", &["happened", "did_not_happen"]),
        ] {
            assert_eq!(problems(&(name.to_owned(), docs, values.to_vec())).len(), 1, "{name}");
        }
        let fine = ("grant".to_owned(), "From `token_file` with `\"login\"`.", vec!["login"]);
        assert_eq!(problems(&fine), Vec::<String>::new());
    }

    #[test]
    fn the_fields_whose_values_are_known_exist() {
        for name in ["Reconciled.verdict", "grant", "budget", "TraceEntry.operation", "ErasureStep.what"] {
            assert!(fields().iter().any(|(known, ..)| known == name), "{name}");
        }
    }
}
