//! A write whose caller gives up: it is completed if it may have been sent, and not sent otherwise.

use super::*;
use crate::support;
use crate::support::Fault::*;
use crate::support::{SUCCESS, TOKEN};
use sondage::ErrorKind;
use std::future::Future as _;
use std::task::Poll;
use std::time::Duration;

const SOON: &str = "HTTP/1.1 429 Slow\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_was_refused_and_waits_is_not_sent_after_its_caller_has_gone() {
    let service = Service::with(&[Says(SOON), Says(SUCCESS)]);
    let client = client(&service.address);
    let write = tokio::spawn({
        let client = client.clone();
        async move { client.raw(call(Effect::Create, 400)).await }
    });
    while service.whole() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    while !client.pending_writes().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    write.abort();
    let _ = write.await;
    assert!(client.close(Duration::from_secs(5)).await.is_empty(), "nothing is under way");
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(service.whole(), 1, "the refused request, and none after the caller gave up");
}

/// The outcome of a write can be asked for, even if its caller has given up.
#[tokio::test(flavor = "multi_thread")]
async fn the_outcomes_of_writes_whose_callers_gave_up_are_kept() {
    const OK: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 31\r\n\r\n{\"isSuccess\":true,\"made\":[5,6]}";
    let service = Service::with(&[SaysAfter(200, OK), CloseAfterAll, Says(OK)]);
    let client = client(&service.address);
    assert!(client.write_outcomes().await.unwrap().writes.is_empty());
    for sent in 1..=2 {
        // Each caller asks once, and gives up before or after the response.
        let mut write = Box::pin(client.raw(call(Effect::Create, 400)));
        std::future::poll_fn(|context| Poll::Ready(write.as_mut().poll(context).is_pending())).await;
        while service.whole() < sent {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        drop(write);
        // The call waits for the write, and sends nothing.
        let outcomes = client.write_outcomes().await.unwrap().writes;
        assert_eq!(outcomes.len(), sent);
        assert_eq!(service.whole(), sent);
    }
    // A caller who waits for the write takes its outcome, which is then not listed.
    client.raw(call(Effect::Create, 400)).await.unwrap();
    let outcomes = client.write_outcomes().await.unwrap().writes;
    let (done, lost) = (&outcomes[0], &outcomes[1]);
    assert_eq!((outcomes.len(), done.number, lost.number), (2, 1, 2));
    assert_eq!(done.response.as_ref().unwrap().as_str(), "{\"isSuccess\":true,\"made\":[5,6]}");
    assert!(done.error.is_none() && lost.response.is_none());
    assert_eq!(lost.error.as_ref().unwrap().kind(), ErrorKind::OutcomeUnknown);
}

/// A caller that gives up while a rejected token is being replaced.
#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_waits_for_a_token_is_not_sent_after_its_caller_has_gone() {
    const NO: &str = "HTTP/1.1 401 No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
    let service = Service::with(&[Says(NO), Says(SUCCESS)]);
    let tokens = Service::with(&[Says(TOKEN), SaysAfter(800, TOKEN)]);
    let client = support::client_with_tokens(&service.address, &tokens.address);
    let write = tokio::spawn({
        let client = client.clone();
        async move { client.raw(call(Effect::Create, 400)).await }
    });
    while tokens.whole() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    write.abort();
    let _ = write.await;
    assert!(client.close(Duration::from_secs(5)).await.is_empty(), "nothing is under way");
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(service.whole(), 1, "the refused request, and none after the caller gave up");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_waits_to_be_sent_is_not_listed_as_sent_and_close_waits_for_it() {
    let service = Service::with(&[Says(SOON), Says(SUCCESS)]);
    let client = client(&service.address);
    let write = tokio::spawn({
        let client = client.clone();
        async move { client.raw(call(Effect::Create, 400)).await }
    });
    while service.whole() == 0 || !client.pending_writes().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let left = client.close(Duration::from_millis(20)).await;
    assert_eq!(left.len(), 1, "it continues, and is reported");
    assert!(client.close(Duration::from_secs(9)).await.is_empty());
    write.await.unwrap().unwrap();
    assert_eq!(service.whole(), 2);
    let error = client.raw(call(Effect::Create, 400)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

/// Closing a client returns every write whose outcome is open.
#[tokio::test(flavor = "multi_thread")]
async fn writes_that_are_under_way_together_are_all_listed_in_their_order() {
    let service = Service::with(&[SilentAfterAll]);
    let client = client(&service.address);
    let mut calls = Vec::new();
    for number in 1..=3 {
        let call = RawCall::new(format!("/publicapi/{number}"), Json::parse("{}").unwrap(), Effect::Create);
        let client = client.clone();
        calls.push(tokio::spawn(async move { client.raw(call).await }));
        while service.whole() < number {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    let listed = client.pending_writes().into_iter().map(|write| write.operation);
    assert_eq!(listed.collect::<Vec<_>>(), ["1", "2", "3"]);
    assert_eq!(client.close(Duration::from_millis(20)).await.len(), 3);
}
