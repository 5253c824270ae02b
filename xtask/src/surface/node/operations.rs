//! A method for every operation, in the async and in the blocking client.

use super::imports::imports;
use crate::surface::prelude::*;

const TABLE: &str = "crates/sondage/src/operations.rs";

/// The operations of all areas together, and the rows of those that read lists.
pub fn index(catalogue: &Catalogue) -> Generated {
    let (mut body, mut interfaces) = (String::new(), String::new());
    for area in &catalogue.areas {
        let name = pascal(area);
        put!(body, "import type {{ Blocking{name}Operations, {name}Operations }} from './{area}.js';\n");
    }
    for (prefix, what) in [("", "with a promise"), ("Blocking", "blocking")] {
        let docs = comment(&[format!("Every operation, {what}.")], 0);
        let areas = catalogue.areas.iter().map(|area| format!("{prefix}{}Operations", pascal(area)));
        let areas = join(areas, ",\n    ");
        put!(interfaces, "\n{docs}export interface {prefix}Operations\n  extends {areas} {{}}\n");
    }
    let mut rows = String::new();
    for row in operations::ALL {
        if let Some(Type::List(item)) = pages(row).map(|field| field.ty) {
            put!(rows, "  {}: {};\n", camel(row.method), types::held(item, NODE));
        }
    }
    interfaces += &interface(
        &["The row type of each operation that reads a list in pages.".into()],
        "PagedRows",
        &rows,
    );
    body += &imports(&interfaces, "../", "");
    generated("node/types/operations/index.d.ts", TABLE, &(body + &interfaces))
}

pub fn file(area: &str) -> Generated {
    let mut interfaces = String::new();
    for (prefix, what) in [("", "with a promise"), ("Blocking", "blocking")] {
        let docs = format!("Operations of the area {area}, {what}.");
        let methods: String = rows_of_area(area).map(|row| method(row, prefix)).collect();
        interfaces += &interface(&[docs], &format!("{prefix}{}Operations", pascal(area)), &methods);
    }
    let block = imports(&interfaces, "../", "");
    generated(format!("node/types/operations/{area}.d.ts"), TABLE, &(block + &interfaces))
}

fn method(row: &OperationInfo, prefix: &str) -> String {
    let optional = row.request.fields.iter().all(|field| matches!(field.ty, Type::Optional(_)));
    let mark = if optional { "?" } else { "" };
    let (request, response) = (row.request.name, row.response.name);
    let response = if prefix.is_empty() { format!("Promise<{response}>") } else { response.to_owned() };
    let types = format!("{request}, options?: {prefix}CallOptions): {response}");
    let mut docs = paragraphs(row.docs);
    docs.extend(reconciled(row));
    docs.push(format!("Operation {}, effect {}, source: {}.", row.name, row.effect.as_str(), source_of(row)));
    property(&docs, &format!("{}(request{mark}: {types}", camel(row.method)))
}
