//! At the limit: one more call is never sent.

use super::*;
use sondage::{Delivery, ErrorKind};

#[tokio::test(flavor = "multi_thread")]
async fn a_call_beyond_the_limit_is_not_sent_and_the_error_says_when_the_day_ends() {
    for mode in [BudgetMode::Stop, BudgetMode::HardStop] {
        let scene = Scene::new().await;
        let client = scene.stopping(mode, 2);
        scene.read(&client).await.unwrap();
        scene.read(&client).await.unwrap();
        let error = scene.read(&client).await.unwrap_err();
        assert_eq!((error.kind(), error.delivery()), (ErrorKind::BudgetSpent, Delivery::No), "{error}");
        assert!(error.safe_to_retry() && error.attempts() == 0 && error.changed_nothing());
        let report = client.budget();
        let ends = report.ends.to_string();
        for words in [
            "not sent, because the 2 calls of the day are used up",
            "Nothing was changed",
            &ends,
            "`budget_calls`",
        ] {
            assert!(error.to_string().contains(words), "{error}");
        }
        let left = (report.ends.0 - sondage::Timestamp::now().0).to_std().unwrap();
        let said = error.retry_after().unwrap();
        assert!(said >= left && said <= left + Duration::from_secs(60), "{said:?} {left:?}");
        assert_eq!((scene.arrived().0, report.calls, report.calls_left), (2, 2, 0));
    }
}

/// Counting and permission are one atomic step: of many concurrent calls, exactly as many are sent as the day has left.
#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_calls_at_once_do_not_go_beyond() {
    let scene = Scene::new().await;
    let folder = Folder::new();
    for folder in [None, Some(folder.0.clone())] {
        let before = scene.arrived().0;
        let mut builder = scene.builder().budget(BudgetMode::HardStop).budget_calls(37_u32);
        if let Some(folder) = folder {
            builder = builder.budget_folder(folder);
        }
        let clients = [builder.build().unwrap(), builder.build().unwrap()];
        let panel = scene.sandbox.panel_id();
        let calls: Vec<_> = (0..100)
            .map(|n: usize| {
                let client = clients[n % 2].clone();
                tokio::spawn(async move { client.read_panel(ReadPanelRequest::new(panel)).await.map(drop) })
            })
            .collect();
        let mut sent = 0;
        for call in calls {
            match call.await.unwrap() {
                Ok(()) => sent += 1,
                Err(error) => assert_eq!(error.kind(), ErrorKind::BudgetSpent, "{error}"),
            }
        }
        assert_eq!((sent, scene.arrived().0 - before), (37, 37));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_stop_as_calls_do() {
    let scene = Scene::new().await;
    let client = scene.builder().budget(BudgetMode::Stop).budget_bytes(2_000_u64).build().unwrap();
    let error = loop {
        match scene.read(&client).await {
            Ok(()) => assert!(scene.arrived().0 < 100, "{}", client.budget()),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("the 2000 bytes of the day are used up"), "{error}");
    let report = client.budget();
    // Only the response to the last call can exceed the limit, because its size is not known in advance.
    scene.assert_counted(&report);
    assert!(report.sent < 2_000 && report.bytes + 100 > 2_000 && report.bytes_left < 100, "{report}");
}

/// The budget limits requests: a retry is not made if no call is left.
#[tokio::test(flavor = "multi_thread")]
async fn a_repeat_needs_a_call_of_the_day_too() {
    use sondage::model::{CreateMembersRequest, NewMember};
    use sondage_sandbox::Fault;
    let scene = Scene::new().await;
    let client = scene.stopping(BudgetMode::Stop, 1);
    scene.sandbox.fault(Fault::on("ReadPanel").every().status(503));
    let error = scene.read(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::BudgetSpent, 1), "{error}");
    assert_eq!(scene.arrived().0, 1);

    // If the first attempt may have taken effect, the error says so, and not only that the budget is spent.
    let scene = Scene::new().await;
    let client = scene.stopping(BudgetMode::Stop, 1);
    scene.sandbox.fault(Fault::on("CreateMembers").every().cut_after_effect());
    let member = NewMember::of([("Email", "ada@example.com")]);
    let error = client
        .create_members(CreateMembersRequest::new(scene.sandbox.panel_id(), [member]))
        .await
        .unwrap_err();
    assert_eq!((error.kind(), scene.arrived().0), (ErrorKind::OutcomeUnknown, 1), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_runs_into_the_limit_says_so_and_is_not_short() {
    let scene = Scene::new().await;
    let client = scene.builder().page_size(50).budget(BudgetMode::Stop).budget_calls(2_u32).build().unwrap();
    let mut list = client.members(scene.sandbox.panel_id()).pager().unwrap();
    let error = loop {
        match list.next().await {
            Ok(page) => assert!(page.is_some(), "an incomplete list ended without an error"),
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), ErrorKind::BudgetSpent, "{error}");
    assert_eq!(scene.arrived().0, 2);
}
