//! A row for every operation, which `bindings/uniffi/src/operation.rs` expands.

use super::name;
use crate::surface::prelude::*;

pub fn file(area: &str) -> Generated {
    let rows = join(rows_of_area(area).map(operation), "\n");
    let mut body = format!("use super::prelude::*;\n\noperations! {{\n{rows}}}\n");
    let lists = join(rows_of_area(area).filter_map(list), "\n");
    if !lists.is_empty() {
        put!(body, "\nlists! {{\n{lists}}}\n");
    }
    generated(format!("bindings/uniffi/src/operations/{area}.rs"), "crates/sondage/src/operations.rs", &body)
}

fn operation(row: &'static OperationInfo) -> String {
    let arguments = RequestArguments::of(row.request);
    let mut docs = paragraphs(row.docs);
    docs.push(arguments.docs());
    let head = format!("{} {}({}) -> {}", row.name, row.method, row.request.name, row.response.name);
    arguments.row(&docs, &head)
}

fn list(row: &'static OperationInfo) -> Option<String> {
    let list = ListMethod::of(row)?;
    let docs = [
        format!("Begins the complete list that `{}` gives in pages.", camel(row.method)),
        "It is complete or ends with an error, never silently short. Pages are read when they are requested."
            .into(),
        list.docs(),
    ];
    let (pages, item) = (list.pages(), types::held(list.item, types::RUST));
    let head = format!("{} {pages}({}) -> {} of {item}", row.name, row.request.name, pascal(&pages));
    Some(list.arguments.row(&docs, &head))
}

/// The arguments of a request.
pub struct RequestArguments {
    pub required: Vec<&'static FieldSchema>,
    /// With those last that the client fills in.
    pub optional: Vec<&'static FieldSchema>,
}

impl RequestArguments {
    pub fn of(request: &'static ModelSchema) -> Self {
        let (mut optional, required): (Vec<_>, Vec<_>) =
            request.fields.iter().partition(|field| matches!(field.ty, Type::Optional(_)));
        optional.sort_by_key(|field| field.filled_in);
        Self { required, optional }
    }

    pub fn all(&self) -> impl Iterator<Item = &'static FieldSchema> {
        self.required.iter().chain(&self.optional).copied()
    }

    /// The conditions, which a filter can replace.
    pub fn conditions(&self) -> Option<&'static FieldSchema> {
        let is_condition = |ty: &Type| matches!(ty, Type::Model(schema) if schema().name == "Condition");
        let found = |field: &&FieldSchema| matches!(field.ty, Type::Optional(Type::List(inner)) if is_condition(inner));
        self.optional.iter().copied().find(found)
    }

    /// Their documentation as a list, because uniffi has none for single arguments.
    fn docs(&self) -> String {
        let line = |field: &FieldSchema| {
            format!("- `{}`: {}", camel(field.name), documented(field.docs, field.absent, types::RUST))
        };
        let filter = |conditions: &FieldSchema| {
            format!("- `where`: The same as a filter, instead of `{}`.", conditions.wire)
        };
        join(self.all().map(line).chain(self.conditions().map(filter)), "\n")
    }

    /// A row of a macro.
    fn row(&self, docs: &[String], head: &str) -> String {
        let mut out = format!("{}    {head} {{\n", rustdoc(docs, 4));
        for (word, fields) in [("needs", &self.required), ("takes", &self.optional)] {
            let field = |field: &&'static FieldSchema| {
                format!("            {}: {},\n", name(field.name), types::held(field.ty, types::RUST))
            };
            let fields: String = fields.iter().map(field).collect();
            let fields = if fields.is_empty() { fields } else { format!("\n{fields}        ") };
            put!(out, "        {word} {{{fields}}}\n");
        }
        if let Some(conditions) = self.conditions() {
            put!(out, "        filters {{ {} by r#where }}\n", conditions.name);
        }
        out + "    }\n"
    }
}

/// An operation that returns a list, as the generators of the languages need it.
pub struct ListMethod {
    /// The name of a row: `survey`, `interview_compact`.
    row: String,
    /// The type of a row.
    pub item: &'static Type,
    /// Those of the request without those for paging, which the reader sets.
    pub arguments: RequestArguments,
}

impl ListMethod {
    /// The list of an operation that is paged.
    pub fn of(row: &'static OperationInfo) -> Option<Self> {
        let Type::List(item) = pages(row)?.ty else { return None };
        let mut arguments = RequestArguments::of(row.request);
        arguments.optional.retain(|field| field.name != "paging");
        let row = row.method.trim_start_matches("read_").replace("_list", "");
        Some(Self { row, item, arguments })
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

    /// The documentation of the arguments.
    pub fn docs(&self) -> String {
        let size = "- `pageSize`: Rows per page. The number of calls is limited, so large pages are better.";
        self.arguments.docs() + "\n" + size
    }
}
