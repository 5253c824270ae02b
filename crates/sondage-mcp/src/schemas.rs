//! The schemas of operations, from the same table as `docs/openapi.json`.

use crate::calls::TENANT;
use crate::wording;
use serde_json::{Map, Value, json};
use sondage::operation::OperationInfo;
use sondage_openapi::Edition;

/// The models as JSON Schema, from the same table as `docs/openapi.json`.
pub struct Schemas {
    models: Map<String, Value>,
    parameters: Map<String, Value>,
}

impl Schemas {
    pub fn new() -> Self {
        let document = serde_json::to_value(sondage_openapi::document(&Edition::published()));
        let mut document = document.unwrap_or_default();
        let models = object(document["components"]["schemas"].take());
        let mut parameters = Map::new();
        for path in object(document["paths"].take()).into_values() {
            let post = &path["post"];
            if let (Some(name), Some(list)) = (post["operationId"].as_str(), post.get("parameters")) {
                parameters.insert(name.to_owned(), list.clone());
            }
        }
        Self { models, parameters }
    }

    /// The schema of a request, with the models that it refers to.
    pub fn input(&self, row: &OperationInfo) -> Map<String, Value> {
        let mut schema = match self.models.get(row.request.name) {
            Some(model) => model.clone(),
            None => self.query(row),
        };
        let mut definitions = Map::new();
        let mut ahead = links(&mut schema);
        while let Some(name) = ahead.pop() {
            if definitions.contains_key(&name) {
                continue;
            }
            let mut model = self.models.get(&name).cloned().unwrap_or_default();
            ahead.extend(links(&mut model));
            definitions.insert(name, model);
        }
        if !definitions.is_empty() {
            schema["$defs"] = definitions.into();
        }
        // What the client fills in need not be given, and the tenant cannot be.
        let filled_in = |name: &Value| {
            let mut fields = row.request.fields.iter().filter(|field| *name == field.wire);
            *name == TENANT || fields.any(|field| field.filled_in)
        };
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.retain(|name| !filled_in(name));
        }
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            properties.remove(TENANT);
        }
        // Some clients refuse a schema without it.
        if schema.get("properties").is_none() {
            schema["properties"] = json!({});
        }
        object(schema)
    }

    /// The fields of a request in the query string.
    fn query(&self, row: &OperationInfo) -> Value {
        let list = self.parameters.get(row.name).and_then(Value::as_array);
        let mut fields = Map::new();
        let mut required = Vec::new();
        for parameter in list.into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap_or_default();
            let mut schema = parameter["schema"].clone();
            schema["description"] = parameter["description"].clone();
            fields.insert(name.to_owned(), schema);
            if parameter["required"] == true {
                required.push(name);
            }
        }
        json!({ "type": "object", "properties": fields, "required": required, "additionalProperties": false })
    }
}

/// Points the references of a schema to `$defs`, and returns their names. Sources are removed, because they are for readers of
/// the specification.
fn links(schema: &mut Value) -> Vec<String> {
    let mut matches = Vec::new();
    match schema {
        Value::Object(fields) => {
            fields.remove("x-source");
            for (key, value) in fields {
                match value {
                    Value::String(link) if key == "$ref" => {
                        let name = link.rsplit('/').next().unwrap_or_default().to_owned();
                        *link = format!("#/$defs/{name}");
                        matches.push(name);
                    }
                    Value::String(docs) if key == "description" => *docs = wording::of_docs(docs),
                    other => matches.extend(links(other)),
                }
            }
        }
        Value::Array(items) => matches.extend(items.iter_mut().flat_map(links)),
        _ => {}
    }
    matches
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
