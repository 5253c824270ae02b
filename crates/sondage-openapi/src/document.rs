//! The document: paths and operations around the schemas.

use crate::schema::{Schemas, all, link, parameters};
use crate::{Edition, prose, security};
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Value, json};
use sondage::operation::{Effect, OperationInfo, RequestLocation};
use sondage::operations;

const ABOUT: &str = "The public API of Survalyzer accounts, as sondage knows it. sondage is an independent client: this \
    document is made from its table of operations, and names the source of each operation and field. \
    Statuses of refusals, the first page number and the largest page are not published.";

/// The source of an operation's second path.
const OTHER_PATH: &str = "API 1.7, published";

/// An `OpenAPI` 3.1 document. It is serialised as JSON.
#[derive(Serialize)]
pub struct Document {
    openapi: &'static str,
    info: Value,
    servers: Value,
    security: Value,
    tags: Value,
    paths: IndexMap<&'static str, Path>,
    components: Components,
}

/// Without its content, which has thousands of lines.
impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Document").field("openapi", &self.openapi).finish_non_exhaustive()
    }
}

#[derive(Serialize)]
struct Path {
    post: OperationObject,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OperationObject {
    #[serde(rename = "operationId")]
    id: String,
    tags: [&'static str; 1],
    summary: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    #[serde(rename = "x-source")]
    source: &'static str,
    #[serde(rename = "x-effect")]
    effect: &'static str,
    #[serde(rename = "x-reconcile", skip_serializing_if = "Option::is_none")]
    reconcile: Option<String>,
    #[serde(rename = "x-pages", skip_serializing_if = "Option::is_none")]
    pages: Option<&'static str>,
    #[serde(rename = "x-other-path-of", skip_serializing_if = "Option::is_none")]
    other_path_of: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    security: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parameters: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_body: Option<Value>,
    responses: Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Components {
    security_schemes: Value,
    responses: Value,
    schemas: Schemas,
}

/// The document of the whole table.
pub fn document(edition: &Edition<'_>) -> Document {
    let mut areas: Vec<_> = operations::ALL.iter().map(|row| row.area).collect();
    areas.dedup();
    let servers = edition.servers.iter().map(|at| {
        json!({ "url": at.api, "description": format!("Accounts in the data center `{}`.", at.data_center) })
    });
    let mut paths = IndexMap::new();
    for row in operations::ALL {
        for path in std::iter::once(&row.path).chain(row.fallback_paths) {
            paths.insert(*path, Path { post: operation(row, path, edition) });
        }
    }
    Document {
        openapi: "3.1.0",
        info: json!({
            "title": "Public API of Survalyzer accounts",
            "description": ABOUT,
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        }),
        servers: servers.collect(),
        security: security::needed(edition),
        tags: first_of_each(areas).into_iter().map(|area| json!({ "name": area })).collect(),
        paths,
        components: Components {
            security_schemes: security::schemes(edition),
            responses: json!({ "Refused": refused() }),
            schemas: schemas(edition),
        },
    }
}

fn first_of_each(areas: Vec<&'static str>) -> indexmap::IndexSet<&'static str> {
    areas.into_iter().collect()
}

fn operation(row: &'static OperationInfo, path: &str, edition: &Edition<'_>) -> OperationObject {
    let paragraphs = prose::paragraphs(row.docs);
    let named: Vec<_> = paragraphs.iter().map(|text| api_names(text)).collect();
    let (summary, description) = named.split_first().map_or_else(Default::default, |(first, rest)| {
        (first.trim_end_matches('.').to_owned(), rest.join("\n\n"))
    });
    let other = path != row.path;
    OperationObject {
        id: if other { format!("{}{}", row.name, tail(path)) } else { row.name.to_owned() },
        tags: [row.area],
        summary,
        description,
        source: if other { OTHER_PATH } else { row.request.source.unwrap_or_default() },
        effect: row.effect.as_str(),
        reconcile: row.reconcile.map(api_names),
        pages: row.pages,
        other_path_of: other.then_some(row.path),
        security: (row.effect == Effect::Token).then(|| json!([])),
        parameters: if row.location == RequestLocation::Query {
            parameters(row.request, edition)
        } else {
            Vec::new()
        },
        request_body: (row.location == RequestLocation::Body).then(|| {
            json!({
                "required": true,
                "content": { "application/json": { "schema": link(row.request.name) } },
            })
        }),
        responses: json!({
            "200": {
                "description": prose::line(row.response.docs),
                "content": { "application/json": { "schema": {
                    "allOf": [link("Envelope"), link(row.response.name)],
                } } },
            },
            "default": { "$ref": "#/components/responses/Refused" },
        }),
    }
}

/// The suffix of a second path's operation id: its area, in one word.
fn tail(path: &str) -> String {
    path.split('/').nth(2).map(|area| format!("At{area}")).unwrap_or_default()
}

/// The library's names of operations, as in the API.
pub fn api_names(text: &str) -> String {
    operations::ALL.iter().fold(text.to_owned(), |text, row| {
        text.replace(&format!("`{}`", row.method), &format!("`{}`", row.name))
    })
}

fn refused() -> Value {
    json!({
        "description": "A refusal. Which status comes with it is not published; it may also come with 200 and \
            `isSuccess: false`.",
        "content": { "application/json": { "schema": link("Envelope") } },
    })
}

/// The table's schemas, after the envelope around them.
fn schemas(edition: &Edition<'_>) -> Schemas {
    let envelope = json!({
        "description": "The fields of every response.",
        "type": "object",
        "properties": {
            "isSuccess": { "type": "boolean", "description": "Whether the service carried out the request." },
            "errorMessage": { "type": ["string", "null"], "description": "The error message." },
            "errorCode": { "type": ["string", "null"], "description": "The error code." },
        },
        "required": ["isSuccess"],
        "x-source": "API 1.4, specified",
    });
    let mut schemas = Schemas::from([("Envelope", crate::schema::Schema::Other(envelope))]);
    schemas.extend(all(edition));
    schemas
}
