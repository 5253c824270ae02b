//! The control endpoints, with which every language moves the clock and injects faults.

use crate::http::{Api, Response, members, send};
use serde_json::{Value, json};
use sondage_sandbox::Sandbox;

fn control(sandbox: &Sandbox, method: &str, name: &str, body: &Value) -> Response {
    let key = format!("Sandbox {}", sandbox.control_key());
    let url = format!("{}/_sandbox/{name}", sandbox.base_url());
    send(method, &url, &[("authorization", &key)], body.to_string().as_bytes()).unwrap()
}

#[test]
fn clock_faults_profile_tokens_and_ledger() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let control = |method: &str, name: &str, body: Value| {
        let response = control(&sandbox, method, name, &body);
        assert_eq!(response.status, 200, "{}", response.text());
        response.json()
    };
    control(
        "POST",
        "faults",
        json!({ "on": "ReadMemberList", "times": 1, "action": { "kind": "status", "status": 418 } }),
    );
    control(
        "POST",
        "faults",
        json!({ "on": "ReadMemberList", "action": { "kind": "cut", "at": "midAnswer", "reset": true } }),
    );
    assert_eq!(api.send("ReadMemberList", &members(&sandbox)).unwrap().status, 418);
    control("DELETE", "faults", Value::Null);
    api.ok("ReadMemberList", &members(&sandbox));
    let profile = control("POST", "profile", json!({ "firstPage": 0, "membersIds": "compacted" }));
    assert_eq!((&profile["firstPage"], sandbox.profile().first_page), (&json!(0), 0));
    assert_eq!(control("GET", "profile", Value::Null), profile);
    let ledger = control("GET", "ledger", Value::Null);
    assert_eq!(ledger["requests"].as_array().unwrap().len(), 3);
    assert_eq!(ledger["tokenRequests"][0]["grant"], json!("client_credentials"));
    control("DELETE", "ledger", Value::Null);
    assert!(sandbox.ledger().requests("*").is_empty());
    control("POST", "clock", json!({ "advance": 1801 }));
    assert_eq!(api.refused("ReadMemberList", &members(&sandbox)).1, "TokenExpired");
    control("POST", "clock", json!({ "set": "2030-01-01T00:00:00Z" }));
    assert!(control("GET", "clock", Value::Null)["now"].as_str().unwrap().starts_with("2030-01-01T00:00:0"));
    control("DELETE", "clock", Value::Null);
    let api = Api::new(&sandbox);
    control("DELETE", "tokens", Value::Null);
    assert_eq!(api.refused("ReadMemberList", &members(&sandbox)).1, "TokenRevoked");
}

#[test]
fn without_the_key_or_with_nonsense_nothing_happens() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let url = format!("{}/_sandbox/ledger", sandbox.base_url());
    assert_eq!(send("GET", &url, &[], b"").unwrap().status, 401);
    assert_eq!(send("GET", &url, &[("authorization", "Sandbox x")], b"").unwrap().status, 401);
    for (method, name, body) in [
        ("POST", "faults", json!({ "on": "ReadPanel", "action": { "kind": "nonsense" } })),
        ("POST", "faults", json!({ "on": "ReadPanel", "time": 3 })),
        ("POST", "clock", json!({ "advance": "soon" })),
        ("POST", "profile", json!({ "firstPages": 0 })),
    ] {
        assert_eq!(control(&sandbox, method, name, &body).status, 400, "{name} {body}");
    }
    assert_eq!(control(&sandbox, "GET", "nonsense", &Value::Null).status, 404);
}
