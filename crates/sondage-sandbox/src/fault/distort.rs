//! Responses with deviations.

use super::FaultAction;
use serde_json::{Value, json};
use sondage::internals::schema::{ModelSchema, Type};
use sondage::operation::OperationInfo;

/// A value that no enumeration has.
const STRANGE: &str = "FromTheFuture";
/// String fields of the contract whose values are enumerations in practice.
const WORDS: [&str; 6] = ["state", "State", "surveyState", "distributionState", "dataType", "type"];

/// Changes a successful response; text that is not JSON is returned unchanged.
pub(crate) fn distort(action: &FaultAction, info: &OperationInfo, text: Vec<u8>) -> Vec<u8> {
    let Ok(mut answer) = serde_json::from_slice::<Value>(&text) else { return text };
    match action {
        FaultAction::TotalCount { value } => answer["totalCount"] = json!(value),
        FaultAction::NoEnvelope => {
            if let Value::Object(object) = &mut answer {
                object.retain(|key, _| !["isSuccess", "errorMessage", "errorCode"].contains(&key.as_str()));
            }
        }
        FaultAction::UnknownFields => add_fields(info.response, &mut answer),
        FaultAction::UnknownEnums => change_enums(info.response, &mut answer),
        _ => return text,
    }
    answer.to_string().into_bytes()
}

/// The request for the previous page.
pub(crate) fn turn_back(body: &[u8], first: i32) -> Option<Vec<u8>> {
    let mut request: Value = serde_json::from_slice(body).ok()?;
    let page = request["paging"]["page"].as_i64()?;
    (page > i64::from(first)).then(|| {
        request["paging"]["page"] = json!(page - 1);
        request.to_string().into_bytes()
    })
}

/// Visits the models inside a value. The entries of a map are data rather than fields, so none is added.
fn each_model(ty: &Type, value: &mut Value, visit: &dyn Fn(&ModelSchema, &mut Value)) {
    match ty {
        Type::Optional(inner) => each_model(inner, value, visit),
        Type::List(inner) => {
            value.as_array_mut().into_iter().flatten().for_each(|v| each_model(inner, v, visit));
        }
        Type::Map(inner) => {
            value.as_object_mut().into_iter().flatten().for_each(|(_, v)| each_model(inner, v, visit));
        }
        Type::Model(schema) if value.is_object() => visit(schema(), value),
        _ => {}
    }
}

fn add_fields(schema: &ModelSchema, value: &mut Value) {
    for field in schema.fields {
        if let Some(inner) = value.get_mut(field.wire) {
            each_model(field.ty, inner, &add_fields);
        }
    }
    value["fieldFromTheFuture"] = json!({ "nested": [1, null, "ü"] });
}

fn change_enums(schema: &ModelSchema, value: &mut Value) {
    for field in schema.fields {
        let Some(inner) = value.get_mut(field.wire) else { continue };
        if (is_enum(field.ty) || WORDS.contains(&field.wire)) && inner.is_string() {
            *inner = json!(STRANGE);
        } else {
            each_model(field.ty, inner, &change_enums);
            change_rows(field.wire, inner);
        }
    }
}

/// Compact interviews are maps, but one of their columns is an enumeration.
fn change_rows(wire: &str, value: &mut Value) {
    if wire == "interviews" {
        for row in value.as_array_mut().into_iter().flatten() {
            if let Some(state) = row.get_mut("State") {
                *state = json!(STRANGE);
            }
        }
    }
}

fn is_enum(ty: &Type) -> bool {
    match ty {
        Type::Enum(_) => true,
        Type::Optional(inner) => is_enum(inner),
        _ => false,
    }
}
