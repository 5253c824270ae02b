//! Panels and samples: reading their members and definitions, creating members.

use super::check::{Checker, Issue};
use super::links::Links;
use super::{ApiCall, Handler, ResponseText, succeed};
use crate::clock::wire;
use crate::ledger::EffectKind;
use crate::profile::MembersIds;
use crate::refusal::Refusal;
use crate::select;
use crate::world::{IdCounters, Member, Panel, PanelField, Tenant};
use indexmap::IndexMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use sondage::model::{CreateMembersRequest, MemberField, NewMember, ReadMemberListRequest, ReadPanelRequest};
use sondage::operations::{CreateMembers, ReadMemberList, ReadPanel};
use std::collections::HashSet;

/// Without paging, a whole panel is returned up to this size.
// API 3.6
const UNPAGED: usize = 10_000;

impl Handler for ReadMemberList {
    fn handle(call: &ApiCall<'_>, request: ReadMemberListRequest) -> Result<ResponseText, Refusal> {
        call.read(|tenant| {
            let panel = tenant.panel(request.panel_id)?;
            let fields = columns(panel, request.fields_to_download.as_deref())?;
            let rows = panel.members.values().filter(|member| call.is_listed(member.created_at));
            let rows = select::filter(panel, rows, request.conditions.as_deref(), call.profile)?;
            if request.paging.is_none() && rows.len() > UNPAGED {
                let many = rows.len();
                let why = format!("{many} members are more than one answer holds: read them in pages.");
                return Err(Refusal::invalid(why).with_code("PagingRequired"));
            }
            let page = select::page(panel, rows, request.paging.as_ref(), call.profile)?;
            let links = request.interviews_required.unwrap_or(false).then(|| Links::new(call));
            let interviews =
                |member| links.as_ref().map_or_else(Vec::new, |links| links.of_member(tenant, member));
            let members = page
                .rows
                .into_iter()
                .map(|member| WireMember::new(panel, member, &fields, interviews(member)));
            succeed(MemberList { members: members.collect(), total_count: page.total_count })
        })
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberList<'a> {
    members: Vec<WireMember<'a>>,
    total_count: usize,
}

/// The indices of the fields to return: all of them, or the requested ones. A duplicate name counts once: an object
/// cannot have two fields with the same name.
fn columns(panel: &Panel, wanted: Option<&[String]>) -> Result<Vec<usize>, Refusal> {
    let Some(wanted) = wanted.filter(|names| !names.is_empty()) else {
        return Ok((0..panel.fields.len()).collect());
    };
    let find = |(index, name): (usize, &String)| {
        panel.position(name).ok_or_else(|| {
            let why = format!("fieldsToDownload[{index}]: the panel {} has no field `{name}`.", panel.id);
            Refusal::invalid(why).with_code("FieldNotFound")
        })
    };
    let mut once = HashSet::new();
    wanted.iter().enumerate().filter(|(_, name)| once.insert(*name)).map(find).collect()
}

/// A member in wire format.
// API 3.2
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireMember<'a> {
    id: i64,
    fields: WireFields<'a>,
    created_at: String,
    created_by: &'a str,
    updated_at: Option<String>,
    updated_by: Option<&'a str>,
    interviews: Vec<Value>,
}

impl<'a> WireMember<'a> {
    fn new(panel: &'a Panel, member: &'a Member, columns: &'a [usize], interviews: Vec<Value>) -> Self {
        Self {
            id: member.id,
            fields: WireFields { panel, member, columns },
            created_at: wire(member.created_at),
            created_by: &member.created_by,
            updated_at: member.updated_at.map(wire),
            updated_by: member.updated_by.as_deref(),
            interviews,
        }
    }
}

/// The fields of a member in the panel's order, or in the requested order.
struct WireFields<'a> {
    panel: &'a Panel,
    member: &'a Member,
    columns: &'a [usize],
}

impl Serialize for WireFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct WireField<'a> {
            name: &'a str,
            #[serde(rename = "fieldType")]
            kind: &'a str,
            value: &'a Value,
        }
        serializer.collect_map(self.columns.iter().filter_map(|at| {
            let PanelField { name, kind, .. } = self.panel.fields.get(*at)?;
            let value = self.member.values.get(*at).unwrap_or(&Value::Null);
            Some((name, WireField { name, kind, value }))
        }))
    }
}

impl Handler for CreateMembers {
    fn handle(call: &ApiCall<'_>, request: CreateMembersRequest) -> Result<ResponseText, Refusal> {
        let created =
            call.change(|tenant, ids| create(call, tenant, ids, request.panel_id, &request.members))?;
        let ids: Vec<Option<i64>> = match call.profile.members_ids {
            MembersIds::Nulls => created.ids.clone(),
            MembersIds::Zeros => created.ids.iter().map(|id| Some(id.unwrap_or(0))).collect(),
            MembersIds::Compacted => created.ids.iter().filter(|id| id.is_some()).copied().collect(),
        };
        succeed(json!({ "membersIds": ids, "validationIssues": created.issues() }))
    }
}

/// The outcome for the members of one request.
pub(super) struct Created {
    /// In the order of the request; none for a member that failed.
    pub(super) ids: Vec<Option<i64>>,
    issues: Vec<Issue>,
}

impl Created {
    pub(super) fn issues(&self) -> Vec<Value> {
        self.issues.iter().map(Issue::to_json).collect()
    }
}

/// Creates the valid members.
pub(super) fn create(
    call: &ApiCall<'_>,
    tenant: &mut Tenant,
    ids: &mut IdCounters,
    panel_id: i64,
    members: &[NewMember],
) -> Result<Created, Refusal> {
    let most = call.profile.max_members_per_create;
    if members.len() > most {
        let why = format!("{} members are too many for one call: at most {most}.", members.len());
        return Err(Refusal::invalid(why).with_code("TooManyMembers"));
    }
    let panel = tenant.panel(panel_id)?;
    check_names(members.iter().map(|member| &member.fields))?;
    let mut checker = Checker::new(panel);
    let mut created = Created { ids: Vec::with_capacity(members.len()), issues: Vec::new() };
    let mut new = Vec::with_capacity(members.len());
    for member in members {
        match checker.check(member) {
            Ok(values) => {
                let id = ids.next_member();
                created.ids.push(Some(id));
                new.push((id, born(call, id, values)));
            }
            Err(issue) => {
                created.ids.push(None);
                created.issues.push(issue);
            }
        }
    }
    let before = tenant.panels.get(&panel_id).map_or(0, |panel| panel.members.len());
    if let Some(panel) = tenant.panels.get_mut(&panel_id) {
        panel.members.extend(new);
    }
    if let Some(panel) = tenant.panels.get(&panel_id)
        && tenant.web_hooks.values().any(|hook| hook.event_type == "PanelMemberAdded")
    {
        for member in panel.members.values().skip(before) {
            let entity = crate::delivery::member(panel, member);
            call.shared.tell(tenant, "PanelMemberAdded", Some(panel_id), &entity);
        }
    }
    let created_ids = created.ids.iter().flatten().map(ToString::to_string).collect();
    call.note(EffectKind::MembersCreated, created_ids);
    Ok(created)
}

fn born(call: &ApiCall<'_>, id: i64, values: Vec<Value>) -> Member {
    Member {
        id,
        values,
        created_at: call.now,
        created_by: call.actor(),
        updated_at: None,
        updated_by: None,
        opted_out: false,
        interviews: Vec::new(),
    }
}

/// The key of a field equals its name.
// API 3.2
pub(super) fn check_names<'a>(
    members: impl Iterator<Item = &'a IndexMap<String, MemberField>>,
) -> Result<(), Refusal> {
    for (index, fields) in members.enumerate() {
        if let Some((key, field)) = fields.iter().find(|(key, field)| **key != field.name) {
            let name = &field.name;
            let why = format!("members[{index}].fields.{key}.name is `{name}`, but it must equal its key.");
            return Err(Refusal::invalid(why));
        }
    }
    Ok(())
}

impl Handler for ReadPanel {
    fn handle(call: &ApiCall<'_>, request: ReadPanelRequest) -> Result<ResponseText, Refusal> {
        call.read(|tenant| {
            let panel = tenant.panel(request.panel_id)?;
            let fields: Vec<Value> = panel.fields.iter().map(definition).collect();
            let group = json!({ "id": 1, "name": "Default", "displayName": panel.name, "fields": fields });
            let access = json!({ "accessType": "Public", "conditions": [] });
            succeed(json!({ "panel": { "groups": [group], "dataAccessControl": access } }))
        })
    }
}

/// A field as the contract's `PanelFieldItem`.
fn definition(field: &PanelField) -> Value {
    let labels = |values: &[(&str, &str)]| {
        let label = |(value, name): &(&str, &str)| json!({ "displayName": name, "value": value });
        values.iter().map(label).collect::<Vec<_>>()
    };
    let metadata: Map<String, Value> = field
        .labels
        .iter()
        .map(|(language, values)| ((*language).to_owned(), labels(values).into()))
        .collect();
    json!({
        "id": field.id,
        "name": field.name,
        "displayName": field.display_name,
        "isSystem": false,
        "mandatory": field.mandatory,
        "anonymize": field.form == crate::world::FieldFormat::Email,
        "validationExpression": field.expression(),
        "validationErrorMessageId": null,
        "panelFieldType": field.kind,
        "metadata": metadata,
    })
}
