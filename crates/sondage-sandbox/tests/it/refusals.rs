//! Calls that are invalid before their request is read, and calls with ids of other accounts.

use crate::http::{Api, bearer, field, members, send};
use serde_json::json;
use sondage_sandbox::{CreateWebHookRoute, Sandbox};

const READ: &str = "/publicapi/Panel/v3/ReadMemberList";

fn raw(sandbox: &Sandbox, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> (u16, String) {
    let response = send(method, &format!("{}{path}", sandbox.base_url()), headers, body).unwrap();
    let answer = response.json();
    assert_eq!(answer["isSuccess"], json!(false));
    assert!(answer["errorMessage"].is_string());
    (response.status, answer["errorCode"].as_str().unwrap().to_owned())
}

#[test]
fn paths_methods_types_and_bodies() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let authorization = format!("Bearer {}", bearer(sandbox.account()));
    let auth = ("authorization", authorization.as_str());
    let json = ("content-type", "application/json");
    let expect = |got: (u16, String), status: u16, code: &str| assert_eq!(got, (status, code.to_owned()));
    // Where there is no operation, nothing writes an envelope.
    for path in ["/publicapi/Panel/v3/Nonsense", "/publicapi/panel/v3/readmemberlist"] {
        let answer = send("POST", &format!("{}{path}", sandbox.base_url()), &[auth, json], b"{}").unwrap();
        assert_eq!((answer.status, answer.text()), (404, format!("There is nothing at {path}.")));
    }
    expect(raw(&sandbox, "GET", "/", &[], b""), 404, "UnknownPath");
    expect(raw(&sandbox, "GET", "/answers/nobody", &[], b""), 404, "UnknownPath");
    expect(raw(&sandbox, "GET", READ, &[auth], b""), 405, "MethodNotAllowed");
    expect(raw(&sandbox, "POST", READ, &[json], b"{}"), 401, "TokenMissing");
    expect(raw(&sandbox, "POST", READ, &[("authorization", "Basic eDp5"), json], b"{}"), 401, "TokenMissing");
    expect(raw(&sandbox, "POST", READ, &[auth], b"{}"), 415, "UnsupportedMediaType");
    expect(
        raw(&sandbox, "POST", READ, &[auth, ("content-type", "text/plain")], b"{}"),
        415,
        "UnsupportedMediaType",
    );
    let zipped = [auth, json, ("content-encoding", "gzip")];
    expect(raw(&sandbox, "POST", READ, &zipped, b"{}"), 415, "UnsupportedMediaType");
    for body in ["", "{", "{\"panelId\":}", "\u{feff}{}", "nul", "{}{}"] {
        expect(raw(&sandbox, "POST", READ, &[auth, json], body.as_bytes()), 400, "MalformedJson");
    }
    expect(raw(&sandbox, "POST", READ, &[auth, json], b"{\"tenant\":\"\xff\"}"), 400, "MalformedJson");
    let deep = "[".repeat(100_000);
    expect(raw(&sandbox, "POST", READ, &[auth, json], deep.as_bytes()), 400, "MalformedJson");
    // The authentication server is not at the API's address, nor the other way round.
    expect(raw(&sandbox, "POST", "/openid/token", &[], b""), 404, "UnknownPath");
}

#[test]
fn a_body_over_the_limit_is_read_to_its_end_and_refused() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    sandbox.change_profile(|profile| profile.max_body_bytes = 1 << 20);
    let authorization = format!("Bearer {}", bearer(sandbox.account()));
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    let body = vec![b' '; 3 << 20];
    assert_eq!(raw(&sandbox, "POST", READ, &headers, &body), (413, "RequestTooLarge".to_owned()));
}

#[test]
fn tokens_are_good_in_their_own_account_and_data_center() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (demo, other, alpine) =
        (sandbox.account(), sandbox.account_of("other").unwrap(), sandbox.account_of("alpine").unwrap());
    let abroad = Api { base_url: alpine.base_url.clone(), token: bearer(demo) };
    assert_eq!(abroad.refused("ReadMemberList", &members(&sandbox)).1, "TokenForeign");
    let neighbour = Api::of(other);
    assert_eq!(neighbour.refused("ReadMemberList", &members(&sandbox)).1, "TenantMismatch");
    // The ids of another account do not exist, whatever the operation.
    let theirs = json!({ "tenant": "other", "panelId": demo.panel_id, "interviewsRequired": false });
    assert_eq!(neighbour.refused("ReadMemberList", &theirs).1, "PanelNotFound");
    let survey = json!({ "surveyId": demo.survey_id });
    for operation in ["ReadInterviewList", "ReadInterviewListCompact"] {
        assert_eq!(neighbour.refused(operation, &survey).1, "SurveyNotFound");
    }
    let invite = |survey: i64, panel: i64, template: i64| {
        let request = json!({ "surveyId": survey, "panelId": panel, "messageTemplateId": template });
        neighbour.refused("InviteMembers", &request).1
    };
    assert_eq!(invite(demo.survey_id, other.panel_id, other.message_template_id), "SurveyNotFound");
    assert_eq!(invite(other.survey_id, demo.panel_id, other.message_template_id), "PanelNotFound");
    assert_eq!(invite(other.survey_id, other.panel_id, demo.message_template_id), "MessageTemplateNotFound");
    assert!(sandbox.ledger().effects("*").is_empty());
    Api::of(alpine).ok("ReadMemberList", &json!({ "tenant": "alpine", "panelId": alpine.panel_id }));
}

#[test]
fn the_tenant_is_required_as_in_the_specification_unless_the_profile_says_otherwise() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let request = json!({ "panelId": sandbox.panel_id() });
    assert_eq!(api.refused("ReadMemberList", &request).1, "ValidationError");
    sandbox.change_profile(|profile| profile.tenant_required = false);
    api.ok("ReadMemberList", &request);
    sandbox.change_profile(|profile| profile.interviews_required = true);
    assert!(api.refused("ReadMemberList", &request).2.contains("interviewsRequired"));
}

#[test]
fn the_webhook_route_of_the_specification_can_be_missing() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let request = json!({ "eventType": "InterviewComplete", "entityIdentifier": "*", "webHookUrl": "https://a.example/" });
    api.ok("CreateWebHook", &request);
    sandbox.change_profile(|profile| profile.create_web_hook = CreateWebHookRoute::Published);
    let authorization = format!("Bearer {}", api.token);
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    for (area, status) in [("Panel", 404), ("WebHook", 200)] {
        let url = format!("{}/publicapi/{area}/v3/CreateWebHook", sandbox.base_url());
        let answer = send("POST", &url, &headers, request.to_string().as_bytes()).unwrap();
        assert_eq!(answer.status, status, "{area}");
    }
}

#[test]
fn what_no_contract_type_can_say_is_checked_too() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let mut request = members(&sandbox);
    request["fieldsToDownload"] = json!(["Email", "Nonsense"]);
    let (_, code, message) = api.refused("ReadMemberList", &request);
    assert!(code == "FieldNotFound" && message.contains("fieldsToDownload[1]"), "{message}");
    let fields = json!({ "Email": field("FirstName", "String", "x") });
    let create =
        json!({ "tenant": "demo", "panelId": sandbox.panel_id(), "members": [{ "fields": fields }] });
    assert!(api.refused("CreateMembers", &create).2.contains("members[0].fields.Email.name"));
    let hook = |event: &str, entity: &str, url: &str| json!({ "eventType": event, "entityIdentifier": entity, "webHookUrl": url });
    for bad in [
        hook("Invalid", "*", "https://a.example/"),
        hook("OptOutAdded", "abc", "https://a.example/"),
        hook("OptOutAdded", "1", "https://a.example/"),
        hook("OptOutAdded", "*", "http://a.example/"),
        hook("OptOutAdded", "*", "a.example"),
    ] {
        assert_eq!(api.refused("CreateWebHook", &bad).1, "ValidationError", "{bad}");
    }
}
