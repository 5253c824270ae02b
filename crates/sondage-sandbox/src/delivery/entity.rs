//! The content of a callback. The formats are assumed, modelled on the lists of the API.
// API 10.7

use crate::clock::wire;
use crate::world::{Interview, Member, Panel, Survey};
use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

/// An interview with its answers, with the field names of a member's interviews.
// API 3.4
pub(super) fn interview(survey: &Survey, interview: &Interview) -> Value {
    let answered = survey.variables.iter().zip(&interview.answers).filter(|(_, answer)| !answer.is_null());
    let answers: Map<String, Value> =
        answered.map(|(variable, answer)| (variable.code.clone(), answer.clone())).collect();
    json!({
        "id": interview.id,
        "surveyId": survey.id,
        "state": interview.state,
        "panelId": interview.origin.map(|origin| origin.panel_id),
        "panelMemberId": interview.origin.map(|origin| origin.member_id),
        "language": interview.language,
        "startDate": interview.start.map(wire),
        "endDate": interview.end.map(wire),
        "updatedAt": interview.updated_at.map(wire),
        "answers": answers,
    })
}

/// A member in wire format, and its panel.
// API 3.2
pub(crate) fn member(panel: &Panel, member: &Member) -> Value {
    let fields: Map<String, Value> = panel
        .fields
        .iter()
        .map(|field| {
            let value = panel.value(member, &field.name);
            (field.name.clone(), json!({ "name": field.name, "fieldType": field.kind, "value": value }))
        })
        .collect();
    json!({
        "id": member.id,
        "panelId": panel.id,
        "fields": fields,
        "createdAt": wire(member.created_at),
        "createdBy": member.created_by,
        "updatedAt": member.updated_at.map(wire),
        "updatedBy": member.updated_by,
    })
}

/// A bounce in the format of the published list.
pub(crate) fn bounce(panel: &Panel, member: &Member, now: DateTime<Utc>) -> Value {
    json!({
        "interviewId": member.interviews.last().map(|(_, id)| id),
        "panelId": panel.id,
        "panelMemberId": member.id,
        "bounceType": "Hard",
        "timestamp": wire(now),
        "reason": "550 5.1.1 The mailbox does not exist.",
        "email": panel.value(member, "Email"),
    })
}

/// An opt-out in the format of the published list, and its member.
pub(crate) fn opt_out(panel: &Panel, member: &Member, now: DateTime<Utc>) -> Value {
    json!({
        "email": panel.value(member, "Email"),
        "panelId": panel.id,
        "panelMemberId": member.id,
        "optOutAt": wire(now),
        "optOutBy": "member",
    })
}

/// A survey in the format of the published list.
pub(crate) fn survey(survey: &Survey) -> Value {
    json!({
        "id": survey.id,
        "workspaceId": survey.workspace_id,
        "name": survey.name,
        "status": survey.status,
        "modifiedDate": wire(survey.modified),
    })
}
