//! Clients with limited permissions: a forbidden operation is refused before anything is sent.

use crate::support;
use crate::support::recorder::Recorder;
use crate::support::sandbox::builder;
use sondage::model::{CreateMembersRequest, NewMember, ReadPanelRequest, ReadWorkspaceListRequest};
use sondage::operations;
use sondage::{Client, Delivery, Effect, Error, ErrorKind, Json, RawCall};
use sondage_sandbox::Sandbox;

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

/// Spellings of a path that some server takes for the same.
fn spellings(path: &str) -> Vec<String> {
    let (folder, name) = path.rsplit_once('/').unwrap();
    let encoded = |text: &str| text.bytes().fold(String::new(), |text, byte| text + &format!("%{byte:02x}"));
    vec![
        path.to_owned(),
        format!("{folder}/./{name}"),
        format!("{folder}/x/../{name}"),
        format!("/../{folder}//{name}/"),
        format!("{folder}\\{name}"),
        format!("{folder}\\x\\..\\{name}"),
        path.to_lowercase(),
        path.to_uppercase(),
        format!("{folder}/{}", encoded(name)),
        format!("{folder}/{}", encoded(name).replace('%', "%25")),
        format!("{folder}/x/%2E%2e/{name}"),
        format!("{folder}/x%2f..%5C{name}"),
        format!("{folder}/{name}%3Ftenant=acme"),
        format!("{folder}/{name}%23x"),
        format!("{folder}/{name};v=1"),
        format!("{folder}/{name}%20"),
        format!("{folder}/{name}..."),
        format!("{folder}/\t{}\n{}", &name[..3], &name[3..]),
    ]
}

/// The effect that the caller stated used to be believed: a client that only reads created a member.
#[tokio::test(flavor = "multi_thread")]
async fn no_spelling_of_a_path_gives_an_operation_another_effect() {
    let service = Recorder::answering(&serde_json::json!({ "isSuccess": true }));
    let client = |settings: &[(&str, &str)]| {
        let mut builder = support::builder(&service.address);
        for (name, value) in settings {
            builder = builder.set(name, *value).unwrap();
        }
        builder.build().unwrap()
    };
    let (reads, listed) = (client(&[("read_only", "true")]), client(&[("operations", "ReadPanel")]));
    let both = client(&[("read_only", "true"), ("operations", "ReadPanel, CreateMembers")]);
    let all = client(&[]);
    let body = |number: usize| Json::of(&serde_json::json!({ "panelId": number })).unwrap();
    let writes = operations::ALL.iter().filter(|row| !matches!(row.effect, Effect::Read | Effect::Token));
    let mut tried = 0;
    for row in writes {
        // One path in all spellings, the others, including those that are tried after a 404, in two.
        let most = if row.name == "CreateWebHook" { usize::MAX } else { 2 };
        for path in std::iter::once(&row.path).chain(row.fallback_paths) {
            for spelling in spellings(path).into_iter().take(most) {
                tried += 1;
                let raw = |effect| RawCall::new(&*spelling, body(tried), effect);
                refused(&reads.raw(raw(Effect::Read)).await.map(drop), "read_only");
                refused(&both.raw(raw(Effect::Read)).await.map(drop), "read_only");
                refused(&listed.raw(raw(Effect::Read)).await.map(drop), "operations");
                let error = all.raw(raw(Effect::Read)).await.unwrap_err();
                assert_eq!((error.kind(), error.delivery()), (ErrorKind::InvalidArgument, Delivery::No));
                let words = format!("the effect of `{}` is `{}`", row.name, row.effect.as_str());
                assert!(error.what().contains(&words), "{spelling}: {error}");
                assert_eq!(service.last(), serde_json::Value::Null, "{spelling} was sent");
            }
        }
    }
    assert!(tried > 60, "{tried}");
    for spelling in spellings("/publicapi/Panel/v3/ReadPanel") {
        reads.raw(RawCall::new(&*spelling, body(1), Effect::Read)).await.unwrap();
        assert_eq!(service.last()["path"], "/publicapi/Panel/v3/ReadPanel", "{spelling}");
    }
}

/// Only the caller says what an operation does that is not in the table.
#[tokio::test(flavor = "multi_thread")]
async fn a_path_that_is_not_in_the_table_must_be_listed() {
    const NEW: &str = "/publicapi/Survey/v3/ReadThingList";
    let service = Recorder::answering(&serde_json::json!({ "isSuccess": true }));
    let builder = || support::builder(&service.address);
    let raw = |path: &str, effect| RawCall::new(path, Json::parse("{}").unwrap(), effect);
    let reads = builder().read_only(true).build().unwrap();
    refused(&reads.raw(raw(NEW, Effect::Read)).await.map(drop), "read_only");
    // The name of an operation lists its own paths only.
    let named = builder().operations("ReadPanel").build().unwrap();
    refused(&named.raw(raw("/publicapi/Other/v3/ReadPanel", Effect::Read)).await.map(drop), "operations");
    let any = builder().build().unwrap();
    let error = any.raw(raw(NEW, Effect::Token)).await.unwrap_err();
    assert_eq!(
        (error.kind(), service.last()),
        (ErrorKind::InvalidArgument, serde_json::Value::Null),
        "{error}"
    );

    let listed = builder().read_only(true).operations(format!("ReadPanel, {NEW}")).build().unwrap();
    listed.raw(raw(NEW, Effect::Read)).await.unwrap();
    assert_eq!(service.last()["path"], NEW);
    refused(&listed.raw(raw(NEW, Effect::Create)).await.map(drop), "read_only");
    refused(
        &listed.raw(raw("/publicapi/Survey/v3/readthinglist", Effect::Read)).await.map(drop),
        "operations",
    );
    any.raw(raw(NEW, Effect::Create)).await.unwrap();
}
