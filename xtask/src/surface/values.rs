//! The texts that the core accepts and returns: they are the same in every language.

use super::catalogue::Catalogue;
use super::methods::{all_reports, rows};
use super::node::words::camel;
use super::structs::OF_THE_SANDBOX;
use super::webhooks;
use crate::workspace;
use sondage::arguments::ArgumentType;
use sondage::budget::{BudgetMode, CountedBytes};
use sondage::config::{DataCenter, Grant, SETTINGS};
use sondage::operations;
use sondage::reports::ReportType;
use sondage::trace::TraceKind;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The sources whose texts reach a caller.
const SOURCES: [&str; 5] = ["sondage", "sondage-data", "sondage-jobs", "sondage-ffi", "sondage-sandbox"];

/// How the field `source` of an event is written, which is an enumeration in Rust.
const SOURCES_OF_EVENTS: [&str; 2] = ["delivered", "reconciled"];

/// Every text of the core: the texts in its sources, the values of the API's enumerations, and the API's names.
pub fn of_the_core() -> HashSet<String> {
    let mut values = HashSet::new();
    for name in SOURCES {
        literals(&workspace::root().join("crates").join(name).join("src"), &mut values);
    }
    let catalogue = Catalogue::of_the_table();
    values.extend(catalogue.enums.iter().flat_map(|schema| schema.values).map(|value| (*value).to_owned()));
    values.extend(operations::ALL.iter().map(|row| row.name.to_owned()));
    values.extend(rows().map(|row| row.name.to_owned()));
    values.extend(webhooks::ENTITIES.iter().map(webhooks::kind));
    values.extend(SOURCES_OF_EVENTS.map(str::to_owned));
    values.extend(fields().into_iter().flat_map(|field| field.values).map(str::to_owned));
    values
}

fn literals(folder: &Path, values: &mut HashSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            literals(&path, values);
        } else if let Ok(text) = fs::read_to_string(&path) {
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            values.extend(code.flat_map(|line| line.split('"').skip(1).step_by(2)).map(str::to_owned));
        }
    }
}

/// A field, option or setting whose values are known.
struct Field {
    name: String,
    docs: &'static str,
    values: Vec<&'static str>,
}

fn fields() -> Vec<Field> {
    let mut fields = Vec::new();
    for schema in all_reports().chain(OF_THE_SANDBOX.iter()) {
        for field in schema.fields {
            let name = format!("{}.{}", schema.name, field.name);
            let values = match of_text(&name) {
                Some(values) => values,
                None => of_report(field.ty).to_vec(),
            };
            fields.push(Field { name, docs: field.docs, values });
        }
    }
    for schema in sondage_jobs::options_of_all_crates() {
        for field in schema.fields {
            let ArgumentType::Word(values) = field.ty else { continue };
            let name = format!("{}.{}", schema.name, field.name);
            fields.push(Field { name, docs: field.docs, values: values.to_vec() });
        }
    }
    for setting in SETTINGS {
        let values = match setting.name {
            "data_center" => DataCenter::ALL.map(DataCenter::as_str).to_vec(),
            "budget_counted" => CountedBytes::ALL.map(CountedBytes::as_str).to_vec(),
            "budget" => BudgetMode::ALL.map(BudgetMode::as_str).to_vec(),
            "grant" => Grant::ALL.map(Grant::as_str).to_vec(),
            _ => continue,
        };
        fields.push(Field { name: setting.name.to_owned(), docs: setting.docs, values });
    }
    fields.retain(|field| !field.values.is_empty());
    fields
}

/// The values of fields that are texts because there may be others, and those that their documentation names.
fn of_text(field: &str) -> Option<Vec<&'static str>> {
    match field {
        "TraceEntry.operation" => Some(
            rows()
                .map(|row| row.name)
                .chain(["doctor"])
                .chain(TraceKind::ALL.map(TraceKind::as_str))
                .collect(),
        ),
        "ErasureStep.what" => Some(vec!["file", "interview", "opt_out", "member"]),
        _ => None,
    }
}

fn of_report(ty: &'static ReportType) -> &'static [&'static str] {
    match ty {
        ReportType::Word(values) => values,
        ReportType::Optional(inner) | ReportType::List(inner) => of_report(inner),
        _ => &[],
    }
}

/// Fields whose documentation names a value that they do not have, or a value as if it were a name.
pub fn of_fields() -> Vec<String> {
    fields().iter().flat_map(problems).collect()
}

fn problems(field: &Field) -> Vec<String> {
    let Field { name, docs, values } = field;
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
    let values = fields().into_iter().flat_map(|field| field.values);
    values.filter(|value| value.contains('_') && !is_name(value)).map(camel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_in_the_documentation_of_a_field_is_marked_and_exists() {
        let field = |name: &str, docs, values: &[&'static str]| Field {
            name: name.to_owned(),
            docs,
            values: values.to_vec(),
        };
        for (name, docs, values) in [
            ("Reconciled.verdict", "`did_not_happen`: again.", &["happened", "did_not_happen"][..]),
            ("grant", "Like `client_credentials`.", &["client_credentials"]),
            ("budget", "`hard_stop` (also).", &["off", "hard_stop"]),
            ("TraceEntry.operation", "For example `import_members`.", &["import_members"]),
            ("ErasureStep.what", "`opt_out` or another.", &["opt_out"]),
            ("Reconciled.verdict", "`\"didNotHappen\"`: again.", &["happened", "did_not_happen"]),
        ] {
            assert_eq!(problems(&field(name, docs, values)).len(), 1, "{name}");
        }
        let fine = field("grant", "From `token_file` with `\"login\"`.", &["login"]);
        assert_eq!(problems(&fine), Vec::<String>::new());
    }

    #[test]
    fn the_fields_whose_values_are_known_exist() {
        let names: Vec<String> = fields().into_iter().map(|field| field.name).collect();
        for name in [
            "Reconciled.verdict",
            "grant",
            "budget",
            "data_center",
            "TraceEntry.operation",
            "ErasureStep.what",
        ] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
    }
}
