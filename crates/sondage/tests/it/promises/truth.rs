//! An error reports the worst that any attempt of its call may have done, and never more than is known.

use super::*;
use crate::support::Fault::*;
use crate::support::SUCCESS;
use sondage::model::{DeleteMembersRequest, DeleteSurveyRequest};
use sondage::{CallOptions, Delivery, ErrorKind};
use std::time::Duration;

const DOUBT: &str = "HTTP/1.1 503 Busy\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
const LATER: &str = "HTTP/1.1 429 Slow\r\nretry-after: 600\r\ncontent-length: 0\r\n\r\n";
const SOON: &str = "HTTP/1.1 429 Slow\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
const TOKEN: &str = "HTTP/1.1 401 No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
const FORBIDDEN: &str = "HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n";
const WRONG: &str = "HTTP/1.1 400 No\r\ncontent-length: 0\r\n\r\n";
const REFUSED: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"isSuccess\":false,\"errorCode\":\"No\",\"errorMessage\":\"No\"}";

#[tokio::test(flavor = "multi_thread")]
async fn the_last_refusal_does_not_undo_what_an_earlier_attempt_may_have_done() {
    for first in [Says(DOUBT), CloseAfterAll, Says("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>")] {
        for last in [LATER, TOKEN, FORBIDDEN, WRONG, REFUSED] {
            let (result, service) = meet(&[first, Says(last)], Effect::IdempotentWrite, 400).await;
            let error = result.unwrap_err();
            let text = error.to_string();
            assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{first:?}, {last}: {text}");
            assert_eq!(error.delivery(), Delivery::Answered, "{text}");
            assert!(!text.contains("Nothing was changed") && text.contains("unknown"), "{text}");
            assert!(error.safe_to_retry(), "a set operation may be made again: {text}");
            assert_eq!(error.attempts() as usize, service.whole(), "{text}");
            assert!(error.status().is_some(), "{text}");
        }
    }
}

/// A program can act upon the source of an error; and the URL, which may contain secrets, is not shown.
#[tokio::test(flavor = "multi_thread")]
async fn the_error_of_the_operating_system_is_the_source() {
    let nobody = sondage_testserver::closed_address();
    let error = client(&format!("http://{nobody}")).raw(call(Effect::Read, 4)).await.unwrap_err();
    let source = std::error::Error::source(&error).expect("a source");
    let io = source.downcast_ref::<std::io::Error>().expect("of the operating system");
    assert_eq!(io.kind(), std::io::ErrorKind::ConnectionRefused);
    assert!(!format!("{io:?} {io} {error:?}").contains("publicapi"), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_ended_says_before_what() {
    for (fault, size, before) in [
        (CloseAtOnce, LARGE, "the connection ended before the request was sent"),
        (CloseAfterAll, 400, "the connection ended before the response was complete"),
    ] {
        let (result, _) = meet(&[fault], Effect::Create, size).await;
        let error = result.unwrap_err();
        assert!(error.to_string().contains(before), "{fault:?}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_tells_the_most_that_any_attempt_came_to() {
    let (result, _) = meet(&[Says(DOUBT), CloseAtOnce], Effect::Read, 30_000_000).await;
    assert_eq!(result.unwrap_err().delivery(), Delivery::Answered);
    let (result, _) = meet(&[CloseAfterAll, ResetAtOnce], Effect::Read, 30_000_000).await;
    assert_eq!(result.unwrap_err().delivery(), Delivery::Unknown);
}

/// 21 codes that do not refer to the deleted object.
#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_deletion_is_done_only_when_the_very_thing_is_gone() {
    for (code, done) in [
        ("SurveyNotFound", true),
        ("TenantNotFound", false),
        ("UserNotFound", false),
        ("WorkspaceNotFound", false),
        ("PanelNotFound", false),
        ("MemberNotFound", false),
    ] {
        for status in ["200 OK", "404 Not Found"] {
            let body = format!("{{\"isSuccess\":false,\"errorCode\":\"{code}\",\"errorMessage\":\"No\"}}");
            let says = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            let service = Service::with(&[Says(DOUBT), Says(Box::leak(says.into_boxed_str()))]);
            let result = client(&service.address).delete_survey(DeleteSurveyRequest::new(7)).await;
            match result {
                Ok(_) => assert!(done, "{code}: the survey is still there"),
                Err(error) => {
                    assert!(!done, "{code}: {error}");
                    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{code}: {error}");
                    assert_eq!(error.error_code(), Some(code));
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_missing_member_of_several_does_not_mean_that_all_are_deleted() {
    const GONE: &str = "HTTP/1.1 404 No\r\ncontent-length: 67\r\n\r\n{\"isSuccess\":false,\"errorCode\":\"MemberNotFound\",\"errorMessage\":\"1\"}";
    for (ids, done) in [(vec![1], true), (vec![1, 2], false)] {
        let service = Service::with(&[Says(DOUBT), Says(GONE)]);
        let request = DeleteMembersRequest::new(5, ids.clone(), true);
        let result = client(&service.address).delete_members(request).await;
        assert_eq!(result.is_ok(), done, "{ids:?}: {result:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deadline_tells_what_happened_until_then() {
    // Long enough for two retries on a busy machine.
    let short = CallOptions::new().deadline(Duration::from_secs(2));
    for (faults, effect, attempts) in [
        (vec![Says(TOKEN.trim_start()), SilentAfterAll], Effect::Create, 1),
        (vec![SilentAfterAll], Effect::Send, 1),
        (vec![Says(DOUBT), Says(DOUBT), SilentAfterAll], Effect::IdempotentWrite, 3),
    ] {
        let service = Service::with(&faults);
        let error = client(&service.address).with(short.clone()).raw(call(effect, 400)).await.unwrap_err();
        assert!(error.attempts() as usize == service.whole() && error.attempts() >= attempts, "{error}");
        let repeated = error.attempts() > 1;
        assert_eq!(
            error.to_string().contains("not repeated"),
            !repeated && error.kind() == ErrorKind::OutcomeUnknown
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_while_waiting_after_a_refusal_says_that_nothing_was_changed() {
    let service = Service::with(&[Says(SOON), Says(SUCCESS)]);
    // The pause that the service requests ends before the deadline, which passes before the response.
    let options = CallOptions::new().deadline(Duration::from_millis(900));
    let error = client(&service.address).with(options).raw(call(Effect::Create, 400)).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::RateLimited, Some(429)), "{error}");
    assert!(!error.timed_out(), "{error}");
    assert_eq!((error.attempts(), service.whole()), (1, 1), "{error}");
}

/// RFC 9110, 15: an unknown status counts as 5xx. 303 means that it was carried out.
#[tokio::test(flavor = "multi_thread")]
async fn a_status_that_is_none_is_no_refusal() {
    for status in ["101 Up", "303 There", "600 What", "700 What", "999 What"] {
        let says =
            format!("HTTP/1.1 {status}\r\nconnection: close\r\nlocation: /done\r\ncontent-length: 0\r\n\r\n");
        let says: &'static str = Box::leak(says.into_boxed_str());
        for effect in [Effect::Create, Effect::Send, Effect::SchemaChange] {
            let (result, service) = meet(&[Says(says)], effect, 400).await;
            let error = result.unwrap_err();
            assert_eq!((error.kind(), service.whole()), (ErrorKind::OutcomeUnknown, 1), "{says}: {error}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_longer_than_the_setting_ends_the_call_and_is_told() {
    for says in [
        "HTTP/1.1 503 Busy\r\nretry-after: 121\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 503 Busy\r\nretry-after: 31536000\r\ncontent-length: 0\r\n\r\n",
        LATER,
    ] {
        for effect in [Effect::Read, Effect::IdempotentWrite, Effect::Create] {
            let (result, service) = meet(&[Says(says)], effect, 400).await;
            let error = result.unwrap_err();
            assert_eq!(service.whole(), 1, "{says} {effect:?}");
            assert!(error.retry_after().is_some_and(|wait| wait > Duration::from_secs(100)), "{error}");
        }
    }
}
