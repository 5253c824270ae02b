//! `reconcile` as a program uses it: what it returns, and what it does not reveal.

use crate::support::sandbox::client;
use sondage::config::Environment;
use sondage::model::{CreateMembersRequest, CreateWebHookRequest, EventType, NewMember};
use sondage::{CallOptions, Client, Error, ErrorKind};
use sondage_jobs::Jobs as _;
use sondage_jobs::options::ReconcileOptions;
use sondage_jobs::{Reconciled, Verdict};
use sondage_sandbox::{EffectKind, Fault, Sandbox};
use std::time::Duration;

fn request(sandbox: &Sandbox) -> CreateMembersRequest {
    CreateMembersRequest::new(sandbox.panel_id(), [NewMember::of([("Email", "ada@example.com")])])
}

async fn lost(client: &Client, sandbox: &Sandbox, fault: Fault) -> Error {
    sandbox.fault(fault);
    let error = client.create_members(request(sandbox)).await.expect_err("no answer");
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    error
}

async fn told(client: &Client, error: &Error, quiet: Duration) -> Reconciled {
    let id = error.write_id().expect("an id");
    client.reconcile(ReconcileOptions::new(id).quiet(quiet)).await.expect("a verdict")
}

#[tokio::test]
async fn a_call_that_did_not_happen_is_made_again_and_found() {
    let sandbox = Sandbox::demo().await.expect("a sandbox");
    let client = client(&sandbox, 100);
    let first = lost(&client, &sandbox, Fault::on("CreateMembers").status(503)).await;
    assert_eq!(told(&client, &first, Duration::ZERO).await.verdict, Verdict::DidNotHappen);
    let second = lost(&client, &sandbox, Fault::on("CreateMembers").cut_after_effect()).await;
    let became = told(&client, &second, Duration::from_secs(180)).await;
    assert_eq!((became.verdict, became.attributed), (Verdict::Happened, true), "{became}");
    assert_eq!(sandbox.ledger().effects("CreateMembers")[0].ids, became.ids);
    // Asking again returns the first verdict unchanged.
    assert_eq!(told(&client, &first, Duration::ZERO).await.verdict, Verdict::DidNotHappen);
}

#[tokio::test]
async fn two_calls_of_which_nothing_is_known_are_not_told_apart() {
    let sandbox = Sandbox::demo().await.expect("a sandbox");
    let client = client(&sandbox, 100);
    let first = lost(&client, &sandbox, Fault::on("CreateMembers").status(503)).await;
    let second = lost(&client, &sandbox, Fault::on("CreateMembers").cut_after_effect()).await;
    for error in [&first, &second] {
        let became = told(&client, error, Duration::ZERO).await;
        assert_eq!((became.verdict, became.candidates.len()), (Verdict::StillUnknown, 1), "{became}");
    }
}

#[tokio::test]
async fn a_call_that_goes_on_is_waited_for() {
    let sandbox = Sandbox::demo().await.expect("a sandbox");
    let client = client(&sandbox, 100);
    client.read_workspace_list(sondage::model::ReadWorkspaceListRequest::new()).await.expect("a token");
    sandbox.fault(Fault::on("CreateMembers").delay(Duration::from_millis(700)));
    let hasty = client.with(CallOptions::new().deadline(Duration::from_millis(200)));
    let error = hasty.create_members(request(&sandbox)).await.expect_err("too late");
    let id = error.write_id().expect("an id");
    let early = client.reconcile(ReconcileOptions::new(id).wait(Duration::ZERO)).await.expect("a verdict");
    assert!(early.verdict == Verdict::StillUnknown && early.evidence.contains("under way"), "{early}");
    let became = client.reconcile(ReconcileOptions::new(id)).await.expect("a verdict");
    assert_eq!((became.verdict, became.ids.len()), (Verdict::Happened, 1), "{became}");
    assert_eq!(sandbox.ledger().count("CreateMembers", EffectKind::MembersCreated), 1);
}

#[tokio::test]
async fn who_cannot_be_asked_is_told_so() {
    let sandbox = Sandbox::demo().await.expect("a sandbox");
    let client = client(&sandbox, 100);
    let error = lost(&client, &sandbox, Fault::on("CreateMembers").status(503)).await;
    let id = error.write_id().expect("an id");
    let refused = async |client: &Client, id: &str| {
        let refused = client.reconcile(ReconcileOptions::new(id)).await.expect_err("nothing to tell");
        assert_eq!((refused.kind(), refused.changed_nothing()), (ErrorKind::InvalidArgument, true));
        refused.to_string()
    };
    assert!(refused(&client, " ").await.contains("`write_id` is empty"));
    assert!(refused(&client, "7").await.contains("knows no write with the id 7"));
    let other = Client::builder()
        .environment(Environment::empty())
        .tenant("elsewhere")
        .base_url(sandbox.base_url())
        .auth_url(sandbox.auth_url())
        .client_secret("none")
        .build()
        .expect("a client");
    assert!(refused(&other, id).await.contains("and this client is of the account elsewhere"));
    client.close(Duration::ZERO).await;
    assert!(refused(&client, id).await.contains("the client is closed"));
}

/// Privacy: neither the error nor the verdict shows what was sent.
#[tokio::test]
async fn nothing_that_was_sent_is_shown() {
    let sandbox = Sandbox::demo().await.expect("a sandbox");
    let client = client(&sandbox, 100);
    let member = lost(&client, &sandbox, Fault::on("CreateMembers").cut_after_effect()).await;
    let mut hook = CreateWebHookRequest::new(EventType::Approved, "*", "https://a.example/hook-secret");
    hook.security_token = Some("Bearer token-secret".into());
    sandbox.fault(Fault::on("CreateWebHook").cut_after_effect());
    let hook = client.create_web_hook(hook).await.expect_err("no answer");
    for error in [member, hook] {
        let became = told(&client, &error, Duration::ZERO).await;
        assert_eq!(became.verdict, Verdict::Happened, "{became}");
        let shown = format!("{error} {error:?} {:?} {became} {became:?}", error.reconcile());
        assert!(!shown.contains("ada@") && !shown.contains("secret"), "{shown}");
    }
}
