//! Models as JSON Schema.

use crate::{Edition, prose};
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value, json};
use sondage::internals::schema::{EnumSchema, FieldSchema, Kind, ModelSchema, Type};
use sondage::operation::RequestLocation;
use sondage::operations;
use std::collections::HashSet;

/// Every schema by its name, in the order in which the table refers to it.
pub type Schemas = IndexMap<&'static str, Schema>;

/// One entry of `components/schemas`.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Schema {
    /// A model.
    Model(ObjectSchema),
    /// Anything else.
    Other(Value),
}

/// A model. Its fields keep their order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectSchema {
    description: String,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    properties: IndexMap<&'static str, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    required: Vec<&'static str>,
    /// Additional fields from the service are kept; additional fields from a caller are a mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_properties: Option<bool>,
    #[serde(rename = "x-source", skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
}

/// A reference to a schema.
pub fn link(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// All schemas that the table refers to.
pub fn all(edition: &Edition<'_>) -> Schemas {
    let mut models = FoundModels { schemas: Schemas::new(), answered: answered(), edition };
    for row in operations::ALL {
        if row.location == RequestLocation::Body {
            models.model(row.request);
        }
        models.model(row.response);
    }
    models.schemas
}

/// The fields of a request in the query string. There is no null there: absent values are omitted.
pub fn parameters(request: &'static ModelSchema, edition: &Edition<'_>) -> Vec<Value> {
    let mut models = FoundModels { schemas: Schemas::new(), answered: HashSet::new(), edition };
    let parameter = |field: &'static FieldSchema| {
        let mut schema = models.value(bare(field.ty));
        let examples = (edition.examples)(field);
        if !examples.is_empty() {
            schema["examples"] = examples.into();
        }
        json!({
            "name": field.wire,
            "in": "query",
            "required": field.required,
            "description": prose::line(field.docs),
            "schema": schema,
        })
    };
    request.fields.iter().map(parameter).collect()
}

/// The names of the models of responses.
fn answered() -> HashSet<&'static str> {
    let mut names = HashSet::new();
    let mut ahead: Vec<&'static ModelSchema> = operations::ALL.iter().map(|row| row.response).collect();
    while let Some(model) = ahead.pop() {
        if names.insert(model.name) {
            ahead.extend(model.fields.iter().filter_map(|field| inside(field.ty)));
        }
    }
    names
}

/// The model that a field holds, directly or in a list or map.
fn inside(ty: &'static Type) -> Option<&'static ModelSchema> {
    match ty {
        Type::Optional(inner) | Type::List(inner) | Type::Map(inner) => inside(inner),
        Type::Model(schema) => Some(schema()),
        _ => None,
    }
}

struct FoundModels<'a> {
    schemas: Schemas,
    /// Models of responses, to which the service may add fields.
    answered: HashSet<&'static str>,
    edition: &'a Edition<'a>,
}

impl FoundModels<'_> {
    fn model(&mut self, model: &'static ModelSchema) {
        if self.schemas.contains_key(model.name) {
            return;
        }
        // The model's entry is reserved first, because a model may be recursive.
        self.schemas.insert(model.name, Schema::Other(Value::Null));
        let properties = model.fields.iter().map(|field| (field.wire, self.field(model, field))).collect();
        let object = ObjectSchema {
            description: prose::line(model.docs),
            kind: "object",
            properties,
            required: model.fields.iter().filter(|f| f.required).map(|f| f.wire).collect(),
            additional_properties: (!self.answered.contains(model.name)).then_some(false),
            source: model.source,
        };
        self.schemas.insert(model.name, Schema::Model(object));
    }

    fn field(&mut self, model: &ModelSchema, field: &'static FieldSchema) -> Value {
        let mut schema = self.value(bare(field.ty));
        if !field.required {
            schema = or_null(schema);
        }
        let mut more = Map::new();
        more.insert("description".to_owned(), prose::line(field.docs).into());
        if let Some(max) = field.max_length {
            more.insert("maxLength".to_owned(), max.into());
        }
        if let Some(pattern) = field.pattern {
            more.insert("pattern".to_owned(), portable(pattern).into());
        }
        if let Some(source) = field.source {
            more.insert("x-source".to_owned(), source.into());
        }
        if model.kind == Kind::Request {
            let examples = (self.edition.examples)(field);
            if !examples.is_empty() {
                more.insert("examples".to_owned(), examples.into());
            }
        }
        if let Value::Object(schema) = &mut schema {
            schema.extend(more);
        }
        schema
    }

    fn value(&mut self, ty: &'static Type) -> Value {
        match ty {
            Type::Bool => json!({ "type": "boolean" }),
            Type::Int => json!({ "type": "integer", "format": "int64" }),
            Type::Float => json!({ "type": "number", "format": "double" }),
            Type::Text => json!({ "type": "string" }),
            Type::Secret => json!({ "type": "string", "format": "password" }),
            Type::Timestamp => json!({ "type": "string", "format": "date-time" }),
            Type::FieldValue => json!({ "type": ["string", "number", "boolean", "null"] }),
            Type::Json => json!({}),
            Type::Optional(inner) => or_null(self.value(inner)),
            Type::List(inner) => json!({ "type": "array", "items": self.value(inner) }),
            Type::Map(inner) => json!({ "type": "object", "additionalProperties": self.value(inner) }),
            Type::Enum(known) => {
                self.schemas.entry(known.name).or_insert_with(|| Schema::Other(open(known)));
                link(known.name)
            }
            Type::Model(schema) => {
                let model = schema();
                self.model(model);
                link(model.name)
            }
        }
    }
}

/// An enumeration that the service may extend: the known values, or any other text.
fn open(known: &EnumSchema) -> Value {
    json!({
        "description": prose::line(known.docs),
        "anyOf": [{ "type": "string", "enum": known.values }, { "type": "string" }],
        "x-source": known.source,
    })
}

fn or_null(schema: Value) -> Value {
    match schema.get("type") {
        Some(Value::String(kind)) => {
            let kinds = json!([kind, "null"]);
            let mut schema = schema;
            schema["type"] = kinds;
            schema
        }
        None if schema.as_object().is_some_and(|schema| !schema.is_empty()) => {
            json!({ "anyOf": [schema, { "type": "null" }] })
        }
        _ => schema,
    }
}

/// An optional field is expressed by the field, not by its type.
fn bare(ty: &'static Type) -> &'static Type {
    match ty {
        Type::Optional(inner) => inner,
        _ => ty,
    }
}

/// Rust's `\u{0370}` as the character itself: regular expressions in JSON Schema do not support the braces.
fn portable(pattern: &str) -> String {
    let mut parts = pattern.split(r"\u{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('}').unwrap_or((part, ""));
        out.extend(u32::from_str_radix(code, 16).ok().and_then(char::from_u32));
        out.push_str(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_works_in_every_language() {
        assert_eq!(portable(r"^[a-z\u{0370}-\u{03FF}]*$"), "^[a-z\u{370}-\u{3ff}]*$");
    }
}
