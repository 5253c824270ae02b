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

    /// Methods that send, change or delete nothing: their options select what is read.
    const READ: &str =
        "members interviews member_table plan_export_person export_person missed_events doctor trace";

    #[test]
    fn every_filter_and_list_of_a_method_that_changes_something_selects() {
        let changing = methods::rows()
            .filter(|row| row.object == "client" && READ.split(' ').all(|name| name != row.name));
        for (method, field) in changing.flat_map(fields_of) {
            let could = matches!(field.ty, ArgumentType::Filter | ArgumentType::Ints | ArgumentType::Texts);
            assert!(
                !could || field.selects,
                "{method}: `{}` selects: mark it `#[wire(selects)]`",
                field.name
            );
        }
    }
}
