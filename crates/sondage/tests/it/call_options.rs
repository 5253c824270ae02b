//! Options of single calls: attempts, the time of an attempt, headers.

use crate::support::recorder::Recorder;
use crate::support::sandbox::client;
use serde_json::json;
use sondage::model::{CreateMembersRequest, NewMember, ReadPanelRequest};
use sondage::{CallOptions, Client, ErrorKind};
use sondage_sandbox::{Fault, Sandbox};
use std::time::Duration;

fn recorded(recorder: &Recorder) -> Client {
    Client::builder()
        .environment(sondage::config::Environment::empty())
        .tenant("acme")
        .base_url(recorder.address.as_str())
        .auth_url(recorder.address.as_str())
        .token("a-token")
        .build()
        .unwrap()
}

/// Any number of attempts keeps the promise "at most once": a write that may have arrived is not sent again.
#[tokio::test(flavor = "multi_thread")]
async fn attempts_are_a_limit_and_never_repeat_a_write_that_may_have_arrived() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = client(&sandbox, 100);
    let panel = sandbox.panel_id();
    sandbox.fault(Fault::on("ReadPanel").status(503).times(6));
    let read = |attempts| {
        let client = client.with(CallOptions::new().attempts(attempts));
        async move { client.read_panel(ReadPanelRequest::new(panel)).await }
    };
    for attempts in [1, 2] {
        let error = read(attempts).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::Network, attempts));
    }
    assert_eq!(sandbox.ledger().requests("ReadPanel").len(), 3);
    assert!(
        read(4).await.is_ok(),
        "three failures are left, which is more than the client's own attempts bear"
    );
    assert_eq!(sandbox.ledger().requests("ReadPanel").len(), 7);

    sandbox.fault(Fault::on("CreateMembers").cut_after_effect());
    let create =
        CreateMembersRequest::new(sandbox.panel_id(), [NewMember::of([("Email", "ada@example.com")])]);
    let error = client.with(CallOptions::new().attempts(20)).create_members(create).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::OutcomeUnknown, 1));
    assert_eq!(sandbox.ledger().requests("CreateMembers").len(), 1);
}

/// The first attempt would take an hour, so the response comes from the second one.
#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_that_takes_too_long_is_followed_by_the_next() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = client(&sandbox, 100).with(CallOptions::new().timeout(Duration::from_secs(3)));
    sandbox.fault(Fault::on("ReadPanel").delay(Duration::from_secs(3600)));
    client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
    assert_eq!(sandbox.ledger().requests("ReadPanel").len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_are_sent_and_those_of_the_library_stay() {
    let recorder = Recorder::answering(&json!({ "isSuccess": true }));
    let client = recorded(&recorder);
    let options = CallOptions::new().header("X-Team", "panel research").header("traceparent", "00-1-2-01");
    let _ = client.with(options).read_panel(ReadPanelRequest::new(7)).await;
    let sent = recorder.last();
    assert_eq!((&sent["x-team"], &sent["traceparent"]), (&json!("panel research"), &json!("00-1-2-01")));
    assert_eq!(sent["authorization"], json!("Bearer a-token"));
    let _ = client.read_panel(ReadPanelRequest::new(8)).await;
    assert!(recorder.last().get("x-team").is_none(), "the client itself is unchanged");

    let refused = CallOptions::new().header("Authorization", "Bearer of-another");
    let error = client.with(refused).read_panel(ReadPanelRequest::new(9)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(
        error.to_string().contains("`authorization`") && !error.to_string().contains("of-another"),
        "{error}"
    );
    assert!(!recorder.last().to_string().contains(":9"), "nothing was sent");
}

/// A header that the service echoes is not shown: it may be a key.
#[tokio::test(flavor = "multi_thread")]
async fn the_value_of_a_header_is_not_repeated() {
    let said =
        json!({ "isSuccess": false, "errorCode": "NO", "errorMessage": "no key key-of-the-gateway here" });
    let recorder = Recorder::answering(&said);
    let client = recorded(&recorder).with(CallOptions::new().header("X-Key", "key-of-the-gateway"));
    let error = client.read_panel(ReadPanelRequest::new(7)).await.unwrap_err();
    assert!(error.to_string().contains("no key *** here"), "{error}");
}
