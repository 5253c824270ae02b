//! What is counted: each request to the API.

use super::*;
use sondage::budget::CountedBytes;
use sondage::model::{CreateMembersRequest, NewMember};
use sondage::operations::ReadPanel;
use sondage_sandbox::Fault;

#[tokio::test(flavor = "multi_thread")]
async fn calls_pages_and_repeats_count_and_tokens_do_not() {
    let scene = Scene::new().await;
    let client = scene.builder().page_size(50).build().unwrap();
    let before = client.budget();
    assert!(before.counted && before.since.is_none() && before.calls == 0 && before.calls_left == 500);
    assert_eq!((before.bytes_limit, before.mode), (500_000_000, BudgetMode::Warn));
    scene.read(&client).await.unwrap();
    scene.assert_counted(&client.budget());
    assert_eq!(client.budget().calls, 1);

    let mut list = client.members(scene.sandbox.panel_id()).pager().unwrap();
    while list.next().await.unwrap().is_some() {}
    let read = client.budget();
    assert_eq!(
        read.calls,
        1 + list.progress().calls,
        "each page counts, and so do the requests that confirm the end"
    );

    scene.sandbox.fault(Fault::on("ReadPanel").times(1).status(503));
    scene.sandbox.fault(Fault::on("ReadPanel").times(1).cut_mid_answer());
    scene.read(&client).await.unwrap();
    assert_eq!(client.budget().calls, read.calls + 3, "each attempt counts");

    scene.sandbox.revoke_tokens();
    scene.read(&client).await.unwrap();
    assert_eq!(client.budget().calls, read.calls + 5, "rejected for its token, and retried");
    let member = NewMember::of([("Email", "ada@example.com")]);
    client.create_members(CreateMembersRequest::new(scene.sandbox.panel_id(), [member])).await.unwrap();
    scene.assert_counted(&client.budget());
    let report = client.budget();
    assert!(report.since.is_some_and(|since| report.begins <= since && since < report.ends));
    assert!(scene.sandbox.ledger().token_requests().len() >= 2);
}

/// The bytes of a response are counted after decompression: which of the two the service counts is not published.
#[tokio::test(flavor = "multi_thread")]
async fn bytes_count_as_they_are_before_compression() {
    let scene = Scene::new().await;
    let client = scene.client();
    let read =
        client.with_response::<ReadPanel>(ReadPanelRequest::new(scene.sandbox.panel_id())).await.unwrap();
    assert!(read.body.len() > 1_000, "a response that is large enough to be compressed");
    let report = client.budget();
    assert_eq!((report.received, report.bytes), (read.body.len() as u64, report.received));
}

/// The service's pages count what is received. A caller who doubts that counts requests too.
#[tokio::test(flavor = "multi_thread")]
async fn bytes_of_requests_count_only_if_the_setting_says_so() {
    for (counted, both) in [(CountedBytes::Received, false), (CountedBytes::Both, true)] {
        let scene = Scene::new().await;
        let client = scene.builder().budget_counted(counted).build().unwrap();
        scene.read(&client).await.unwrap();
        let report = client.budget();
        assert!(report.sent > 0 && report.received > 0, "{report:?}");
        let expected = if both { report.sent + report.received } else { report.received };
        assert_eq!((report.bytes, report.bytes_limit - report.bytes_left), (expected, expected));
    }
    // A request that is larger than what is left is stopped only where requests count.
    for (counted, is_sent) in [(CountedBytes::Received, true), (CountedBytes::Both, false)] {
        let scene = Scene::new().await;
        let client = scene
            .builder()
            .budget(BudgetMode::Stop)
            .budget_bytes(1_u64)
            .budget_counted(counted)
            .build()
            .unwrap();
        assert_eq!(scene.read(&client).await.is_ok(), is_sent);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_never_left_does_not_count() {
    let scene = Scene::new().await;
    let closed = sondage_testserver::closed_address();
    let builder = scene.builder().base_url(format!("http://{closed}")).retry_attempts(2_u32);
    let client = builder.build().unwrap();
    let error = scene.read(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (sondage::ErrorKind::Network, 2), "{error}");
    assert_eq!((client.budget().calls, client.budget().bytes), (0, 0));
}

/// A sandbox is not an account: a call to it does not use an account's budget.
#[tokio::test(flavor = "multi_thread")]
async fn this_machine_is_not_counted_unless_asked() {
    let scene = Scene::new().await;
    let plain = scene.builder().budget_loopback(false).build().unwrap();
    let off = scene.builder().budget(BudgetMode::Off).build().unwrap();
    for client in [&plain, &off] {
        scene.read(client).await.unwrap();
        let report = client.budget();
        assert!(!report.counted && report.calls == 0 && report.bytes == 0 && report.since.is_none());
    }
    // Without counting, the budget stops nothing.
    let stopping = scene.builder().budget_loopback(false).budget(BudgetMode::Stop).budget_calls(1_u32);
    let stopping = stopping.build().unwrap();
    for _ in 0..3 {
        scene.read(&stopping).await.unwrap();
    }
    let elsewhere = ClientBuilder::new().environment(Environment::empty()).account("acme.survalyzer-eu.app");
    let elsewhere = elsewhere.client_secret("secret").build().unwrap();
    assert!(elsewhere.budget().counted, "an account is");
}

/// A program may create a client for each call, and have several at once.
#[tokio::test(flavor = "multi_thread")]
async fn clients_of_a_tenant_count_together() {
    let scene = Scene::new().await;
    for _ in 0..3 {
        scene.read(&scene.client()).await.unwrap();
    }
    let (one, other) = (scene.client(), scene.client());
    let reads = (0..40).map(|n| {
        let client = if n % 2 == 0 { one.clone() } else { other.clone() };
        let panel = scene.sandbox.panel_id();
        tokio::spawn(async move { client.read_panel(ReadPanelRequest::new(panel)).await.map(drop) })
    });
    for read in reads.collect::<Vec<_>>() {
        read.await.unwrap().unwrap();
    }
    assert_eq!(one.budget().calls, 43);
    scene.assert_counted(&other.budget());
}
