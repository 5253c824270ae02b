//! Requests and responses of every operation, generated from their descriptions, with a marker in place of each secret and all
//! personal data.

use super::markers::{NUMBER, personal, secret};
use serde_json::{Map, Value, json};
use sondage::Client;
use sondage::internals::schema::{ModelSchema, Type};
use sondage::operation::Operation;
use sondage::operations;
use std::fmt::Debug;

/// The nesting depth at which recursive models end.
const DEEPEST: usize = 5;

/// A request with all of its fields.
pub fn model(schema: &ModelSchema) -> Value {
    filled(schema, Some(false), 0)
}

/// A response without markers for personal data: the caller asked for those data.
pub fn plain(schema: &ModelSchema) -> Value {
    filled(schema, None, 0)
}

fn filled(schema: &ModelSchema, speaks: Option<bool>, depth: usize) -> Value {
    let wanted = |required: bool| required || depth < DEEPEST;
    let fields = schema.fields.iter().filter(|field| wanted(field.required) && field.wire != "tenant");
    let made = fields.map(|field| {
        let value = value(field.ty, field.wire, speaks.map(|speaks| speaks || field.personal), depth);
        // A text that must match a pattern cannot be a marker, and is not personal data.
        let value = if field.pattern.is_some() { json!("de") } else { value };
        (field.wire.to_owned(), value)
    });
    Value::Object(made.collect::<Map<_, _>>())
}

fn value(ty: &Type, name: &str, speaks: Option<bool>, depth: usize) -> Value {
    match ty {
        Type::Bool => json!(true),
        Type::Int if speaks == Some(true) => json!(NUMBER),
        Type::Int => json!(7),
        Type::Float => json!(1.5),
        Type::Text if speaks == Some(true) => json!(personal(name)),
        Type::Secret => json!(secret(name)),
        Type::Timestamp => json!("2999-01-01T00:00:00Z"),
        Type::FieldValue if speaks.is_some() => json!(personal(name)),
        Type::Text | Type::FieldValue => json!("text"),
        Type::Json => json!({ "a": 1 }),
        Type::Optional(inner) => value(inner, name, speaks, depth),
        Type::List(inner) => json!([value(inner, name, speaks, depth)]),
        Type::Map(inner) => json!({ "FirstName": value(inner, name, speaks, depth) }),
        Type::Enum(schema) => json!(schema.values.first().copied().unwrap_or("Some")),
        Type::Model(schema) => filled(schema(), speaks, depth + 1),
    }
}

macro_rules! dispatch {
    ($($(#[doc = $doc:literal])* $area:ident $Name:ident $method:ident($Request:ident) -> $Response:ident { $($row:tt)* })*) => {
        /// Calls an operation; returns the result as a program would log it.
        pub async fn call(client: &Client, operation: &str, request: &Value) -> sondage::Result<String> {
            match operation {
                $(stringify!($Name) => typed::<operations::$Name>(client, request).await,)*
                other => Err(sondage::Error::internal(format!("the table has no operation {other}"))),
            }
        }
    };
}
sondage::operations!(dispatch);

async fn typed<O: Operation>(client: &Client, request: &Value) -> sondage::Result<String>
where
    O::Response: Debug,
{
    let request: O::Request = crate::drive::request(request.clone())?;
    client.with_response::<O>(request).await.map(|answer| format!("{:?} {:#?}", answer.value, answer.value))
}
