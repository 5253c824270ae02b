//! Requests in the query string, converted to the JSON of a body.

use crate::refusal::Refusal;
use serde_json::{Map, Value, json};
use sondage::internals::schema::{ModelSchema, Type};

/// Anything that does not look like a number or a boolean stays text: validation against the model refuses it by name.
pub(super) fn read(schema: &ModelSchema, query: &str) -> Result<Vec<u8>, Refusal> {
    let mut object = Map::new();
    for (name, text) in url::form_urlencoded::parse(query.as_bytes()) {
        let field = schema.fields.iter().find(|field| field.wire == name);
        let value = field.map_or_else(|| json!(text), |field| value(field.ty, &text));
        if object.insert(name.clone().into_owned(), value).is_some() {
            return Err(Refusal::invalid(format!("{name} occurs twice.")));
        }
    }
    Ok(Value::Object(object).to_string().into_bytes())
}

fn value(ty: &Type, text: &str) -> Value {
    match ty {
        Type::Optional(inner) => value(inner, text),
        Type::Int => text.parse().map_or_else(|_| json!(text), |number: i64| json!(number)),
        Type::Bool => text.parse().map_or_else(|_| json!(text), |truth: bool| json!(truth)),
        _ => json!(text),
    }
}
