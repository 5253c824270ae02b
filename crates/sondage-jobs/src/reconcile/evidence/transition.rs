//! A transition is identified by the current state. The service does not show who made a transition.

use super::{Inspection, survey};
use crate::reconcile::finding::Finding;
use crate::reconcile::window::Place;
use serde::Deserialize;
use sondage::error::Result;
use sondage::model::{
    ReadDistributorListRequest, ReadSamplingProjectRequest, ReadSurveyRequest,
    ReadWorkflowTransitionsRequest, WorkflowType,
};
use sondage::operations::ReadDistributorList;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Transition {
    workflow: WorkflowType,
    survey_id: Option<i64>,
    sampling_project_id: Option<i64>,
    distributor_id: Option<i64>,
    target_state: String,
}

pub(super) async fn find_evidence(inspection: &Inspection) -> Result<Finding> {
    let transition: Transition = inspection.request()?;
    match (
        &transition.workflow,
        transition.survey_id,
        transition.distributor_id,
        transition.sampling_project_id,
    ) {
        (WorkflowType::SurveyDesign, Some(id), ..) => of_survey(inspection, &transition, id).await,
        (WorkflowType::Distribution, _, Some(id), _) => of_distributor(inspection, &transition, id).await,
        (WorkflowType::Reminder, ..) => Ok(Finding::unknown("the API shows no state of a reminder")),
        (_, _, _, Some(id)) => {
            let project =
                inspection.client.read_sampling_project(ReadSamplingProjectRequest::new(id)).await?;
            let state = project.sampling_project.and_then(|project| project.project_state);
            Ok(if state.as_ref() == Some(&transition.target_state) {
                reached()
            } else {
                Finding::unknown(
                    "the sampling project is in another state, and nothing shows when it got there",
                )
            })
        }
        _ => Ok(Finding::unknown("the request does not name the object of its workflow")),
    }
}

fn reached() -> Finding {
    Finding::holds("it is in the requested state")
}

async fn of_survey(inspection: &Inspection, wanted: &Transition, id: i64) -> Result<Finding> {
    let read = async || -> Result<Option<String>> {
        Ok(inspection.client.read_survey(ReadSurveyRequest::new(id)).await?.survey_state)
    };
    let state = read().await?;
    if state.as_ref() == Some(&wanted.target_state) {
        return Ok(reached());
    }
    let changed = survey::changed(inspection, id).await?;
    let Some(state) = state else {
        return Ok(Finding::unknown("the service does not say in which state the survey is"));
    };
    if changed != Place::Before {
        return Ok(Finding::unknown("the survey is in another state, and has changed since the call began"));
    }
    still_to_come(inspection, wanted, state).await
}

async fn of_distributor(inspection: &Inspection, wanted: &Transition, id: i64) -> Result<Finding> {
    let all = inspection
        .client
        .pages::<ReadDistributorList>(ReadDistributorListRequest::new())
        .thorough(true)
        .collect_all()
        .await?;
    let Some(found) = all.into_iter().find(|it| it.distributor_id == id) else {
        return Ok(Finding::unknown("the distributor no longer exists"));
    };
    let sent = found.executed_distribution.map(|time| time.0);
    let before = inspection.window.place(sent) == Place::Before;
    match found.distribution_state {
        Some(state) if state == wanted.target_state && before => {
            Ok(Finding::did_not("the distributor was in that state before the call"))
        }
        Some(state) if state == wanted.target_state => Ok(reached()),
        Some(state) if sent.is_none() => still_to_come(inspection, wanted, state).await,
        _ => Ok(Finding::unknown("the distributor is in another state, and has sent")),
    }
}

/// In a state from which the transition leads to the requested one.
async fn still_to_come(inspection: &Inspection, wanted: &Transition, state: String) -> Result<Finding> {
    let request = ReadWorkflowTransitionsRequest::new(wanted.workflow.clone(), state);
    let ways = inspection.client.read_workflow_transitions(request).await?.transitions;
    let leads = ways.iter().any(|way| way.new_state.as_ref() == Some(&wanted.target_state));
    Ok(if leads {
        Finding::did_not("it is still in a state that comes before the requested one")
    } else {
        Finding::unknown("it is in another state, which does not come just before the requested one")
    })
}
