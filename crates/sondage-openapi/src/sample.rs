//! An example of a request or a response: a value for each field, made up from its type.

use serde_json::{Map, Value, json};
use sondage::internals::schema::{FieldSchema, ModelSchema, Type};

/// Deeper models are left out.
const DEPTH: usize = 5;

/// A request with the fields that it must have, and those for which there is an example.
pub fn request(model: &ModelSchema, examples: &dyn Fn(&FieldSchema) -> Vec<Value>) -> Value {
    let mut fields = Map::new();
    for field in model.fields {
        let example = examples(field).into_iter().next();
        let is_filled_in = field.filled_in && !field.required;
        if field.required || (example.is_some() && !is_filled_in && field.wire.ends_with("Id")) {
            fields.insert(field.wire.to_owned(), example.unwrap_or_else(|| of_field(field, 0)));
        }
    }
    Value::Object(fields)
}

/// A response with all its fields, in its envelope.
pub fn response(model: &ModelSchema) -> Value {
    let mut value = of_model(model, 0);
    if let Some(fields) = value.as_object_mut() {
        for (name, envelope) in
            [("isSuccess", json!(true)), ("errorMessage", Value::Null), ("errorCode", Value::Null)]
        {
            fields.insert(name.to_owned(), envelope);
        }
    }
    value
}

fn of_model(model: &ModelSchema, depth: usize) -> Value {
    model
        .fields
        .iter()
        .map(|field| (field.wire.to_owned(), of_field(field, depth)))
        .collect::<Map<_, _>>()
        .into()
}

fn of_field(field: &FieldSchema, depth: usize) -> Value {
    let name = field.wire.to_ascii_lowercase();
    match field.ty {
        Type::Text | Type::Optional(Type::Text)
            if name.contains("email") || name == "to" || name == "from" =>
        {
            json!("ada@example.com")
        }
        Type::Text | Type::Optional(Type::Text) if name.contains("date") => json!("2026-05-01T09:30:00Z"),
        Type::Text | Type::Optional(Type::Text) if name.contains("language") || name == "locale" => {
            json!("en")
        }
        ty => of_type(ty, depth),
    }
}

fn of_type(ty: &Type, depth: usize) -> Value {
    match ty {
        Type::Bool => json!(true),
        Type::Int => json!(1001),
        Type::Float => json!(0.5),
        Type::Text => json!("text"),
        Type::Secret => json!("***"),
        Type::Timestamp => json!("2026-05-01T09:30:00Z"),
        Type::FieldValue => json!("Ada"),
        Type::Enum(known) => known.values.first().map_or(Value::Null, |value| json!(value)),
        Type::Optional(inner) => of_type(inner, depth),
        Type::List(inner) if depth < DEPTH => json!([of_type(inner, depth + 1)]),
        Type::Map(inner) if depth < DEPTH => json!({ "Email": of_type(inner, depth + 1) }),
        Type::Model(schema) if depth < DEPTH => of_model(schema(), depth + 1),
        Type::List(_) => json!([]),
        Type::Json | Type::Map(_) | Type::Model(_) => json!({}),
    }
}
