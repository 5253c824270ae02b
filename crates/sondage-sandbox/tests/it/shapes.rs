//! Every response of the sandbox conforms to the contract. New rows of the table are tested automatically.

use crate::http::Api;
use crate::known::Known;
use serde_json::Value;
use sondage::internals::schema::{ModelSchema, Type};
use sondage_sandbox::Sandbox;

/// Whether a value conforms to a model: no field that is not in the contract, and every type right.
fn conforms(schema: &ModelSchema, value: &Value, path: &str) {
    let object = value.as_object().unwrap_or_else(|| panic!("{path}: {value}"));
    for (key, value) in object {
        let field = schema.fields.iter().find(|field| field.wire == key);
        let envelope = ["isSuccess", "errorMessage", "errorCode"].contains(&key.as_str());
        match field {
            Some(field) => has_type(field.ty, value, &format!("{path}.{key}")),
            None => assert!(envelope && path.is_empty(), "{path}.{key} is not in the contract"),
        }
    }
    for field in schema.fields {
        assert!(object.contains_key(field.wire), "{path}.{} is missing", field.wire);
    }
}

fn has_type(ty: &Type, value: &Value, path: &str) {
    let good = match ty {
        Type::Bool => value.is_boolean(),
        Type::Int => value.is_i64(),
        Type::Float => value.is_number(),
        Type::Text | Type::Secret => value.is_string(),
        Type::Timestamp => value.as_str().is_some_and(|text| text.ends_with('Z') && text.contains('T')),
        Type::FieldValue | Type::Json => true,
        Type::Optional(_) if value.is_null() => true,
        Type::Optional(inner) => return has_type(inner, value, path),
        Type::List(inner) => {
            return value.as_array().unwrap().iter().for_each(|item| has_type(inner, item, path));
        }
        Type::Map(inner) => {
            return value.as_object().unwrap().values().for_each(|item| has_type(inner, item, path));
        }
        Type::Enum(known) => known.values.contains(&value.as_str().unwrap()),
        Type::Model(schema) => {
            // Data from a request are returned as they were sent: optional fields are absent, not null.
            if ["Condition", "SurveyDefinition", "SurveyConfiguration"].contains(&schema().name) {
                return;
            }
            return conforms(schema(), value, path);
        }
    };
    assert!(good, "{path} is {value}");
}

#[test]
fn every_answer_has_the_shape_of_the_contract() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let known = Known::of(sandbox.account(), sandbox.feedback_survey_id(), &api);
    let mut rows: Vec<_> = sondage::operations::ALL.iter().filter(|row| row.name != "GetApiToken").collect();
    // First everything is created and read, and then deleted: containers last.
    let rank = |name: &str| match name {
        "DeletePanel" | "DeleteSurvey" => 3,
        _ if name.starts_with("Delete") => 2,
        "ExecuteWorkflowTransition" => 1,
        _ => 0,
    };
    rows.sort_by_key(|row| rank(row.name));
    for row in rows {
        let request = known.request(&api, row);
        let mut answer = api.ok(row.name, &request);
        if row.name == "ReadArtifactList" {
            // The content of this response is not published.
            answer.as_object_mut().unwrap().remove("artifacts");
        }
        conforms(row.response, &answer, "");
    }
}
