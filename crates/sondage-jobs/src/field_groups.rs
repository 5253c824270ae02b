//! The groups of a field report: the column that tells them apart, and the labels of its values in their order.

use indexmap::IndexMap;
use sondage::error::Result;
use sondage::internals::spelling::did_you_mean;
use sondage::internals::{plain_text, title};
use sondage::model::{CodePlanEntry, FieldValue, Paging, ReadInterviewListRequest};
use sondage::operations::ReadInterviewListCompact;
use sondage::{Client, Error, text};

/// Columns of the service that have few values.
// API 6.3, published
const SERVICE: [&str; 9] = [
    "DistributorId",
    "SamplingProjectId",
    "PanelId",
    "State",
    "Mode",
    "Language",
    "CreatedBy",
    "UpdatedBy",
    "SurveyVersionId",
];

/// Columns of the service that tell each interview apart.
// API 6.3, published
const SINGLE: [&str; 9] = [
    "Id",
    "InterviewId",
    "PanelMemberId",
    "Link",
    "StartDate",
    "EndDate",
    "ExpiryDate",
    "CreatedAt",
    "UpdatedAt",
];

pub(crate) const HINT: &str = "Name a column such as `Language`, `PanelId` or a closed question.";

/// The column by which the cases are broken down.
#[derive(Debug, Default)]
pub(crate) struct GroupColumn {
    pub title: Option<String>,
    /// The values of a question with their labels, in the order of the questionnaire.
    labels: IndexMap<String, String>,
    /// Everything that could have been named; nothing if the column is known.
    known: Vec<String>,
}

impl GroupColumn {
    /// What the code plan says of the column; an error if its values make no groups.
    pub async fn read(client: &Client, survey_id: i64, name: &str) -> Result<Self> {
        if SINGLE.contains(&name) {
            return Err(no_group(name, "tells each interview apart"));
        }
        if SERVICE.contains(&name) {
            return Ok(Self::default());
        }
        let paging = Paging::new(1, client.config().first_page);
        let request = ReadInterviewListRequest::new(survey_id).fields_to_download(["Id"]);
        let request = request.load_code_plan(true).paging(paging);
        let plan = client.call::<ReadInterviewListCompact>(request).await?.code_plan;
        let Some(entry) = plan.iter().find(|entry| entry.code.as_deref() == Some(name)) else {
            // The service takes its own columns in any case.
            if SINGLE.iter().any(|single| single.eq_ignore_ascii_case(name)) {
                return Err(no_group(name, "tells each interview apart"));
            }
            return Self::unknown(name, &plan);
        };
        if entry.values.is_empty() {
            return Err(no_group(name, "has no answers to choose from"));
        }
        let shown = |text: &Option<String>| text.as_deref().map(|text| plain_text(text).into_owned());
        let parts = [shown(&entry.question), shown(&entry.row), shown(&entry.choice)];
        let labels = entry.values.iter().filter_map(|value| {
            let code = value.id.clone()?;
            let label = text_of(value.value.as_ref()?).filter(|label| !label.is_empty());
            Some((code.clone(), label.map_or(code, |label| plain_text(&label).into_owned())))
        });
        let title = title(parts.iter().map(Option::as_deref));
        Ok(Self { title, labels: labels.collect(), known: Vec::new() })
    }

    fn unknown(name: &str, plan: &[CodePlanEntry]) -> Result<Self> {
        let of_question = |entry: &&CodePlanEntry| entry.question_code.as_deref() == Some(name);
        let parts: Vec<&str> =
            plan.iter().filter(of_question).filter_map(|entry| entry.code.as_deref()).collect();
        if !parts.is_empty() {
            let more = if parts.len() > 12 { ", .." } else { "" };
            let listed = parts[..parts.len().min(12)].join(", ");
            return Err(Error::invalid_argument(text!("by: the question {name:?} has several columns"))
                .with_hint(text!("Name one of them: {listed}{more}.")));
        }
        let codes =
            plan.iter().filter(|entry| !entry.values.is_empty()).filter_map(|entry| entry.code.clone());
        let known = SERVICE.map(str::to_owned).into_iter().chain(codes).collect();
        Ok(Self { known, ..Self::default() })
    }

    /// The error of a download that names a column which the survey does not have.
    pub fn explained(&self, error: Error, name: &str) -> Error {
        if self.known.is_empty() || error.status() != Some(400) {
            return error;
        }
        let known: Vec<&str> = self.known.iter().map(String::as_str).collect();
        let listed = || format!("It can be {}.", known[..known.len().min(30)].join(", "));
        Error::invalid_argument(text!("by: the survey has no column {name:?}"))
            .with_hint(did_you_mean(name, &known).unwrap_or_else(listed))
    }

    /// The place of a value in the questionnaire, and its label.
    pub fn of(&self, value: &str) -> Option<(usize, &str)> {
        self.labels.get_full(value).map(|(place, _, label)| (place, label.as_str()))
    }
}

/// A value as text.
pub(crate) fn text_of(value: &FieldValue) -> Option<String> {
    match value {
        FieldValue::Null => None,
        FieldValue::Bool(value) => Some(value.to_string()),
        FieldValue::Int(value) => Some(value.to_string()),
        FieldValue::Float(value) => Some(value.to_string()),
        FieldValue::Text(value) => Some(value.clone()),
        FieldValue::Json(value) => Some(value.as_str().to_owned()),
    }
}

fn no_group(name: &str, why: &'static str) -> Error {
    Error::invalid_argument(text!("by: {name:?} {why}, and is no group")).with_hint(HINT)
}
