//! After a 429 with `Retry-After`, no call of the same tenant is sent before that time.

use super::*;
use crate::support;
use crate::support::Fault::*;
use crate::support::{SUCCESS, TOKEN};
use sondage::{CallOptions, Delivery, ErrorKind};
use std::time::{Duration, Instant};

const SOON: &str = "HTTP/1.1 429 Slow\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
const LATER: &str = "HTTP/1.1 429 Slow\r\nretry-after: 600\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
const DONE: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 18\r\n\r\n{\"isSuccess\":true}";

#[tokio::test(flavor = "multi_thread")]
async fn one_refusal_holds_all_calls_of_the_tenant_back() {
    let service = Service::with(&[Says(SOON), Says(DONE)]);
    let (one, other) = (client(&service.address), client(&service.address));
    let begin = Instant::now();
    // The call cannot wait, so it has read the refusal when it returns.
    let short = one.with(CallOptions::new().deadline(Duration::from_millis(900)));
    let error = short.raw(call(Effect::Read, 10)).await.unwrap_err();
    assert_eq!((error.kind(), service.whole()), (ErrorKind::RateLimited, 1), "{error}");
    let calls: Vec<_> = (0..20)
        .map(|number| {
            let (client, effect) =
                if number == 0 { (one.clone(), Effect::Read) } else { (other.clone(), Effect::Create) };
            tokio::spawn(async move { client.raw(call(effect, 10)).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(400)).await;
    let arrived = service.whole();
    assert!(arrived == 1 || begin.elapsed() >= Duration::from_secs(1), "a call left before its time");
    for call in calls {
        call.await.unwrap().unwrap();
    }
    assert!(begin.elapsed() >= Duration::from_secs(1));
    assert_eq!(service.whole(), 21);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_not_willing_to_wait_so_long_fails_at_once_and_says_how_long() {
    const DATE: &str = "HTTP/1.1 429 Slow\r\ndate: Wed, 21 Oct 2015 07:28:00 GMT\r\nretry-after: Wed, 21 Oct 2015 07:38:00 GMT\r\n\
                        connection: close\r\ncontent-length: 0\r\n\r\n";
    for refusal in [LATER, DATE] {
        // The setting `retry_after_cap` is 2 s here, and says nothing about how long the service forbids calls.
        let service = Service::with(&[Says(refusal), Says(DONE)]);
        let client = client(&service.address);
        let error = client.raw(call(Effect::Read, 10)).await.unwrap_err();
        assert_eq!((error.retry_after(), error.attempts()), (Some(Duration::from_secs(600)), 1), "{error}");
        let short = client.with(CallOptions::new().deadline(Duration::from_millis(500)));
        let other = support::client(&service.address);
        let calls = [
            (&client, Effect::Read),
            (&client, Effect::Create),
            (&other, Effect::IdempotentWrite),
            (&other, Effect::Send),
            (&short, Effect::Read),
            (&short, Effect::Create),
        ];
        for (client, effect) in calls {
            let error = client.raw(call(effect, 10)).await.unwrap_err();
            assert_eq!((error.kind(), error.delivery()), (ErrorKind::RateLimited, Delivery::No), "{error}");
            let rest = error.retry_after().unwrap();
            assert!(rest > Duration::from_secs(300) && rest < Duration::from_secs(600), "{error}");
            assert!(error.to_string().contains("Nothing was changed"), "{error}");
            assert_eq!((error.attempts(), service.whole()), (0, 1), "{error}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_tenants_are_not_held_back() {
    let service = Service::with(&[Says(LATER), Says(SUCCESS)]);
    client(&service.address).raw(call(Effect::Read, 10)).await.unwrap_err();
    let mut config = support::config(&service.address);
    "alpine".clone_into(&mut config.tenant);
    Client::new(config).unwrap().raw(call(Effect::Read, 10)).await.unwrap();
}

/// The service counts token requests separately.
#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_asked_for_during_a_pause() {
    let (service, tokens) = (Service::with(&[Says(LATER), Says(DONE)]), Service::with(&[Says(TOKEN)]));
    client(&service.address).raw(call(Effect::Read, 10)).await.unwrap_err();
    let other = support::client_with_tokens(&service.address, &tokens.address);
    let short = other.with(CallOptions::new().deadline(Duration::from_millis(900)));
    let error = short.raw(call(Effect::Read, 10)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RateLimited, "{error}");
    assert_eq!((tokens.whole(), service.whole()), (1, 1));
}

/// If the pause is over and the first call gets no response, the others do not know whether they may be sent.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_waits_behind_the_first_call_is_told_so() {
    const NOW: &str = "HTTP/1.1 429 Slow\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
    let service = Service::with(&[Says(NOW), SilentAfterAll]);
    let client = client(&service.address);
    let first = tokio::spawn({
        let client = client.clone();
        async move { client.raw(call(Effect::Read, 10)).await }
    });
    while service.whole() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let short = client.with(CallOptions::new().deadline(Duration::from_millis(300)));
    let error = short.raw(call(Effect::Read, 10)).await.unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (ErrorKind::RateLimited, Delivery::No), "{error}");
    assert!(error.to_string().contains("one call is sent first"), "{error}");
    assert_eq!(error.retry_after(), None, "no time is known");
    first.abort();
}
