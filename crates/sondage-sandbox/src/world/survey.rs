//! Surveys and their interviews.

use super::questionnaire::{self, DisplayRules, Exit};
use super::tracked::Entities;
use super::word::{self, Word};
use super::workflow;
use crate::profile::Profile;
use crate::published::published;
use crate::refusal::Refusal;
use chrono::{DateTime, NaiveDate, Utc};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sondage::model::{SurveyConfiguration, SurveyDefinition};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Survey {
    pub(crate) id: i64,
    pub(crate) workspace_id: i64,
    /// The last path segment of its public link.
    pub(crate) public_id: String,
    pub(crate) name: String,
    /// As in the interviews of members.
    // API 3.4
    #[serde(deserialize_with = "word::read")]
    pub(crate) state: Word,
    /// As in `ReadSurveyList`.
    // API 4.3, published
    #[serde(deserialize_with = "word::read")]
    pub(crate) status: Word,
    pub(crate) version: i64,
    pub(crate) default_language: String,
    pub(crate) languages: Vec<String>,
    pub(crate) modified: DateTime<Utc>,
    /// When and by whom.
    pub(crate) created: (DateTime<Utc>, String),
    /// The questionnaire; none if the seed created the columns directly.
    pub(crate) definition: Option<SurveyDefinition>,
    pub(crate) configuration: Option<SurveyConfiguration>,
    /// What of the questionnaire is not carried out when people answer: a line for each kind.
    pub(crate) not_carried_out: Vec<String>,
    /// One for each column of answers. Those of a questionnaire are derived from it.
    pub(crate) variables: Vec<SurveyVariable>,
    /// Where an interview may end early, derived from the questionnaire.
    #[serde(skip)]
    pub(crate) exits: Vec<Exit>,
    /// By GUID, in order of creation.
    #[serde(skip)]
    pub(crate) interviews: Entities<String, Interview>,
}

impl Survey {
    pub(crate) fn position(&self, code: &str) -> Option<usize> {
        self.variables.iter().position(|variable| variable.code == code)
    }

    pub(crate) fn interview(&self, id: &str) -> Result<&Interview, Refusal> {
        let missing = || Refusal::not_found("InterviewNotFound", "interview", id);
        self.interviews.get(id).ok_or_else(missing)
    }

    /// The questionnaire.
    pub(crate) fn questionnaire(&self) -> SurveyDefinition {
        self.definition.clone().unwrap_or_else(|| questionnaire::of_variables(self))
    }

    /// Whether its questionnaire or one of its interviews has a custom variable of this name.
    pub(crate) fn has_custom_variable(&self, name: &str) -> bool {
        let listed = self.definition.iter().flat_map(|definition| &definition.custom_variables);
        listed.into_iter().any(|variable| variable.variable_name == name)
            || self.interviews.values().any(|interview| interview.custom.contains_key(name))
    }

    /// One of its languages, whatever the case of its tag.
    pub(crate) fn language(&self, wanted: &str) -> Option<&String> {
        self.languages.iter().find(|known| known.eq_ignore_ascii_case(wanted))
    }

    /// The questionnaire as the API shows it: without the fields of the editor that the published definition does not have.
    pub(crate) fn published_questionnaire(&self) -> Value {
        published(&self.questionnaire())
    }

    /// Its columns, with labels in a language of the questionnaire.
    pub(crate) fn variables_in(&self, language: &str) -> Cow<'_, [SurveyVariable]> {
        match &self.definition {
            Some(definition) if !language.eq_ignore_ascii_case(&self.default_language) => {
                let mut definition = definition.clone();
                language.clone_into(&mut definition.default_language);
                Cow::Owned(questionnaire::variables(&definition))
            }
            _ => Cow::Borrowed(&self.variables),
        }
    }

    /// Replaces the questionnaire. Answers to questions that remain are kept, in their new columns.
    pub(crate) fn set_questionnaire(&mut self, definition: SurveyDefinition) {
        let (new, exits) = questionnaire::columns(&definition);
        let numbered = self.variables.iter().enumerate();
        let known: HashMap<&str, usize> =
            numbered.map(|(at, variable)| (variable.code.as_str(), at)).collect();
        let positions: Vec<Option<usize>> =
            new.iter().map(|variable| known.get(variable.code.as_str()).copied()).collect();
        for interview in self.interviews.values_mut_if(|interview| !interview.answers.is_empty()) {
            let old = std::mem::take(&mut interview.answers);
            let answer =
                |place: &Option<usize>| place.and_then(|at| old.get(at)).cloned().unwrap_or_default();
            interview.answers = positions.iter().map(answer).collect();
        }
        (self.variables, self.exits) = (new, exits);
        self.default_language.clone_from(&definition.default_language);
        self.languages.clone_from(&definition.languages);
        self.definition = Some(definition);
    }

    /// Changes its state. Publishing creates a new version; reopening does not.
    pub(crate) fn set_state(&mut self, state: &'static str, now: DateTime<Utc>) {
        if state == "Published" && self.state != "Closed" {
            self.version += 1;
        }
        (self.state, self.status, self.modified) = (state, workflow::status(state), now);
    }

    /// Why the survey, or this interview, cannot be answered; `None` if it can.
    pub(crate) fn closed_to(
        &self,
        interview: Option<&Interview>,
        now: DateTime<Utc>,
    ) -> Option<&'static str> {
        if self.status != "Active" {
            return Some("This survey is not open.");
        }
        let interview = interview?;
        match interview.state {
            "NotResponded" | "InProgress" if interview.expiry.is_some_and(|end| end <= now) => {
                Some("The time to answer this survey is over.")
            }
            "NotResponded" | "InProgress" => None,
            "Completed" => Some("You have answered this survey already. Thank you."),
            _ => Some("This interview has ended. Thank you."),
        }
    }

    pub(crate) fn completed(&self) -> usize {
        self.interviews.values().filter(|interview| interview.state == "Completed").count()
    }
}

/// A column of answers, as the code plan describes it (contract: `SurveyMetadataItem`).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SurveyVariable {
    pub(crate) code: String,
    /// `Number`, `Real`, `String` or `Date`.
    #[serde(deserialize_with = "word::read")]
    pub(crate) data_type: Word,
    pub(crate) question_code: String,
    /// The API's name for the type of element: `SingleChoice`, `Matrix`, `OpenQuestion`, ...
    #[serde(deserialize_with = "word::read")]
    pub(crate) kind: Word,
    pub(crate) question: String,
    pub(crate) row: Option<String>,
    pub(crate) choice: Option<String>,
    /// Value and label, in the order of the questionnaire.
    pub(crate) values: Vec<(String, String)>,
    pub(crate) section: String,
    /// The label of the answer "not available"; `None` if the question does not offer it.
    pub(crate) not_available: Option<String>,
    /// Whether it must be answered.
    pub(crate) required: bool,
    /// Whether choosing it excludes the other choices of its question.
    pub(crate) exclusive: bool,
    pub(crate) range: AnswerRange,
    pub(crate) role: VariableRole,
    /// Those of a questionnaire are derived from it.
    #[serde(skip)]
    pub(crate) shown_if: Arc<DisplayRules>,
}

/// The numbers, dates and texts that an answer may have. For the count of a multiple choice: how many may be chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AnswerRange {
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
    pub(crate) decimals: Option<i64>,
    /// The longest text, in characters.
    pub(crate) characters: Option<usize>,
    pub(crate) earliest: Option<NaiveDate>,
    pub(crate) latest: Option<NaiveDate>,
}

/// What a column has in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum VariableRole {
    #[default]
    Answer,
    /// The text that somebody wrote beside a choice: if this column has this value, or any if it is empty.
    TextBeside { column: String, value: String },
    /// How many choices of the question were chosen.
    Count,
}

impl SurveyVariable {
    /// Whether interviews and the code plan show it.
    pub(crate) fn is_listed(&self, profile: &Profile) -> bool {
        self.role != VariableRole::Count || profile.count_columns
    }

    /// A column of one of the question's parts.
    pub(crate) fn part(&self, name: &str) -> Self {
        Self { code: format!("{}_{name}", self.code), ..self.clone() }
    }

    /// An answer for display: its label if it has one.
    pub(crate) fn label_of(&self, answer: &Value) -> String {
        let code = match answer {
            Value::Null => return String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let label = self.values.iter().find(|(known, _)| *known == code).map(|(_, label)| label.clone());
        label.unwrap_or(code)
    }
}

/// The known states; the last two are spelled as in the user interface.
// API 6.4
pub(crate) const STATES: [&str; 5] = ["NotResponded", "InProgress", "Completed", "Screenout", "Quotafull"];

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Interview {
    /// GUID.
    pub(crate) id: String,
    /// One of [`STATES`].
    #[serde(deserialize_with = "word::read")]
    pub(crate) state: Word,
    #[serde(deserialize_with = "word::read")]
    pub(crate) mode: Word,
    pub(crate) language: Option<String>,
    pub(crate) origin: Option<InvitationOrigin>,
    pub(crate) start: Option<DateTime<Utc>>,
    pub(crate) end: Option<DateTime<Utc>>,
    pub(crate) expiry: Option<DateTime<Utc>>,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) created_by: String,
    pub(crate) updated_at: Option<DateTime<Utc>>,
    pub(crate) updated_by: Option<String>,
    /// In the order of the survey's variables; if it is shorter, the rest has no answers.
    pub(crate) answers: Vec<Value>,
    pub(crate) custom: IndexMap<String, String>,
    pub(crate) url: IndexMap<String, String>,
    /// The page where the respondent goes on, counted from 0.
    #[serde(default)]
    pub(crate) page: usize,
}

impl Interview {
    /// An interview that has not been started.
    pub(crate) fn new(id: String, created_at: DateTime<Utc>, created_by: &str) -> Self {
        Self {
            id,
            state: "NotResponded",
            mode: "Live",
            language: None,
            origin: None,
            start: None,
            end: None,
            expiry: None,
            created_at,
            created_by: created_by.to_owned(),
            updated_at: None,
            updated_by: None,
            answers: Vec::new(),
            custom: IndexMap::new(),
            url: IndexMap::new(),
            page: 0,
        }
    }

    /// Moves it to a time, with the same duration.
    pub(crate) fn begin_at(&mut self, start: DateTime<Utc>) {
        let duration = self.end.zip(self.start).map(|(end, start)| end - start);
        self.end = duration.map_or(self.end, |duration| Some(start + duration));
        self.start = Some(start);
    }

    /// Resets the interview to not started. Its invitation is kept.
    pub(crate) fn reset(&mut self, now: DateTime<Utc>, by: &str) {
        self.state = "NotResponded";
        (self.start, self.end) = (None, None);
        self.answers.clear();
        self.page = 0;
        (self.updated_at, self.updated_by) = (Some(now), Some(by.to_owned()));
    }
}

/// The invitation to which an interview belongs.
#[allow(clippy::struct_field_names)] // They are ids.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct InvitationOrigin {
    pub(crate) panel_id: i64,
    pub(crate) member_id: i64,
    pub(crate) sampling_project_id: i64,
    pub(crate) distributor_id: i64,
}

/// A link to a document of one interview's answers.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Download {
    pub(crate) survey_id: i64,
    pub(crate) interview: String,
    /// When it stops working.
    pub(crate) until: DateTime<Utc>,
}
