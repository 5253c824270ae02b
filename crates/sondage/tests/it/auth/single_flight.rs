//! One renewal at a time, its success and its failure shared.

use super::clock::FakeClock;
use super::{arrived, tokens};
use crate::support::sandbox::builder;
use sondage::auth::{AccessToken, Tokens};
use sondage::{ErrorKind, Result};
use sondage_sandbox::{Fault, Sandbox};
use std::sync::Arc;
use std::time::Duration;

const MANY: usize = 10_000;

async fn all_ask(tokens: &Arc<Tokens>, rejected: Option<&AccessToken>) -> Vec<Result<AccessToken>> {
    let callers: Vec<_> = (0..MANY)
        .map(|_| {
            let (tokens, rejected) = (tokens.clone(), rejected.cloned());
            tokio::spawn(async move { tokens.token(rejected.as_ref()).await })
        })
        .collect();
    let mut results = Vec::new();
    for caller in callers {
        results.push(caller.await.unwrap());
    }
    results
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_callers_with_an_expired_token_cause_one_request() {
    let (sandbox, clock) = (Sandbox::demo().await.unwrap(), FakeClock::new());
    let builder = builder(&sandbox).client_secret(sandbox.client_secret()).clock(clock.clone());
    let tokens = Arc::new(tokens(&builder));
    tokens.token(None).await.unwrap();
    clock.advance(2000);
    sandbox.ledger().clear();
    let got: Vec<_> = all_ask(&tokens, None).await.into_iter().map(|result| result.unwrap()).collect();
    assert!(got.iter().all(|token| *token == got[0]));
    assert_eq!(arrived(&sandbox), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_refusals_of_one_token_cause_one_request() {
    let sandbox = Sandbox::demo().await.unwrap();
    sandbox.change_profile(|profile| profile.refresh_token_for_client_credentials = false);
    let tokens = Arc::new(tokens(&builder(&sandbox).client_secret(sandbox.client_secret())));
    let first = tokens.token(None).await.unwrap();
    sandbox.revoke_tokens();
    sandbox.ledger().clear();
    let got = all_ask(&tokens, Some(&first)).await;
    assert!(got.into_iter().all(|token| token.unwrap() != first));
    assert_eq!(arrived(&sandbox), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_callers_on_a_failing_endpoint_cause_one_request() {
    let sandbox = Sandbox::demo().await.unwrap();
    let right = builder(&sandbox).client_secret(sandbox.client_secret());
    for (builder, fault, kind) in [
        (right.clone(), Some(Fault::on("token").every().status(500)), ErrorKind::Network),
        (right.clone(), Some(Fault::on("token").every().status(429)), ErrorKind::RateLimited),
        (right.clone().client_secret("wrong"), None, ErrorKind::Authentication),
    ] {
        sandbox.clear_faults();
        sandbox.ledger().clear();
        if let Some(fault) = fault {
            sandbox.fault(fault);
        }
        let tokens = Arc::new(tokens(&builder));
        let errors = all_ask(&tokens, None).await.into_iter().map(|result| result.unwrap_err());
        assert!(errors.map(|error| error.kind()).all(|found| found == kind), "{kind}");
        assert_eq!(arrived(&sandbox), 1, "{kind}");
    }
}

#[tokio::test]
async fn a_refused_credential_rests_for_a_minute_and_another_failure_for_seconds() {
    for (fault, rest) in [
        (Fault::on("token").status(503), 5),
        (Fault::on("token").status(401).body(r#"{"error":"invalid_client"}"#), 60),
        (Fault::on("token").status(429).header("Retry-After", "30"), 30),
        (Fault::on("token").status(429).header("Retry-After", "7200"), 7200),
    ] {
        let (sandbox, clock) = (Sandbox::demo().await.unwrap(), FakeClock::new());
        sandbox.fault(fault);
        let tokens = tokens(&builder(&sandbox).client_secret(sandbox.client_secret()).clock(clock.clone()));
        let first = tokens.token(None).await.unwrap_err();
        clock.advance(rest - 1);
        let second = tokens.token(None).await.unwrap_err();
        assert_eq!(second.what(), first.what(), "the same failure, not a new one");
        let rests = [&first, &second].map(|error| error.retry_after().map(|rest| rest.as_secs()));
        assert_eq!(
            rests,
            if first.kind() == ErrorKind::RateLimited { [Some(rest), Some(1)] } else { [None, None] }
        );
        assert_eq!(arrived(&sandbox), 1);
        clock.advance(1);
        tokens.token(None).await.expect("the fault is over");
    }
}

#[tokio::test]
async fn a_caller_who_gives_up_takes_nothing_from_the_others() {
    let sandbox = Sandbox::demo().await.unwrap();
    sandbox.fault(Fault::on("token").delay(Duration::from_millis(200)));
    let tokens = Arc::new(tokens(&builder(&sandbox).client_secret(sandbox.client_secret())));
    // The first caller starts the renewal.
    let impatient = tokio::time::timeout(Duration::from_millis(20), tokens.token(None)).await;
    assert!(impatient.is_err());
    tokens.token(None).await.unwrap();
    let panics = tokens.clone();
    let panicked = tokio::spawn(async move {
        let _waiting = panics.token(None).await;
        panic!("a caller's own panic");
    });
    assert!(panicked.await.is_err());
    tokens.token(None).await.unwrap();
    assert_eq!(arrived(&sandbox), 1);
}

#[tokio::test]
async fn who_was_refused_with_an_older_token_gets_the_one_in_use() {
    let sandbox = Sandbox::demo().await.unwrap();
    let tokens = tokens(&builder(&sandbox).client_secret(sandbox.client_secret()));
    let first = tokens.token(None).await.unwrap();
    let second = tokens.token(Some(&first)).await.unwrap();
    assert_ne!(first, second);
    for _ in 0..10 {
        assert_eq!(tokens.token(Some(&first)).await.unwrap(), second);
    }
    assert_eq!(arrived(&sandbox), 2);
}

#[tokio::test]
async fn new_tokens_that_are_refused_do_not_cause_ever_more_requests() {
    let sandbox = Sandbox::demo().await.unwrap();
    let tokens = tokens(&builder(&sandbox).client_secret(sandbox.client_secret()));
    let mut token = tokens.token(None).await.unwrap();
    token = tokens.token(Some(&token)).await.unwrap();
    for _ in 0..10 {
        let error = tokens.token(Some(&token)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Authentication);
        assert!(error.to_string().contains("just issued"), "{error}");
    }
    assert_eq!(arrived(&sandbox), 2);
    token.accepted();
    tokens.token(Some(&token)).await.expect("a token that has worked may have been revoked");
}

#[tokio::test]
async fn a_token_request_that_may_not_have_arrived_is_repeated_and_shared() {
    let sandbox = Sandbox::demo().await.unwrap();
    let tokens = tokens(&builder(&sandbox).client_secret(sandbox.client_secret()));
    sandbox.fault(Fault::on("token").times(2).cut_after_effect());
    tokens.token(None).await.unwrap();
    assert_eq!(arrived(&sandbox), 3);
}
