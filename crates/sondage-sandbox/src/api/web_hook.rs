//! Webhook registrations.
// API 10.1; API 10.2; API 10.5

use super::{ApiCall, Handler, ResponseText, succeed};
use crate::clock::wire;
use crate::ledger::EffectKind;
use crate::random;
use crate::refusal::Refusal;
use crate::world::{Tenant, WebHook};
use serde_json::{Value, json};
use sondage::model::{
    CreateWebHookRequest, DeleteWebHookRequest, EventType, ReadWebHookListRequest, UpdateWebHookRequest,
};
use sondage::operations::{CreateWebHook, DeleteWebHook, ReadWebHookList, UpdateWebHook};
use url::Url;

impl Handler for CreateWebHook {
    fn handle(call: &ApiCall<'_>, request: CreateWebHookRequest) -> Result<ResponseText, Refusal> {
        let hook = WebHook {
            event_type: request.event_type.as_str().to_owned(),
            entity_identifier: request.entity_identifier,
            workspace_id: request.workspace_id,
            url: request.web_hook_url.reveal().to_owned(),
            security_token: request.security_token.map(|token| token.reveal().to_owned()).unwrap_or_default(),
            created: (call.now, call.actor()),
            updated: None,
        };
        let id = random::guid();
        call.change(|tenant, _| {
            check(tenant, &hook)?;
            tenant.web_hooks.insert(id.clone(), hook);
            Ok(())
        })?;
        call.note(EffectKind::WebHookCreated, vec![id.clone()]);
        succeed(json!({ "webHookId": id }))
    }
}

impl Handler for ReadWebHookList {
    fn handle(call: &ApiCall<'_>, request: ReadWebHookListRequest) -> Result<ResponseText, Refusal> {
        call.read(|tenant| {
            request.workspace_id.map(|id| tenant.workspace(id)).transpose()?;
            let is_requested = |hook: &WebHook| {
                let event = request.event_type.as_ref().is_none_or(|event| event.as_str() == hook.event_type);
                call.is_listed(hook.created.0)
                    && event
                    && request.entity_identifier.as_ref().is_none_or(|id| *id == hook.entity_identifier)
                    && request.workspace_id.is_none_or(|id| Some(id) == hook.workspace_id)
            };
            let hooks = tenant.web_hooks.iter().filter(|(_, hook)| is_requested(hook));
            let items = hooks.map(|(id, hook)| to_json(id, hook)).collect::<Vec<_>>();
            succeed(json!({ "webHooks": items }))
        })
    }
}

/// A registration as the contract's `WebHookElement`: without its address and its token.
fn to_json(id: &str, hook: &WebHook) -> Value {
    json!({
        "id": id,
        "eventType": hook.event_type,
        "entityIdentifier": hook.entity_identifier,
        "workspaceId": hook.workspace_id,
        "createdAt": wire(hook.created.0),
        "createdBy": hook.created.1,
        "updatedAt": hook.updated.as_ref().map(|(at, _)| wire(*at)),
        "updatedBy": hook.updated.as_ref().map(|(_, by)| by),
    })
}

impl Handler for UpdateWebHook {
    fn handle(call: &ApiCall<'_>, request: UpdateWebHookRequest) -> Result<ResponseText, Refusal> {
        let id = request.web_hook_id;
        call.change(|tenant, _| {
            let mut hook = tenant.web_hooks.get(&id).cloned().ok_or_else(|| unknown(&id))?;
            if let Some(event_type) = request.event_type {
                event_type.as_str().clone_into(&mut hook.event_type);
            }
            hook.entity_identifier = request.entity_identifier.unwrap_or(hook.entity_identifier);
            hook.workspace_id = request.workspace_id.or(hook.workspace_id);
            if let Some(url) = request.web_hook_url {
                url.reveal().clone_into(&mut hook.url);
            }
            if let Some(token) = request.security_token {
                token.reveal().clone_into(&mut hook.security_token);
            }
            hook.updated = Some((call.now, call.actor()));
            check(tenant, &hook)?;
            tenant.web_hooks.insert(id.clone(), hook);
            Ok(())
        })?;
        call.note(EffectKind::WebHookUpdated, vec![id]);
        succeed(json!({}))
    }
}

impl Handler for DeleteWebHook {
    fn handle(call: &ApiCall<'_>, request: DeleteWebHookRequest) -> Result<ResponseText, Refusal> {
        let id = request.web_hook_id;
        call.change(|tenant, _| tenant.web_hooks.shift_remove(&id).ok_or_else(|| unknown(&id)))?;
        call.note(EffectKind::WebHookDeleted, vec![id]);
        succeed(json!({}))
    }
}

fn unknown(id: &str) -> Refusal {
    Refusal::not_found("WebHookNotFound", "webhook", id)
}

fn check(tenant: &Tenant, hook: &WebHook) -> Result<(), Refusal> {
    hook.workspace_id.map(|id| tenant.workspace(id)).transpose()?;
    if matches!(EventType::from(hook.event_type.as_str()), EventType::Unknown(_)) {
        let types = EventType::KNOWN.join(", ");
        return Err(Refusal::invalid(format!(
            "eventType is `{}`, but must be one of {types}.",
            hook.event_type
        )));
    }
    // The API does not show what the entity is for events of members (API 10.1); a panel is the obvious choice.
    let exists = |id: i64| tenant.surveys.contains_key(&id) || tenant.panels.contains_key(&id);
    if hook.entity_identifier != "*" && !hook.entity_identifier.parse().is_ok_and(exists) {
        let identifier = &hook.entity_identifier;
        let why =
            format!("entityIdentifier is `{identifier}`, which is neither a survey of this account nor *.");
        return Err(Refusal::invalid(why));
    }
    // https is required (API 10.1); a receiver under test on this machine has no certificate.
    let good = Url::parse(&hook.url).is_ok_and(|url| match url.scheme() {
        "https" => url.has_host(),
        "http" => url.host_str().is_some_and(crate::text::is_loopback),
        _ => false,
    });
    if !good {
        return Err(Refusal::invalid("webHookUrl must be an https address."));
    }
    Ok(())
}
