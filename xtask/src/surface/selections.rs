//! Properties that select what a call reaches: what their documentation says in each language, and the table of them from
//! which the tests of Python and Node.js are derived.

use super::methods;
use super::prelude::*;
use serde_json::{Value, json};

/// What Python and Node.js do with a property that is present without a value. Kotlin and Swift cannot tell it from one that was
/// left out.
const NOTHING: [&str; 3] = [
    "`None` is refused.",
    "`undefined` and `null` are refused.",
    "`null` (in Swift `nil`) means the same as leaving it out: check a value that may be missing first.",
];

/// The documentation of a property. `absent`: what it means to leave it out, if it selects and is optional.
pub fn documented(docs: &str, absent: Option<&str>, language: usize) -> String {
    let docs = line(docs);
    if absent.is_some() { format!("{docs} {}", NOTHING[language]) } else { docs }
}

/// A row for each property that selects.
pub fn table() -> Generated {
    let mut rows: Vec<Value> = Vec::new();
    for operation in operations::ALL.iter().filter(|row| !matches!(row.effect, Effect::Read | Effect::Token))
    {
        let selecting = operation.request.fields.iter().filter(|field| field.role == Role::Selects);
        rows.extend(selecting.map(|field| {
            json!({ "call": operation.method, "area": operation.area, "property": field.name, "kind": kind(field.ty),
                    "absent": field.absent })
        }));
    }
    for (method, field) in methods::rows().flat_map(fields_of).filter(|(_, field)| field.selects) {
        rows.push(
            json!({ "call": method, "property": field.name, "kind": kind_of(field), "absent": field.absent }),
        );
    }
    let rows = join(rows.iter().map(Value::to_string), ",\n    ");
    let source = "by `cargo xtask surface` from the operations and methods of the core";
    let text = format!("{{\n  \"@generated\": \"{source}\",\n  \"rows\": [\n    {rows}\n  ]\n}}\n");
    Generated { path: "tests/selections.json".into(), text }
}

/// The name of a method, with each of its options.
fn fields_of(row: &'static MethodRow) -> impl Iterator<Item = (&'static str, &'static ArgumentSchema)> {
    row.options().into_iter().flat_map(|options| options.fields).map(|field| (row.name, field))
}

fn kind(ty: &Type) -> &'static str {
    match ty {
        Type::Optional(inner) => kind(inner),
        Type::List(Type::Model(_)) => "filter",
        Type::List(_) => "list",
        _ => "text",
    }
}

fn kind_of(field: &ArgumentSchema) -> &'static str {
    match field.ty {
        ArgumentType::Filter => "filter",
        ArgumentType::Ints | ArgumentType::Texts => "list",
        ArgumentType::Count | ArgumentType::Int => "number",
        _ => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::methods::rows_without_arrow;
    use crate::surface::whole;

    /// Methods that send, change or delete nothing: their options select what is read.
    const READ: &str =
        "members interviews member_table plan_export_person export_person missed_events doctor trace";

    /// The methods that may send, change or delete, by name, and their options.
    fn changing() -> impl Iterator<Item = (&'static str, &'static ArgumentSchema)> {
        let rows = methods::rows()
            .filter(|row| row.object == "client" && READ.split(' ').all(|name| name != row.name));
        rows.flat_map(fields_of)
    }

    #[test]
    fn every_filter_and_list_of_a_method_that_changes_something_selects() {
        for (method, field) in changing() {
            let could = matches!(field.ty, ArgumentType::Filter | ArgumentType::Ints | ArgumentType::Texts);
            assert!(
                !could || field.selects,
                "{method}: what does it mean to leave out `{}`? Mark it `#[wire(selects)]`",
                field.name
            );
        }
    }

    /// Kotlin and Swift are compared word by word: their comments are wrapped.
    #[test]
    fn each_language_says_what_nothing_means_at_each_property() {
        let files = whole().unwrap();
        let words = |part: &str| {
            let text: String = files
                .iter()
                .filter(|file| file.path.starts_with(part))
                .map(|file| file.text.replace("///", " ").replace("* ", " ") + "\n")
                .collect();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let places = [
            (words("python/sondage"), PYTHON),
            (words("node/types"), NODE),
            (words("bindings/uniffi/src"), types::RUST),
        ];
        let fields = |field: &&'static FieldSchema| field.role == Role::Selects;
        let requests = operations::ALL.iter().flat_map(|row| row.request.fields).filter(fields);
        let mut properties: BTreeSet<_> = requests.map(|field| (field.docs, field.absent, true)).collect();
        // Kotlin and Swift have no methods that need Arrow.
        let everywhere = |method: &str| rows_without_arrow().any(|row| row.name == method);
        let selecting = changing().filter(|(_, field)| field.selects);
        properties.extend(selecting.map(|(method, field)| (field.docs, field.absent, everywhere(method))));
        for (docs, absent, everywhere) in properties.into_iter().filter(|(_, absent, _)| absent.is_some()) {
            for (text, language) in &places[..if everywhere { 3 } else { 2 }] {
                let sentence = documented(docs, absent, *language).replace("; see `sondage.field`.", ".");
                let text = text.replace("; see `sondage.field`.", ".");
                assert!(text.contains(&sentence), "{sentence}");
            }
        }
    }
}
