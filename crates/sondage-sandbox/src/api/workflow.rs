//! Workflows: a transition in the table is executed, any other is refused.

use super::{ApiCall, Handler, ResponseText, send, succeed};
use crate::delivery;
use crate::ledger::EffectKind;
use crate::refusal::Refusal;
use crate::world::Tenant;
use crate::world::workflow::{self, HAS_QUESTIONS, WorkflowStep};
use serde_json::{Value, json};
use sondage::model::{ExecuteWorkflowTransitionRequest, ReadWorkflowTransitionsRequest};
use sondage::operations::{ExecuteWorkflowTransition, ReadWorkflowTransitions};

impl Handler for ReadWorkflowTransitions {
    fn handle(_: &ApiCall<'_>, request: ReadWorkflowTransitionsRequest) -> Result<ResponseText, Refusal> {
        let (workflow, state) = (request.workflow.as_str(), request.current_state.as_str());
        if !workflow::knows(workflow, state) {
            let why = format!("The workflow {workflow} has no state `{state}`.");
            return Err(Refusal::invalid(why).with_code("StateUnknown"));
        }
        let show = |step: &WorkflowStep| json!({ "name": step.name, "action": step.name, "newState": step.to, "condition": step.condition });
        let steps: Vec<Value> = workflow::steps(workflow, state).map(show).collect();
        succeed(json!({ "transitions": steps }))
    }
}

impl Handler for ExecuteWorkflowTransition {
    fn handle(
        call: &ApiCall<'_>,
        request: ExecuteWorkflowTransitionRequest,
    ) -> Result<ResponseText, Refusal> {
        let (workflow, target) = (request.workflow.as_str(), request.target_state.as_str());
        let id = call.change(|tenant, _| {
            exist(tenant, &request)?;
            match workflow {
                "SurveyDesign" => survey(call, tenant, due(request.survey_id, "surveyId", workflow)?, target),
                "Distribution" => {
                    message(call, tenant, due(request.distributor_id, "distributorId", workflow)?, target)
                }
                "Reminder" => {
                    message(call, tenant, due(request.reminder_id, "reminderId", workflow)?, target)
                }
                _ => Err(impossible(workflow, "its state", target)),
            }
        })?;
        call.note(EffectKind::TransitionMade, vec![id.to_string()]);
        succeed(json!({}))
    }
}

/// Every id that is given must exist, even if the workflow does not use it.
fn exist(tenant: &Tenant, request: &ExecuteWorkflowTransitionRequest) -> Result<(), Refusal> {
    if let Some(id) = request.survey_id {
        tenant.survey(id)?;
    }
    if let Some(id) = request.sampling_project_id.filter(|id| !tenant.sampling_projects.contains_key(id)) {
        return Err(Refusal::not_found("SamplingProjectNotFound", "sampling project", id));
    }
    if let Some(id) = request.distributor_id.filter(|id| !tenant.distributors.contains_key(id)) {
        return Err(Refusal::not_found("DistributorNotFound", "distributor", id));
    }
    if let Some(id) = request.reminder_id.filter(|id| !tenant.reminders.contains_key(id)) {
        return Err(Refusal::not_found("ReminderNotFound", "reminder", id));
    }
    Ok(())
}

fn due(id: Option<i64>, field: &str, workflow: &str) -> Result<i64, Refusal> {
    id.ok_or_else(|| Refusal::invalid(format!("{field} is missing: the workflow {workflow} is about it.")))
}

fn find(workflow: &str, from: &str, target: &str) -> Result<&'static WorkflowStep, Refusal> {
    let mut steps = workflow::steps(workflow, from);
    steps.find(|step| step.to == target).ok_or_else(|| impossible(workflow, from, target))
}

fn impossible(workflow: &str, from: &str, target: &str) -> Refusal {
    let ways: Vec<&str> = workflow::steps(workflow, from).map(|step| step.to).collect();
    let ways = if ways.is_empty() { "nowhere".to_owned() } else { ways.join(", ") };
    let why = format!("From {from} the workflow {workflow} leads to {ways}, not to `{target}`.");
    Refusal::invalid(why).with_code("TransitionImpossible")
}

fn survey(call: &ApiCall<'_>, tenant: &mut Tenant, id: i64, target: &str) -> Result<i64, Refusal> {
    let survey = tenant.survey_mut(id)?;
    let step = find("SurveyDesign", survey.state, target)?;
    if step.condition == Some(HAS_QUESTIONS) && survey.variables.is_empty() {
        let why = format!("The survey {id} asks nothing yet.");
        return Err(Refusal::invalid(why).with_code("ConditionNotMet"));
    }
    survey.set_state(step.to, call.now);
    tell(call, tenant, id, step);
    Ok(id)
}

/// The events that are about surveys.
// API 10.6
fn tell(call: &ApiCall<'_>, tenant: &Tenant, id: i64, step: &WorkflowStep) {
    let event = match step.to {
        "ApprovalRequested" => "ApprovalRequest",
        "Approved" => "Approved",
        "Closed" => "SurveyClosed",
        _ => return,
    };
    if let Some(survey) = tenant.surveys.get(&id) {
        call.shared.tell(tenant, event, Some(id), &delivery::survey(survey));
    }
}

/// Reminders are sent in the same way as invitations.
fn message(call: &ApiCall<'_>, tenant: &mut Tenant, id: i64, target: &str) -> Result<i64, Refusal> {
    let carrier = tenant.distributors.get_mut(&id).or_else(|| tenant.reminders.get_mut(&id));
    if let Some(distributor) = carrier {
        find("Distribution", distributor.state(), target)?;
        distributor.scheduled = call.now;
        send::deliver(call.shared, tenant, call.now);
    }
    Ok(id)
}
