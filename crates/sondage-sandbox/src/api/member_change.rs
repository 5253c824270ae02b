//! Changing and deleting members.

use super::check::{Checker, Issue};
use super::panel::check_names;
use super::{ApiCall, Handler, ResponseText, succeed};
use crate::ledger::EffectKind;
use crate::refusal::Refusal;
use serde_json::{Value, json};
use sondage::model::{DeleteMembersRequest, UpdateMembersRequest};
use sondage::operations::{DeleteMembers, UpdateMembers};
use std::collections::HashSet;

impl Handler for UpdateMembers {
    fn handle(call: &ApiCall<'_>, request: UpdateMembersRequest) -> Result<ResponseText, Refusal> {
        let most = call.profile.max_members_per_create;
        if request.members.len() > most {
            let why = format!("{} members are too many for one call: at most {most}.", request.members.len());
            return Err(Refusal::invalid(why).with_code("TooManyMembers"));
        }
        check_names(request.members.iter().map(|member| &member.fields))?;
        let (done, issues) = call.change(|tenant, _| {
            let mut rules = Checker::new(tenant.panel(request.panel_id)?);
            let checked: Vec<(i64, Result<Vec<Value>, Issue>)> =
                request.members.iter().map(|change| (change.id, rules.check_change(change))).collect();
            let (mut done, mut issues) = (Vec::new(), Vec::new());
            if let Some(panel) = tenant.panels.get_mut(&request.panel_id) {
                for (id, outcome) in checked {
                    match (outcome, panel.members.get_mut(&id)) {
                        (Ok(values), Some(member)) => {
                            member.values = values;
                            member.updated_at = Some(call.now);
                            member.updated_by = Some(call.actor());
                            done.push(id);
                        }
                        (Ok(_), None) => {}
                        (Err(issue), _) => issues.push(issue.to_json()),
                    }
                }
            }
            let panel = tenant.panel(request.panel_id)?;
            for member in done.iter().filter_map(|id| panel.members.get(id)) {
                let entity = crate::delivery::member(panel, member);
                call.shared.tell(tenant, "PanelMemberUpdated", Some(panel.id), &entity);
            }
            Ok((done, issues))
        })?;
        call.note(EffectKind::MembersUpdated, done.iter().map(ToString::to_string).collect());
        succeed(json!({ "validationIssues": issues }))
    }
}

impl Handler for DeleteMembers {
    fn handle(call: &ApiCall<'_>, request: DeleteMembersRequest) -> Result<ResponseText, Refusal> {
        let ids: HashSet<i64> = request.panel_members_ids.iter().copied().collect();
        if ids.is_empty() {
            return Err(Refusal::invalid("panelMembersIds is empty: it must say who is deleted."));
        }
        let keep = request.keep_interviews;
        call.change(|tenant, _| {
            let panel = tenant.panel(request.panel_id)?;
            if let Some(stranger) = ids.iter().find(|id| !panel.members.contains_key(*id)) {
                return Err(Refusal::not_found("MemberNotFound", "member", stranger));
            }
            for member in panel.members.values().filter(|member| ids.contains(&member.id)) {
                let entity = crate::delivery::member(panel, member);
                call.shared.tell(tenant, "PanelMemberRemoved", Some(panel.id), &entity);
            }
            if let Some(panel) = tenant.panels.get_mut(&request.panel_id) {
                panel.members.retain(|id, _| !ids.contains(id));
            }
            if !keep {
                tenant.forget_interviews(|interview| {
                    interview.origin.is_some_and(|origin| {
                        origin.panel_id == request.panel_id && ids.contains(&origin.member_id)
                    })
                });
            }
            Ok(())
        })?;
        call.note(EffectKind::MembersDeleted, ids.iter().map(ToString::to_string).collect());
        succeed(json!({}))
    }
}
