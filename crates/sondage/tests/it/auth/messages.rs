//! Error messages: four causes that look alike to a newcomer get four different messages, each with the next step.

use super::clock::FakeClock;
use super::{arrived, tokens};
use crate::support::sandbox::builder;
use sondage::config::{ClientBuilder, DataCenter};
use sondage::model::ReadPanelRequest;
use sondage::{Delivery, Error, ErrorKind};
use sondage_sandbox::{Fault, FaultAction, Sandbox};
use std::time::Duration;

async fn no_token(builder: ClientBuilder) -> Error {
    tokens(&builder).token(None).await.expect_err("there is no token")
}

fn right(sandbox: &Sandbox) -> ClientBuilder {
    builder(sandbox).client_secret(sandbox.client_secret())
}

#[track_caller]
fn says(error: &Error, kind: ErrorKind, words: &[&str]) {
    let text = error.to_string();
    assert_eq!(error.kind(), kind, "{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in: {text}");
    }
}

#[tokio::test]
async fn wrong_secret() {
    let sandbox = Sandbox::demo().await.unwrap();
    let error = no_token(right(&sandbox).client_secret("not-the-secret")).await;
    let words = ["the client secret of `demo_api` was not accepted", "Copy `client_secret` (explicit) again"];
    says(&error, ErrorKind::Authentication, &words);
    assert_eq!((error.status(), error.error_code()), (Some(401), Some("invalid_client")));
}

/// A response of the token endpoint is not a response to the call, of which nothing was sent.
#[tokio::test]
async fn a_call_without_a_token_was_not_sent() {
    let sandbox = Sandbox::demo().await.unwrap();
    for status in [400, 401, 403, 429, 500] {
        sandbox.clear_faults();
        sandbox.ledger().clear();
        sandbox.fault(Fault::on("token").every().status(status).body("{}"));
        let client = right(&sandbox).retry_attempts(1_u32).build().unwrap();
        let error = client.read_panel(ReadPanelRequest::new(1)).await.unwrap_err();
        assert_eq!((error.delivery(), error.status()), (Delivery::No, Some(status)), "{error}");
        assert!(arrived(&sandbox) > 0 && sandbox.ledger().requests("ReadPanel").is_empty());
    }
}

#[tokio::test]
async fn wrong_tenant() {
    let sandbox = Sandbox::demo().await.unwrap();
    let error = no_token(right(&sandbox).tenant("damo")).await;
    says(
        &error,
        ErrorKind::Authentication,
        &["does not know the client `damo_api`", "Check the tenant, `tenant` (explicit)"],
    );
}

#[tokio::test]
async fn wrong_data_center_by_a_token_that_is_good_elsewhere() {
    let sandbox = Sandbox::demo().await.unwrap();
    let swiss = sandbox.account_of("alpine").unwrap();
    let client = right(&sandbox).base_url(&swiss.base_url).data_center(DataCenter::Swiss).build().unwrap();
    for _ in 0..3 {
        let error = client.read_panel(ReadPanelRequest::new(1)).await.unwrap_err();
        let words =
            ["belong to the same data center", "`base_url` (explicit)", "`data_center` (explicit) = `swiss`"];
        says(&error, ErrorKind::Authentication, &words);
    }
    assert_eq!(arrived(&sandbox), 2, "the first token and one renewal");
}

#[tokio::test]
async fn wrong_data_center_by_a_host_that_does_not_answer() {
    let sandbox = Sandbox::demo().await.unwrap();
    let nobody = sondage_testserver::closed_address();
    let error = no_token(right(&sandbox).auth_url(format!("http://{nobody}"))).await;
    says(
        &error,
        ErrorKind::Network,
        &["127.0.0.1", "could not be reached", "Check the address, `auth_url` (explicit)"],
    );
    assert!(error.safe_to_retry());
}

#[tokio::test]
async fn refused_refresh() {
    let sandbox = Sandbox::demo().await.unwrap();
    let error = no_token(builder(&sandbox).refresh_token("gone")).await;
    says(&error, ErrorKind::Authentication, &["the refresh token was not accepted", "Log in again"]);
}

#[tokio::test]
async fn wrong_password() {
    let sandbox = Sandbox::demo().await.unwrap();
    let error = no_token(builder(&sandbox).username(sandbox.username()).password("wrong")).await;
    says(&error, ErrorKind::Authentication, &["the user name or the password", "`password` (explicit)"]);
}

#[tokio::test]
async fn a_grant_that_is_not_allowed() {
    let sandbox = Sandbox::demo().await.unwrap();
    sandbox.fault(Fault::on("token").status(400).body(r#"{"error":"unauthorized_client"}"#));
    let error = no_token(right(&sandbox)).await;
    says(
        &error,
        ErrorKind::Authentication,
        &["may not use the grant `client_credentials`", "Use another grant"],
    );
}

#[tokio::test]
async fn refusals_in_every_format_are_kept() {
    let sandbox = Sandbox::demo().await.unwrap();
    for (body, words) in [
        (r#"{"error":"invalid_scope","error_description":"No such scope"}"#, "No such scope"),
        (r#"{"isSuccess":false,"errorCode":"E17","errorMessage":"Not today"}"#, "Not today"),
        (r#"{"isSuccess":false,"errorCode":17,"errorMessage":""}"#, "17"),
        ("just words", "just words"),
        ("<html><title>Gate closed</title><p>x</p></html>", "Gate closed"),
        ("", "refuses the grant"),
        ("{\"error\":", "{\"error\":"),
    ] {
        sandbox.fault(Fault::on("token").status(400).body(body));
        let error = no_token(right(&sandbox)).await;
        says(&error, ErrorKind::Authentication, &[words]);
    }
}

#[tokio::test]
async fn answers_that_are_no_token() {
    let sandbox = Sandbox::demo().await.unwrap();
    let body = |text: &str| FaultAction::Body { text: text.to_owned() };
    for (action, words) in [
        (FaultAction::Html, "an HTML page"),
        (FaultAction::Text, "text that is not JSON"),
        (FaultAction::GarbageBody, "text that is not JSON"),
        (FaultAction::TruncatedJson, "text that is not JSON"),
        (body("[]"), "JSON of another shape"),
        (body("{}"), "has no `access_token`"),
        (body(r#"{"access_token":""}"#), "has no `access_token`"),
        (body(r#"{"access_token":"a b"}"#), "an `access_token` that is not a token"),
        (body(r#"{"access_token":"a","token_type":"mac"}"#), "a `token_type` that is not `bearer`"),
        (
            body(r#"{"access_token":"a","expires_in":"soon"}"#),
            "an `expires_in` that is not a number of seconds",
        ),
        (body(r#"{"access_token":"a","expires_in":-5}"#), "an `expires_in` that is not a number of seconds"),
        (body(&"[".repeat(100_000)), "text that is not JSON"),
        (body(&format!("{{\"x\":\"{}\"}}", "x".repeat(300_000))), "token_bytes"),
        (FaultAction::GzipBomb, "token_bytes"),
    ] {
        sandbox.fault(Fault::on("token").action(action));
        let error = no_token(right(&sandbox)).await;
        says(&error, ErrorKind::UnexpectedResponse, &[words]);
    }
    for (text, kind) in [
        (r#"{"error":"invalid_client"}"#, ErrorKind::Authentication),
        (r#"{"isSuccess":false,"errorMessage":"no"}"#, ErrorKind::Authentication),
    ] {
        sandbox.fault(Fault::on("token").action(body(text)));
        says(&no_token(right(&sandbox)).await, kind, &[]);
    }
}

#[tokio::test]
async fn answers_with_less_than_usual_are_enough() {
    let sandbox = Sandbox::demo().await.unwrap();
    for text in [
        r#"{"access_token":"a"}"#,
        r#"{"access_token":"a","expires_in":"1800","token_type":"Bearer","more":{"x":[1]}}"#,
        r#"{"access_token":"a","expires_in":1800.5,"refresh_token":null,"id_token":""}"#,
        r#"{"access_token":"a","expires_in":99999999999999}"#,
    ] {
        sandbox.fault(Fault::on("token").action(FaultAction::Body { text: text.to_owned() }));
        let token = tokens(&right(&sandbox)).token(None).await.unwrap();
        assert_eq!(token.header_value(), "Bearer a", "{text}");
    }
}

#[tokio::test]
async fn lifetimes_of_nothing_and_of_ages() {
    for (life, requests) in [("0", 3), ("0.0", 3), ("1e12", 1), ("1000000000000", 1), ("1e300", 1)] {
        let (sandbox, clock) = (Sandbox::demo().await.unwrap(), FakeClock::new());
        let text = format!(r#"{{"access_token":"a","expires_in":{life}}}"#);
        sandbox.fault(Fault::on("token").every().action(FaultAction::Body { text }));
        let tokens = tokens(&right(&sandbox).clock(clock.clone()));
        for _ in 0..3 {
            let token = tokens.token(None).await.unwrap();
            assert_eq!(token.header_value(), "Bearer a", "{life}");
        }
        assert_eq!(arrived(&sandbox), requests, "{life}");
        clock.advance(367 * 86_400);
        tokens.token(None).await.unwrap();
        assert_eq!(arrived(&sandbox), requests + 1, "no token lives longer than a year: {life}");
    }
}

#[tokio::test]
async fn redirects_missing_pages_and_overload() {
    let sandbox = Sandbox::demo().await.unwrap();
    let on = || Fault::on("token");
    for (fault, kind, words) in [
        (
            on().status(302).header("Location", "http://127.0.0.1:1/"),
            ErrorKind::UnexpectedResponse,
            "redirects",
        ),
        (on().status(404).body("nothing here"), ErrorKind::UnexpectedResponse, "has no `/openid/token`"),
        (on().status(503).body("busy"), ErrorKind::Network, "busy"),
        (on().status(429).header("Retry-After", "7"), ErrorKind::RateLimited, "too many requests"),
    ] {
        sandbox.fault(fault);
        let error = no_token(right(&sandbox)).await;
        says(&error, kind, &[words]);
        if kind == ErrorKind::RateLimited {
            assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
        }
    }
}
