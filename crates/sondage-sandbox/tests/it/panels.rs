//! Changes of panels and members: fields with their values, unique values, what is deleted and what is kept.

use crate::http::{Api, field, members};
use serde_json::{Value, json};
use sondage_sandbox::{EffectKind, Sandbox};

fn started() -> (Sandbox, Api) {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    (sandbox, api)
}

fn fields(api: &Api, panel: i64) -> Vec<(i64, String)> {
    let answer = api.ok("ReadPanel", &json!({ "panelId": panel }));
    let rows = answer["panel"]["groups"][0]["fields"].as_array().unwrap();
    rows.iter().map(|row| (row["id"].as_i64().unwrap(), row["name"].as_str().unwrap().to_owned())).collect()
}

fn of_panel(api: &Api, panel: i64) -> Vec<Value> {
    let request = json!({ "tenant": "demo", "panelId": panel, "interviewsRequired": true });
    api.ok("ReadMemberList", &request)["members"].as_array().unwrap().clone()
}

fn new_panel(sandbox: &Sandbox, api: &Api) -> i64 {
    let request = json!({ "workspaceId": sandbox.workspace_id(), "name": "Readers", "panelType": "Basic" });
    api.ok("CreatePanel", &request)["id"].as_i64().unwrap()
}

#[test]
fn a_new_panel_is_empty_and_takes_members() {
    let (sandbox, api) = started();
    let panel = new_panel(&sandbox, &api);
    assert!(of_panel(&api, panel).is_empty());
    let row = json!({ "fields": { "Email": field("Email", "String", "new@example.com") } });
    api.ok("CreateMembers", &json!({ "tenant": "demo", "panelId": panel, "members": [row] }));
    assert_eq!(of_panel(&api, panel)[0]["fields"]["Email"]["value"], "new@example.com");
    for (change, word) in [
        (json!({ "workspaceId": 1, "name": "a", "panelType": "Basic" }), "WorkspaceNotFound"),
        (
            json!({ "workspaceId": sandbox.workspace_id(), "name": " ", "panelType": "Basic" }),
            "ValidationError",
        ),
        (
            json!({ "workspaceId": sandbox.workspace_id(), "name": "a", "panelType": "Odd" }),
            "ValidationError",
        ),
    ] {
        assert_eq!(api.refused("CreatePanel", &change).1, word, "{change}");
    }
    assert_eq!(sandbox.ledger().count("CreatePanel", EffectKind::PanelCreated), 1);
}

#[test]
fn fields_are_added_renamed_and_removed_and_members_follow() {
    let (sandbox, api) = started();
    let panel = sandbox.panel_id();
    let number = |name: &str| fields(&api, panel).iter().find(|field| field.1 == name).unwrap().0;
    let before = of_panel(&api, panel);
    api.ok("UpdatePanel", &json!({
        "panelId": panel,
        "addedFields": [{ "name": "Points", "type": "Number", "value": 7 }, { "name": "Note", "type": "String" }],
        "removedFields": [number("FirstName")],
        "renamedFields": [{ "id": number("Division"), "name": "Department" }],
    }));
    let after = of_panel(&api, panel);
    for (old, new) in before.iter().zip(&after) {
        let (old, new) = (&old["fields"], &new["fields"]);
        assert_eq!(new["Department"]["value"], old["Division"]["value"]);
        assert_eq!(new["LastName"]["value"], old["LastName"]["value"]);
        assert_eq!((&new["Points"]["value"], &new["Note"]["value"]), (&json!(7), &Value::Null));
        assert!(new["FirstName"].is_null() && new["Division"].is_null());
    }
}

#[test]
fn a_change_of_a_panel_happens_whole_or_not_at_all() {
    let (sandbox, api) = started();
    let panel = sandbox.panel_id();
    let before = fields(&api, panel);
    let good = json!({ "name": "Points", "type": "Number" });
    for (change, word) in [
        (json!({ "addedFields": [good, { "name": "email", "type": "String" }] }), "FieldExists"),
        (json!({ "addedFields": [good, { "name": "Odd", "type": "Odd" }] }), "ValidationError"),
        (json!({ "addedFields": [good, { "name": "Odd" }] }), "ValidationError"),
        (
            json!({ "addedFields": [good, { "name": "Odd", "type": "Number", "value": "x" }] }),
            "ValidationError",
        ),
        (json!({ "addedFields": [good], "removedFields": [99] }), "FieldNotFound"),
        (json!({ "addedFields": [good], "renamedFields": [{ "id": 1, "name": "LastName" }] }), "FieldExists"),
        (json!({ "addedFields": [good], "renamedFields": [{ "name": "Odd" }] }), "ValidationError"),
    ] {
        let mut request = change.clone();
        request["panelId"] = json!(panel);
        assert_eq!(api.refused("UpdatePanel", &request).1, word, "{change}");
        assert_eq!(fields(&api, panel), before, "{change}");
    }
    assert_eq!(sandbox.ledger().count("UpdatePanel", EffectKind::PanelUpdated), 0);
}

#[test]
fn members_are_changed_by_id_and_the_others_are_told_apart() {
    let (sandbox, api) = started();
    let panel = sandbox.customer_panel_id();
    let before = of_panel(&api, panel);
    let id = |at: usize| before[at]["id"].as_i64().unwrap();
    let change =
        |id: i64, field: Value| json!({ "id": id, "fields": { field["name"].as_str().unwrap(): field } });
    let taken = before[1]["fields"]["Email"]["value"].clone();
    let answer = api.ok("UpdateMembers", &json!({ "panelId": panel, "members": [
        change(id(0), json!({ "name": "Revenue", "fieldType": "Real", "value": 12.5 })),
        change(id(0), json!({ "name": "Email", "fieldType": "String", "value": before[0]["fields"]["Email"]["value"] })),
        change(id(2), json!({ "name": "Email", "fieldType": "String", "value": taken })),
        change(id(3), json!({ "name": "Email", "fieldType": "String", "value": null })),
        change(id(4), json!({ "name": "Nothing", "fieldType": "String", "value": "x" })),
        change(1, json!({ "name": "Email", "fieldType": "String", "value": "a@example.com" })),
    ]}));
    let issues = answer["validationIssues"].as_array().unwrap();
    let codes: Vec<_> = issues.iter().map(|issue| issue["errorCode"].as_str().unwrap()).collect();
    assert_eq!(codes, ["DuplicateValue", "MandatoryFieldMissing", "UnknownField", "MemberNotFound"]);
    let after = of_panel(&api, panel);
    assert_eq!(after[0]["fields"]["Revenue"]["value"], 12.5);
    assert_eq!(
        after[0]["fields"]["Email"], before[0]["fields"]["Email"],
        "fields that are not given keep their values"
    );
    assert!(after[0]["updatedAt"].is_string());
    assert_eq!(after[2..], before[2..]);
    assert_eq!(sandbox.ledger().count("UpdateMembers", EffectKind::MembersUpdated), 2);
}

/// A panel with an invited member, and that member.
fn invited(sandbox: &Sandbox, api: &Api) -> (i64, i64) {
    let panel = new_panel(sandbox, api);
    let row = json!({ "fields": { "Email": field("Email", "String", "new@example.com") } });
    let answer = api.ok("CreateMembers", &json!({ "tenant": "demo", "panelId": panel, "members": [row] }));
    api.ok(
        "InviteMembers",
        &json!({
            "surveyId": sandbox.survey_id(), "panelId": panel, "channel": "Email",
            "messageTemplateId": sandbox.message_template_id(),
        }),
    );
    (panel, answer["membersIds"][0].as_i64().unwrap())
}

fn interviews_of(sandbox: &Sandbox, api: &Api, panel: i64) -> usize {
    let request = json!({ "surveyId": sandbox.survey_id(), "fieldsToDownload": ["Id", "PanelId"] });
    let answer = api.ok("ReadInterviewListCompact", &request);
    let rows = answer["interviews"].as_array().unwrap();
    rows.iter().filter(|row| row["PanelId"] == json!(panel)).count()
}

#[test]
fn a_deletion_that_does_not_say_so_keeps_no_interviews() {
    let (sandbox, api) = started();
    for unsaid in [json!({}), json!({ "keepInterviews": null })] {
        let with = |mut request: Value| {
            request.as_object_mut().unwrap().extend(unsaid.as_object().unwrap().clone());
            request
        };
        let (panel, member) = invited(&sandbox, &api);
        let members = with(json!({ "panelId": panel, "panelMembersIds": [member] }));
        sandbox.change_profile(|profile| profile.keep_interviews_required = true);
        assert_eq!(api.refused("DeleteMembers", &members).1, "ValidationError");
        sandbox.change_profile(|profile| profile.keep_interviews_required = false);
        assert_eq!(interviews_of(&sandbox, &api, panel), 1);
        api.ok("DeleteMembers", &members);
        assert_eq!(interviews_of(&sandbox, &api, panel), 0);
        api.ok("DeletePanel", &with(json!({ "panelId": panel })));
        assert_eq!(api.refused("ReadPanel", &json!({ "panelId": panel })).1, "PanelNotFound");
    }
}

#[test]
fn interviews_stay_or_go_with_their_members_and_panels() {
    for keep in [true, false] {
        let (sandbox, api) = started();
        let kept = usize::from(keep);
        let (panel, member) = invited(&sandbox, &api);
        let request = json!({ "panelId": panel, "panelMembersIds": [member], "keepInterviews": keep });
        api.ok("DeleteMembers", &request);
        assert_eq!(interviews_of(&sandbox, &api, panel), kept, "{keep:?}");
        assert_eq!(api.refused("DeleteMembers", &request).1, "MemberNotFound");

        let (panel, _) = invited(&sandbox, &api);
        let request = json!({ "panelId": panel, "keepInterviews": keep });
        api.ok("DeletePanel", &request);
        assert_eq!(interviews_of(&sandbox, &api, panel), kept, "{keep:?}");
        assert_eq!(api.refused("DeletePanel", &request).1, "PanelNotFound");
        assert_eq!(api.refused("ReadPanel", &json!({ "panelId": panel })).1, "PanelNotFound");
    }
}

#[test]
fn nobody_is_deleted_when_one_of_them_is_unknown_or_nobody_is_named() {
    let (sandbox, api) = started();
    let all = api.ok("ReadMemberList", &members(&sandbox))["members"].as_array().unwrap().len();
    let first = of_panel(&api, sandbox.panel_id())[0]["id"].clone();
    let panel = sandbox.panel_id();
    for ids in [json!([first, 1]), json!([])] {
        let request = json!({ "panelId": panel, "panelMembersIds": ids, "keepInterviews": true });
        api.refused("DeleteMembers", &request);
    }
    assert_eq!(of_panel(&api, panel).len(), all);
}
