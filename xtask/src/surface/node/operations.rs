//! A method for every operation, in the async and in the blocking client.

use super::super::Generated;
use super::super::catalogue::{Catalogue, module, rows_of};
use super::super::prose;
use super::models::TypeImports;
use super::words::{camel, pascal};
use super::{comment, generated};
use sondage::internals::schema::Type;
use sondage::operation::{OperationInfo, Source};
use sondage::operations;
use std::fmt::Write;

const TABLE: &str = "crates/sondage/src/operations.rs";

/// The operations of all areas together, and the rows of those that read lists.
pub fn index(catalogue: &Catalogue) -> Generated {
    let mut body = String::new();
    let names = |prefix: &str| -> Vec<String> {
        catalogue.areas.iter().map(|area| format!("{prefix}{}Operations", pascal(area))).collect()
    };
    for area in &catalogue.areas {
        let name = pascal(area);
        let _ = writeln!(
            body,
            "import type {{ Blocking{name}Operations, {name}Operations }} from './{area}.js';"
        );
    }
    let mut imports = TypeImports::default();
    let mut rows = String::new();
    for row in operations::ALL {
        if let Some(item) = item(row, &mut imports) {
            let _ = writeln!(rows, "  {}: {item};", camel(row.method));
        }
    }
    body.push_str(&imports.block("../", ""));
    for (prefix, what) in
        [("", "Every operation, with a promise."), ("Blocking", "Every operation, blocking.")]
    {
        let docs = comment(&[what.to_owned()], 0);
        let _ = write!(
            body,
            "\n{docs}export interface {prefix}Operations\n  extends {} {{}}\n",
            names(prefix).join(",\n    ")
        );
    }
    let docs = comment(&["The row type of each operation that reads a list in pages.".to_owned()], 0);
    let _ = write!(body, "\n{docs}export interface PagedRows {{\n{rows}}}\n");
    generated("node/types/operations/index.d.ts", TABLE, &body)
}

/// The operations of one area.
pub fn file(area: &str) -> Generated {
    let mut imports = TypeImports::default();
    let mut interfaces = String::new();
    for (prefix, what) in [("", "with a promise"), ("Blocking", "blocking")] {
        let docs = comment(&[format!("Operations of the area {area}, {what}.")], 0);
        let _ = write!(interfaces, "\n{docs}export interface {prefix}{}Operations {{\n", pascal(area));
        for row in rows_of(area) {
            interfaces.push_str(&method(row, prefix, &mut imports));
        }
        interfaces.push_str("}\n");
    }
    let block = imports.block("../", "");
    generated(format!("node/types/operations/{area}.d.ts"), TABLE, &(block + &interfaces))
}

fn method(row: &'static OperationInfo, prefix: &str, imports: &mut TypeImports) -> String {
    let request = imports.named(module(row.request), row.request.name);
    let answer = imports.named(module(row.response), row.response.name);
    let options = imports.named("values", &format!("{prefix}CallOptions"));
    let optional = row.request.fields.iter().all(|field| matches!(field.ty, Type::Optional(_)));
    let mark = if optional { "?" } else { "" };
    let answer = if prefix.is_empty() { format!("Promise<{answer}>") } else { answer };
    let docs = comment(&documentation(row), 2);
    format!("{docs}  {}(request{mark}: {request}, options?: {options}): {answer};\n", camel(row.method))
}

fn item(row: &'static OperationInfo, imports: &mut TypeImports) -> Option<String> {
    let field = row.response.fields.iter().find(|field| Some(field.name) == row.pages)?;
    let Type::List(item) = field.ty else { return None };
    Some(imports.item(item))
}

fn documentation(row: &'static OperationInfo) -> Vec<String> {
    let mut paragraphs = prose::paragraphs(row.docs);
    if let Some(reconcile) = row.reconcile {
        paragraphs.push(format!("When the outcome is unknown: {reconcile}"));
    }
    let source = match row.source {
        Source::Spec => "the specification",
        Source::Published => "the published definition",
    };
    let (name, effect) = (row.name, row.effect.as_str());
    paragraphs.push(format!("Operation {name}, effect {effect}, source: {source}."));
    paragraphs
}
