//! Data that the conformance cases in Kotlin need in addition to reflection: the file of each operation's cases, and the
//! API's names of enumeration values and fields that Kotlin spells differently. It is generated when the tests are built,
//! and not checked in.

use super::super::catalogue::Catalogue;
use super::camel;
use super::types::holds_json;
use serde_json::{Map, Value, json};
use sondage::internals::schema::ModelSchema;
use sondage::operations;
use sondage::{Effect, operation::OperationInfo};

/// The table, as JSON.
pub fn table() -> Value {
    let catalogue = Catalogue::of_the_table();
    let rows = || operations::ALL.iter().copied().filter(|row| row.effect != Effect::Token);
    let models = rows().map(|row| row.request).chain(catalogue.models.iter().copied());
    json!({
        "operations": rows().map(operation).collect::<Vec<_>>(),
        "models": models.map(|model| (model.name.to_owned(), fields(model))).collect::<Map<_, _>>(),
        "words": catalogue.enums.iter().map(|schema| (schema.name.to_owned(), json!(schema.values))).collect::<Map<_, _>>(),
    })
}

fn operation(row: &OperationInfo) -> Value {
    json!({
        "name": row.name,
        "method": camel(row.method),
        "request": row.request.name,
        "cases": format!("{}/{}.json", row.area, row.method),
    })
}

fn fields(model: &ModelSchema) -> Value {
    let field = |field: &sondage::internals::schema::FieldSchema| json!({ "name": camel(field.name), "wire": field.wire, "json": holds_json(field.ty) });
    model.fields.iter().map(field).collect()
}
