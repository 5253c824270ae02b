//! Decisions where the authorities are silent or contradict each other, over HTTP against the sandbox (see
//! `docs/spec-notes.md`).

use crate::support;
use crate::support::sandbox::client;
use sondage::condition::{custom, field};
use sondage::model::{
    CreateMembersRequest, CreateWebHookRequest, DeleteWebHookRequest, ExecuteWorkflowTransitionRequest,
    NewMember, ReadPanelRequest, ReadWebHookListRequest, ReadWorkflowTransitionsRequest, WorkflowType,
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

/// A 404 with an envelope is an answer of the API, for example that there is no such survey: the write may have been carried out.
#[tokio::test]
async fn a_write_goes_to_a_second_path_only_if_the_api_has_not_answered() {
    let envelope = r#"{"isSuccess":false,"errorMessage":"There is no such thing.","errorCode":"NotFound"}"#;
    for (body, paths) in [("", 2), ("<html>Not Found</html>", 2), (envelope, 1)] {
        let sandbox = Sandbox::demo().await.unwrap();
        let client = client(&sandbox, 100);
        sandbox.fault(Fault::on("CreateWebHook").times(1).status(404).body(body));
        assert_eq!(client.create_web_hook(hook()).await.is_ok(), paths == 2, "{body}");
        assert_eq!(sandbox.ledger().requests("CreateWebHook").len(), paths, "{body}");

        sandbox.fault(Fault::on("ExecuteWorkflowTransition").times(1).status(405).body(body));
        let mut transition = ExecuteWorkflowTransitionRequest::new(WorkflowType::SurveyDesign, "Closed");
        transition.survey_id = Some(sandbox.feedback_survey_id());
        assert_eq!(client.execute_workflow_transition(transition).await.is_ok(), paths == 2, "{body}");
        let arrived = sandbox.ledger().requests("ExecuteWorkflowTransition");
        let arrived: Vec<_> = arrived.iter().map(|arrival| arrival.path.as_str()).collect();
        let known = ["/publicapi/Common/v3", "/publicapi/Workflow/v3"]
            .map(|path| format!("{path}/ExecuteWorkflowTransition"));
        assert_eq!(arrived, known[..paths], "{body}");

        // A read changes nothing, wherever it is answered.
        sandbox.fault(Fault::on("ReadWorkflowTransitions").times(1).status(404).body(body));
        let read = ReadWorkflowTransitionsRequest::new(WorkflowType::SurveyDesign, "Draft");
        client.read_workflow_transitions(read).await.unwrap();
        assert_eq!(sandbox.ledger().requests("ReadWorkflowTransitions").len(), 2, "{body}");
    }
}

/// The editor of the service writes custom variables without a prefix in conditions, its pages with one.
#[tokio::test]
async fn a_refused_condition_on_a_custom_variable_suggests_the_other_name() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = client(&sandbox, 100);
    for (variable, is_suggested) in
        [(custom("Source"), true), (custom("Source").bare(), false), (field("Source"), false)]
    {
        sandbox.fault(Fault::on("ReadMemberList").times(1).status(400));
        let list = client.members(sandbox.panel_id()).filter(variable.is_equal_to("web")).collect_all().await;
        let error = list.unwrap_err();
        assert_eq!(error.hint().contains("`bare()`"), is_suggested, "{error}");
    }
}

#[tokio::test]
async fn a_registration_belongs_to_a_workspace() {
    let sandbox = Sandbox::demo().await.unwrap();
    let (client, workspace) = (client(&sandbox, 100), sandbox.workspace_id());
    client.create_web_hook(hook()).await.unwrap();
    let mut owned = hook();
    owned.workspace_id = Some(workspace);
    let id = client.create_web_hook(owned.clone()).await.unwrap().web_hook_id;
    let mut list = ReadWebHookListRequest::new();
    assert_eq!(client.read_web_hook_list(list.clone()).await.unwrap().web_hooks.len(), 2);
    list.workspace_id = Some(workspace);
    let hooks = client.read_web_hook_list(list).await.unwrap().web_hooks;
    assert_eq!(
        hooks.iter().map(|hook| (Some(&hook.id), hook.workspace_id)).collect::<Vec<_>>(),
        [(id.as_ref(), Some(workspace))]
    );
    owned.workspace_id = Some(-1);
    assert_eq!(client.create_web_hook(owned).await.unwrap_err().status(), Some(404));
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

/// The path that answers is kept, also by other processes: when it goes away, the other one is tried, and kept from then on.
#[tokio::test]
async fn a_path_that_is_gone_is_looked_for_again() {
    use CreateWebHookRoute::{Published, Spec};

    let sandbox = Sandbox::demo().await.unwrap();
    let create = async |route: CreateWebHookRoute| {
        sandbox.change_profile(|profile| profile.create_web_hook = route);
        sandbox.ledger().clear();
        client(&sandbox, 100).create_web_hook(hook()).await.unwrap();
        sandbox.ledger().requests("*").iter().filter(|arrival| arrival.operation != "token").count()
    };
    for (route, tries) in [(Published, 2), (Published, 1), (Spec, 2), (Spec, 1), (Published, 2)] {
        assert_eq!(create(route).await, tries, "{route:?}");
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
    assert_eq!((error.kind(), error.status()), (ErrorKind::UnexpectedResponse, Some(404)), "{error}");
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
