//! Rules about the bindings: they expose the core, and know nothing of the API.

use super::{File, Problems};
use sondage::internals::schema::ModelSchema;
use sondage::operations;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Names that only the core may know: operations by both their names, and wire names of fields. One-word names are left
/// out, because any program uses them.
static NAMES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let wire = |model: &'static ModelSchema| model.fields.iter().map(|field| field.wire);
    let rows = operations::ALL.iter();
    let names = rows.flat_map(|row| {
        [row.name, row.method].into_iter().chain(wire(row.request)).chain(wire(row.response))
    });
    names.filter(|name| name.contains('_') || name.contains(|c: char| c.is_uppercase())).collect()
});

/// Parts of the wire format that are not fields of a model.
const WIRE: [&str; 4] = ["publicapi", "isSuccess", "errorCode", "errorMessage"];

/// Only Rust.
pub fn rules(file: &File) -> Problems {
    if !file.path.starts_with("bindings/") || file.extension() != "rs" || file.is_generated() {
        return Problems::new();
    }
    let mut problems = Problems::new();
    for (number, line) in file.lines() {
        let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        for word in words.filter(|word| NAMES.contains(word) || WIRE.contains(word)) {
            problems.push(format!(
                "{}:{number}: {word} belongs to the core: bindings know nothing of the API",
                file.path
            ));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn finds_operations_and_wire_names_in_bindings_only() {
        for line in ["fn read_member_list() {}", "// ReadMemberList", "json[\"panelId\"]", "\"/publicapi/x\""]
        {
            assert_eq!(rules(&file("bindings/python/src/a.rs", line)).len(), 1, "{line}");
            assert!(rules(&file("crates/sondage/src/a.rs", line)).is_empty(), "{line}");
        }
        assert!(rules(&file("swift/a.swift", "readMemberList(panelId: 1)")).is_empty());
        assert!(rules(&file("bindings/python/src/a.rs", "let id = tenant.fields;")).is_empty());
    }
}
