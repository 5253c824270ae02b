//! Panels and samples and their members.

use super::tracked::Entities;
use super::word::{self, FieldLabels, Word};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A panel or sample: both are addressed in the same way.
// API 3.1
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Panel {
    pub(crate) id: i64,
    pub(crate) workspace_id: i64,
    pub(crate) name: String,
    pub(crate) fields: Vec<PanelField>,
    #[serde(skip)]
    pub(crate) members: Entities<i64, Member>,
}

impl Panel {
    pub(crate) fn new(id: i64, workspace_id: i64, name: &str, fields: Vec<PanelField>) -> Self {
        Self { id, workspace_id, name: name.to_owned(), fields, members: Entities::default() }
    }

    /// The index of a field in every member's `values`.
    pub(crate) fn position(&self, field: &str) -> Option<usize> {
        self.fields.iter().position(|known| known.name == field)
    }

    pub(crate) fn value<'a>(&self, member: &'a Member, field: &str) -> &'a Value {
        self.position(field).and_then(|at| member.values.get(at)).unwrap_or(&Value::Null)
    }
}

/// A field of a panel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PanelField {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) display_name: String,
    /// The API's name: `String`, `Number`, `Real`, `Date`, `Json`.
    #[serde(deserialize_with = "word::read")]
    pub(crate) kind: Word,
    /// The format of its texts.
    pub(crate) form: FieldFormat,
    pub(crate) mandatory: bool,
    /// Whether its values must be unique among members.
    pub(crate) unique: bool,
    /// Labels of its values: language, then (value, label).
    #[serde(deserialize_with = "word::read_labels")]
    pub(crate) labels: FieldLabels,
}

/// What the web user interface checks in addition to the type.
// API 3.7
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum FieldFormat {
    Any,
    Email,
    /// Two letters, or five such as `de-CH`.
    Language,
    /// Country code and number, without + or leading zeros.
    Phone,
}

impl PanelField {
    pub(crate) fn new(id: i64, name: &str, display_name: &str, kind: &'static str) -> Self {
        Self {
            id,
            name: name.to_owned(),
            display_name: display_name.to_owned(),
            kind,
            form: FieldFormat::Any,
            mandatory: false,
            unique: false,
            labels: Vec::new(),
        }
    }

    pub(crate) fn form(mut self, form: FieldFormat) -> Self {
        self.form = form;
        self
    }

    pub(crate) fn mandatory(mut self) -> Self {
        self.mandatory = true;
        self
    }

    pub(crate) fn unique(mut self) -> Self {
        self.unique = true;
        self
    }

    /// The regular expression of a `form`, as `ReadPanel` shows it.
    pub(crate) fn expression(&self) -> Option<&'static str> {
        match self.form {
            FieldFormat::Any => None,
            FieldFormat::Email => Some(r"^[^@\s]+@[^@\s]+\.[^@\s]+$"),
            FieldFormat::Language => Some(r"^[a-z]{2}(-[A-Z]{2})?$"),
            FieldFormat::Phone => Some(r"^[1-9][0-9]{6,14}$"),
        }
    }
}

/// A person.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Member {
    pub(crate) id: i64,
    /// In the order of the panel's fields.
    pub(crate) values: Vec<Value>,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) created_by: String,
    pub(crate) updated_at: Option<DateTime<Utc>>,
    pub(crate) updated_by: Option<String>,
    /// Whether the member has opted out.
    pub(crate) opted_out: bool,
    /// The interviews to which the member was invited: survey and GUID.
    pub(crate) interviews: Vec<(i64, String)>,
}
