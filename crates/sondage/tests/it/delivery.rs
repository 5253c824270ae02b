//! At most once: what each effect does after each fault, on real sockets.

use crate::support;
use crate::support::{Fault, Fault::*, SUCCESS, Service, client};
use sondage::{Effect, ErrorKind, Json, RawCall};
use std::time::{Duration, Instant};

// No pooled connections: one that is just closing would make a call fail before it arrives.
const BUSY: &str = "HTTP/1.1 503 Busy\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
const LATER: &str = "HTTP/1.1 429 Slow down\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n";
const MUCH_LATER: &str = "HTTP/1.1 429 Slow down\r\nretry-after: 600\r\ncontent-length: 0\r\n\r\n";
const REFUSED: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"isSuccess\":false,\"errorCode\":\"PanelNotFound\",\"errorMessage\":\"No\"}";
const NOT_STORED: &str = "HTTP/1.1 500 Failed\r\nconnection: close\r\n\r\n{\"isSuccess\":false,\"errorCode\":\"NotStored\",\"errorMessage\":\"The disk is full\"}";
const HTML: &str = "HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\n<html></html>";
const BARE: &str = "HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{\"rows\":[]}";
const REDIRECT: &str = "HTTP/1.1 307 Go\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n";
const FORBIDDEN: &str = "HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n";
const MISSING: &str = "HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n";

/// Bodies of 400 bytes fit into one packet, those of 5 MB do not: a fault can strike while they are being sent.
const SIZES: [usize; 2] = [400, 5_000_000];

fn call(effect: Effect, size: usize) -> RawCall {
    let body = format!("{{\"text\":\"{}\"}}", "x".repeat(size));
    RawCall::new("/publicapi/Panel/v3/Something", Json::parse(body).unwrap(), effect)
}

async fn meet(faults: &[Fault], effect: Effect, size: usize) -> (Result<(), sondage::Error>, usize) {
    let service = Service::with(faults);
    // Only a service that says nothing is given up; the others have the time that a busy machine takes.
    let deadline = if faults.contains(&SilentAfterAll) { 1_500 } else { 60_000 };
    let options = sondage::CallOptions::new().deadline(Duration::from_millis(deadline));
    let client = client(&service.address).with(options);
    let result = client.raw(call(effect, size)).await.map(|_| ());
    (result, service.whole())
}

/// Every fault after which the service had the whole request, and its effect is unknown.
const DOUBTFUL: [Fault; 9] = [
    CloseAfterAll,
    ResetAfterAll,
    SilentAfterAll,
    HalfStatus,
    HalfBody,
    HalfChunked,
    Garbage,
    BadGzip,
    Says(BUSY),
];

/// What the service says of its failure was dropped.
#[tokio::test(flavor = "multi_thread")]
async fn a_failure_with_an_envelope_carries_what_the_service_says() {
    for (effect, kind) in [(Effect::Create, ErrorKind::OutcomeUnknown), (Effect::Read, ErrorKind::Network)] {
        let (result, _) = meet(&[Says(NOT_STORED); 4], effect, 400).await;
        let error = result.expect_err("it failed");
        assert_eq!((error.kind(), error.status()), (kind, Some(500)), "{error}");
        assert_eq!(
            (error.error_code(), error.error_message()),
            (Some("NotStored"), Some("The disk is full"))
        );
        assert!(error.to_string().contains("(HTTP 500): The disk is full"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_is_sent_once_and_its_outcome_called_unknown() {
    for fault in DOUBTFUL {
        for effect in [Effect::Create, Effect::SchemaChange, Effect::Send] {
            for size in SIZES {
                let (result, whole) = meet(&[fault], effect, size).await;
                let error = result.expect_err("there was no answer");
                assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{fault:?} {effect:?} {size}: {error}");
                assert_eq!(whole, 1, "{fault:?} {effect:?} {size}: sent {whole} times");
                assert_eq!(error.attempts(), 1);
                assert!(!error.safe_to_retry());
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_and_sets_are_retried() {
    for fault in DOUBTFUL.into_iter().filter(|fault| *fault != SilentAfterAll) {
        for effect in [Effect::Read, Effect::IdempotentWrite] {
            let (result, whole) = meet(&[fault, Says(SUCCESS)], effect, 400).await;
            result.unwrap_or_else(|error| panic!("{fault:?} {effect:?}: {error}"));
            assert_eq!(whole, 2, "{fault:?} {effect:?}");
        }
    }
}

/// Each time the service may have carried it out before it failed.
#[tokio::test(flavor = "multi_thread")]
async fn a_set_that_fails_for_good_says_what_is_not_known_and_what_to_do() {
    let service = Service::with(&[Says(BUSY)]);
    let error = client(&service.address).raw(call(Effect::IdempotentWrite, 400)).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.attempts(), service.whole()),
        (ErrorKind::OutcomeUnknown, 3, 3),
        "{error}"
    );
    let text = error.to_string();
    assert!(text.contains("Whether anything was changed is unknown. Call again"), "{text}");
    assert!(error.safe_to_retry() && !text.contains("not repeated"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_provably_did_not_arrive_is_sent_again() {
    for fault in [CloseAtOnce, ResetAtOnce, CloseAfterHead, ResetAfterHalf, Early503] {
        for effect in [Effect::Read, Effect::Create, Effect::Send] {
            // Only a body larger than the socket's buffers can be proven not to have been sent completely.
            let (result, whole) = meet(&[fault, Says(SUCCESS)], effect, 30_000_000).await;
            result.unwrap_or_else(|error| panic!("{fault:?} {effect:?}: {error}"));
            assert_eq!(whole, 1, "{fault:?} {effect:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_write_that_may_have_arrived_is_not_sent_again() {
    for fault in [CloseAtOnce, ResetAtOnce, CloseAfterHead, ResetAfterHalf] {
        let (result, whole) = meet(&[fault, Says(SUCCESS)], Effect::Send, 400).await;
        match result {
            Ok(()) => assert_eq!(whole, 1),
            Err(error) => {
                assert_eq!((error.kind(), whole), (ErrorKind::OutcomeUnknown, 0), "{fault:?}: {error}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_there_is_tried_three_times_and_changes_nothing() {
    let client = client("http://127.0.0.1:1");
    for effect in [Effect::Read, Effect::Send] {
        let error = client.raw(call(effect, 400)).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::Network, 3), "{error}");
        assert_eq!(error.delivery(), sondage::Delivery::No);
        assert!(error.safe_to_retry() && error.to_string().contains("Nothing was changed"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_are_errors_at_once() {
    use ErrorKind::*;
    let cases = [
        (REFUSED, Api),
        (FORBIDDEN, PermissionDenied),
        (MISSING, UnexpectedResponse),
        (REDIRECT, UnexpectedResponse),
    ];
    for (says, kind) in cases {
        for effect in [Effect::Read, Effect::Create, Effect::Send] {
            let (result, whole) = meet(&[Says(says)], effect, 400).await;
            let error = result.unwrap_err();
            assert_eq!((error.kind(), whole), (kind, 1), "{says}: {error}");
        }
    }
    let (result, _) = meet(&[Says(REFUSED)], Effect::Read, 400).await;
    assert_eq!(result.unwrap_err().error_code(), Some("PanelNotFound"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_cannot_be_read_is_asked_for_once_more() {
    for says in [HTML, BARE] {
        let (result, whole) = meet(&[Says(says)], Effect::Read, 400).await;
        assert_eq!((result.unwrap_err().kind(), whole), (ErrorKind::UnexpectedResponse, 2));
        let (result, whole) = meet(&[Says(says)], Effect::Create, 400).await;
        let error = result.unwrap_err();
        assert_eq!((error.kind(), whole), (ErrorKind::OutcomeUnknown, 1));
        assert!(error.to_string().contains("accepted"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_calls_wait_except_for_messages() {
    let begin = Instant::now();
    let (result, whole) = meet(&[Says(LATER), Says(SUCCESS)], Effect::Create, 400).await;
    assert!(result.is_ok() && whole == 2 && begin.elapsed() >= Duration::from_secs(1));
    for (says, effect) in [(LATER, Effect::Send), (MUCH_LATER, Effect::Read)] {
        let (result, whole) = meet(&[Says(says), Says(SUCCESS)], effect, 400).await;
        let error = result.unwrap_err();
        assert_eq!((error.kind(), whole), (ErrorKind::RateLimited, 1));
        assert!(error.retry_after().is_some() && error.safe_to_retry());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_doubt_is_not_forgotten() {
    // The first attempt may have taken effect; a clear refusal of the last one does not change that.
    let (result, _) = meet(&[CloseAfterAll, ResetAtOnce], Effect::IdempotentWrite, 30_000_000).await;
    let error = result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    assert!(error.safe_to_retry());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ceiling_holds() {
    let big: &'static str = Box::leak(
        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{}", 2 << 20, " ".repeat(2 << 20))
            .into_boxed_str(),
    );
    let (result, _) = meet(&[Says(big)], Effect::Read, 400).await;
    let error = result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedResponse);
    assert!(error.to_string().contains("answer_bytes"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn repeats_stay_a_small_part_of_all_calls() {
    let service = Service::with(&[Says(BUSY)]);
    let client = client(&service.address);
    for _ in 0..100 {
        client.raw(call(Effect::Read, 10)).await.unwrap_err();
    }
    let repeats = service.whole() - 100;
    assert!((10..=20).contains(&repeats), "{repeats} repeats of 100 calls");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_outlives_its_caller_and_a_read_does_not() {
    let service = Service::with(&[SilentAfterAll]);
    let client = client(&service.address);
    let write = tokio::spawn({
        let client = client.clone();
        async move { client.raw(call(Effect::Send, 400)).await }
    });
    while service.whole() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    write.abort();
    let _ = write.await;
    let pending = client.pending_writes();
    assert_eq!(pending.len(), 1);
    assert_eq!(pending[0].operation, "Something");

    let left = client.close(Duration::from_millis(50)).await;
    assert_eq!(left.len(), 1, "a write in progress is reported, not aborted");
    let error = client.raw(call(Effect::Read, 10)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert_eq!(service.whole(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deadline_holds_for_every_call() {
    for (effect, kind) in [(Effect::Read, ErrorKind::Network), (Effect::Send, ErrorKind::OutcomeUnknown)] {
        let service = Service::with(&[SilentAfterAll]);
        let client =
            client(&service.address).with(sondage::CallOptions::new().deadline(Duration::from_secs(1)));
        let begin = Instant::now();
        let error = client.raw(call(effect, 400)).await.unwrap_err();
        assert_eq!((error.kind(), error.timed_out()), (kind, true), "{error}");
        assert!(begin.elapsed() < support::DEADLINE);
        assert_eq!(service.whole(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_may_be_longer_than_any_clock_counts() {
    for effect in [Effect::Read, Effect::Send] {
        let service = Service::with(&[Says(SUCCESS)]);
        let client = client(&service.address).with(sondage::CallOptions::new().deadline(Duration::MAX));
        client.raw(call(effect, 10)).await.unwrap();
        assert_eq!(service.whole(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_waits_its_turn_can_still_be_called_off() {
    // More exchanges than a client makes concurrently (256), all of them silent, keep the next one waiting.
    let service = Service::with(&[SilentAfterAll]);
    let client = client(&service.address);
    let busy: Vec<_> = (0..256)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.raw(call(Effect::Read, 10)).await })
        })
        .collect();
    while service.whole() < 256 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let options = sondage::CallOptions::new().deadline(Duration::from_millis(200));
    let error = client.with(options).raw(call(Effect::Send, 10)).await.unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (ErrorKind::Network, sondage::Delivery::No), "{error}");
    assert!(error.safe_to_retry(), "{error}");
    assert!(client.close(Duration::from_secs(5)).await.is_empty(), "nothing is under way");

    busy.iter().for_each(tokio::task::JoinHandle::abort);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(service.whole(), 256, "a cancelled call is not sent later");
}
