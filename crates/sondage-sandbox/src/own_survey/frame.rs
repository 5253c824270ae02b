//! A survey from the columns of a data frame.

use super::MADE;
use super::rows::{LEFT_OUT, TAKEN};
use crate::demo::{completed, empty_survey, moment};
use crate::random::SeededRng;
use crate::world::survey::STATES;
use crate::world::{Interview, Survey, SurveyVariable};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sondage::internals::plain_text;
use std::collections::HashSet;

/// Data that become a survey with completed interviews: a column for each question, all of the same length.
///
/// The columns `Id` (GUIDs), `State`, `Language`, `StartDate`, `EndDate` and `UpdatedAt` are the service's, and its other columns are left
/// out.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Frame {
    /// The name of the survey.
    name: String,
    /// The columns, in order.
    columns: Vec<FrameColumn>,
}

/// A column of a [`Frame`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FrameColumn {
    /// The code of the question.
    name: String,
    /// A number, a text, or null for each row.
    values: Vec<Value>,
    /// Codes and labels, in the order of the questionnaire. With labels, it is a single choice.
    #[serde(default)]
    labels: Vec<(String, String)>,
    /// The text of the question. Default: its code.
    #[serde(default)]
    question: Option<String>,
}

impl Frame {
    /// A survey of this name without questions.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), columns: Vec::new() }
    }

    /// Adds a question without labels.
    #[must_use]
    pub fn column(self, name: impl Into<String>, values: impl IntoIterator<Item = impl Into<Value>>) -> Self {
        self.labelled(name, values, [] as [(&str, &str); 0])
    }

    /// Adds a single choice: its answers are codes.
    #[must_use]
    pub fn labelled(
        mut self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = impl Into<Value>>,
        labels: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> Self {
        self.columns.push(FrameColumn {
            name: name.into(),
            values: values.into_iter().map(Into::into).collect(),
            labels: labels.into_iter().map(|(code, label)| (code.into(), label.into())).collect(),
            question: None,
        });
        self
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The survey. The error names the column and the row.
    pub(crate) fn survey(&self, (id, workspace_id): (i64, i64), seed: u64) -> Result<Survey, String> {
        let length = self.columns.first().map_or(0, |column| column.values.len());
        let mut names = HashSet::new();
        for column in &self.columns {
            if column.name.trim().is_empty() || !names.insert(column.name.as_str()) {
                return Err(format!("column {:?}: a name is needed once", column.name));
            }
            if column.values.len() != length {
                let (own, name) = (column.values.len(), &column.name);
                return Err(format!("column {name:?} has {own} rows, and the first one has {length}"));
            }
            if let Some(row) = column.values.iter().position(|value| value.is_array() || value.is_object()) {
                return Err(format!(
                    "column {:?}, row {row}: a number, a text or null is needed",
                    column.name
                ));
            }
        }
        let mut survey = empty_survey(id, workspace_id, &self.name, moment(MADE));
        let (own, answers): (Vec<&FrameColumn>, Vec<&FrameColumn>) = self
            .columns
            .iter()
            .filter(|column| !LEFT_OUT.contains(&column.name.as_str()))
            .partition(|column| TAKEN.contains(&column.name.as_str()));
        survey.variables = answers.iter().map(|column| column.variable()).collect();
        for row in 0..length {
            let mut interview = interview(&own, row, seed)?;
            interview.answers = answers
                .iter()
                .zip(&survey.variables)
                .map(|(column, variable)| as_type(&column.values[row], variable.data_type))
                .collect();
            if let Some(twice) = survey.interviews.insert(interview.id.clone(), interview) {
                return Err(format!(
                    "column \"Id\", row {row}: {} is the id of an earlier row, too",
                    twice.id
                ));
            }
        }
        Ok(survey)
    }
}

impl FrameColumn {
    fn variable(&self) -> SurveyVariable {
        let data_type = self.data_type();
        SurveyVariable {
            code: self.name.clone(),
            data_type,
            question_code: self.name.clone(),
            kind: match data_type {
                _ if !self.labels.is_empty() => "SingleChoice",
                "Date" => "Date",
                _ => "OpenQuestion",
            },
            question: as_markup(self.question.as_ref().unwrap_or(&self.name)),
            values: self.labels.iter().map(|(code, label)| (code.clone(), as_markup(label))).collect(),
            ..SurveyVariable::default()
        }
    }

    /// The narrowest type that fits all values.
    fn data_type(&self) -> &'static str {
        let mut given = self.values.iter().filter(|value| !value.is_null()).peekable();
        if given.peek().is_none() {
            let has_numbers = self.labels.iter().all(|(code, _)| code.parse::<i64>().is_ok());
            return if !self.labels.is_empty() && has_numbers { "Number" } else { "String" };
        }
        let all = |fits: fn(&Value) -> bool| self.values.iter().all(|value| value.is_null() || fits(value));
        match () {
            () if all(Value::is_i64) => "Number",
            () if all(Value::is_number) => "Real",
            () if all(is_date) => "Date",
            () => "String",
        }
    }
}

/// A text of a frame as the platform has texts, which are markup.
fn as_markup(text: &str) -> String {
    if plain_text(text) == text {
        return text.to_owned();
    }
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn is_date(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() == 10 && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok())
}

/// A value in a column of this type: numbers among texts are texts.
fn as_type(value: &Value, data_type: &str) -> Value {
    match value {
        Value::Number(_) | Value::Bool(_) if data_type == "String" => Value::String(value.to_string()),
        value => value.clone(),
    }
}

fn interview(own: &[&FrameColumn], row: usize, seed: u64) -> Result<Interview, String> {
    let start = moment(MADE) + TimeDelta::minutes(i64::try_from(row).unwrap_or(0));
    let mut interview = completed(&mut SeededRng::for_item(seed, row as u64), start);
    let text = |name: &str| {
        let column = own.iter().find(|column| column.name == name)?;
        column.values[row].as_str().filter(|text| !text.is_empty())
    };
    let wrong = |name: &str, why: &str| format!("column {name:?}, row {row}: {why}");
    // Ids in the order of the rows: a table is sorted by them.
    interview.id.replace_range(..8, &format!("{row:08x}"));
    if let Some(id) = text("Id") {
        let id = uuid::Uuid::parse_str(id).map_err(|_| wrong("Id", "this is not a GUID"))?;
        interview.id = id.to_string();
    }
    if let Some(state) = text("State") {
        let known = STATES.into_iter().find(|known| *known == state);
        interview.state = known.ok_or_else(|| {
            wrong("State", &format!("this is not a state; known are {}", STATES.join(", ")))
        })?;
    }
    if let Some(language) = text("Language") {
        interview.language = Some(language.to_owned());
    }
    let time = |name: &str| -> Result<Option<DateTime<Utc>>, String> {
        let Some(text) = text(name) else { return Ok(None) };
        let time = DateTime::parse_from_rfc3339(text);
        time.map(|time| Some(time.to_utc()))
            .map_err(|_| wrong(name, "this is not a time such as 2024-05-01T12:00:00Z"))
    };
    interview.start = time("StartDate")?.or(interview.start);
    if matches!(interview.state, "NotResponded" | "InProgress") {
        interview.end = None;
    }
    interview.end = time("EndDate")?.or(interview.end);
    interview.updated_at = time("UpdatedAt")?.or(interview.end).or(interview.start);
    Ok(interview)
}
