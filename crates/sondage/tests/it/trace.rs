//! The trace of a client: it contains every request of the sandbox's ledger, and no secret.

use crate::support::log::LogCapture;
use crate::support::recorder::Recorder;
use crate::support::sandbox::builder;
use serde_json::json;
use sondage::arguments::{DoctorOptions, TraceOptions};
use sondage::model::{CreateMembersRequest, NewMember, ReadPanelRequest};
use sondage::trace::{TraceEntry, TraceKind};
use sondage::{CallOptions, Client, ErrorKind};
use sondage_sandbox::{CutPoint, Fault, FaultAction, Sandbox};
use std::sync::{Arc, Mutex};
use std::time::Duration;

async fn set_up(entries: u32) -> (Sandbox, Client) {
    let sandbox = Sandbox::demo().await.unwrap();
    let secret = sandbox.client_secret();
    let client = builder(&sandbox).client_secret(secret).trace_entries(entries).build().unwrap();
    (sandbox, client)
}

async fn entries(client: &Client) -> Vec<TraceEntry> {
    client.trace(TraceOptions::new()).await.unwrap().entries
}

fn of(entries: &[TraceEntry], kind: TraceKind) -> Vec<&TraceEntry> {
    entries.iter().filter(|entry| entry.kind == kind).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_attempt_wait_and_call_is_told() {
    let (sandbox, client) = set_up(100).await;
    sandbox.fault(Fault::on("ReadPanel").status(503));
    sandbox.fault(Fault::on("ReadPanel").action(FaultAction::Cut { at: CutPoint::MidAnswer, reset: false }));
    client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();

    let told = entries(&client).await;
    let kinds: Vec<_> = told.iter().map(|entry| entry.kind).collect();
    let (a, w) = (TraceKind::Attempt, TraceKind::Wait);
    assert_eq!(kinds, [TraceKind::Token, a, w, a, w, a, TraceKind::Call]);
    assert_eq!(told.iter().map(|entry| entry.number).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6]);

    let attempts = of(&told, TraceKind::Attempt);
    assert_eq!(
        attempts.iter().map(|entry| entry.status).collect::<Vec<_>>(),
        [Some(503), Some(200), Some(200)]
    );
    assert!(attempts[0].error.is_some() && attempts[1].error.as_deref() == Some(ErrorKind::Network.as_str()));
    assert!(attempts.iter().all(|entry| entry.request_id.is_some()));
    let call = &told[6];
    assert_eq!((call.attempts, call.status, &call.error), (3, Some(200), &None));
    assert!(told[1..].iter().all(|entry| entry.call_id == call.call_id && entry.operation == "ReadPanel"));
    assert_eq!(call.sent, attempts.iter().map(|entry| entry.sent).sum::<u64>());
    assert_eq!(call.received, attempts.iter().map(|entry| entry.received).sum::<u64>());
    assert_eq!(sandbox.ledger().requests("ReadPanel").len(), attempts.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_told_with_their_rows() {
    let (sandbox, client) = set_up(1000).await;
    let mut list = client.members(sandbox.panel_id()).page_size(50).pager().unwrap();
    let mut rows = 0;
    while let Some(page) = list.next().await.unwrap() {
        rows += page.len() as u64;
    }
    let told = entries(&client).await;
    let pages = of(&told, TraceKind::Page);
    assert!(pages.len() > 1 && pages.iter().all(|page| page.operation == "ReadMemberList"), "{told:?}");
    assert_eq!(pages.iter().filter_map(|page| page.rows).sum::<u64>(), rows);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_call_and_one_whose_caller_left_are_told() {
    let (sandbox, client) = set_up(100).await;
    let error = client.read_panel(ReadPanelRequest::new(1)).await.unwrap_err();
    sandbox.fault(Fault::on("ReadPanel").delay(Duration::from_secs(60)));
    let (leaves, panel) = (client.clone(), sandbox.panel_id());
    let call = tokio::spawn(async move { leaves.read_panel(ReadPanelRequest::new(panel)).await });
    while sandbox.ledger().requests("ReadPanel").len() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    call.abort();

    // A call that its caller has left ends a moment later.
    let (mut told, mut next) = (Vec::new(), 0);
    while of(&told, TraceKind::Call).len() < 2 {
        let part = client.trace(TraceOptions::new().after(next).wait(Duration::from_secs(10))).await.unwrap();
        assert!(!part.entries.is_empty(), "{told:?}");
        next = i64::try_from(part.next).unwrap();
        told.extend(part.entries);
    }
    let calls = of(&told, TraceKind::Call);
    assert_eq!(calls[0].error.as_deref(), Some(error.kind().as_str()));
    assert_eq!(calls[1].error.as_deref(), Some("cancelled"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_read_can_be_read_on_and_what_is_lost_is_counted() {
    let (sandbox, client) = set_up(3).await;
    for _ in 0..4 {
        client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
    }
    // A token, and two entries for each call.
    let part = client.trace(TraceOptions::new()).await.unwrap();
    assert_eq!((part.entries.len(), part.next, part.missed), (3, 9, 6));
    let (reader, next) = (client.clone(), i64::try_from(part.next).unwrap());
    assert!(client.trace(TraceOptions::new().after(next)).await.unwrap().entries.is_empty());

    let waiting = tokio::spawn(async move {
        reader.trace(TraceOptions::new().after(next).wait(Duration::from_secs(60))).await
    });
    client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
    let part = waiting.await.unwrap().unwrap();
    assert_eq!((part.entries[0].number, part.entries[0].kind), (9, TraceKind::Attempt));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_setting_nothing_is_kept_and_that_is_said() {
    let (_sandbox, client) = set_up(0).await;
    let error = client.trace(TraceOptions::new()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("`trace_entries`"), "{error}");
    let (_sandbox, client) = set_up(1).await;
    let error = client.trace(TraceOptions::new().after(-1)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_observer_is_told_at_once_and_may_panic() {
    let sandbox = Sandbox::demo().await.unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&told);
    let client = builder(&sandbox)
        .client_secret(sandbox.client_secret())
        .on_trace(move |entry| {
            noted.lock().unwrap().push(entry.kind);
            assert!(entry.kind != TraceKind::Attempt, "a mistake of the observer");
        })
        .build()
        .unwrap();
    client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
    assert_eq!(*told.lock().unwrap(), [TraceKind::Token, TraceKind::Attempt, TraceKind::Call]);
}

/// A call that was held back by the 429 of another one used to leave no line and no entry.
#[tokio::test(flavor = "multi_thread")]
async fn a_wait_for_the_end_of_a_pause_is_told() {
    let log = LogCapture::begin();
    let (sandbox, client) = set_up(100).await;
    // No other test of this program has a pause of this length.
    let pause = FaultAction::Status {
        status: 429,
        headers: [("retry-after".to_owned(), "2".to_owned())].into(),
        body: None,
    };
    sandbox.fault(Fault::on("ReadPanel").times(1).action(pause));
    let read = || client.read_panel(ReadPanelRequest::new(sandbox.panel_id()));
    let hasty = client.with(CallOptions::new().attempts(1));
    hasty.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap_err();
    let after = client.trace(TraceOptions::new()).await.unwrap().next;
    let (one, two) = tokio::join!(read(), read());
    one.unwrap();
    two.unwrap();

    let later = client.trace(TraceOptions::new().after(i64::try_from(after).unwrap())).await.unwrap().entries;
    let (waits, calls) = (of(&later, TraceKind::Wait), of(&later, TraceKind::Call));
    assert_eq!((waits.len(), calls.len()), (2, 2));
    for wait in &waits {
        assert!(wait.milliseconds > 0.0 && wait.milliseconds <= 2000.0, "{wait:?}");
        assert_eq!((wait.attempts, wait.error.as_deref()), (0, Some(ErrorKind::RateLimited.as_str())));
        assert!(
            calls.iter().any(|call| call.call_id == wait.call_id && call.milliseconds >= wait.milliseconds)
        );
    }
    let lines = log.lines().into_iter().filter(|line| line.level == log::Level::Info);
    let lines: Vec<String> = lines.map(|line| line.message).collect();
    let pauses = lines.iter().filter(|line| *line == "the tenant's calls pause for 2 s after a 429");
    assert_eq!(pauses.count(), 1, "{lines:?}");
    for wait in waits {
        // Other tests of this program may wait meanwhile, too.
        let call = format!("call {}", wait.call_id.as_deref().unwrap());
        let own = lines.iter().filter(|line| line.starts_with("ReadPanel: wait 0 RateLimited"));
        assert_eq!(own.filter(|line| line.contains(&call)).count(), 1, "{lines:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_entry_shows_what_was_sent() {
    let (sandbox, client) = set_up(100).await;
    let secret = sandbox.client_secret().to_owned();
    let words = format!("{secret} QzvxKw@example.com");
    sandbox.fault(Fault::on("CreateMembers").every().status(400).header("x-request-id", &words).body(&words));
    let member = NewMember::of([("Email", "QzvxKw@example.com"), ("FirstName", "QzvxKw")]);
    client.create_members(CreateMembersRequest::new(sandbox.panel_id(), [member])).await.unwrap_err();
    let told = entries(&client).await;
    assert!(told.len() >= 3);
    for entry in &told {
        let text = format!("{entry} {entry:?} {}", serde_json::to_string(entry).unwrap());
        assert!(!text.contains(&secret) && !text.contains("QzvxKw"), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_request_carries_the_id_of_its_call() {
    let service = Recorder::answering(&json!({ "isSuccess": true, "panel": { "id": 7 } }));
    let sandbox = Sandbox::demo().await.unwrap();
    let of = |on: bool| {
        let base = builder(&sandbox).token("a-token").base_url(service.address.parse::<url::Url>().unwrap());
        base.trace_entries(10_u32).correlation_id(on).build().unwrap()
    };
    let client = of(true);
    let _ = client.read_panel(ReadPanelRequest::new(7)).await;
    let sent = service.last()["x-correlation-id"].as_str().map(str::to_owned);
    assert!(sent.is_some());
    assert!(entries(&client).await.iter().all(|entry| entry.call_id == sent));
    let _ = of(false).read_panel(ReadPanelRequest::new(7)).await;
    assert!(service.last()["x-correlation-id"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_id_of_a_call_is_the_same_for_all_its_attempts_and_no_other_call_has_it() {
    // What cannot be read is read once more.
    let service = Recorder::answering(&json!([]));
    let sandbox = Sandbox::demo().await.unwrap();
    let base = builder(&sandbox).token("a-token").base_url(service.address.parse::<url::Url>().unwrap());
    let client = base.trace_entries(20_u32).build().unwrap();
    for _ in 0..2 {
        client.read_panel(ReadPanelRequest::new(7)).await.unwrap_err();
    }
    let ids: Vec<_> = service.all().iter().map(|it| it["x-correlation-id"].clone()).collect();
    assert!(ids.len() == 4 && ids[0] == ids[1] && ids[1] != ids[2] && ids[2] == ids[3], "{ids:?}");
    let told = entries(&client).await;
    let attempts: Vec<_> = of(&told, TraceKind::Attempt).iter().map(|it| json!(it.call_id)).collect();
    assert_eq!(attempts, ids);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_a_diagnosis_are_told() {
    let sandbox = Sandbox::demo().await.unwrap();
    // Without permission to call, the doctor only checks whether a server responds.
    let client = builder(&sandbox).client_secret("wrong").trace_entries(100_u32).build().unwrap();
    client.doctor(DoctorOptions::new()).await.unwrap();
    let told = entries(&client).await;
    let asked: Vec<_> = told.iter().filter(|entry| entry.operation == "doctor").collect();
    assert!(!asked.is_empty(), "{told:?}");
    for entry in asked {
        assert_eq!((entry.kind, entry.attempts, &entry.call_id), (TraceKind::Attempt, 1, &None));
        assert!(entry.status.is_some() && entry.error.is_none(), "{entry:?}");
    }
}
