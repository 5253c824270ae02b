//! Strict validation of requests against the models.
//!
//! How strict the service is, is not published. The sandbox refuses anything that is not in the contract, so that a
//! client's mistake shows up here and not with real members.

use crate::profile::Profile;
use crate::refusal::Refusal;
use chrono::DateTime;
use regex::Regex;
use serde_json::Value;
use sondage::internals::schema::{Describe, EnumSchema, FieldSchema, ModelSchema, Type};
use sondage::model::SurveyDefinition;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A field of the four deletions. The library requires it, the published definition does not.
// API 3.9
pub(crate) const KEEP_INTERVIEWS: &str = "keepInterviews";

/// The maximum number of mistakes in one error.
const NAMED: usize = 5;

/// Refuses unknown fields, wrong types, missing required fields, over-long texts and texts that do not match their
/// pattern.
pub(crate) fn request(schema: &ModelSchema, value: &Value, profile: &Profile) -> Result<(), Refusal> {
    let mut report = ValidationReport { mistakes: Vec::new(), profile, most: NAMED, keeps_unknown: false };
    report.model(schema, value, "");
    match report.mistakes.as_slice() {
        [] => Ok(()),
        mistakes => Err(Refusal::invalid(mistakes.join(" "))),
    }
}

/// The mistakes of a questionnaire from a file: fields that are not published are kept, all others are checked.
pub(crate) fn questionnaire(value: &Value, most: usize) -> Vec<String> {
    let profile = Profile::default();
    let mut report = ValidationReport { mistakes: Vec::new(), profile: &profile, most, keeps_unknown: true };
    report.value(SurveyDefinition::TYPE, value, "");
    report.mistakes
}

struct ValidationReport<'a> {
    mistakes: Vec<String>,
    profile: &'a Profile,
    /// The most mistakes that are reported.
    most: usize,
    /// Whether fields that the model does not have are accepted, and values of enumerations that it does not know.
    keeps_unknown: bool,
}

impl ValidationReport<'_> {
    fn say(&mut self, path: &str, what: impl std::fmt::Display) {
        let whole = if self.keeps_unknown { "The questionnaire" } else { "The request" };
        let path = if path.is_empty() { whole } else { path };
        self.mistakes.push(format!("{path} {what}."));
    }

    fn full(&self) -> bool {
        self.mistakes.len() >= self.most
    }

    fn model(&mut self, schema: &ModelSchema, value: &Value, path: &str) {
        let Value::Object(object) = value else {
            return self.say(path, format!("is {}, but must be an object", kind_of(value)));
        };
        for key in object.keys() {
            if !self.keeps_unknown && !schema.fields.iter().any(|field| field.wire == key) {
                self.say(&join(path, key), format!("is not a field of {}", schema.name));
            }
        }
        for field in schema.fields {
            if self.full() {
                return;
            }
            let path = join(path, field.wire);
            match object.get(field.wire) {
                None | Some(Value::Null) if self.optional(schema, field) => {}
                None => self.say(&path, "is missing"),
                Some(value) => self.field(field, value, &path),
            }
        }
    }

    /// Where the specification and the published definition disagree, a setting decides.
    fn optional(&self, schema: &ModelSchema, field: &FieldSchema) -> bool {
        match (schema.name, field.wire) {
            ("ReadMemberListRequest" | "CreateMembersRequest", "tenant") => !self.profile.tenant_required,
            ("ReadMemberListRequest", "interviewsRequired") => !self.profile.interviews_required,
            (_, KEEP_INTERVIEWS) => !self.profile.keep_interviews_required,
            _ => !field.required,
        }
    }

    fn field(&mut self, field: &FieldSchema, value: &Value, path: &str) {
        self.value(field.ty, value, path);
        // The editor's files hold texts that the API would refuse, such as identifiers of several variables.
        let Value::String(text) = value else { return };
        if self.keeps_unknown {
            return;
        }
        if let Some(max) = field.max_length
            && text.chars().count() > max
        {
            self.say(path, format!("is longer than {max} characters"));
        }
        if let Some(pattern) = field.pattern
            && !matches(pattern, text)
        {
            self.say(path, "has characters that are not allowed there");
        }
    }

    fn value(&mut self, ty: &Type, value: &Value, path: &str) {
        let wrong = match ty {
            Type::Bool => (!value.is_boolean()).then_some("true or false"),
            Type::Int => value.as_i64().is_none().then_some("an integer"),
            Type::Float => (!value.is_number()).then_some("a number"),
            Type::Text | Type::Secret => (!value.is_string()).then_some("a string"),
            Type::Timestamp => (!is_timestamp(value))
                .then_some("an ISO 8601 time with its offset, such as 2024-05-01T12:30:00Z"),
            Type::FieldValue => {
                (value.is_array() || value.is_object()).then_some("a string, a number or null")
            }
            Type::Json => None,
            Type::Optional(inner) => return self.value(inner, value, path),
            Type::List(inner) => match value {
                Value::Array(items) => return self.items(inner, items, path),
                _ => Some("a list"),
            },
            Type::Map(inner) => match value {
                Value::Object(entries) => {
                    for (key, value) in entries {
                        self.value(inner, value, &join(path, key));
                    }
                    return;
                }
                _ => Some("an object"),
            },
            Type::Enum(known) => match value.as_str() {
                Some(text) if known.values.contains(&text) => None,
                Some("Invalid") if is_stored_invalid(known, path) => None,
                Some(_) if self.keeps_unknown => None,
                Some(text) => {
                    let what = format!("is `{text}`, but must be one of {}", known.values.join(", "));
                    return self.say(path, what);
                }
                None => Some("a string"),
            },
            Type::Model(schema) => return self.model(schema(), value, path),
        };
        if let Some(due) = wrong {
            self.say(path, format!("is {}, but must be {due}", kind_of(value)));
        }
    }

    fn items(&mut self, ty: &Type, items: &[Value], path: &str) {
        for (index, item) in items.iter().enumerate() {
            if self.full() {
                return;
            }
            self.value(ty, item, &format!("{path}[{index}]"));
        }
    }
}

/// The enumerations of questionnaires that lack `Invalid` in the published definition.
const NEVER_INVALID: [&str; 3] = ["AccessType", "CodeAccessMode", "MatrixSubQuestionSize"];

/// Whether `Invalid` may stand there: questionnaires hold it where the editor has set nothing, so a questionnaire that was read
/// can be sent back. It is accepted nowhere else.
fn is_stored_invalid(known: &EnumSchema, path: &str) -> bool {
    path.starts_with("surveyDefinition") && !NEVER_INVALID.contains(&known.name)
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// With an offset: a time without one means something else in every country.
fn is_timestamp(value: &Value) -> bool {
    value.as_str().is_some_and(|text| DateTime::parse_from_rfc3339(text).is_ok())
}

/// There are few patterns and they come from the models, so each is compiled once.
fn matches(pattern: &'static str, text: &str) -> bool {
    static COMPILED: Mutex<Option<HashMap<&'static str, Option<Regex>>>> = Mutex::new(None);
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let regex = compiled.get_or_insert_default().entry(pattern).or_insert_with(|| Regex::new(pattern).ok());
    regex.as_ref().is_none_or(|regex| regex.is_match(text))
}
