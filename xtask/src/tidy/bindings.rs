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

/// The hand-written code of a binding, and its limit in lines: the crate itself, its `values` crate, and for Kotlin and Swift the
/// program that generates both. Shared code does not count: it belongs in `crates/sondage-ffi`.
const LIMITS: [(&str, usize); 4] = [
    // 1,435, and JSON of responses without Python's decoder, whose import takes longer than a first call.
    ("bindings/python/", 1499),
    // 1,325, and the difference between `undefined` and an absent property, for those that select; a logger for each thread.
    // 55 refuse objects with properties that are not read.
    ("bindings/node/", 1435),
    ("bindings/testing/", 150),
    ("bindings/uniffi/", UNIFFI),
];

/// uniffi needs a type for every value that Kotlin and Swift see (ARCHITECTURE.md), so its limit is higher. 2,600, and what makes
/// records serialisable in Kotlin, lists and comparisons members there, names types as Swift does, and starts Android's verifier.
const UNIFFI: usize = 2688;

/// Whether a binding with this folder has a limit.
pub fn has_limit(name: &str) -> bool {
    LIMITS.iter().any(|(folder, _)| *folder == format!("bindings/{name}/"))
}

/// Checks the limits.
pub fn sizes(files: &[File]) -> Problems {
    let mut problems = Problems::new();
    for (folder, limit) in LIMITS {
        let own = files.iter().filter(|file| file.path.starts_with(folder) && file.extension() == "rs");
        let lines: usize = own.filter(|file| !file.is_generated()).map(|file| code(&file.text)).sum();
        if lines > limit {
            problems.push(format!(
                "{folder}: {lines} lines of code; this binding has at most {limit}: what others need too belongs into crates/sondage-ffi"
            ));
        }
    }
    problems
}

/// Lines without comments, blanks and tests.
fn code(text: &str) -> usize {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = text.lines().map(str::trim_start);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn a_binding_is_thin() {
        let long = |path: &str, lines: usize| file(path, &"x();\n\n// why\n".repeat(lines));
        assert!(sizes(&[long("bindings/node/src/a.rs", 1435)]).is_empty());
        // Code in another crate of the same binding counts as well.
        let both = [long("bindings/node/src/a.rs", 700), long("bindings/node/values/src/b.rs", 736)];
        assert_eq!(sizes(&both).len(), 1);
        let tested = format!("#[cfg(test)]\n{}", "x();\n".repeat(1400));
        assert!(sizes(&[file("bindings/python/src/a.rs", &tested)]).is_empty());
    }

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
