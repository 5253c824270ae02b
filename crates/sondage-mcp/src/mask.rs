//! Hides personal data in responses.
//!
//! Hidden is the default: a text is shown only if its field is listed here, so that a field that the service adds, or a model
//! that is new, shows nothing of a person. Numbers, timestamps and enumerations are shown unless they are marked as personal.

use serde_json::Value;
use sondage::Error;
use sondage::internals::schema::{FieldSchema, ModelSchema, Type};

/// Stands for a hidden value.
pub const HIDDEN: &str = "[hidden: personal data]";

/// Stands for a secret or a link.
pub const SECRET: &str = "[hidden: a secret or a link]";

/// Stands for what the service says in an error.
pub const WORDS: &str = "[hidden: the service's own words, which may name a person]";

/// Modules of models whose texts are written by the authors of a questionnaire.
const MODULES: [&str; 3] = ["element", "questionnaire", "survey"];

/// Fields of these modules that are hidden all the same: people, and headers that may hold a key.
const HIDDEN_THERE: [&str; 3] = ["createdBy", "updatedBy", "headers"];

/// Texts that are shown, by model.
const SHOWN: &[(&str, &[&str])] = &[
    ("MemberField", &["name", "fieldType"]),
    ("MemberInterview", &["id", "state", "surveyName", "surveyState", "startDate", "endDate"]),
    ("PanelFieldGroup", &["name", "displayName"]),
    ("PanelField", &["name", "displayName", "validationExpression", "panelFieldType"]),
    ("PanelFieldValue", &["displayName", "value"]),
    ("MessageTemplate", &["name", "defaultLocale", "locales"]),
    ("Distributor", &["distributionState"]),
    ("Condition", &["identifier"]),
    ("SamplingProject", &["name", "projectState", "scheduledDistribution", "executedDistribution"]),
    ("Bounce", &["interviewId", "state"]),
    ("OptOutItem", &["optOutAt"]),
    ("ReadInterviewListResponse", &["surveyName", "surveyDefaultLanguage", "surveyLanguages"]),
    ("ReadInterviewListCompactResponse", &["surveyName", "surveyDefaultLanguage", "surveyLanguages"]),
    ("InterviewColumn", &["id"]),
    (
        "CodePlanEntry",
        &["code", "dataType", "questionCode", "type", "question", "row", "choice", "sectionName"],
    ),
    ("ValueLabel", &["id", "value"]),
    ("Workspace", &["name"]),
    ("SurveyLink", &["language"]),
    ("WebHook", &["id", "entityIdentifier"]),
    ("PanelIncentive", &["name", "description"]),
    ("IncentiveTransaction", &["oldValue", "newValue", "modifiedDate", "responseId"]),
    ("WorkflowTransition", &["name", "action", "newState", "condition"]),
    ("ReadArtifactListResponse", &["path"]),
];

/// Hides secrets, and links that let whoever has them read or answer, by the names of their fields: they are never shown.
pub fn secrets(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(secrets),
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = name.to_ascii_lowercase();
                let is_secret =
                    ["token", "secret", "password", "link", "url"].iter().any(|word| name.contains(word));
                match value {
                    Value::String(text) if is_secret && !text.is_empty() => *value = SECRET.into(),
                    value => secrets(value),
                }
            }
        }
        _ => {}
    }
}

/// Hides personal data in a response, and returns how many values were hidden.
pub fn mask(value: &mut Value, model: &ModelSchema) -> usize {
    let Value::Object(fields) = value else { return hide(value) };
    let mut hidden = 0;
    for (name, value) in fields {
        hidden += match model.fields.iter().find(|field| field.wire == name) {
            Some(field) => masked(value, field.ty, field.personal || !shown(model, field)),
            None => hide(value),
        };
    }
    hidden
}

/// A text with an error in it, without the service's own words in the error.
pub fn error(text: &str, error: &Error) -> String {
    match error.error_message() {
        Some(words) if !words.is_empty() => text.replace(words, WORDS),
        _ => text.to_owned(),
    }
}

fn shown(model: &ModelSchema, field: &FieldSchema) -> bool {
    let module = model.module.rsplit("::").next().unwrap_or_default();
    if MODULES.contains(&module) {
        return !HIDDEN_THERE.contains(&field.wire);
    }
    SHOWN.iter().any(|(name, fields)| *name == model.name && fields.contains(&field.wire))
}

/// `private`: the field is not one whose text is shown.
fn masked(value: &mut Value, ty: &'static Type, private: bool) -> usize {
    match (ty, value) {
        (Type::Optional(inner), value) => masked(value, inner, private),
        (Type::List(inner), Value::Array(items)) => {
            items.iter_mut().map(|item| masked(item, inner, private)).sum()
        }
        (Type::Map(inner), Value::Object(entries)) => {
            entries.values_mut().map(|item| masked(item, inner, private)).sum()
        }
        (Type::Model(schema), value @ Value::Object(_)) => mask(value, schema()),
        (Type::Bool | Type::Int | Type::Float | Type::Timestamp | Type::Enum(_), _) => 0,
        (Type::Text | Type::FieldValue | Type::Json, _) if !private => 0,
        (_, value) => hide(value),
    }
}

/// Replaces what a value says. Empty values say nothing.
fn hide(value: &mut Value) -> usize {
    match value {
        Value::Null => 0,
        Value::Array(items) => items.iter_mut().map(hide).sum(),
        Value::Object(entries) => entries.values_mut().map(hide).sum(),
        Value::String(text) if text.is_empty() => 0,
        other => {
            *other = HIDDEN.into();
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use sondage::operations;

    #[test]
    fn every_listed_field_exists() {
        let document =
            serde_json::to_value(sondage_openapi::document(&sondage_openapi::Edition::published()));
        let document = document.unwrap();
        for (model, fields) in SHOWN {
            for field in *fields {
                let known = &document["components"]["schemas"][model]["properties"][field];
                assert!(known.is_object(), "{model}.{field}");
            }
        }
    }

    #[test]
    fn secrets_and_links_are_hidden_wherever_they_are() {
        let mut answer = json!({
            "webHooks": [{ "id": "7", "webHookUrl": "https://acme.example/canary", "securityToken": "canary" }],
            "surveyLinks": [{ "url": "https://s.example/canary", "language": "de" }],
            "downloadUrl": "https://files.example/canary", "answersLink": "",
        });
        secrets(&mut answer);
        let text = answer.to_string();
        assert!(!text.contains("canary"), "{text}");
        assert_eq!(
            (&answer["webHooks"][0]["id"], &answer["answersLink"]),
            (&json!("7"), &json!("")),
            "{text}"
        );
    }

    #[test]
    fn unknown_fields_and_values_of_members_are_hidden() {
        let row = operations::find("ReadMemberList").unwrap();
        let mut answer = json!({
            "totalCount": 1,
            "members": [{ "id": 7, "nick": { "deep": ["ada"] }, "createdBy": "ada",
                          "fields": { "Email": { "name": "Email", "value": "ada@example.com" },
                                     "Age": { "name": "Age", "value": 41 } } }],
            "motto": "ada",
        });
        assert!(mask(&mut answer, row.response) >= 5, "{answer}");
        let text = answer.to_string();
        assert!(!text.contains("ada") && !text.contains("41"), "{text}");
        assert!(text.contains("Email") && text.contains("\"id\":7"), "{text}");
    }
}
