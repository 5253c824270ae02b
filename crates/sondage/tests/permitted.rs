//! Clients with limited permissions: a forbidden operation is refused before anything is sent.

mod support;

use sondage::model::{CreateMembersRequest, NewMember, ReadPanelRequest, ReadWorkspaceListRequest};
use sondage::{Client, Delivery, Effect, Error, ErrorKind, Json, RawCall};
use sondage_sandbox::Sandbox;
use support::sandbox::builder;

async fn attempts(client: &Client, panel: i64) -> [Result<(), Error>; 4] {
    let member = NewMember::of([("Email", "ada@example.com")]);
    let body = Json::of(&serde_json::json!({ "panelId": panel, "groups": [] })).unwrap();
    let raw = RawCall::new("/publicapi/Panel/v3/UpdatePanel", body, Effect::SchemaChange);
    [
        client.read_panel(ReadPanelRequest::new(panel)).await.map(drop),
        client.read_workspace_list(ReadWorkspaceListRequest::new()).await.map(drop),
        client.create_members(CreateMembersRequest::new(panel, [member])).await.map(drop),
        client.raw(raw).await.map(drop),
    ]
}

fn refused(result: &Result<(), Error>, setting: &str) {
    let error = result.as_ref().unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (ErrorKind::Configuration, Delivery::No), "{error}");
    assert!(error.to_string().contains(&format!("The setting `{setting}` forbids it")), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_only_reads_changes_nothing() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = builder(&sandbox).client_secret(sandbox.client_secret()).read_only(true).build().unwrap();
    let [panel, workspaces, create, raw] = attempts(&client, sandbox.panel_id()).await;
    assert!(panel.is_ok() && workspaces.is_ok());
    refused(&create, "read_only");
    refused(&raw, "read_only");
    let ledger = sandbox.ledger();
    assert!(ledger.requests("CreateMembers").is_empty() && ledger.requests("UpdatePanel").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_listed_is_called() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = builder(&sandbox)
        .client_secret(sandbox.client_secret())
        .operations("ReadPanel, CreateMembers")
        .build()
        .unwrap();
    let [panel, workspaces, create, raw] = attempts(&client, sandbox.panel_id()).await;
    assert!(panel.is_ok() && create.is_ok(), "{panel:?} {create:?}");
    refused(&workspaces, "operations");
    refused(&raw, "operations");
    let ledger = sandbox.ledger();
    assert!(ledger.requests("ReadWorkspaceList").is_empty() && ledger.requests("UpdatePanel").is_empty());
}
