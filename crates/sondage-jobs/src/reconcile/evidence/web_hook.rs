//! A webhook is identified by its event, the survey that it watches, its time and its author. The service shows neither
//! address nor token.

use super::Inspection;
use crate::reconcile::finding::{Candidate, Candidates, Finding};
use crate::reconcile::window::Place;
use serde::Deserialize;
use serde_json::json;
use sondage::error::Result;
use sondage::model::{EventType, ReadWebHookListRequest};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewHook {
    event_type: EventType,
    entity_identifier: String,
}

pub(super) async fn find_evidence(inspection: &Inspection) -> Result<Finding> {
    let new_hook: NewHook = inspection.request()?;
    let hooks = inspection.client.read_web_hook_list(ReadWebHookListRequest::new()).await?.web_hooks;
    let mut candidates = Candidates::default();
    for hook in hooks {
        let alike = hook.event_type.as_ref() == Some(&new_hook.event_type)
            && hook.entity_identifier.as_ref() == Some(&new_hook.entity_identifier);
        let timing = inspection.window.place(hook.created_at.map(|time| time.0));
        if !alike || inspection.is_known(&hook.id) || matches!(timing, Place::Before | Place::After) {
            continue;
        }
        if timing == Place::Within && inspection.is_ours(hook.created_by.as_deref()) {
            let answer = json!({ "webHookId": hook.id });
            candidates.ours.push(Candidate { ids: vec![hook.id], answer });
        } else {
            candidates.others.push(hook.id);
        }
    }
    Ok(candidates.judge(
        "webhook for this event",
        inspection.name.as_deref(),
        inspection.ambiguous_with_own_call,
    ))
}
