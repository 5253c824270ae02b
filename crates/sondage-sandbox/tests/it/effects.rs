//! Creating members and webhooks: validation, responses, and the ledger.

use crate::http::{Api, field, members};
use serde_json::{Value, json};
use sondage_sandbox::{EffectKind, MembersIds, Sandbox};

fn reader(email: &str) -> Value {
    json!({ "fields": { "Email": field("Email", "String", email) } })
}

fn create(sandbox: &Sandbox, members: &[Value]) -> Value {
    json!({ "tenant": "demo", "panelId": sandbox.panel_id(), "members": members })
}

#[test]
fn created_members_can_be_read_and_are_in_the_ledger() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let fields = json!({
        "Email": field("Email", "String", "zoë.🙂@example.com".replace('🙂', "x")),
        "FirstName": field("FirstName", "String", "Zoë 🙂"),
        "LastName": field("LastName", "String", ""),
        "Gender": field("Gender", "Number", Value::Null),
        "CellPhoneNumber": field("CellPhoneNumber", "Number", 41_791_234_567_i64),
    });
    let answer = api.ok("CreateMembers", &create(&sandbox, &[json!({ "fields": fields })]));
    let id = answer["membersIds"][0].as_i64().unwrap();
    let mut request = members(&sandbox);
    request["conditions"] = json!([{
        "conjunction": "And", "conditionType": "SQL", "identifier": "Id", "conditionOperator": "IsEqualTo", "value": id.to_string(),
    }]);
    let read = api.ok("ReadMemberList", &request);
    let member = &read["members"][0];
    for name in ["Email", "FirstName", "LastName", "Gender", "CellPhoneNumber"] {
        assert_eq!(member["fields"][name], fields[name]);
    }
    assert_eq!(member["fields"]["Division"]["value"], Value::Null);
    assert_eq!((&member["createdBy"], &member["updatedAt"]), (&json!("demo_api"), &Value::Null));
    let effects = sandbox.ledger().effects("CreateMembers");
    assert_eq!((effects.len(), effects[0].kind, effects[0].count), (1, EffectKind::MembersCreated, 1));
    assert_eq!(effects[0].ids, [id.to_string()]);
    let arrivals = sandbox.ledger().requests("CreateMembers");
    assert!(arrivals[0].whole && arrivals[0].bytes > 300);
    assert_eq!((arrivals[0].status, arrivals[0].tenant.as_deref()), (Some(200), Some("demo")));
}

#[test]
fn invalid_members_cost_an_issue_each_and_the_others_are_created() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let one = |name: &str, kind: &str, value: Value| json!({ "fields": { name: field(name, kind, value) } });
    let rows = [
        reader("a@example.com"),
        reader("not an address"),
        one("Gender", "Number", json!("1")),
        reader("b@example.com"),
        one("Gender", "String", json!("1")),
        one("Shoes", "Number", json!(43)),
        one("Language", "String", json!("Deutsch")),
        one("CellPhoneNumber", "Number", json!(7)),
        reader("c@example.com"),
    ];
    let expected = [
        "InvalidEmail",
        "InvalidValue",
        "FieldTypeMismatch",
        "UnknownField",
        "InvalidLanguage",
        "InvalidPhoneNumber",
    ];
    for setting in [MembersIds::Zeros, MembersIds::Nulls, MembersIds::Compacted] {
        sandbox.change_profile(|profile| profile.members_ids = setting);
        let answer = api.ok("CreateMembers", &create(&sandbox, &rows));
        let issues = answer["validationIssues"].as_array().unwrap();
        let codes: Vec<&str> = issues.iter().map(|issue| issue["errorCode"].as_str().unwrap()).collect();
        assert_eq!(codes, expected);
        assert!(
            issues.iter().all(|issue| issue.as_object().unwrap().len() == 2),
            "the message names no row and no field, as published"
        );
        let ids: Vec<Option<i64>> =
            answer["membersIds"].as_array().unwrap().iter().map(Value::as_i64).collect();
        let hole = if setting == MembersIds::Zeros { Some(0) } else { None };
        match setting {
            MembersIds::Compacted => assert!(ids.len() == 3 && ids.iter().flatten().count() == 3),
            _ => assert!(
                ids.len() == 9
                    && ids.iter().enumerate().all(|(at, id)| [0, 3, 8].contains(&at) != (*id == hole)),
                "{ids:?}"
            ),
        }
    }
    assert_eq!(sandbox.ledger().count("CreateMembers", EffectKind::MembersCreated), 9);
}

#[test]
fn a_panel_can_demand_fields_and_unique_values() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let customer = |number: Option<i64>, email: &str| {
        let mut fields = json!({ "Email": field("Email", "String", email) });
        if let Some(number) = number {
            fields["CustomerNumber"] = field("CustomerNumber", "Number", number);
        }
        json!({ "fields": fields })
    };
    let rows = [
        customer(Some(1), "one@example.com"),
        customer(None, "two@example.com"),
        customer(Some(1), "three@example.com"),
        customer(Some(4), "ONE@example.com"),
        customer(Some(5), "customer.3@example.com"),
        customer(Some(6), ""),
        customer(Some(2), "two@example.com"),
    ];
    let request = json!({ "tenant": "demo", "panelId": sandbox.customer_panel_id(), "members": rows });
    let answer = api.ok("CreateMembers", &request);
    let codes: Vec<_> = answer["validationIssues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| i["errorCode"].as_str().unwrap())
        .collect();
    let (missing, twice) = ("MandatoryFieldMissing", "DuplicateValue");
    assert_eq!(codes, [missing, twice, twice, twice, missing]);
}

#[test]
fn no_members_and_too_many_members() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    assert_eq!(api.ok("CreateMembers", &create(&sandbox, &[]))["membersIds"], json!([]));
    let many: Vec<Value> = (0..10_001).map(|n| reader(&format!("reader.{n}@example.com"))).collect();
    assert_eq!(api.refused("CreateMembers", &create(&sandbox, &many)).1, "TooManyMembers");
    assert!(sandbox.ledger().effects("*").is_empty());
    let answer = api.ok("CreateMembers", &create(&sandbox, &many[..10_000]));
    assert_eq!(answer["membersIds"].as_array().unwrap().len(), 10_000);
    sandbox.change_profile(|profile| profile.max_members_per_create = 3);
    assert_eq!(api.refused("CreateMembers", &create(&sandbox, &many[..4])).1, "TooManyMembers");
}

#[test]
fn ids_can_lie_beyond_what_javascript_can_count() {
    let first = (1_i64 << 53) + 1;
    let sandbox = Sandbox::builder().first_member_id(first).start_blocking().unwrap();
    let answer = Api::new(&sandbox).ok("ReadMemberList", &members(&sandbox));
    assert_eq!(answer["members"][0]["id"], json!(first));
}

#[test]
fn webhooks_live_from_creation_to_deletion() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let survey = sandbox.survey_id().to_string();
    let request = json!({
        "eventType": "InterviewComplete", "entityIdentifier": survey, "webHookUrl": "https://hooks.example/x",
        "securityToken": "Bearer secret-of-the-receiver",
    });
    let id = api.ok("CreateWebHook", &request)["webHookId"].clone();
    api.ok(
        "UpdateWebHook",
        &json!({ "webHookId": id, "eventType": "SurveyClosed", "entityIdentifier": "*" }),
    );
    let bad = json!({ "webHookId": id, "webHookUrl": "ftp://hooks.example" });
    assert_eq!(api.refused("UpdateWebHook", &bad).1, "ValidationError");
    let neighbour = Api::of(sandbox.account_of("other").unwrap());
    assert_eq!(neighbour.refused("DeleteWebHook", &json!({ "webHookId": id })).1, "WebHookNotFound");
    api.ok("DeleteWebHook", &json!({ "webHookId": id }));
    assert_eq!(api.refused("DeleteWebHook", &json!({ "webHookId": id })).1, "WebHookNotFound");
    let kinds: Vec<_> = sandbox.ledger().effects("*").into_iter().map(|effect| effect.kind).collect();
    assert_eq!(kinds, [EffectKind::WebHookCreated, EffectKind::WebHookUpdated, EffectKind::WebHookDeleted]);
    assert!(!format!("{:?}", sandbox.ledger()).contains("secret-of-the-receiver"));
}
