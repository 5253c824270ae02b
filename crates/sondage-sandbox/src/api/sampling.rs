//! Sampling projects and distributors, and what happens to their interviews when they are deleted.

use super::{ApiCall, Handler, ResponseText, succeed};
use crate::clock::wire;
use crate::ledger::EffectKind;
use crate::refusal::Refusal;
use crate::world::Tenant;
use serde_json::json;
use sondage::model::{DeleteDistributorRequest, DeleteSamplingProjectRequest, ReadSamplingProjectRequest};
use sondage::operations::{DeleteDistributor, DeleteSamplingProject, ReadSamplingProject};

impl Handler for ReadSamplingProject {
    fn handle(call: &ApiCall<'_>, request: ReadSamplingProjectRequest) -> Result<ResponseText, Refusal> {
        let id = request.sampling_project_id;
        call.read(|tenant| {
            let project = tenant.sampling_projects.get(&id).ok_or_else(|| missing(id))?;
            let survey = tenant.survey(project.survey_id).ok();
            let first = tenant.distributors.values().find(|carrier| carrier.sampling_project_id == id);
            let elements = first.map(|carrier| carrier.conditions.as_slice()).unwrap_or_default();
            let definition = json!({ "conditionAction": "Passes", "elements": elements });
            let conditions = if elements.is_empty() { vec![] } else { vec![definition] };
            succeed(json!({ "samplingProject": {
                "samplingProjectId": id,
                "name": format!("Sampling project {id}"),
                "workspaceId": survey.map(|survey| survey.workspace_id),
                "surveyId": project.survey_id,
                "surveyVersion": first.map(|carrier| carrier.survey_version),
                "panelId": project.panel_id,
                "samplingProviderId": 1,
                "projectState": first.map_or("Empty", |carrier| carrier.state()),
                "scheduledDistribution": first.map(|carrier| wire(carrier.scheduled)),
                "executedDistribution": first.and_then(|carrier| carrier.executed).map(wire),
                "conditions": conditions,
            }}))
        })
    }
}

impl Handler for DeleteDistributor {
    fn handle(call: &ApiCall<'_>, request: DeleteDistributorRequest) -> Result<ResponseText, Refusal> {
        let id = request.distributor_id;
        let keep = request.keep_interviews;
        call.change(|tenant, _| {
            tenant.distributor(id)?;
            delete(tenant, id, keep);
            Ok(())
        })?;
        call.note(EffectKind::DistributorDeleted, vec![id.to_string()]);
        succeed(json!({}))
    }
}

impl Handler for DeleteSamplingProject {
    fn handle(call: &ApiCall<'_>, request: DeleteSamplingProjectRequest) -> Result<ResponseText, Refusal> {
        let id = request.sampling_project_id;
        let keep = request.keep_interviews;
        call.change(|tenant, _| {
            tenant.sampling_projects.shift_remove(&id).ok_or_else(|| missing(id))?;
            let carriers = tenant.distributors.values().filter(|carrier| carrier.sampling_project_id == id);
            for carrier in carriers.map(|carrier| carrier.id).collect::<Vec<_>>() {
                delete(tenant, carrier, keep);
            }
            Ok(())
        })?;
        call.note(EffectKind::SamplingProjectDeleted, vec![id.to_string()]);
        succeed(json!({}))
    }
}

fn missing(id: i64) -> Refusal {
    Refusal::not_found("SamplingProjectNotFound", "sampling project", id)
}

/// Removes a distributor with its reminders; messages that have not been sent are cancelled.
pub(super) fn delete(tenant: &mut Tenant, id: i64, keep_interviews: bool) {
    tenant.distributors.shift_remove(&id);
    tenant.reminders.retain(|_, reminder| reminder.reminds != Some(id));
    if !keep_interviews {
        tenant.forget_interviews(|interview| {
            interview.origin.is_some_and(|origin| origin.distributor_id == id)
        });
    }
}
