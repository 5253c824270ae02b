//! Invitations, message templates and distributors.

use super::invite::Invitation;
use super::{ApiCall, Handler, ResponseText, panel, succeed};
use crate::clock::wire;
use crate::refusal::Refusal;
use crate::select;
use crate::world::Distributor;
use serde_json::{Value, json};
use sondage::model::{
    CreateAndInviteMembersRequest, InviteMembersRequest, ReadDistributorListRequest,
    ReadMessageTemplateListRequest,
};
use sondage::operations::{
    CreateAndInviteMembers, InviteMembers, ReadDistributorList, ReadMessageTemplateList,
};

impl Handler for InviteMembers {
    fn handle(call: &ApiCall<'_>, request: InviteMembersRequest) -> Result<ResponseText, Refusal> {
        let invitation = Invitation {
            survey_id: request.survey_id,
            panel_id: request.panel_id,
            message_template_id: request.message_template_id,
            channel: request.channel.as_ref().map_or("Email", |channel| channel.as_str()),
            sampling_project_id: request.sampling_project_id,
            member_ids: request.member_ids.as_deref(),
            conditions: request.conditions.as_deref(),
            text_blocks: request.text_blocks.as_deref(),
            schedule: request.schedule_date_time.map(|time| time.0),
            expiry: request.interview_expiry_date.as_deref(),
            addresses: [("from", request.from.as_deref()), ("replyTo", request.reply_to.as_deref())],
        };
        let sent = call.change(|tenant, ids| invitation.send(call, tenant, ids))?;
        succeed(
            json!({ "samplingProjectId": sent.sampling_project_id, "distributorId": sent.distributor_id }),
        )
    }
}

impl Handler for CreateAndInviteMembers {
    fn handle(call: &ApiCall<'_>, request: CreateAndInviteMembersRequest) -> Result<ResponseText, Refusal> {
        let invitation = Invitation {
            survey_id: request.survey_id,
            panel_id: request.panel_id,
            message_template_id: request.message_template_id,
            channel: request.channel.as_str(),
            sampling_project_id: request.sampling_project_id,
            member_ids: None,
            conditions: None,
            text_blocks: request.text_blocks.as_deref(),
            schedule: request.schedule_date_time.map(|time| time.0),
            expiry: request.interview_expiry_date.as_deref(),
            addresses: [("from", request.from.as_deref()), ("replyTo", request.reply_to.as_deref())],
        };
        call.change(|tenant, ids| {
            // The invitation is validated first, so that no members are created for one that cannot be sent.
            invitation.check(tenant)?;
            let created = panel::create(call, tenant, ids, request.panel_id, &request.members)?;
            let new: Vec<i64> = created.ids.iter().flatten().copied().collect();
            // No member was created, so there is nobody to invite and no distributor is needed.
            let sent = if new.is_empty() {
                None
            } else {
                let invitation = Invitation { member_ids: Some(&new), ..invitation };
                Some(invitation.send(call, tenant, ids)?)
            };
            succeed(json!({
                "samplingProjectId": sent.as_ref().map(|sent| sent.sampling_project_id),
                "distributorId": sent.as_ref().map(|sent| sent.distributor_id),
                "validationIssues": created.issues(),
            }))
        })
    }
}

impl Handler for ReadMessageTemplateList {
    fn handle(call: &ApiCall<'_>, request: ReadMessageTemplateListRequest) -> Result<ResponseText, Refusal> {
        const COLUMNS: &[&str] = &["id", "name", "content", "subject", "defaultLocale"];
        call.read(|tenant| {
            if let Some(workspace) = request.workspace_id {
                tenant.workspace(workspace)?;
            }
            let here = |workspace: i64| request.workspace_id.is_none_or(|wanted| wanted == workspace);
            let items: Vec<Value> = tenant
                .templates
                .values()
                .filter(|template| here(template.workspace_id))
                .map(|template| {
                    let text = template.text(&request.language);
                    json!({
                        "id": template.id,
                        "name": template.name,
                        "content": text.map(|text| &text.content),
                        "subject": text.map(|text| text.subject),
                        "defaultLocale": template.default_locale,
                        "locales": template.texts.iter().map(|text| text.locale).collect::<Vec<_>>(),
                    })
                })
                .collect();
            let (templates, total_count) = select::items(
                COLUMNS,
                &items,
                request.conditions.as_deref(),
                request.paging.as_ref(),
                call.profile,
            )?;
            succeed(json!({ "messageTemplates": templates, "totalCount": total_count }))
        })
    }
}

impl Handler for ReadDistributorList {
    fn handle(call: &ApiCall<'_>, request: ReadDistributorListRequest) -> Result<ResponseText, Refusal> {
        const COLUMNS: &[&str] = &[
            "distributorId",
            "distributionChannel",
            "surveyId",
            "samplingProjectId",
            "surveyVersion",
            "panelId",
            "scheduledDistribution",
            "executedDistribution",
            "distributionState",
        ];
        call.read(|tenant| {
            if let Some(survey) = request.survey_id {
                tenant.survey(survey)?;
            }
            if let Some(panel) = request.panel_id {
                tenant.panel(panel)?;
            }
            let is_requested = |distributor: &&Distributor| {
                call.is_listed(distributor.created)
                    && request.survey_id.is_none_or(|survey| distributor.survey_id == survey)
                    && request.panel_id.is_none_or(|panel| distributor.panel_id == panel)
            };
            let items: Vec<Value> = tenant.distributors.values().filter(is_requested).map(to_json).collect();
            let (distributors, total_count) = select::items(
                COLUMNS,
                &items,
                request.conditions.as_deref(),
                request.paging.as_ref(),
                call.profile,
            )?;
            succeed(json!({ "distributors": distributors, "totalCount": total_count }))
        })
    }
}

/// A distributor as the contract's `DistributorElement`.
fn to_json(distributor: &Distributor) -> Value {
    let definition = json!({ "conditionAction": "Passes", "elements": distributor.conditions });
    let conditions = if distributor.conditions.is_empty() { vec![] } else { vec![definition] };
    json!({
        "distributorId": distributor.id,
        "distributionChannel": distributor.channel,
        "surveyId": distributor.survey_id,
        "samplingProjectId": distributor.sampling_project_id,
        "surveyVersion": distributor.survey_version,
        "panelId": distributor.panel_id,
        "scheduledDistribution": wire(distributor.scheduled),
        "executedDistribution": distributor.executed.map(wire),
        "distributionState": distributor.state(),
        "conditions": conditions,
    })
}
