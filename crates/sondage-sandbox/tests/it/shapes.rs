//! Every answer of the sandbox has the shape of the contract. A new row is tested by being in the table.

use crate::http::Api;
use serde_json::{Map, Value, json};
use sondage::schema::{ModelSchema, Type};
use sondage_sandbox::Sandbox;

/// Whether a value has the shape of a model: no field that the contract does not have, every type right.
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
            // What went through a request is as it was sent: optional fields are absent, not null.
            if ["Condition", "SurveyDefinition", "SurveyConfiguration"].contains(&schema().name) {
                return;
            }
            return conforms(schema(), value, path);
        }
    };
    assert!(good, "{path} is {value}");
}

/// What the call of any operation needs; each takes what its request has.
fn known(sandbox: &Sandbox, api: &Api) -> Value {
    let hook = json!({ "eventType": "Approved", "entityIdentifier": "*", "webHookUrl": "https://a.example" });
    let hook = api.ok("CreateWebHook", &hook);
    let survey = sandbox.feedback_survey_id();
    let interviews = api.ok("ReadInterviewListCompact", &json!({ "surveyId": survey }));
    let offers = api.ok("ReadIncentiveList", &json!({}));
    let invitation = json!({
        "surveyId": survey, "panelId": sandbox.panel_id(), "channel": "Email",
        "messageTemplateId": sandbox.message_template_id(),
    });
    let invited = api.ok("InviteMembers", &invitation);
    let definition = json!({
        "allowMultipleParticipation": false, "allowNavigateBack": true, "randomizeSections": false,
        "codeAccessMode": "None", "defaultLanguage": "de", "languages": ["de"], "sections": [],
        "customVariables": [], "surveyEndText": [],
    });
    json!({
        "surveyDefinition": definition, "loadSurveyDefinition": true,
        "name": "Readers", "panelType": "Basic", "panelMembersIds": [500_001], "subject": "Hello", "body": "Ada",
        "distributorId": invited["distributorId"], "samplingProjectId": invited["samplingProjectId"],
        "emails": [{ "email": "ada@example.com", "optOutOperation": "Add" }],
        "from": "us@example.com", "to": "ada@example.com",
        "tenant": "demo", "panelId": sandbox.panel_id(), "surveyId": survey,
        "workspaceId": sandbox.workspace_id(), "messageTemplateId": sandbox.message_template_id(),
        "language": "fr", "interviewsRequired": true, "loadCodePlan": true, "channel": "Email",
        "members": [{ "fields": {} }, { "fields": { "Email": { "name": "Email", "fieldType": "String", "value": "x" } } }],
        "eventType": "Approved", "entityIdentifier": "*", "webHookUrl": "https://a.example",
        "webHookId": hook["webHookId"], "interviewId": interviews["interviews"][0]["Id"],
        "incentiveId": offers["panelIncentives"][0]["id"], "path": "logos/a.png",
        "workflow": "SurveyDesign", "currentState": "Published", "targetState": "Closed", "showPartialCompleted": true,
    })
}

#[test]
fn every_answer_has_the_shape_of_the_contract() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let known = known(&sandbox, &api);
    let mut rows: Vec<_> = sondage::operations::ALL.iter().filter(|row| row.name != "GetApiToken").collect();
    // First everything is read and made, and then taken away: what holds others last.
    let rank = |name: &str| match name {
        "DeletePanel" | "DeleteSurvey" => 3,
        _ if name.starts_with("Delete") => 2,
        "ExecuteWorkflowTransition" => 1,
        _ => 0,
    };
    rows.sort_by_key(|row| rank(row.name));
    for row in rows {
        let wanted = |name: &str| row.request.fields.iter().any(|field| field.wire == name);
        let fields = known.as_object().unwrap().iter().filter(|(name, _)| wanted(name));
        let mut request: Map<_, _> = fields.map(|(name, value)| (name.clone(), value.clone())).collect();
        match row.name {
            "UpdateMembers" => {
                drop(request.insert("members".into(), json!([{ "id": 500_001, "fields": {} }])));
            }
            "UpdateSurvey" => {
                let mut new = request.clone();
                new.extend([
                    ("name".into(), json!("New")),
                    ("workspaceId".into(), known["workspaceId"].clone()),
                ]);
                new.remove("surveyId");
                let draft = api.ok("CreateSurvey", &new.into())["surveyId"].clone();
                request.insert("surveyId".into(), draft);
            }
            // Only one of them says for what the list holds.
            "WriteOptOutList" => request.retain(|name, _| matches!(name.as_str(), "panelId" | "emails")),
            _ => {}
        }
        let mut answer = api.ok(row.name, &request.into());
        if row.name == "ReadArtifactList" {
            // What this answer holds is not published.
            answer.as_object_mut().unwrap().remove("artifacts");
        }
        conforms(row.response, &answer, "");
    }
}
