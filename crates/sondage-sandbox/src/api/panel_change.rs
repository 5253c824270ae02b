//! Creating panels, changing their fields, and deleting them with their members.

use super::check::check_value;
use super::{ApiCall, Handler, ResponseText, sampling, succeed};
use crate::clock::wire;
use crate::ledger::EffectKind;
use crate::refusal::Refusal;
use crate::world::{FieldFormat, Panel, PanelField, Scope};
use serde_json::{Value, json};
use sondage::model::{
    CreatePanelRequest, DeletePanelRequest, PanelMemberField, PanelMemberFieldType, PanelModelType,
    WritePanelRequest,
};
use sondage::operations::{CreatePanel, DeletePanel, UpdatePanel};

impl Handler for CreatePanel {
    fn handle(call: &ApiCall<'_>, request: CreatePanelRequest) -> Result<ResponseText, Refusal> {
        let name = request.name.trim();
        if name.is_empty() {
            return Err(Refusal::invalid("name must not be empty."));
        }
        if let PanelModelType::Unknown(word) = &request.panel_type {
            let types = PanelModelType::KNOWN.join(", ");
            return Err(Refusal::invalid(format!("panelType is `{word}`, but must be one of {types}.")));
        }
        let id = call.change(|tenant, ids| {
            tenant.workspace(request.workspace_id)?;
            let id = ids.next();
            tenant.panels.insert(id, Panel::new(id, request.workspace_id, name, standard_fields()));
            Ok(id)
        })?;
        call.note(EffectKind::PanelCreated, vec![id.to_string()]);
        succeed(json!({
            "id": id,
            "name": name,
            "isExtendedPanel": request.panel_type != PanelModelType::Basic,
            "createdDate": wire(call.now),
            "isLock": false,
        }))
    }
}

/// The fields of every new panel (assumed).
fn standard_fields() -> Vec<PanelField> {
    vec![
        PanelField::new(1, "Email", "E-mail address", "String").form(FieldFormat::Email),
        PanelField::new(2, "FirstName", "First name", "String"),
        PanelField::new(3, "LastName", "Last name", "String"),
        PanelField::new(4, "Language", "Language", "String").form(FieldFormat::Language),
        PanelField::new(5, "CellPhoneNumber", "Mobile phone", "Number").form(FieldFormat::Phone),
    ]
}

impl Handler for UpdatePanel {
    fn handle(call: &ApiCall<'_>, request: WritePanelRequest) -> Result<ResponseText, Refusal> {
        let added = request.added_fields.unwrap_or_default();
        let removed = request.removed_fields.unwrap_or_default();
        let renamed = request.renamed_fields.unwrap_or_default();
        call.change(|tenant, _| {
            // All changes are applied to a copy of the fields first, so that a refused call changes nothing.
            let mut fields = tenant.panel(request.panel_id)?.fields.clone();
            let mut positions: Vec<Option<usize>> = (0..fields.len()).map(Some).collect();
            for id in &removed {
                let at = position(&fields, *id)?;
                fields.remove(at);
                positions.remove(at);
            }
            for (index, field) in renamed.iter().enumerate() {
                let what = format!("renamedFields[{index}]");
                let id = field.id.ok_or_else(|| Refusal::invalid(format!("{what}.id is missing.")))?;
                let at = position(&fields, id)?;
                let name = new_name(&fields, field, &what)?;
                fields[at].name = name;
            }
            let mut values = Vec::new();
            for (index, field) in added.iter().enumerate() {
                let (field, value) = new_field(&fields, field, &format!("addedFields[{index}]"))?;
                fields.push(field);
                positions.push(None);
                values.push(value);
            }
            if let Some(panel) = tenant.panels.get_mut(&request.panel_id) {
                panel.fields = fields;
                for member in panel.members.values_mut() {
                    let mut new = values.iter();
                    let old = |at: &Option<usize>| match at {
                        Some(at) => member.values.get(*at).cloned().unwrap_or_default(),
                        None => new.next().cloned().unwrap_or_default(),
                    };
                    member.values = positions.iter().map(old).collect();
                }
            }
            Ok(())
        })?;
        call.note(EffectKind::PanelUpdated, vec![request.panel_id.to_string()]);
        succeed(json!({}))
    }
}

fn position(fields: &[PanelField], id: i64) -> Result<usize, Refusal> {
    let position = fields.iter().position(|field| field.id == id);
    position.ok_or_else(|| Refusal::not_found("FieldNotFound", "field", id))
}

/// A name that no other field has.
fn new_name(fields: &[PanelField], field: &PanelMemberField, what: &str) -> Result<String, Refusal> {
    let name = field.name.as_deref().unwrap_or_default().trim();
    if name.is_empty() {
        return Err(Refusal::invalid(format!("{what}.name is missing.")));
    }
    if fields.iter().any(|known| known.name.eq_ignore_ascii_case(name)) {
        let why = format!("{what}.name: the panel has a field `{name}` already.");
        return Err(Refusal::invalid(why).with_code("FieldExists"));
    }
    Ok(name.to_owned())
}

fn new_field(
    fields: &[PanelField],
    field: &PanelMemberField,
    what: &str,
) -> Result<(PanelField, Value), Refusal> {
    let name = new_name(fields, field, what)?;
    let kind = match &field.field_type {
        Some(word) => kind(word).ok_or_else(|| {
            let types = PanelMemberFieldType::KNOWN.join(", ");
            Refusal::invalid(format!("{what}.type is `{word}`, but must be one of {types}."))
        })?,
        None => return Err(Refusal::invalid(format!("{what}.type is missing."))),
    };
    let id = fields.iter().map(|field| field.id).max().unwrap_or_default() + 1;
    let new = PanelField::new(id, &name, &name, kind);
    let value = serde_json::to_value(&field.value).unwrap_or_default();
    if check_value(&new, kind, &value).is_err() {
        return Err(Refusal::invalid(format!("{what}.value does not fit a field of type {kind}.")));
    }
    Ok((new, value))
}

/// The type that members show for a field of this type: they know fewer types (assumed).
fn kind(of: &PanelMemberFieldType) -> Option<&'static str> {
    use PanelMemberFieldType as Type;
    Some(match of {
        Type::Number | Type::Boolean => "Number",
        Type::Real | Type::Money => "Real",
        Type::String | Type::Guid | Type::Time => "String",
        Type::DateTime | Type::Date => "Date",
        Type::Json => "Json",
        _ => return None,
    })
}

impl Handler for DeletePanel {
    fn handle(call: &ApiCall<'_>, request: DeletePanelRequest) -> Result<ResponseText, Refusal> {
        let id = request.panel_id;
        let keep = request.keep_interviews;
        call.change(|tenant, _| {
            tenant.panel(id)?;
            tenant.panels.shift_remove(&id);
            tenant.opt_outs.retain(|entry| entry.scope != Scope::Panel(id));
            let carriers = tenant.distributors.values().filter(|carrier| carrier.panel_id == id);
            for carrier in carriers.map(|carrier| carrier.id).collect::<Vec<_>>() {
                sampling::delete(tenant, carrier, keep);
            }
            if !keep {
                tenant.forget_interviews(|interview| {
                    interview.origin.is_some_and(|origin| origin.panel_id == id)
                });
            }
            Ok(())
        })?;
        call.note(EffectKind::PanelDeleted, vec![id.to_string()]);
        succeed(json!({}))
    }
}
