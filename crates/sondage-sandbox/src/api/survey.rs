//! Workspaces and the surveys in them.

use super::{Answer, Call, Handler, succeed};
use crate::clock::wire;
use crate::refusal::Refusal;
use crate::select;
use serde_json::{Value, json};
use sondage::model::{ReadSurveyListRequest, ReadWorkspaceListRequest};
use sondage::operations::{ReadSurveyList, ReadWorkspaceList};

impl Handler for ReadWorkspaceList {
    fn handle(call: &Call<'_>, request: ReadWorkspaceListRequest) -> Result<Answer, Refusal> {
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
    fn handle(call: &Call<'_>, request: ReadSurveyListRequest) -> Result<Answer, Refusal> {
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
                .filter(|survey| survey.workspace_id == workspace)
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
