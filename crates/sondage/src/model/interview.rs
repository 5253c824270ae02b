//! Interviews: the answers of respondents. For more than a few, read a table instead of a list of objects.

use super::identity::{Identified, Identity};
use super::{Condition, FieldValue, Paging, Secret, SurveyDefinition, ValueLabel};
use indexmap::IndexMap;
use sondage_macros::{record, request, response};

/// Lists the interviews of a survey. The request is the same for both forms of the response.
#[request]
#[source("API 6.5, specified")]
pub struct ReadInterviewListRequest {
    /// The tenant; the client's own when left out.
    #[source("API 6.5, published")]
    pub tenant: Option<String>,
    /// The survey.
    pub survey_id: i64,
    /// The questions and columns to return. Always name them: it saves time and traffic.
    pub fields_to_download: Option<Vec<String>>,
    /// Whether to return the code plan. Leave it out in recurring jobs.
    pub load_code_plan: Option<bool>,
    /// Which interviews.
    #[source("API 6.5, published")]
    pub conditions: Option<Vec<Condition>>,
    /// Which page of the list.
    #[source("API 6.5, published")]
    pub paging: Option<Paging>,
}

/// Interviews, each as a list of columns.
#[response]
pub struct ReadInterviewListResponse {
    /// Name of the survey.
    pub survey_name: Option<String>,
    /// Its default language.
    pub survey_default_language: Option<String>,
    /// Its languages.
    pub survey_languages: Vec<String>,
    /// The interviews.
    pub interviews: Vec<Interview>,
    /// The code plan (labels and types of the columns), if it was requested.
    pub code_plan: Vec<CodePlanEntry>,
    /// The number of interviews, as counted by the service.
    pub total_count: Option<i64>,
}

/// Interviews, each as one flat object.
#[response]
pub struct ReadInterviewListCompactResponse {
    /// Name of the survey.
    pub survey_name: Option<String>,
    /// Its default language.
    pub survey_default_language: Option<String>,
    /// Its languages.
    pub survey_languages: Vec<String>,
    /// The interviews: answers by question or column.
    pub interviews: Vec<IndexMap<String, FieldValue>>,
    /// The code plan (labels and types of the columns), if it was requested.
    pub code_plan: Vec<CodePlanEntry>,
    /// The number of interviews, as counted by the service.
    pub total_count: Option<i64>,
}

/// An interview in the structured form.
#[record]
#[source("API 6.1, specified")]
pub struct Interview {
    /// Its columns.
    pub columns: Vec<InterviewColumn>,
}

/// One answer of an interview.
#[record]
#[source("API 6.1, specified")]
pub struct InterviewColumn {
    /// The question or column.
    pub id: Option<String>,
    /// The answer.
    pub value: FieldValue,
}

/// The metadata of one column of the interviews. The possible values of `data_type` and `type` are not published.
#[record]
#[source("API 6.2, published")]
pub struct CodePlanEntry {
    /// The column.
    pub code: Option<String>,
    /// The type of its values.
    pub data_type: Option<String>,
    /// The code of its question.
    pub question_code: Option<String>,
    /// The type of its question.
    pub r#type: Option<String>,
    /// The text of its question.
    pub question: Option<String>,
    /// The matrix row that it belongs to.
    pub row: Option<String>,
    /// The choice that it belongs to.
    pub choice: Option<String>,
    /// Its possible values, with their labels, in the order of the questionnaire.
    pub values: Vec<ValueLabel>,
    /// The section of the questionnaire.
    pub section_name: Option<String>,
}

/// Reads one interview.
#[request]
#[source("API 6.7, published")]
pub struct ReadInterviewRequest {
    /// The tenant; the client's own when left out.
    #[wire(required)]
    pub tenant: Option<String>,
    /// GUID of the interview.
    pub interview_id: String,
    /// The survey.
    pub survey_id: i64,
    /// Whether to return the questionnaire as well.
    pub load_survey_definition: Option<bool>,
}

/// One interview.
#[response]
pub struct ReadInterviewResponse {
    /// Answers by question or column.
    pub response_data: IndexMap<String, FieldValue>,
    /// The questionnaire, if it was requested.
    pub survey_definition: Option<SurveyDefinition>,
}

/// Requests a PDF of an interview's answers. The request is sent in the query string.
#[request]
#[source("API 6.8, published")]
pub struct DownloadAnswersRequest {
    /// The tenant; the client's own when left out.
    #[wire(required)]
    pub tenant: Option<String>,
    /// The survey.
    pub survey_id: i64,
    /// GUID of the interview.
    pub interview_id: String,
    /// Whether to render an interview that is not completed, with the answers so far. Without it there is no document for
    /// such an interview (assumed).
    pub show_partial_completed: Option<bool>,
    /// The language of the document, for example `"de"` or `"de-CH"`.
    pub locale: Option<String>,
    /// The time zone of the times in the document, for example `Europe/Zurich` (this format is assumed).
    pub time_zone: Option<String>,
}

/// The location of the PDF.
#[response]
pub struct DownloadAnswersResponse {
    /// The link. It is not permanent, and anyone who has it can read the answers: store the document, not the link. It is
    /// never displayed.
    pub download_url: Option<Secret>,
}

/// Deletes an interview and its answers permanently.
#[request]
#[source("API 6.9, published")]
pub struct DeleteInterviewRequest {
    /// The survey.
    pub survey_id: i64,
    /// GUID of the interview.
    pub interview_id: String,
}

/// The interview was deleted.
#[response]
pub struct DeleteInterviewResponse {}

/// Resets an interview, so that it can be answered again from the beginning.
#[request]
#[source("API 6.10, published")]
pub struct ResetInterviewRequest {
    /// The survey.
    pub survey_id: i64,
    /// GUID of the interview.
    pub interview_id: String,
}

/// The interview was reset: it is as it was before the first answer.
#[response]
pub struct ResetInterviewResponse {}

/// The states of an interview. The spelling of the last two is assumed.
// API 6.4, published
pub(crate) const INTERVIEW_STATES: [&str; 5] =
    ["NotResponded", "InProgress", "Completed", "Screenout", "Quotafull"];

/// The system column that identifies an interview. A response contains it only if it was requested.
// API 6.3, published
const ID: &str = "Id";

fn identity(value: &FieldValue) -> Option<Identity<'_>> {
    match value {
        FieldValue::Int(number) => Some(Identity::Number(*number)),
        FieldValue::Text(text) => Some(Identity::Text(text)),
        _ => None,
    }
}

impl Identified for Interview {
    const ORDER: Option<&'static str> = Some(ID);

    fn identity(&self) -> Option<Identity<'_>> {
        let column = self.columns.iter().find(|column| column.id.as_deref() == Some(ID))?;
        identity(&column.value)
    }
}

impl Identified for IndexMap<String, FieldValue> {
    const ORDER: Option<&'static str> = Some(ID);

    fn identity(&self) -> Option<Identity<'_>> {
        identity(self.get(ID)?)
    }
}
