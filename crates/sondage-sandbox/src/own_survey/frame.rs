//! A survey from the columns of a data frame.

use super::MADE;
use super::rows::{LEFT_OUT, TAKEN};
use crate::demo::{completed, empty_survey, moment};
use crate::mistakes::Mistakes;
use crate::random::SeededRng;
use crate::world::questionnaire::is_integer;
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

    /// The survey. The error names the columns and rows of all mistakes.
    pub(crate) fn survey(&self, (id, workspace_id): (i64, i64), seed: u64) -> Result<Survey, String> {
        let length = self.columns.first().map_or(0, |column| column.values.len());
        let (mut names, mut mistakes) = (HashSet::new(), Mistakes::default());
        for column in &self.columns {
            let name = &column.name;
            if name.trim().is_empty() || !names.insert(name.as_str()) {
                mistakes.add(format!("column {name:?}: a name is needed once: rename the column"));
            }
            if column.values.len() != length {
                mistakes.add(format!(
                    "column {name:?} has {} rows, and the first one has {length}: fill the others with null",
                    column.values.len()
                ));
            }
            for (row, value) in column.values.iter().enumerate() {
                if value.is_array() || value.is_object() {
                    mistakes.add(format!("column {name:?}, row {row}: a number, a text or null is needed"));
                }
            }
        }
        let mut survey = empty_survey(id, workspace_id, &self.name, moment(MADE));
        let (own, answers): (Vec<&FrameColumn>, Vec<&FrameColumn>) = self
            .columns
            .iter()
            .filter(|column| !LEFT_OUT.contains(&column.name.as_str()))
            .partition(|column| TAKEN.contains(&column.name.as_str()));
        if own.iter().any(|column| column.name == "Id" && column.values.iter().any(Value::is_number)) {
            let what = "numbers as ids of interviews, which are GUIDs: the interviews have new ones: Id";
            survey.not_carried_out.push(what.to_owned());
        }
        survey.variables = answers.iter().map(|column| column.variable()).collect();
        for row in 0..length {
            let mut interview = interview(&own, row, seed, &mut mistakes);
            interview.answers = answers
                .iter()
                .zip(&survey.variables)
                .map(|(column, variable)| {
                    as_type(column.values.get(row).unwrap_or(&Value::Null), variable.data_type)
                })
                .collect();
            if let Some(twice) = survey.interviews.insert(interview.id.clone(), interview) {
                mistakes.add(format!(
                    "column \"Id\", row {row}: {} is the id of an earlier row, too: each interview has its own",
                    twice.id
                ));
            }
        }
        mistakes.text().map_or(Ok(survey), Err)
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
            let has_numbers = self.labels.iter().all(|(code, _)| is_integer(code));
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

/// What is wrong is noted, and left out.
fn interview(own: &[&FrameColumn], row: usize, seed: u64, mistakes: &mut Mistakes) -> Interview {
    let start = moment(MADE) + TimeDelta::minutes(i64::try_from(row).unwrap_or(0));
    let mut interview = completed(&mut SeededRng::for_item(seed, row as u64), start);
    let text = |name: &str| {
        let column = own.iter().find(|column| column.name == name)?;
        column.values.get(row)?.as_str().filter(|text| !text.is_empty())
    };
    let mut wrong = |name: &str, why: &str| mistakes.add(format!("column {name:?}, row {row}: {why}"));
    // Ids in the order of the rows: a table is sorted by them.
    interview.id.replace_range(..8, &format!("{row:08x}"));
    if let Some(id) = text("Id") {
        match uuid::Uuid::parse_str(id) {
            Ok(id) => interview.id = id.to_string(),
            Err(_) => wrong("Id", "this is not a GUID: leave it out for a new one"),
        }
    }
    if let Some(state) = text("State") {
        match STATES.into_iter().find(|known| *known == state) {
            Some(state) => interview.state = state,
            None => wrong("State", &format!("this is not a state; known are {}", STATES.join(", "))),
        }
    }
    if let Some(language) = text("Language") {
        interview.language = Some(language.to_owned());
    }
    let mut time = |name: &str| -> Option<DateTime<Utc>> {
        let time = DateTime::parse_from_rfc3339(text(name)?);
        if time.is_err() {
            wrong(name, "this is not a time such as 2024-05-01T12:00:00Z");
        }
        time.ok().map(|time| time.to_utc())
    };
    if let Some(start) = time("StartDate") {
        interview.begin_at(start);
    }
    if matches!(interview.state, "NotResponded" | "InProgress") {
        interview.end = None;
    }
    interview.end = time("EndDate").or(interview.end);
    interview.updated_at = time("UpdatedAt").or(interview.end).or(interview.start);
    interview
}
