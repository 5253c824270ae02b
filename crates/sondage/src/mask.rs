//! Masks personal data in requests and responses.
//!
//! Values are hidden by default: a text is shown only if its field is listed here, so that fields which the service adds, or
//! new models, reveal nothing about a person. Numbers, timestamps and enumerations are shown unless they are marked as
//! personal.

use crate::error::{Error, ErrorKind};
use crate::model::INTERVIEW_STATES;
use crate::operation::OperationInfo;
use crate::schema::{FieldSchema, ModelSchema, Type};
use serde_json::{Map, Value};

/// The replacement for a hidden value.
pub const HIDDEN: &str = "[hidden: personal data]";

/// The replacement for a secret or a link.
pub const SECRET: &str = "[hidden: a secret or a link]";

/// The replacement for the service's own words in an error.
pub const WORDS: &str = "[hidden: the service's own words, which may name a person]";

/// Modules of models with texts that authors of questionnaires write.
const MODULES: [&str; 3] = ["element", "questionnaire", "survey"];

/// Fields of these modules that are hidden all the same: they name people, are messages to them, or are calls and scripts that
/// may contain a key.
const HIDDEN_THERE: [&str; 12] = [
    "createdBy",
    "updatedBy",
    "from",
    "to",
    "subject",
    "message",
    "headers",
    "url",
    "body",
    "externalUri",
    "content",
    "forwardUrl",
];

/// Models of other modules whose texts are shown where authors of questionnaires write them.
const BY_AUTHORS: [&str; 1] = ["Translation"];

/// Columns of interviews that the service fills, except those that name persons or link to the interview.
// API 6.3, published
pub const COLUMNS: [&str; 14] = [
    "Id",
    "InterviewId",
    "DistributorId",
    "SamplingProjectId",
    "PanelId",
    "PanelMemberId",
    "State",
    "Mode",
    "Language",
    "StartDate",
    "EndDate",
    "ExpiryDate",
    "CreatedAt",
    "UpdatedAt",
];

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
    ("ReadMemberListRequest", &["fieldsToDownload"]),
    ("ReadInterviewListRequest", &["fieldsToDownload"]),
    ("Paging", &["orderField"]),
    ("ExecuteWorkflowTransitionRequest", &["targetState"]),
    ("DownloadAnswersRequest", &["locale", "timeZone"]),
];

/// How hidden values are replaced.
pub trait Cover {
    /// Replaces a value that is hidden and not empty.
    fn hidden(&mut self, value: &mut Value);

    /// Replaces a secret or a link, by the name of its field.
    fn secret(&mut self, _name: &str) -> Value {
        SECRET.into()
    }

    /// Whether a value of an interview is shown, by the name of its column.
    fn keeps(&self, _column: &str, _value: &Value) -> bool {
        false
    }

    /// The replacement for a name that is hidden, in an object that this library does not know.
    fn name(&mut self, _name: &str) -> Option<String> {
        None
    }

    /// Whether a value is of its type, for types that are shown.
    fn fits(&self, _ty: &Type, _value: &Value) -> bool {
        true
    }

    /// Whether nothing of a hidden value is shown: neither that it is empty, nor how many items a list has. Fields of members and
    /// columns of interviews are then left out.
    fn is_complete(&self) -> bool {
        false
    }
}

/// The replacements for a reader, who learns nothing of what is hidden.
#[derive(Debug)]
pub struct InWords;

impl Cover for InWords {
    fn hidden(&mut self, value: &mut Value) {
        *value = HIDDEN.into();
    }

    fn keeps(&self, column: &str, value: &Value) -> bool {
        if value.is_null() {
            return is_service_column(column);
        }
        // A question can have the name of a column of the service, and an answer can be a name.
        let fits = match (column.to_ascii_lowercase().as_str(), value.as_str()) {
            ("state", Some(state)) => INTERVIEW_STATES.contains(&state),
            ("language", Some(locale)) => {
                locale.split('-').next().is_some_and(|language| language.len() <= 3)
            }
            _ => true,
        };
        fits && is_of_the_service(column, value)
    }

    fn is_complete(&self) -> bool {
        true
    }
}

/// Replaces secrets, and links with which anyone can read or answer, by the names of their fields. They are never shown.
pub fn secrets(value: &mut Value, cover: &mut dyn Cover) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| secrets(item, cover)),
        Value::Object(fields) => {
            for (name, value) in fields {
                let lower = name.to_ascii_lowercase();
                let is_secret =
                    ["token", "secret", "password", "link", "url"].iter().any(|word| lower.contains(word));
                match value {
                    Value::String(text) if is_secret && !text.is_empty() => *value = cover.secret(&lower),
                    value => secrets(value, cover),
                }
            }
        }
        _ => {}
    }
}

/// Masks personal data in a request or a response, and returns how many values were hidden.
pub fn mask(value: &mut Value, model: &ModelSchema, cover: &mut dyn Cover) -> usize {
    masked_model(value, model, Privacy::Hidden, cover)
}

/// `place`: how the field is masked that has this model.
fn masked_model(value: &mut Value, model: &ModelSchema, place: Privacy, cover: &mut dyn Cover) -> usize {
    let Value::Object(fields) = value else { return hide(value, cover) };
    if model.name == "InterviewColumn"
        && let (Some(Value::String(id)), Some(value)) = (fields.get("id"), fields.get("value"))
        && cover.keeps(id, value)
    {
        return 0;
    }
    let mut hidden = 0;
    for (name, value) in fields.iter_mut() {
        hidden += match model.fields.iter().find(|field| field.wire == name) {
            Some(field) if place == Privacy::Shown && BY_AUTHORS.contains(&model.name) => {
                masked(value, field.ty, place, cover)
            }
            Some(field) => masked(value, field.ty, Privacy::of(model, field), cover),
            None => hide(value, cover),
        };
    }
    rename(fields, cover, |name| model.fields.iter().any(|field| field.wire == name));
    hidden
}

/// Replaces names that are hidden.
fn rename(fields: &mut Map<String, Value>, cover: &mut dyn Cover, is_known: impl Fn(&str) -> bool) {
    let names: Vec<String> = fields.keys().filter(|name| !is_known(name)).cloned().collect();
    for name in names {
        if let Some(covered) = cover.name(&name)
            && let Some(value) = fields.remove(&name)
        {
            fields.insert(covered, value);
        }
    }
}

/// The text of an error, without the service's own words, and without the advice to read them.
pub fn error(text: &str, error: &Error) -> String {
    match error.error_message() {
        Some(words) if !words.is_empty() => {
            let advice = format!(" {}", ErrorKind::Api.advice(false));
            text.replace(words, WORDS).replace(&advice, "")
        }
        _ => text.to_owned(),
    }
}

/// The columns of a list whose values are shown: a filter or an order by one of them reveals nothing that is hidden.
pub fn shown_columns(row: &OperationInfo) -> Vec<String> {
    let listed = |field: &&FieldSchema| row.pages.is_some_and(|list| list == field.name);
    let Some(list) = row.response.fields.iter().find(listed) else { return Vec::new() };
    let Type::List(Type::Model(item)) = list.ty else {
        return COLUMNS.map(str::to_owned).to_vec();
    };
    let item = item();
    let by_schema = item.fields.iter().filter(|field| {
        let privacy = Privacy::of(item, field);
        let plain =
            |ty: &Type| matches!(ty, Type::Bool | Type::Int | Type::Float | Type::Timestamp | Type::Enum(_));
        match field.ty {
            Type::Text | Type::Optional(Type::Text) => privacy == Privacy::Shown,
            Type::Optional(inner) => plain(inner) && privacy != Privacy::Personal,
            other => plain(other) && privacy != Privacy::Personal,
        }
    });
    let by_schema = by_schema.map(|field| field.wire.to_owned());
    match item.name {
        "Interview" => COLUMNS.map(str::to_owned).to_vec(),
        // The service has two names for the id of a member, and knows the panel.
        // API 11.3, published
        "Member" => by_schema.chain(["PanelMemberId", "PanelId"].map(str::to_owned)).collect(),
        _ => by_schema.collect(),
    }
}

fn is_service_column(column: &str) -> bool {
    COLUMNS.iter().any(|name| name.eq_ignore_ascii_case(column))
}

/// Whether a value of an interview is one that the service has filled in: a question can have the name of one of its columns.
pub fn is_of_the_service(column: &str, value: &Value) -> bool {
    let plain = |text: &str| is_number(text) || is_time(text) || is_guid(text) || is_word(text);
    is_service_column(column) && (value.is_number() || value.as_str().is_some_and(plain))
}

pub(crate) fn is_number(text: &str) -> bool {
    // `inf` and `NaN` would parse, but are words.
    !text.contains(|c: char| c.is_ascii_alphabetic()) && text.parse::<f64>().is_ok()
}

pub(crate) fn is_time(text: &str) -> bool {
    let like = |at: usize, byte: u8| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    let rest = text.get(10..).unwrap_or("?");
    text.bytes().take(10).enumerate().all(|(at, byte)| like(at, byte))
        && rest.len() <= 25
        && rest.bytes().all(|byte| byte.is_ascii_digit() || b"T :.+-Z".contains(&byte))
}

fn is_word(text: &str) -> bool {
    text.len() <= 20 && text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
}

pub(crate) fn is_guid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

#[derive(Clone, Copy, PartialEq)]
enum Privacy {
    /// Texts of this field are shown.
    Shown,
    /// Texts of this field are not shown.
    Hidden,
    /// The same, but columns of an interview may be shown.
    Columns,
    /// The field is hidden completely.
    Personal,
}

impl Privacy {
    fn of(model: &ModelSchema, field: &FieldSchema) -> Self {
        let module = model.module.rsplit("::").next().unwrap_or_default();
        let by_authors = MODULES.contains(&module) && !HIDDEN_THERE.contains(&field.wire);
        let listed =
            || SHOWN.iter().any(|(name, fields)| *name == model.name && fields.contains(&field.wire));
        match field.personal {
            true => Self::Personal,
            false if by_authors || !MODULES.contains(&module) && listed() => Self::Shown,
            false if module == "interview" => Self::Columns,
            false => Self::Hidden,
        }
    }
}

fn masked(value: &mut Value, ty: &'static Type, privacy: Privacy, cover: &mut dyn Cover) -> usize {
    match (ty, value) {
        // An object or a list that the service left out.
        (Type::Optional(Type::Model(_) | Type::List(_) | Type::Map(_)), Value::Null) => 0,
        (Type::Optional(inner), value) => masked(value, inner, privacy, cover),
        (Type::List(inner), Value::Array(items)) => {
            let hidden = items.iter_mut().map(|item| masked(item, inner, privacy, cover)).sum();
            if cover.is_complete() {
                items.retain(|item| !is_hidden_column(item));
            }
            hidden
        }
        (Type::Map(inner), Value::Object(entries)) => {
            let is_visible = |(name, item): (&String, &mut Value)| {
                if privacy == Privacy::Columns && cover.keeps(name, item) {
                    0
                } else {
                    masked(item, inner, privacy, cover)
                }
            };
            let hidden = entries.iter_mut().map(is_visible).sum();
            if cover.is_complete() {
                entries.retain(|_, item| *item != HIDDEN && !is_hidden_column(item));
            }
            hidden
        }
        (Type::Model(schema), value @ Value::Object(_)) => masked_model(value, schema(), privacy, cover),
        (Type::Bool | Type::Int | Type::Float | Type::Timestamp | Type::Enum(_), value)
            if privacy != Privacy::Personal && cover.fits(ty, value) =>
        {
            0
        }
        (Type::Text | Type::FieldValue | Type::Json, _) if privacy == Privacy::Shown => 0,
        (_, value) => hide(value, cover),
    }
}

/// Whether a field of a member, or a column of an interview, has a hidden value. Which ones a row has may tell which are empty.
fn is_hidden_column(item: &Value) -> bool {
    item.get("value").is_some_and(|value| value == HIDDEN)
}

/// Replaces a value, unless it is empty.
pub fn hide(value: &mut Value, cover: &mut dyn Cover) -> usize {
    match value {
        value if cover.is_complete() => {
            cover.hidden(value);
            1
        }
        Value::Null => 0,
        Value::Array(items) => items.iter_mut().map(|item| hide(item, cover)).sum(),
        Value::Object(entries) => {
            let hidden = entries.values_mut().map(|item| hide(item, cover)).sum();
            rename(entries, cover, |_| false);
            hidden
        }
        Value::String(text) if text.is_empty() => 0,
        other => {
            cover.hidden(other);
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations;
    use serde_json::json;
    use std::collections::HashMap;

    /// All models of all operations, by name.
    fn models() -> HashMap<&'static str, &'static ModelSchema> {
        fn of(ty: &'static Type, found: &mut HashMap<&'static str, &'static ModelSchema>) {
            match ty {
                Type::Optional(inner) | Type::List(inner) | Type::Map(inner) => of(inner, found),
                Type::Model(schema) => add(schema(), found),
                _ => {}
            }
        }
        fn add(schema: &'static ModelSchema, found: &mut HashMap<&'static str, &'static ModelSchema>) {
            if found.insert(schema.name, schema).is_none() {
                schema.fields.iter().for_each(|field| of(field.ty, found));
            }
        }
        let mut names = HashMap::new();
        operations::ALL.iter().flat_map(|row| [row.request, row.response]).for_each(|it| add(it, &mut names));
        names
    }

    #[test]
    fn every_listed_field_exists() {
        let models = models();
        for (model, fields) in SHOWN {
            for field in *fields {
                assert!(models[model].fields.iter().any(|it| it.wire == *field), "{model}.{field}");
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
        secrets(&mut answer, &mut InWords);
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
        assert!(mask(&mut answer, row.response, &mut InWords) >= 5, "{answer}");
        let text = answer.to_string();
        assert!(!text.contains("ada") && !text.contains("41"), "{text}");
        assert!(answer["members"][0]["fields"] == json!({}) && text.contains("\"id\":7"), "{text}");
    }
}
