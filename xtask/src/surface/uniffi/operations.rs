//! A row for every operation, which `bindings/uniffi/src/operation.rs` expands.

use super::super::Generated;
use super::super::catalogue::rows_of;
use super::super::prose;
use super::super::selections::{Nothing, documented};
use super::types::{self, rust};
use super::{camel, docs, generated, pascal};
use sondage::internals::schema::{FieldSchema, Type};
use sondage::operation::OperationInfo;
use std::fmt::Write;

/// The operations of one area.
pub fn file(area: &str) -> Generated {
    let mut body = String::from("use super::prelude::*;\n\n");
    let rows: Vec<String> = rows_of(area).map(operation).collect();
    let _ = writeln!(body, "operations! {{\n{}}}", rows.join("\n"));
    let lists: Vec<String> = rows_of(area).filter_map(list).collect();
    if !lists.is_empty() {
        let _ = writeln!(body, "\nlists! {{\n{}}}", lists.join("\n"));
    }
    generated(format!("bindings/uniffi/src/operations/{area}.rs"), "crates/sondage/src/operations.rs", &body)
}

fn operation(row: &'static OperationInfo) -> String {
    let (needed, taken) = types::arguments(row.request);
    let mut paragraphs = prose::paragraphs(row.docs);
    paragraphs.push(with_filter(arguments(needed.iter().chain(&taken)), &taken));
    let mut out = docs(&paragraphs, 4);
    let (name, method, request, answer) = (row.name, row.method, row.request.name, row.response.name);
    let _ = writeln!(out, "    {name} {method}({request}) -> {answer} {{");
    out.push_str(&block("needs", &needed));
    out.push_str(&block("takes", &taken));
    out.push_str(&filters(&taken));
    out.push_str("    }\n");
    out
}

/// The documentation of the arguments, and of the filter if there are conditions.
pub fn with_filter(mut arguments: String, taken: &[&'static FieldSchema]) -> String {
    if let Some(conditions) = types::conditions(taken) {
        let _ = write!(arguments, "\n{}", types::filter_docs(conditions));
    }
    arguments
}

fn filters(taken: &[&'static FieldSchema]) -> String {
    types::conditions(taken).map_or_else(String::new, |conditions| {
        format!("        filters {{ {} by r#where }}\n", conditions.name)
    })
}

fn list(row: &'static OperationInfo) -> Option<String> {
    let list = ListMethod::of(row)?;
    let paragraphs = [
        format!("Begins the complete list that `{}` gives in pages.", camel(row.method)),
        "It is complete or ends with an error, never silently short. Pages are read when they are requested."
            .into(),
        with_filter(arguments(list.needed.iter().chain(&list.taken)), &list.taken)
            + "\n- `pageSize`: Rows per page. The number of calls is limited, so large pages are better.",
    ];
    let mut out = docs(&paragraphs, 4);
    let (name, method, request, pages, item) =
        (row.name, list.pages(), row.request.name, pascal(&list.pages()), rust(list.item));
    let _ = writeln!(out, "    {name} {method}({request}) -> {pages} of {item} {{");
    out.push_str(&block("needs", &list.needed));
    out.push_str(&block("takes", &list.taken));
    out.push_str(&filters(&list.taken));
    out.push_str("    }\n");
    Some(out)
}

/// An operation that returns a list, as the generators of the languages need it.
pub struct ListMethod {
    /// The name of a row: `survey`, `interview_compact`.
    pub row: String,
    /// The type of a row.
    pub item: &'static Type,
    /// The required arguments.
    pub needed: Vec<&'static FieldSchema>,
    /// The optional arguments, without those for paging, which the reader sets.
    pub taken: Vec<&'static FieldSchema>,
}

impl ListMethod {
    /// The list of an operation that is paged.
    pub fn of(row: &'static OperationInfo) -> Option<Self> {
        let items = row.pages?;
        let field = row.response.fields.iter().find(|field| field.name == items)?;
        let Type::List(item) = field.ty else { return None };
        let (needed, mut taken) = types::arguments(row.request);
        taken.retain(|field| field.name != "paging");
        let row = row.method.trim_start_matches("read_").replace("_list", "");
        Some(Self { row, item, needed, taken })
    }

    /// The function that starts it: `survey_pages`.
    pub fn pages(&self) -> String {
        format!("{}_pages", self.row)
    }

    /// The function for all rows: `surveys`, `interviews_compact`.
    pub fn rows(&self) -> String {
        match self.row.split_once('_') {
            Some((first, "compact")) => format!("{first}s_compact"),
            _ => format!("{}s", self.row),
        }
    }
}

/// The documentation of the arguments, as a list, because uniffi has no documentation for single arguments.
pub fn arguments<'a>(fields: impl Iterator<Item = &'a &'static FieldSchema>) -> String {
    let line = |field: &&'static FieldSchema| {
        let docs = documented(field.docs, field.absent, Nothing::KotlinAndSwift);
        format!("- `{}`: {docs}", camel(field.name))
    };
    fields.map(line).collect::<Vec<_>>().join("\n")
}

fn block(word: &str, fields: &[&'static FieldSchema]) -> String {
    if fields.is_empty() {
        return format!("        {word} {{}}\n");
    }
    let mut out = format!("        {word} {{\n");
    for field in fields {
        let _ = writeln!(out, "            {}: {},", types::name(field.name), rust(field.ty));
    }
    out.push_str("        }\n");
    out
}
