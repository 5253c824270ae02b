//! Workspaces and the surveys in them.

use super::links;
use super::{ApiCall, Handler, ResponseText, succeed};
use crate::clock::wire;
use crate::ledger::EffectKind;
use crate::refusal::Refusal;
use crate::select;
use serde_json::{Value, json};
use sondage::model::{
    DeleteSurveyRequest, ReadSurveyLinksRequest, ReadSurveyListRequest, ReadWorkspaceListRequest,
};
use sondage::operations::{DeleteSurvey, ReadSurveyLinks, ReadSurveyList, ReadWorkspaceList};

impl Handler for ReadWorkspaceList {
    fn handle(call: &ApiCall<'_>, request: ReadWorkspaceListRequest) -> Result<ResponseText, Refusal> {
        const COLUMNS: &[&str] = &["id", "name", "numberOfSurveys"];
        call.read(|tenant| {
            let items: Vec<Value> = tenant
                .workspaces
                .values()
                .map(|workspace| {
                    let surveys =
                        tenant.surveys.values().filter(|survey| survey.workspace_id == workspace.id);
                    json!({ "id": workspace.id, "name": workspace.name, "numberOfSurveys": surveys.count() })
                })
                .collect();
            let (workspaces, total_count) = select::items(
                COLUMNS,
                &items,
                request.conditions.as_deref(),
                request.paging.as_ref(),
                call.profile,
            )?;
            succeed(json!({ "workspaces": workspaces, "totalCount": total_count }))
        })
    }
}

impl Handler for ReadSurveyList {
    fn handle(call: &ApiCall<'_>, request: ReadSurveyListRequest) -> Result<ResponseText, Refusal> {
        const COLUMNS: &[&str] = &[
            "id",
            "name",
            "modifiedDate",
            "endDate",
            "isEndDateEnabled",
            "status",
            "archiveDate",
            "statusOn",
            "answers",
        ];
        call.read(|tenant| {
            let workspace = tenant.workspace(request.workspace_id)?.id;
            let items: Vec<Value> = tenant
                .surveys
                .values()
                .filter(|survey| survey.workspace_id == workspace && call.is_listed(survey.created.0))
                .map(|survey| {
                    json!({
                        "id": survey.id,
                        "name": survey.name,
                        "modifiedDate": wire(survey.modified),
                        "endDate": null,
                        "isEndDateEnabled": false,
                        "status": survey.status,
                        "archiveDate": null,
                        "statusOn": survey.status == "Active",
                        "answers": survey.completed(),
                    })
                })
                .collect();
            let (surveys, total_count) = select::items(
                COLUMNS,
                &items,
                request.conditions.as_deref(),
                request.paging.as_ref(),
                call.profile,
            )?;
            succeed(json!({ "surveys": surveys, "totalCount": total_count }))
        })
    }
}

impl Handler for ReadSurveyLinks {
    fn handle(call: &ApiCall<'_>, request: ReadSurveyLinksRequest) -> Result<ResponseText, Refusal> {
        let base = &call.shared.address(call.data_center).api;
        call.read(|tenant| {
            let survey = tenant.survey(request.survey_id)?;
            let link = |language: &String| {
                json!({ "url": links::survey(base, survey, language), "isCustom": false, "language": language })
            };
            succeed(json!({ "anonymousList": survey.languages.iter().map(link).collect::<Vec<_>>() }))
        })
    }
}

impl Handler for DeleteSurvey {
    fn handle(call: &ApiCall<'_>, request: DeleteSurveyRequest) -> Result<ResponseText, Refusal> {
        let id = request.survey_id;
        call.change(|tenant, _| {
            tenant.survey(id)?;
            tenant.surveys.shift_remove(&id);
            tenant.forget_participations(|survey, _| survey == id);
            tenant.distributors.retain(|_, distributor| distributor.survey_id != id);
            tenant.sampling_projects.retain(|_, project| project.survey_id != id);
            Ok(())
        })?;
        call.note(EffectKind::SurveyDeleted, vec![id.to_string()]);
        succeed(json!({}))
    }
}
