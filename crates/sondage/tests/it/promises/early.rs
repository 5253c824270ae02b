//! At most once, if the service responds before it has the whole request: the rest of the request is withheld
//! deliberately, so that "not received" stays true even if the service continues to read.

use super::*;
use crate::support::Fault::*;
use crate::support::SUCCESS;
use sondage::{Delivery, ErrorKind};
use std::time::Duration;

const EARLY: [&str; 4] = [
    "HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n",
    "HTTP/1.1 502 Bad gateway\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
    "HTTP/1.1 408 Slow\r\ncontent-length: 0\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n",
];
const WORDS: &str = "HTTP/1.1 400 No\r\ncontent-type: application/json\r\ncontent-length: 74\r\n\r\n{\"isSuccess\":false,\"errorCode\":\"TooManyRows\",\"errorMessage\":\"At most 100\"}";
const BUSY: &str = "HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n";

/// This used to send three complete requests of one `send`, and report "Nothing was changed".
#[tokio::test(flavor = "multi_thread")]
async fn an_early_answer_of_a_service_that_reads_on_is_never_a_second_request() {
    for says in EARLY {
        for effect in [Effect::Send, Effect::Create, Effect::SchemaChange, Effect::IdempotentWrite] {
            let (result, service) = meet(&[Early(says)], effect, LARGE).await;
            let error = result.unwrap_err();
            assert_eq!(
                (error.kind(), error.attempts()),
                (ErrorKind::Network, 3),
                "{says} {effect:?}: {error}"
            );
            assert!(error.to_string().contains("Nothing was changed") && error.safe_to_retry(), "{error}");
            settled(&service, 3).await;
            assert_eq!(service.whole(), 0, "{says} {effect:?}: arrived whole after its early answer");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_with_an_early_answer_is_made_again_and_arrives_once() {
    for says in EARLY {
        let (result, service) = meet(&[Early(says), Says(SUCCESS)], Effect::Send, LARGE).await;
        result.unwrap_or_else(|error| panic!("{says}: {error}"));
        settled(&service, 1).await;
        assert_eq!(service.whole(), 1, "{says}");
    }
}

/// A body that fits into the buffers has been sent before the response arrives: it cannot be withheld.
#[tokio::test(flavor = "multi_thread")]
async fn what_may_have_left_before_its_early_answer_is_not_sent_again() {
    for size in [10, 1000, 50_000] {
        let (result, service) = meet(&[Early(BUSY)], Effect::Send, size).await;
        let error = result.unwrap_err();
        let proven = error.kind() == ErrorKind::Network && service.whole() == 0;
        assert!(proven || error.kind() == ErrorKind::OutcomeUnknown, "{size}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_words_of_an_early_refusal_are_read_while_the_request_is_held_back() {
    for fault in [Early(WORDS), EarlySlowly(WORDS)] {
        let (result, service) = meet(&[fault], Effect::Create, LARGE).await;
        let error = result.unwrap_err();
        assert_eq!((error.kind(), error.status()), (ErrorKind::Api, Some(400)), "{error}");
        assert_eq!(error.error_code(), Some("TooManyRows"), "{fault:?}: {error}");
        settled(&service, 1).await;
        assert_eq!(service.whole(), 0);
    }
}

/// Unless it is closed explicitly, a connection whose service neither reads nor closes would stay open forever.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn the_connection_of_a_revoked_request_is_closed() {
    let (result, service) = meet(&[EarlyAndStuck(BUSY)], Effect::Send, LARGE).await;
    assert_eq!(result.unwrap_err().delivery(), Delivery::Answered);
    settled(&service, 3).await;
    assert_eq!(service.abandoned.load(std::sync::atomic::Ordering::SeqCst), 3);
}

/// Waits until the service has seen the end of this many requests.
async fn settled(service: &Service, count: usize) {
    for _ in 0..500 {
        let abandoned = service.abandoned.load(std::sync::atomic::Ordering::SeqCst);
        if service.whole() + abandoned >= count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the service still waits for the rest of a request");
}
