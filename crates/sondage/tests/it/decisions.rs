//! Decisions where the authorities are silent or contradict each other, over HTTP against the sandbox (see
//! `docs/spec-notes.md`).

use crate::support;
use crate::support::sandbox::client;
use sondage::model::{
    CreateMembersRequest, CreateWebHookRequest, DeleteWebHookRequest, NewMember, ReadPanelRequest,
};
use sondage::{Effect, ErrorKind, Json, RawCall};
use sondage_sandbox::{CreateWebHookRoute, EffectKind, Fault, MembersIds, Sandbox};

fn hook() -> CreateWebHookRequest {
    CreateWebHookRequest::new("InterviewComplete", "*", "https://hooks.example/survey")
}

#[tokio::test]
async fn a_webhook_is_registered_wherever_the_operation_is_and_the_place_is_remembered() {
    for (route, first, then) in [
        (CreateWebHookRoute::Spec, 1, 1),
        (CreateWebHookRoute::Both, 1, 1),
        (CreateWebHookRoute::Published, 2, 1),
    ] {
        let sandbox = Sandbox::demo().await.unwrap();
        sandbox.change_profile(|profile| profile.create_web_hook = route);
        let client = client(&sandbox, 100);
        for calls in [first, then] {
            sandbox.ledger().clear();
            let created = client.create_web_hook(hook()).await.unwrap();
            assert!(created.web_hook_id.is_some());
            let arrived = sandbox.ledger().requests("*");
            let tries = arrived.iter().filter(|arrival| arrival.operation != "token").count();
            assert_eq!(tries, calls, "{route:?}");
            assert_eq!(sandbox.ledger().count("CreateWebHook", EffectKind::WebHookCreated), 1, "{route:?}");
        }
    }
}

#[tokio::test]
async fn the_published_path_can_be_tried_first() {
    for (route, tries) in
        [(CreateWebHookRoute::Published, 1), (CreateWebHookRoute::Both, 1), (CreateWebHookRoute::Spec, 2)]
    {
        let sandbox = Sandbox::demo().await.unwrap();
        sandbox.change_profile(|profile| profile.create_web_hook = route);
        let settings = support::sandbox::builder(&sandbox).client_secret(sandbox.client_secret());
        let client = settings.published_paths(true).build().unwrap();
        client.create_web_hook(hook()).await.unwrap();
        let arrived = sandbox.ledger().requests("*");
        let paths: Vec<_> = arrived
            .iter()
            .filter(|arrival| arrival.operation != "token")
            .map(|arrival| arrival.path.as_str())
            .collect();
        assert_eq!(paths[0], "/publicapi/WebHook/v3/CreateWebHook", "{route:?}");
        assert_eq!(paths.len(), tries, "{route:?}");
    }
}

#[tokio::test]
async fn a_deletion_that_had_to_be_repeated_and_finds_nothing_has_happened() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = client(&sandbox, 100);
    let id = client.create_web_hook(hook()).await.unwrap().web_hook_id.unwrap();
    sandbox.fault(Fault::on("DeleteWebHook").cut_after_effect());
    client.delete_web_hook(DeleteWebHookRequest::new(id.as_str())).await.unwrap();
    assert_eq!(sandbox.ledger().count("DeleteWebHook", EffectKind::WebHookDeleted), 1);

    let error = client.delete_web_hook(DeleteWebHookRequest::new(id)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Api, "deleted once more by hand, it is an error: {error}");
}

#[tokio::test]
async fn ids_of_members_keep_the_place_of_those_that_failed() {
    let shapes = [
        (MembersIds::Zeros, vec![Some(true), None, Some(true)]),
        (MembersIds::Nulls, vec![Some(true), None, Some(true)]),
        (MembersIds::Compacted, vec![Some(true), Some(true)]),
    ];
    for (shape, expected) in shapes {
        let sandbox = Sandbox::demo().await.unwrap();
        sandbox.change_profile(|profile| profile.members_ids = shape);
        let members =
            ["a@example.com", "no address", "b@example.com"].map(|email| NewMember::of([("Email", email)]));
        let request = CreateMembersRequest::new(sandbox.panel_id(), members);
        let created = client(&sandbox, 100).create_members(request).await.unwrap();
        let ids: Vec<_> = created.members_ids.iter().map(|id| id.map(|id| id > 0)).collect();
        assert_eq!(ids, expected, "{shape:?}");
        assert_eq!(created.validation_issues.len(), 1);
    }
}

#[tokio::test]
async fn an_operation_that_the_table_does_not_know_can_be_called() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = client(&sandbox, 100);
    let body = format!(r#"{{"tenant":"{}","panelId":{}}}"#, sandbox.tenant(), sandbox.panel_id());
    let call = |path: &str| RawCall::new(path, Json::parse(body.clone()).unwrap(), Effect::Read);
    let answer = client.raw(call("/publicapi/Panel/v3/ReadPanel")).await.unwrap();
    assert!(answer.value.as_str().contains("\"isSuccess\":true"));
    let error = client.raw(call("/publicapi/Panel/v9/ReadPanel")).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::Api, Some(404)), "{error}");
}

#[tokio::test]
async fn the_tenant_goes_wherever_the_operation_has_it() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = client(&sandbox, 100);
    let panel = client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
    assert!(panel.panel.is_some());
    sandbox.change_profile(|profile| profile.tenant_required = true);
    let members = sondage::model::ReadMemberListRequest::new(sandbox.panel_id());
    assert!(!client.read_member_list(members).await.unwrap().members.is_empty());
    let elsewhere = ReadPanelRequest::new(sandbox.panel_id()).tenant("alpine");
    assert!(client.read_panel(elsewhere).await.is_err(), "another tenant than the token's is refused");
}
