//! The part of a value that the published definition has.

use serde::Serialize;
use serde_json::Value;
use sondage::internals::schema::{Describe, ModelSchema, Type};

/// A model without unknown fields.
pub(crate) fn published<T: Describe + Serialize>(model: &T) -> Value {
    let mut value = serde_json::to_value(model).unwrap_or_default();
    keep_known(T::TYPE, &mut value);
    value
}

fn keep_known(ty: &Type, value: &mut Value) {
    match (ty, value) {
        (Type::Optional(inner), value) => keep_known(inner, value),
        (Type::List(inner), Value::Array(items)) => items.iter_mut().for_each(|item| keep_known(inner, item)),
        (Type::Map(inner), Value::Object(entries)) => {
            entries.values_mut().for_each(|entry| keep_known(inner, entry));
        }
        (Type::Model(schema), value) => keep_fields(schema(), value),
        _ => {}
    }
}

fn keep_fields(schema: &ModelSchema, value: &mut Value) {
    let Value::Object(fields) = value else { return };
    fields.retain(|name, value| {
        let field = schema.fields.iter().find(|field| field.wire == name);
        field.inspect(|field| keep_known(field.ty, value)).is_some()
    });
}
