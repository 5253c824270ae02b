//! Bounces, opt-outs, and single mails.

use super::check::is_email;
use super::{ApiCall, Handler, ResponseText, succeed};
use crate::clock::wire;
use crate::ledger::EffectKind;
use crate::refusal::Refusal;
use crate::select;
use crate::world::{Bounce, Contact, Mail, OptOut, Panel, Scope, Tenant};
use serde_json::{Value, json};
use sondage::model::{
    ExecuteSendMailRequest, OptOutOperation, ReadBounceListRequest, ReadOptOutListRequest,
    WriteOptOutListRequest,
};
use sondage::operations::{ExecuteSendMail, ReadBounceList, ReadOptOutList, WriteOptOutList};

impl Handler for ReadBounceList {
    fn handle(call: &ApiCall<'_>, request: ReadBounceListRequest) -> Result<ResponseText, Refusal> {
        const COLUMNS: &[&str] = &[
            "distributorId",
            "interviewId",
            "panelId",
            "panelMemberId",
            "bounceType",
            "timestamp",
            "state",
            "email",
            "phone",
            "invitationType",
        ];
        call.read(|tenant| {
            tenant.survey(request.survey_id)?;
            if let Some(panel) = request.panel_id {
                tenant.panel(panel)?;
            }
            let is_requested = |bounce: &&Bounce| {
                let carriers = request.distributors.as_deref().unwrap_or_default();
                bounce.survey_id == request.survey_id
                    && request.panel_id.is_none_or(|panel| panel == bounce.panel_id)
                    && (carriers.is_empty() || bounce.distributor_id.is_some_and(|id| carriers.contains(&id)))
                    && request.invitation_type.as_ref().is_none_or(|kind| kind.as_str() == bounce.invitation)
            };
            let bounce_items =
                tenant.bounces.iter().filter(is_requested).map(|bounce| bounce_json(tenant, bounce));
            let items: Vec<Value> = bounce_items.collect();
            let (conditions, paging) = (request.conditions.as_deref(), request.paging.as_ref());
            let (bounces, total_count) = select::items(COLUMNS, &items, conditions, paging, call.profile)?;
            succeed(json!({ "bounces": bounces, "totalCount": total_count }))
        })
    }
}

/// A bounce as the contract's `BounceElement`.
fn bounce_json(tenant: &Tenant, bounce: &Bounce) -> Value {
    let survey = tenant.surveys.get(&bounce.survey_id);
    let interview = bounce.interview.as_ref();
    let state = survey.zip(interview).and_then(|(survey, id)| survey.interviews.get(id)).map(|it| it.state);
    let (email, phone) = split(bounce.contact.as_ref());
    json!({
        "distributorId": bounce.distributor_id,
        "interviewId": interview,
        "panelId": bounce.panel_id,
        "panelMemberId": bounce.member_id,
        "bounceType": bounce.kind,
        "timestamp": wire(bounce.at),
        "state": state,
        "reason": bounce.reason(),
        "email": email,
        "phone": phone,
        "invitationType": bounce.invitation,
    })
}

fn split(contact: Option<&Contact>) -> (Option<&str>, Option<i64>) {
    match contact {
        Some(Contact::Email(address)) => (Some(address), None),
        Some(Contact::Phone(number)) => (None, Some(*number)),
        None => (None, None),
    }
}

impl Handler for ReadOptOutList {
    fn handle(call: &ApiCall<'_>, request: ReadOptOutListRequest) -> Result<ResponseText, Refusal> {
        const COLUMNS: &[&str] = &["email", "phone", "optOutAt", "optOutBy"];
        call.read(|tenant| {
            let panel = request.panel_id.map(|id| tenant.panel(id)).transpose()?;
            if let Some(workspace) = request.workspace_id {
                tenant.workspace(workspace)?;
            }
            let is_requested = |scope: Scope| match scope {
                Scope::Panel(id) => request.panel_id == Some(id),
                Scope::Workspace(id) => request.workspace_id == Some(id),
            };
            let everything = request.panel_id.is_none() && request.workspace_id.is_none();
            let written = tenant.opt_outs.iter().filter(|entry| everything || is_requested(entry.scope));
            let mut items: Vec<Value> = written.map(entry_json).collect();
            let panels = tenant
                .panels
                .values()
                .filter(|known| everything || panel.is_some_and(|panel| panel.id == known.id));
            items.extend(panels.clone().flat_map(|panel| by_themselves(tenant, panel)));
            if request.workspace_id.is_none() && !everything {
                items.extend(panels.flat_map(|panel| by_the_workspace(tenant, panel)));
            }
            let (conditions, paging) = (request.conditions.as_deref(), request.paging.as_ref());
            let (entries, total_count) = select::items(COLUMNS, &items, conditions, paging, call.profile)?;
            succeed(json!({ "optOutItems": entries, "totalCount": total_count }))
        })
    }
}

fn entry_json(entry: &OptOut) -> Value {
    let (email, phone) = split(Some(&entry.contact));
    json!({ "email": email, "phone": phone, "optOutAt": wire(entry.at), "optOutBy": entry.by })
}

/// Members who opted out themselves, and are not on a list already.
fn by_themselves<'a>(tenant: &'a Tenant, panel: &'a Panel) -> impl Iterator<Item = Value> + 'a {
    panel.members.values().filter(|member| member.opted_out).filter_map(|member| {
        let contact = Contact::email(panel, member).or_else(|| Contact::of(panel, member, "Sms"))?;
        let listed = |entry: &OptOut| entry.contact == contact && entry.scope == Scope::Panel(panel.id);
        if tenant.opt_outs.iter().any(listed) {
            return None;
        }
        let (email, phone) = split(Some(&contact));
        let at = wire(member.updated_at.unwrap_or(member.created_at));
        Some(json!({ "email": email, "phone": phone, "optOutAt": at, "optOutBy": "member" }))
    })
}

/// Members to whom the list of the panel's workspace applies (assumed), and who are not listed already.
fn by_the_workspace<'a>(tenant: &'a Tenant, panel: &'a Panel) -> impl Iterator<Item = Value> + 'a {
    tenant.opt_outs.iter().filter(|entry| entry.scope == Scope::Workspace(panel.workspace_id)).filter_map(
        |entry| {
            let reached =
                panel.members.values().any(|member| !member.opted_out && entry.contact.is_of(panel, member));
            let listed =
                |other: &OptOut| other.contact == entry.contact && other.scope == Scope::Panel(panel.id);
            (reached && !tenant.opt_outs.iter().any(listed)).then(|| entry_json(entry))
        },
    )
}

impl Handler for WriteOptOutList {
    fn handle(call: &ApiCall<'_>, request: WriteOptOutListRequest) -> Result<ResponseText, Refusal> {
        let (workspace, panel, carrier) = (request.workspace_id, request.panel_id, request.distributor_id);
        let scope = call.read(|tenant| scope(tenant, workspace, panel, carrier))?;
        let (emails, phones) = (request.emails.unwrap_or_default(), request.cell_phones.unwrap_or_default());
        if emails.is_empty() && phones.is_empty() {
            return Err(Refusal::invalid("emails and cellPhones are both empty: nothing would change."));
        }
        let mut wishes = Vec::with_capacity(emails.len() + phones.len());
        for (index, item) in emails.iter().enumerate() {
            if !is_email(&item.email) {
                return Err(Refusal::invalid(format!("emails[{index}].email is not an e-mail address.")));
            }
            let adds = adds(&item.opt_out_operation, &format!("emails[{index}]"))?;
            wishes.push((Contact::Email(item.email.to_lowercase()), adds));
        }
        for (index, item) in phones.iter().enumerate() {
            let adds = adds(&item.opt_out_operation, &format!("cellPhones[{index}]"))?;
            wishes.push((Contact::Phone(item.cell_phone), adds));
        }
        call.change(|tenant, _| {
            for (contact, adds) in wishes {
                set(call, tenant, scope, &contact, adds);
            }
            Ok(())
        })?;
        let (Scope::Panel(id) | Scope::Workspace(id)) = scope;
        call.note(EffectKind::OptOutsChanged, vec![id.to_string()]);
        succeed(json!({}))
    }
}

fn adds(operation: &OptOutOperation, what: &str) -> Result<bool, Refusal> {
    match operation {
        OptOutOperation::Add => Ok(true),
        OptOutOperation::Delete => Ok(false),
        word => {
            Err(Refusal::invalid(format!("{what}.optOutOperation is `{word}`, but must be Add or Delete.")))
        }
    }
}

/// Exactly one of them defines the scope of the list.
fn scope(
    tenant: &Tenant,
    workspace: Option<i64>,
    panel: Option<i64>,
    distributor: Option<i64>,
) -> Result<Scope, Refusal> {
    match (workspace, panel, distributor) {
        (Some(id), None, None) => tenant.workspace(id).map(|found| Scope::Workspace(found.id)),
        (None, Some(id), None) => tenant.panel(id).map(|found| Scope::Panel(found.id)),
        (None, None, Some(id)) => tenant.distributor(id).map(|found| Scope::Panel(found.panel_id)),
        _ => Err(Refusal::invalid("one of workspaceId, panelId and distributorId must be given.")),
    }
}

/// Adds a contact to a list or removes it, and notifies the subscribers of a panel. The operation is idempotent.
fn set(call: &ApiCall<'_>, tenant: &mut Tenant, scope: Scope, contact: &Contact, adds: bool) {
    let listed = tenant.opt_outs.iter().position(|entry| entry.scope == scope && entry.contact == *contact);
    let news = listed.is_some() != adds;
    match (listed, adds) {
        (None, true) => {
            tenant.opt_outs.push(OptOut { scope, contact: contact.clone(), at: call.now, by: call.actor() });
        }
        (Some(at), false) => drop(tenant.opt_outs.remove(at)),
        _ => {}
    }
    let event = if adds { "OptOutAdded" } else { "OptOutRemoved" };
    let id = match scope {
        Scope::Panel(id) => id,
        Scope::Workspace(id) if news => return tell_workspace(call, tenant, id, contact, event),
        Scope::Workspace(_) => return,
    };
    let Some(panel) = tenant.panels.get_mut(&id) else { return };
    let mut changed = Vec::new();
    for at in 0..panel.members.len() {
        let Some((_, member)) = panel.members.get_index(at) else { continue };
        if member.opted_out != adds && Contact::email(panel, member).as_ref() == Some(contact) {
            changed.push(member.id);
        }
    }
    for id in &changed {
        if let Some(member) = panel.members.get_mut(id) {
            member.opted_out = adds;
        }
    }
    let Some(panel) = tenant.panels.get(&id) else { return };
    for member in changed.iter().filter_map(|id| panel.members.get(id)) {
        let entity = crate::delivery::opt_out(panel, member, call.now);
        call.shared.tell(tenant, event, Some(panel.id), &entity);
    }
}

/// The list of a workspace applies to the members of its panels (assumed): the subscribers of these panels get an event
/// for each member concerned who is not on a list of the panel already.
fn tell_workspace(call: &ApiCall<'_>, tenant: &Tenant, workspace: i64, contact: &Contact, event: &str) {
    for panel in tenant.panels.values().filter(|panel| panel.workspace_id == workspace) {
        let listed = |entry: &OptOut| entry.scope == Scope::Panel(panel.id) && entry.contact == *contact;
        if tenant.opt_outs.iter().any(listed) {
            continue;
        }
        for member in panel.members.values().filter(|it| !it.opted_out && contact.is_of(panel, it)) {
            let entity = crate::delivery::opt_out(panel, member, call.now);
            call.shared.tell(tenant, event, Some(panel.id), &entity);
        }
    }
}

impl Handler for ExecuteSendMail {
    fn handle(call: &ApiCall<'_>, request: ExecuteSendMailRequest) -> Result<ResponseText, Refusal> {
        let (subject, content) = call.read(|tenant| text(tenant, &request))?;
        let addresses = [
            ("from", Some(&request.from)),
            ("to", Some(&request.to)),
            ("replyTo", request.reply_to.as_ref()),
        ];
        for (field, address) in addresses {
            if address.is_some_and(|address| !is_email(address)) {
                return Err(Refusal::invalid(format!("{field} is not an e-mail address.")));
            }
        }
        let mail = Mail { at: call.now, from: request.from, to: request.to.clone(), subject, content };
        call.change(|tenant, _| {
            tenant.mails.push(mail);
            Ok(())
        })?;
        call.note(EffectKind::MessagesSent, vec![request.to]);
        succeed(json!({}))
    }
}

/// Subject and text of a mail.
fn text(tenant: &Tenant, request: &ExecuteSendMailRequest) -> Result<(String, String), Refusal> {
    let Some(id) = request.message_template_id else {
        return request
            .subject
            .clone()
            .zip(request.body.clone())
            .ok_or_else(|| Refusal::invalid("without messageTemplateId, subject and body must be given."));
    };
    let template = tenant.templates.get(&id);
    let template =
        template.ok_or_else(|| Refusal::not_found("MessageTemplateNotFound", "message template", id))?;
    let written = template.written(&request.language, request.text_blocks.as_deref().unwrap_or_default());
    let (subject, content) = written.unwrap_or_default();
    Ok((subject.to_owned(), content))
}
