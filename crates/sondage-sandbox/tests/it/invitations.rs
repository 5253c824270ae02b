//! Invitations: their recipients, their distributors, and when they are sent.

use crate::http::{Api, field, members, send};
use serde_json::{Value, json};
use sondage_sandbox::{EffectKind, Sandbox};
use std::time::Duration;

fn invitation(sandbox: &Sandbox, more: &Value) -> Value {
    let mut request = json!({
        "surveyId": sandbox.survey_id(), "panelId": sandbox.panel_id(),
        "messageTemplateId": sandbox.message_template_id(), "channel": "Email", "asyncProcess": true,
    });
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

fn sales() -> Value {
    json!([{
        "conjunction": "And", "conditionType": "Panel", "identifier": "Division",
        "conditionOperator": "IsEqualTo", "value": "Sales",
    }])
}

fn mails(sandbox: &Sandbox) -> u64 {
    sandbox.ledger().count("*", EffectKind::MessagesSent)
}

#[test]
fn the_audience_is_the_members_who_pass_can_be_reached_and_did_not_opt_out() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let mut request = members(&sandbox);
    request["conditions"] = sales();
    let audience = api.ok("ReadMemberList", &request)["members"].clone();
    let audience = audience.as_array().unwrap();
    let with_address = audience.iter().filter(|member| member["fields"]["Email"]["value"].is_string());
    let with_address: Vec<i64> = with_address.map(|member| member["id"].as_i64().unwrap()).collect();
    assert!(with_address.len() < audience.len(), "the seed has members without an address");
    for id in &with_address {
        // The opt-outs of the seed cannot be read, so the test adds one of its own and compares the counts.
        if *id == with_address[0] {
            sandbox.opt_out(*id);
        }
    }
    let answer = api.ok("InviteMembers", &invitation(&sandbox, &json!({ "conditions": sales() })));
    assert!(answer["samplingProjectId"].is_i64() && answer["distributorId"].is_i64());
    let sent = sandbox
        .ledger()
        .effects("InviteMembers")
        .into_iter()
        .find(|e| e.kind == EffectKind::MessagesSent)
        .unwrap();
    assert!(sent.count > 0 && sent.count < with_address.len() as u64);
    let known = |id: &String| with_address[1..].iter().any(|member| member.to_string() == *id);
    assert!(sent.ids.iter().all(known), "nobody outside the audience");
    assert_eq!(sandbox.ledger().count("InviteMembers", EffectKind::MembersInvited), sent.count);
}

#[test]
fn interviews_appear_with_links_that_lead_somewhere() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let fields = json!({ "Email": field("Email", "String", "new@example.com"), "Language": field("Language", "String", "fr") });
    let member = api.ok(
        "CreateMembers",
        &json!({ "tenant": "demo", "panelId": sandbox.panel_id(), "members": [{ "fields": fields }] }),
    );
    let member = member["membersIds"][0].clone();
    let answer = api.ok("InviteMembers", &invitation(&sandbox, &json!({ "memberIds": [member] })));
    let mut request = members(&sandbox);
    request["interviewsRequired"] = json!(true);
    request["conditions"] = json!([{
        "conjunction": "And", "conditionType": "Panel", "identifier": "Email", "conditionOperator": "IsEqualTo", "value": "new@example.com",
    }]);
    let read = api.ok("ReadMemberList", &request);
    let interview = &read["members"][0]["interviews"][0];
    assert_eq!(interview["state"], json!("NotResponded"));
    assert_eq!(interview["surveyState"], json!("Published"));
    assert_eq!(interview["surveyId"], json!(sandbox.survey_id()));
    assert_eq!(interview["distributorId"], answer["distributorId"]);
    assert_eq!(interview["samplingProjectId"], answer["samplingProjectId"]);
    let page = send("GET", interview["interviewLink"].as_str().unwrap(), &[], b"").unwrap();
    assert!(page.status == 200 && page.text().contains("NotResponded"));
    let id = interview["id"].as_str().unwrap();
    assert!(sandbox.complete_interview(id, &[("vote", json!(1)), ("age", json!(44))]));
    let document = send("GET", interview["answersLink"].as_str().unwrap(), &[], b"").unwrap();
    assert_eq!(document.header("content-type"), Some("application/pdf"));
    assert!(
        document.body.starts_with(b"%PDF-")
            && String::from_utf8_lossy(&document.body).contains("Expected vote: Dole")
    );
    let row = json!({ "surveyId": sandbox.survey_id(), "conditions": [{
        "conjunction": "And", "conditionType": "SQL", "identifier": "Id", "conditionOperator": "IsEqualTo", "value": id,
    }] });
    let row = api.ok("ReadInterviewListCompact", &row)["interviews"][0].clone();
    assert_eq!(
        (&row["State"], &row["age"], &row["PanelMemberId"]),
        (&json!("Completed"), &json!(44), &member)
    );
    assert_eq!((&row["Language"], &row["popul"]), (&json!("fr"), &Value::Null));
}

#[test]
fn a_scheduled_invitation_leaves_when_its_time_has_come() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let time = sandbox.clock().now() + chrono::TimeDelta::hours(2);
    let schedule = json!({ "scheduleDateTime": time.to_rfc3339(), "conditions": sales() });
    api.ok("InviteMembers", &invitation(&sandbox, &schedule));
    let state = || {
        let answer = api.ok("ReadDistributorList", &json!({ "surveyId": sandbox.survey_id() }));
        let found = &answer["distributors"][0];
        (found["distributionState"].as_str().unwrap().to_owned(), found["executedDistribution"].is_string())
    };
    assert_eq!((mails(&sandbox), state()), (0, ("Scheduled".to_owned(), false)));
    sandbox.clock().advance(Duration::from_secs(1700));
    assert_eq!(mails(&sandbox), 0);
    sandbox.clock().advance(Duration::from_secs(2 * 3600 - 1700 + 1));
    assert!(mails(&sandbox) > 0);
    let sent = mails(&sandbox);
    let api = Api::new(&sandbox);
    let answer = api.ok("ReadDistributorList", &json!({}));
    assert_eq!(answer["distributors"][0]["distributionState"], json!("Executed"));
    assert_eq!(answer["distributors"][0]["conditions"][0]["elements"], sales());
    assert_eq!(mails(&sandbox), sent, "once is enough");
}

#[test]
fn creating_and_inviting_invites_exactly_the_created() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let reader = |email: &str| json!({ "fields": { "Email": field("Email", "String", email) } });
    let rows = json!([reader("a@example.com"), reader("broken"), reader("b@example.com")]);
    let answer = api.ok("CreateAndInviteMembers", &invitation(&sandbox, &json!({ "members": rows })));
    assert_eq!(answer["validationIssues"].as_array().unwrap().len(), 1);
    assert!(answer["distributorId"].is_i64());
    assert_eq!(mails(&sandbox), 2);
    let nobody =
        api.ok("CreateAndInviteMembers", &invitation(&sandbox, &json!({ "members": [reader("broken")] })));
    assert_eq!((&nobody["distributorId"], mails(&sandbox)), (&Value::Null, 2));
    let mut filtered = invitation(&sandbox, &json!({ "members": rows }));
    filtered["conditions"] = sales();
    assert!(api.refused("CreateAndInviteMembers", &filtered).2.contains("conditions"), "it has no filter");
    let mut lost = invitation(&sandbox, &json!({ "members": rows }));
    lost["messageTemplateId"] = json!(1);
    assert_eq!(api.refused("CreateAndInviteMembers", &lost).1, "MessageTemplateNotFound");
    assert_eq!(
        sandbox.ledger().count("*", EffectKind::MembersCreated),
        2,
        "no member is created for an invalid invitation"
    );
}

#[test]
fn channels_need_their_own_address() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let all = api.ok("ReadMemberList", &members(&sandbox))["members"].clone();
    let without_phone: Vec<i64> = all
        .as_array()
        .unwrap()
        .iter()
        .filter(|member| member["fields"]["CellPhoneNumber"]["value"].is_null())
        .map(|member| member["id"].as_i64().unwrap())
        .collect();
    assert!(!without_phone.is_empty());
    api.ok("InviteMembers", &invitation(&sandbox, &json!({ "channel": "Sms", "memberIds": without_phone })));
    assert_eq!(sandbox.ledger().effects("*").len(), 0);
    api.ok(
        "InviteMembers",
        &invitation(&sandbox, &json!({ "channel": "LinkList", "memberIds": without_phone })),
    );
    assert!(sandbox.ledger().count("*", EffectKind::MembersInvited) > 0);
    assert_eq!(mails(&sandbox), 0, "the link channel sends no mail");
}

#[test]
fn an_invitation_that_means_nobody_clear_is_refused() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    for (bad, code) in [
        (json!({ "memberIds": [] }), "ValidationError"),
        (json!({ "memberIds": [1] }), "MemberNotFound"),
        (json!({ "samplingProjectId": 1 }), "SamplingProjectNotFound"),
        (json!({ "textBlocks": [{ "name": "intro", "type": "editarea", "text": [] }] }), "ValidationError"),
        (json!({ "scheduleDateTime": "2024-05-01T12:30:00" }), "ValidationError"),
        (json!({ "scheduleDateTime": "tomorrow" }), "ValidationError"),
        (json!({ "interviewExpiryDate": "soon" }), "ValidationError"),
        (json!({ "from": "nobody" }), "ValidationError"),
        (json!({ "replyTo": "nobody@" }), "ValidationError"),
        (json!({ "channel": "Pigeon" }), "ValidationError"),
    ] {
        assert_eq!(api.refused("InviteMembers", &invitation(&sandbox, &bad)).1, code, "{bad}");
    }
    assert!(sandbox.ledger().effects("*").is_empty());
    let first = api.ok("InviteMembers", &invitation(&sandbox, &json!({ "conditions": sales() })));
    let again = json!({ "conditions": sales(), "samplingProjectId": first["samplingProjectId"] });
    let second = api.ok("InviteMembers", &invitation(&sandbox, &again));
    assert_eq!(first["samplingProjectId"], second["samplingProjectId"]);
    assert_ne!(first["distributorId"], second["distributorId"]);
}
