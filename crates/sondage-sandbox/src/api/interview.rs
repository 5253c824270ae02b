//! Interviews: the answers of a survey, in two forms.
// API 6.5

use super::{ApiCall, Handler, ResponseText, succeed};
use crate::api::columns::{InterviewColumn, SurveyInterviews};
use crate::profile::Profile;
use crate::refusal::Refusal;
use crate::select;
use crate::world::{Interview, Survey, SurveyVariable};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};
use sondage::model::{ReadInterviewListRequest, ReadInterviewRequest};
use sondage::operations::{ReadInterview, ReadInterviewList, ReadInterviewListCompact};

impl Handler for ReadInterviewListCompact {
    fn handle(call: &ApiCall<'_>, request: ReadInterviewListRequest) -> Result<ResponseText, Refusal> {
        read(call, &request, |row| InterviewRow { row, form: InterviewLayout::Compact })
    }
}

impl Handler for ReadInterviewList {
    fn handle(call: &ApiCall<'_>, request: ReadInterviewListRequest) -> Result<ResponseText, Refusal> {
        read(call, &request, |row| InterviewRow { row, form: InterviewLayout::Structured })
    }
}

impl Handler for ReadInterview {
    fn handle(call: &ApiCall<'_>, request: ReadInterviewRequest) -> Result<ResponseText, Refusal> {
        call.read(|tenant| {
            let survey = tenant.survey(request.survey_id)?;
            let interview = survey.interview(&request.interview_id)?;
            let table = SurveyInterviews::of(call, tenant, survey);
            let definition =
                (request.load_survey_definition == Some(true)).then(|| survey.published_questionnaire());
            succeed(json!({
                "responseData": Selected { interview, columns: &table.columns(None)? },
                "surveyDefinition": definition,
            }))
        })
    }
}

fn read<F>(call: &ApiCall<'_>, request: &ReadInterviewListRequest, shape: F) -> Result<ResponseText, Refusal>
where
    F: for<'a> Fn(Selected<'a>) -> InterviewRow<'a>,
{
    call.read(|tenant| {
        let survey = tenant.survey(request.survey_id)?;
        let table = SurveyInterviews::of(call, tenant, survey);
        let columns = table.columns(request.fields_to_download.as_deref())?;
        let listed = survey.interviews.values().filter(|interview| call.is_listed(interview.created_at));
        let rows = select::filter(&table, listed, request.conditions.as_deref(), call.profile)?;
        let page = select::page(&table, rows, request.paging.as_ref(), call.profile)?;
        let interviews =
            page.rows.iter().map(|interview| shape(Selected { interview, columns: &columns })).collect();
        succeed(InterviewListBody {
            survey_name: &survey.name,
            survey_default_language: &survey.default_language,
            survey_languages: &survey.languages,
            interviews,
            code_plan: if request.load_code_plan == Some(true) {
                code_plan(survey, call.profile)
            } else {
                Vec::new()
            },
            total_count: page.total_count,
        })
    })
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct InterviewListBody<'a> {
    survey_name: &'a str,
    survey_default_language: &'a str,
    survey_languages: &'a [String],
    interviews: Vec<InterviewRow<'a>>,
    code_plan: Vec<Value>,
    total_count: usize,
}

/// An interview and its columns that are returned.
struct Selected<'a> {
    interview: &'a Interview,
    columns: &'a [(String, InterviewColumn)],
}

#[derive(Clone, Copy)]
enum InterviewLayout {
    Compact,
    Structured,
}

struct InterviewRow<'a> {
    row: Selected<'a>,
    form: InterviewLayout,
}

impl Serialize for InterviewRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.form {
            InterviewLayout::Compact => self.row.serialize(serializer),
            InterviewLayout::Structured => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("columns", &StructuredColumns(&self.row))?;
                map.end()
            }
        }
    }
}

impl Serialize for Selected<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.columns.len()))?;
        for (name, column) in self.columns {
            map.serialize_entry(name, &column.value(self.interview))?;
        }
        map.end()
    }
}

struct StructuredColumns<'a, 'b>(&'b Selected<'a>);

impl Serialize for StructuredColumns<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Item<'a, V> {
            id: &'a str,
            value: V,
        }
        serializer.collect_seq(
            self.0
                .columns
                .iter()
                .map(|(name, column)| Item { id: name, value: column.value(self.0.interview) }),
        )
    }
}

/// The questions of a survey as the contract's `SurveyMetadataItem`.
pub(crate) fn code_plan(survey: &Survey, profile: &Profile) -> Vec<Value> {
    let not_available = profile.not_available.filter(|_| profile.not_available_in_code_plan);
    let entry = |variable: &SurveyVariable| {
        let label = |(id, value): (&String, &String)| json!({ "id": id, "value": value });
        let values = variable.values.iter().map(|(id, value)| label((id, value)));
        let not_available = not_available.zip(variable.not_available.as_ref());
        let not_available = not_available.map(|(code, value)| label((&code.to_string(), value)));
        json!({
            "code": variable.code,
            "dataType": variable.data_type,
            "questionCode": variable.question_code,
            "type": variable.kind,
            "question": variable.question,
            "row": variable.row,
            "choice": variable.choice,
            "values": values.chain(not_available).collect::<Vec<_>>(),
            "sectionName": variable.section,
        })
    };
    survey.variables.iter().filter(|variable| variable.is_listed(profile)).map(entry).collect()
}
