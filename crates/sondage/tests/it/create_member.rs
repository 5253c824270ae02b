//! One member is created, or the error says why not.

use crate::support::sandbox::builder;
use sondage::arguments::CreateMemberOptions;
use sondage::model::{NewMember, ReadMemberListRequest};
use sondage::{Client, ErrorKind};
use sondage_sandbox::{CutPoint, Fault, FaultAction, Sandbox};

async fn set_up() -> (Sandbox, Client) {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = builder(&sandbox).client_secret(sandbox.client_secret()).build().unwrap();
    (sandbox, client)
}

fn requests(sandbox: &Sandbox) -> usize {
    sandbox.ledger().requests("CreateMembers").len()
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_created_or_refused() {
    let (sandbox, client) = set_up().await;
    let panel = sandbox.panel_id();
    let ada = NewMember::of([("Email", "ada@example.org")]);
    let id = client.create_member(CreateMemberOptions::new(panel, ada)).await.unwrap();
    let members = client.read_member_list(ReadMemberListRequest::new(panel)).await.unwrap().members;
    assert!(members.iter().any(|member| member.id == id));

    let unknown_field = NewMember::of([("Email", "grace@example.org"), ("Points", "many")]);
    let error = client.create_member(CreateMemberOptions::new(panel, unknown_field)).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Api, Some("CreateMembers")));
    let told = error.to_string();
    assert!(told.contains("Points") && told.contains("Nobody was created"), "{told}");
    assert!(!told.contains("Nothing was changed") && error.error_message().is_some(), "{told}");
    assert_eq!(requests(&sandbox), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_of_a_member_without_fields() {
    let (sandbox, client) = set_up().await;
    let empty = NewMember::of::<&str, &str>([]);
    let flat: NewMember =
        serde_json::from_value(serde_json::json!({ "fields": {}, "Email": "ada@example.org" })).unwrap();
    for (member, hint) in [(empty, "Give at least one"), (flat, "below `fields`")] {
        let error =
            client.create_member(CreateMemberOptions::new(sandbox.panel_id(), member)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains(hint), "{error}");
    }
    assert_eq!(requests(&sandbox), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_response_is_an_unknown_outcome_with_its_write_id() {
    let (sandbox, client) = set_up().await;
    let lost = FaultAction::Cut { at: CutPoint::MidAnswer, reset: false };
    sandbox.fault(Fault::on("CreateMembers").action(lost));
    let ada = NewMember::of([("Email", "ada@example.org")]);
    let error = client.create_member(CreateMemberOptions::new(sandbox.panel_id(), ada)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown);
    assert!(error.write_id().is_some() && !error.safe_to_retry(), "{error}");
    assert_eq!(requests(&sandbox), 1);
}
