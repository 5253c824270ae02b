//! Webhooks through the control endpoints: what any language can trigger and inspect.

use crate::http::{Api, send};
use serde_json::{Value, json};
use sondage_sandbox::Sandbox;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::Duration;

/// Receives one request, responds with 200, and returns the request.
fn receive_once(listener: TcpListener) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut text, mut piece) = (String::new(), [0; 4096]);
        while !text.ends_with('}') {
            let count = stream.read(&mut piece).unwrap();
            text.push_str(&String::from_utf8_lossy(&piece[..count]));
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        text
    })
}

#[test]
fn causes_faults_and_the_log_are_within_reach_of_every_language() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let control = |method: &str, name: &str, body: &Value| {
        let key = format!("Sandbox {}", sandbox.control_key());
        let url = format!("{}/_sandbox/{name}", sandbox.base_url());
        send(method, &url, &[("authorization", &key)], body.to_string().as_bytes()).unwrap()
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/hooks/a-secret", listener.local_addr().unwrap());
    let server = receive_once(listener);
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
    let arrived = server.join().unwrap();
    assert!(arrived.starts_with("POST /hooks/a-secret HTTP/1.1\r\n"), "{arrived}");
    assert!(arrived.contains(&format!("authorization: {token}\r\n")), "{arrived}");
    let body: Value = serde_json::from_str(arrived.split("\r\n\r\n").nth(1).unwrap()).unwrap();
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
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/hooks", listener.local_addr().unwrap());
    let hook = json!({ "eventType": "HardBounce", "entityIdentifier": "*", "webHookUrl": address });
    Api::new(&sandbox).ok("CreateWebHook", &hook);
    assert!(sandbox.emit(sondage_sandbox::Cause::Bounce { member_id: 500_001 }));
    let (stream, _) = listener.accept().unwrap();
    assert!(!sandbox.deliveries().settle(Duration::from_millis(50)), "it is under way");
    let begun = std::time::Instant::now();
    sandbox.stop();
    assert!(begun.elapsed() < Duration::from_secs(300));
    drop(stream);
}
