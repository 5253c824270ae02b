//! The protocol itself: versions, errors, pages, cancellation.

use super::session::{self, Session};
use serde_json::{Value, json};
use sondage_sandbox::{EffectKind, Fault, Sandbox};
use std::time::{Duration, Instant};

/// A request of 2026-07-28, which states its version.
fn modern(parameters: Value) -> Value {
    let mut parameters = parameters;
    parameters["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    parameters
}

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("an error: {answer}"))
}

#[test]
fn a_handshake_agrees_on_a_version() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    for (asked, agreed) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1900-01-01", "2025-11-25"),
    ] {
        let mut session = Session::silent(session::command(&sandbox), &[]);
        let hello = json!({ "protocolVersion": asked, "capabilities": {},
                            "clientInfo": { "name": "test", "version": "1" } });
        let about = session.request("initialize", &hello);
        assert_eq!(about["protocolVersion"], agreed, "{asked}");
        assert_eq!(session.request("ping", &json!({})), json!({}));
        let tools = session.request("tools/list", &json!({}));
        assert!(tools["tools"].is_array() && tools.get("resultType").is_none(), "{asked}");
    }
}

#[test]
fn requests_of_the_newest_version_need_no_handshake() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::silent(session::command(&sandbox), &[]);
    let about = session.request("server/discover", &modern(json!({})));
    assert_eq!(about["supportedVersions"], json!(["2026-07-28"]));
    assert!(about["capabilities"]["tools"].is_object() && about["instructions"].is_string(), "{about}");
    let tools = session.request("tools/list", &modern(json!({})));
    let call = json!({ "name": "call", "arguments": { "operation": "ReadPanel", "arguments": { "panelId": sandbox.panel_id() } } });
    let called = session.request("tools/call", &modern(call));
    assert!(called["isError"] == false && called["structuredContent"]["data"].is_object(), "{called}");
    for (result, is_kept) in [(&about, true), (&tools, true), (&called, false)] {
        assert_eq!(result["resultType"], "complete", "{result}");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "sondage");
        assert_eq!(result["ttlMs"].as_u64().is_some_and(|kept| kept > 0), is_kept, "{result}");
        assert_eq!(result["cacheScope"] == "private", is_kept, "{result}");
    }

    // Nothing changes while the server runs, so a subscription is accepted and gets no messages.
    let listen = modern(json!({ "notifications": { "toolsListChanged": true } }));
    session.send(
        &json!({ "jsonrpc": "2.0", "id": "changes", "method": "subscriptions/listen", "params": listen }),
    );
    let said = session.next();
    assert_eq!(said["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(said["params"]["notifications"], json!({}));
    assert_eq!(said["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "changes");
    session.end();
    let ended = session.next();
    assert!(ended["id"] == "changes" && ended["result"]["resultType"] == "complete", "{ended}");
}

#[test]
fn requests_that_are_wrong_have_the_errors_of_the_specification() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &[]);
    let mut old = modern(json!({}));
    old["_meta"]["io.modelcontextprotocol/protocolVersion"] = "1900-01-01".into();
    let answer = session.exchange("tools/list", &old);
    assert_eq!(code(&answer), -32_022, "{answer}");
    assert_eq!(answer["error"]["data"], json!({ "supported": ["2026-07-28"], "requested": "1900-01-01" }));
    let mut silent = modern(json!({}));
    silent["_meta"]["io.modelcontextprotocol/clientCapabilities"].take();
    for (method, parameters, expected) in [
        ("tools/list", silent, -32_602),
        ("server/discover", json!({}), -32_602),
        ("ping", modern(json!({})), -32_601),
        ("initialize", modern(json!({})), -32_602),
        ("initialize", json!({}), -32_602),
        ("resources/list", json!({}), -32_601),
        ("tools/list", json!({ "cursor": "2" }), -32_602),
        ("tools/call", json!({ "name": "NoSuchTool" }), -32_602),
        ("tools/call", json!({}), -32_602),
        ("tools/call", json!({ "name": "ReadPanel", "arguments": [] }), -32_602),
    ] {
        let answer = session.exchange(method, &parameters);
        assert_eq!(code(&answer), expected, "{method}: {answer}");
    }
    for (line, expected, id) in [
        ("{", -32_700, Value::Null),
        ("7", -32_600, Value::Null),
        ("[]", -32_600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":"x"}"#, -32_600, "x".into()),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":"y","method":"ping","params":[]}"#, -32_600, "y".into()),
    ] {
        session.line(line);
        let answer = session.next();
        assert_eq!((code(&answer), &answer["id"]), (expected, &id), "{line}");
    }
    // Answers and notifications get none; several requests at once get one each.
    session.line(r#"{"jsonrpc":"2.0","id":77,"result":{}}"#);
    session.line(r#"{"jsonrpc":"2.0","id":78,"error":{"code":1,"message":""}}"#);
    session.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unknown"}}"#);
    session
        .line(r#"[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]"#);
    let mut ids = [session.next()["id"].to_string(), session.next()["id"].to_string()];
    ids.sort();
    assert_eq!(ids, [r#""a""#, r#""b""#]);
}

#[test]
fn a_cancelled_call_ends_without_an_answer() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &[]);
    sandbox.fault(Fault::on("ReadPanel").delay(Duration::from_secs(600)));
    let call = json!({ "name": "call", "arguments": { "operation": "ReadPanel", "arguments": { "panelId": sandbox.panel_id() } } });
    session.send(&json!({ "jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": call }));
    // Two open requests with the same id could not be told apart.
    session.send(&json!({ "jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": call }));
    assert_eq!(code(&session.next()), -32_600);
    let cancel = json!({ "requestId": "slow", "reason": "It takes too long" });
    session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel }));
    assert_eq!(session.request("ping", &json!({})), json!({}));
    // The server ends immediately, without waiting for anything.
    session.end();
    assert!(session.is_at_end());
}

#[test]
fn a_long_message_and_one_without_the_end_of_its_line_are_answered() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &[]);
    let long = json!({ "name": "NoSuchTool", "arguments": { "text": "x".repeat(17 << 20) } });
    assert_eq!(code(&session.exchange("tools/call", &long)), -32_602);
    let call = json!({ "name": "call", "arguments": { "operation": "ReadPanel", "arguments": { "panelId": sandbox.panel_id() } } });
    session.last(&json!({ "jsonrpc": "2.0", "id": "last", "method": "tools/call", "params": call }));
    let answer = session.next();
    assert!(answer["id"] == "last" && answer["result"]["isError"] == false, "{answer}");
}

/// However long it takes: the library that speaks the protocol would wait for five seconds.
#[test]
fn calls_that_run_when_the_input_ends_are_answered() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &[]);
    sandbox.fault(Fault::on("ReadPanel").delay(Duration::from_millis(5_500)));
    let call = json!({ "name": "call", "arguments": { "operation": "ReadPanel", "arguments": { "panelId": sandbox.panel_id() } } });
    session.send(&json!({ "jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": call }));
    session.end();
    let answer = session.next();
    assert!(answer["id"] == "slow" && answer["result"]["isError"] == false, "{answer}");
    assert!(session.is_at_end());
}

/// Security: a write is not left half-way because nobody waits for it.
#[test]
fn a_cancelled_confirmation_is_completed_after_the_input_has_ended() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &["--allow", "CreatePanel"]);
    let arguments = json!({ "name": "Once", "workspaceId": sandbox.workspace_id(), "panelType": "Basic" });
    let panel = json!({ "operation": "CreatePanel", "arguments": arguments });
    let plan = session.call("plan", &panel)["structuredContent"].clone();
    let slow = sandbox.fault(Fault::on("CreatePanel").delay(Duration::from_millis(5_500)));
    let confirm = json!({ "name": "confirm", "arguments": { "token": plan["token"] } });
    session.send(&json!({ "jsonrpc": "2.0", "id": "first", "method": "tools/call", "params": confirm }));
    session.send(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "first" } }),
    );
    // Its id is not free before the write is made.
    session.send(&json!({ "jsonrpc": "2.0", "id": "first", "method": "ping" }));
    assert_eq!(code(&session.next()), -32_600);
    session.end();
    assert!(session.is_at_end() && slow.hits() == 1);
    assert_eq!(sandbox.ledger().count("*", EffectKind::PanelCreated), 1);
}

/// Security: cancelling a confirmation does not undo it. A second confirmation finds the result of the first.
#[test]
fn a_cancelled_confirmation_has_one_effect() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &["--allow", "CreatePanel"]);
    let arguments = json!({ "name": "Once", "workspaceId": sandbox.workspace_id(), "panelType": "Basic" });
    let panel = json!({ "operation": "CreatePanel", "arguments": arguments });
    let plan = session.call("plan", &panel)["structuredContent"].clone();
    assert!(plan["token"].is_string(), "{plan}");
    let slow = sandbox.fault(Fault::on("CreatePanel").delay(Duration::from_millis(500)));
    let confirm = json!({ "name": "confirm", "arguments": { "token": plan["token"] } });
    session.send(&json!({ "jsonrpc": "2.0", "id": "first", "method": "tools/call", "params": confirm }));
    let late = Instant::now() + Duration::from_secs(60);
    while slow.hits() == 0 {
        assert!(Instant::now() < late, "the panel was not created");
        std::thread::sleep(Duration::from_millis(5));
    }
    session.send(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "first" } }),
    );
    let second = session.request("tools/call", &confirm);
    assert!(second["isError"] == false, "{second}");
    assert_eq!(sandbox.ledger().requests("CreatePanel").len(), 1);
    assert_eq!(sandbox.ledger().count("*", EffectKind::PanelCreated), 1);
}
