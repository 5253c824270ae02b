//! Reminders, to the members of a distributor who have not answered.

use super::check::is_email;
use super::invite::reachable;
use super::send::deliver;
use super::{ApiCall, Handler, ResponseText, succeed};
use crate::ledger::EffectKind;
use crate::refusal::Refusal;
use crate::select;
use crate::world::{Distributor, Tenant};
use serde_json::json;
use sondage::model::RemindMembersRequest;
use sondage::operations::RemindMembers;
use std::collections::HashSet;

impl Handler for RemindMembers {
    fn handle(call: &ApiCall<'_>, request: RemindMembersRequest) -> Result<ResponseText, Refusal> {
        for (field, address) in [("from", &request.from), ("replyTo", &request.reply_to)] {
            if address.as_ref().is_some_and(|address| !is_email(address)) {
                return Err(Refusal::invalid(format!("{field} is not an e-mail address.")));
            }
        }
        let id = call.change(|tenant, ids| {
            let mut reminder = prepared(call, tenant, &request)?;
            reminder.id = ids.next();
            let id = reminder.id;
            call.shared.wake_at(reminder.scheduled);
            tenant.reminders.insert(id, reminder);
            call.note(EffectKind::ReminderCreated, vec![id.to_string()]);
            deliver(call.shared, tenant, call.now);
            Ok(id)
        })?;
        succeed(json!({ "reminderId": id }))
    }
}

/// Validates everything, and returns the reminder without its id.
fn prepared(
    call: &ApiCall<'_>,
    tenant: &Tenant,
    request: &RemindMembersRequest,
) -> Result<Distributor, Refusal> {
    let invitation = tenant.distributor(request.distributor_id)?;
    let template = request.message_template_id;
    if !tenant.templates.contains_key(&template) {
        return Err(Refusal::not_found("MessageTemplateNotFound", "message template", template));
    }
    if invitation.executed.is_none() {
        let why = format!("The distributor {} has not sent yet: nobody can be reminded.", invitation.id);
        return Err(Refusal::invalid(why).with_code("DistributorNotExecuted"));
    }
    let survey = tenant.survey(invitation.survey_id)?;
    if survey.status != "Active" {
        let why = format!("The survey {} is {}, so nobody can answer it.", survey.id, survey.status);
        return Err(Refusal::invalid(why).with_code("SurveyNotActive"));
    }
    let channel = request.channel.as_ref().map_or(invitation.channel.as_str(), |channel| channel.as_str());
    if !matches!(channel, "Email" | "Sms" | "WhatsApp") {
        let why = format!("The channel {channel} carries no messages, so it cannot remind anybody.");
        return Err(Refusal::invalid(why).with_code("ChannelCannotRemind"));
    }
    let open: HashSet<i64> = survey
        .interviews
        .values()
        .filter(|interview| matches!(interview.state, "NotResponded" | "InProgress"))
        .filter_map(|interview| interview.origin)
        .filter(|origin| origin.distributor_id == invitation.id)
        .map(|origin| origin.member_id)
        .collect();
    // Members whose first message bounced get no reminder (assumed).
    let lost: HashSet<i64> =
        tenant.bounces.iter().filter(|bounce| bounce.kind == "Hard").map(|bounce| bounce.member_id).collect();
    let panel = tenant.panel(invitation.panel_id)?;
    let members = panel.members.values().filter(|member| open.contains(&member.id));
    let members = select::filter(panel, members, request.conditions.as_deref(), call.profile)?;
    let reached = members.into_iter().filter(|member| {
        !lost.contains(&member.id)
            && tenant.may_write(panel, member, channel, survey.workspace_id)
            && reachable(panel, member, channel)
    });
    Ok(Distributor {
        id: 0,
        channel: channel.to_owned(),
        survey_id: survey.id,
        survey_version: survey.version,
        panel_id: panel.id,
        sampling_project_id: invitation.sampling_project_id,
        created: call.now,
        scheduled: request.schedule_date_time.map_or(call.now, |time| time.0),
        executed: None,
        conditions: request.conditions.clone().unwrap_or_default(),
        operation: call.info.name,
        recipients: reached.map(|member| member.id).collect(),
        sent: Vec::new(),
        template_id: template,
        text_blocks: request.text_blocks.clone().unwrap_or_default(),
        from: request.from.clone(),
        reminds: Some(invitation.id),
    })
}
