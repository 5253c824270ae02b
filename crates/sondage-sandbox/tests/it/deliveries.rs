//! Webhooks through the control endpoints: what any language can trigger and inspect.

use crate::http::{Api, send};
use serde_json::{Value, json};
use sondage_sandbox::Sandbox;
use sondage_testserver::{Reply, Server};
use std::sync::mpsc;
use std::time::Duration;

#[test]
fn causes_faults_and_the_log_are_within_reach_of_every_language() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let control = |method: &str, name: &str, body: &Value| {
        let key = format!("Sandbox {}", sandbox.control_key());
        let url = format!("{}/_sandbox/{name}", sandbox.base_url());
        send(method, &url, &[("authorization", &key)], body.to_string().as_bytes()).unwrap()
    };
    let (sender, requests) = mpsc::channel();
    let server = Server::http(move |request| {
        sender.send(request.clone()).unwrap();
        Reply::new(200, "")
    });
    let address = format!("{}/hooks/a-secret", server.url());
    let token = "Basic c3VydmFseXplcjpzZWNyZXQ=";
    let hook = json!({
        "eventType": "HardBounce", "entityIdentifier": "*", "webHookUrl": address, "securityToken": token,
    });
    api.ok("CreateWebHook", &hook);

    control("POST", "deliveries", &json!({ "times": 1, "action": { "kind": "silence" } }));
    let bounce = json!({ "kind": "bounce", "memberId": 500_001 });
    for _ in 0..2 {
        assert_eq!(control("POST", "causes", &bounce).json(), json!({ "emitted": true }));
    }
    assert!(sandbox.deliveries().settle(Duration::from_secs(10)));
    let arrived = requests.recv().unwrap();
    assert_eq!((arrived.method.as_str(), arrived.path.as_str()), ("POST", "/hooks/a-secret"));
    assert_eq!(arrived.header("authorization"), Some(token));
    let body: Value = serde_json::from_slice(&arrived.body).unwrap();
    assert_eq!((&body["eventType"], &body["entity"]["bounceType"]), (&json!("HardBounce"), &json!("Hard")));

    let log = control("GET", "deliveries", &Value::Null).json();
    let outcomes: Vec<&Value> =
        log["attempts"].as_array().unwrap().iter().map(|attempt| &attempt["outcome"]).collect();
    assert_eq!(outcomes.len(), 2);
    assert!(outcomes.contains(&&json!("silent")) && outcomes.contains(&&json!("delivered")), "{log}");
    assert_eq!(log["pending"], 0);
    assert!(!log.to_string().contains("a-secret") && !log.to_string().contains(token), "{log}");

    let nobody = json!({ "kind": "bounce", "memberId": 1 });
    assert_eq!(control("POST", "causes", &nobody).json(), json!({ "emitted": false }));
    assert_eq!(control("POST", "causes", &json!({ "kind": "flood" })).status, 400);
    assert_eq!(control("POST", "deliveries", &json!({ "action": { "kind": "flood" } })).status, 400);
    assert_eq!(control("PUT", "deliveries", &Value::Null).status, 404);
    control("DELETE", "deliveries", &Value::Null);
    assert!(sandbox.deliveries().log().is_empty());
}

#[test]
fn a_sandbox_stops_while_a_receiver_hangs() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    // Longer than a test may take: stopping does not wait for the attempt to end.
    sandbox.change_profile(|profile| profile.web_hook_timeout_ms = 600_000);
    let (sender, connections) = mpsc::channel();
    let receiver = Server::start(move |stream| sender.send(stream).unwrap());
    let address = format!("{}/hooks", receiver.url());
    let hook = json!({ "eventType": "HardBounce", "entityIdentifier": "*", "webHookUrl": address });
    Api::new(&sandbox).ok("CreateWebHook", &hook);
    assert!(sandbox.emit(sondage_sandbox::Cause::Bounce { member_id: 500_001 }));
    let stream = connections.recv().unwrap();
    assert!(!sandbox.deliveries().settle(Duration::from_millis(50)), "it is under way");
    let begun = std::time::Instant::now();
    sandbox.stop();
    assert!(begun.elapsed() < Duration::from_secs(300));
    drop(stream);
}
