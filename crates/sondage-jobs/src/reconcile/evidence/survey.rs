//! A new survey is identified by its name, time and author; a changed one by its questionnaire and the time of the change. The
//! service does not show who changed a survey.

use super::{Inspection, loose};
use crate::reconcile::finding::{Candidate, Candidates, Finding};
use crate::reconcile::window::Place;
use serde::Deserialize;
use serde_json::{Value, json};
use sondage::error::Result;
use sondage::model::{ReadSurveyListRequest, ReadSurveyRequest, ReadWorkspaceListRequest, SurveyListItem};
use sondage::operations::{ReadSurveyList, ReadWorkspaceList};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewSurvey {
    workspace_id: i64,
    name: String,
}

pub(super) async fn created(inspection: &Inspection) -> Result<Finding> {
    let survey_request: NewSurvey = inspection.request()?;
    let request = ReadSurveyListRequest::new(survey_request.workspace_id);
    let surveys = inspection.client.pages::<ReadSurveyList>(request).thorough(true).collect_all().await?;
    let mut candidates = Candidates::default();
    for item in surveys {
        let name = item.name.unwrap_or_default();
        let id = item.id.to_string();
        if loose(&name) != loose(&survey_request.name) || inspection.is_known(&id) {
            continue;
        }
        let survey = inspection.client.read_survey(ReadSurveyRequest::new(item.id)).await?;
        let timing = inspection.window.place_text(survey.created_at.as_deref());
        if matches!(timing, Place::Before | Place::After) {
            continue;
        }
        if timing == Place::Within
            && name == survey_request.name
            && inspection.is_ours(survey.created_by.as_deref())
        {
            let answer = json!({ "surveyId": item.id });
            candidates.ours.push(Candidate { ids: vec![id], answer });
        } else {
            candidates.others.push(id);
        }
    }
    Ok(candidates.judge(
        "survey of this name",
        inspection.name.as_deref(),
        inspection.ambiguous_with_own_call,
    ))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_field_names)] // The names are those of the request.
struct SurveyChange {
    survey_id: i64,
    survey_name: Option<String>,
    survey_definition: Value,
    survey_configuration: Option<Value>,
}

pub(super) async fn updated(inspection: &Inspection) -> Result<Finding> {
    let change: SurveyChange = inspection.request()?;
    if changed(inspection, change.survey_id).await? == Place::Before {
        return Ok(Finding::did_not("the survey has not changed since before the call"));
    }
    let survey = inspection.client.read_survey(ReadSurveyRequest::new(change.survey_id)).await?;
    let holds = |change: &Value, read: Option<Value>| read.is_some_and(|read| contains(&read, change));
    let name = change.survey_name.as_ref().is_none_or(|name| survey.survey_name.as_ref() == Some(name));
    let definition = survey.survey.and_then(|definition| serde_json::to_value(definition).ok());
    let configuration = survey.survey_configuration.and_then(|it| serde_json::to_value(it).ok());
    let configured = change.survey_configuration.as_ref().is_none_or(|it| holds(it, configuration));
    Ok(if name && configured && holds(&change.survey_definition, definition) {
        Finding::holds(
            "the survey has the questionnaire of the request, and has changed since the call began",
        )
    } else {
        Finding::unknown(
            "the survey has changed since the call began, and does not have the questionnaire of the request",
        )
    })
}

/// When a survey was last changed, which only the list of surveys shows.
pub(super) async fn changed(inspection: &Inspection, survey_id: i64) -> Result<Place> {
    let client = &inspection.client;
    let workspaces = client
        .pages::<ReadWorkspaceList>(ReadWorkspaceListRequest::new())
        .thorough(true)
        .collect_all()
        .await?;
    for workspace in workspaces {
        let surveys = client
            .pages::<ReadSurveyList>(ReadSurveyListRequest::new(workspace.id))
            .thorough(true)
            .collect_all()
            .await?;
        let listed = surveys.into_iter().find(|survey: &SurveyListItem| survey.id == survey_id);
        if let Some(survey) = listed {
            return Ok(inspection.window.place_text(survey.modified_date.as_deref()));
        }
    }
    Ok(Place::Unclear)
}

/// Whether everything that was sent exists. The service may have added fields.
fn contains(read: &Value, sent: &Value) -> bool {
    match (read, sent) {
        (Value::Object(read), Value::Object(sent)) => sent
            .iter()
            .filter(|(_, value)| !value.is_null())
            .all(|(name, value)| read.get(name).is_some_and(|read| contains(read, value))),
        (Value::Array(read), Value::Array(sent)) => {
            read.len() == sent.len() && read.iter().zip(sent).all(|(read, sent)| contains(read, sent))
        }
        (Value::Number(read), Value::Number(sent)) => read == sent || read.as_f64() == sent.as_f64(),
        _ => read == sent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_service_adds_does_not_count_and_what_it_lacks_does() {
        let sent =
            json!({ "languages": ["en"], "sections": [{ "name": "Visit", "weight": 1 }], "end": null });
        let mut read =
            json!({ "languages": ["en"], "sections": [{ "name": "Visit", "weight": 1.0, "id": 7 }] });
        assert!(contains(&read, &sent));
        read["sections"][0]["name"] = json!("Other");
        assert!(!contains(&read, &sent));
        assert!(!contains(&json!({ "languages": ["en", "de"] }), &json!({ "languages": ["en"] })));
    }
}
