//! Tokens from a provider, which may fail in any way.

use super::clock::FakeClock;
use super::tokens;
use crate::support::sandbox::builder;
use sondage::{Error, ErrorKind, Result};
use sondage_sandbox::Sandbox;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

#[tokio::test]
async fn it_is_asked_when_there_is_none_when_one_is_refused_and_when_one_gets_old() {
    let (sandbox, clock) = (Sandbox::demo().await.unwrap(), FakeClock::new());
    let asked = Arc::new(AtomicU32::new(0));
    let count = asked.clone();
    let builder = builder(&sandbox).clock(clock.clone()).token_provider(move || {
        let n = count.fetch_add(1, Ordering::SeqCst);
        async move { Ok(format!("token-{n}")) }
    });
    let tokens = tokens(&builder);
    let first = tokens.token(None).await.unwrap();
    assert_eq!(tokens.token(None).await.unwrap(), first);
    first.accepted();
    let second = tokens.token(Some(&first)).await.unwrap();
    assert_eq!(second.header_value(), "Bearer token-1");
    clock.advance(1800);
    assert_eq!(tokens.token(None).await.unwrap().header_value(), "Bearer token-2");
    assert_eq!(asked.load(Ordering::SeqCst), 3);
    assert_eq!(tokens.grant_name(), "a token provider");
}

async fn failing<A>(provider: impl Fn() -> A + Send + Sync + 'static) -> Error
where
    A: Future<Output = Result<String>> + Send + 'static,
{
    let sandbox = Sandbox::demo().await.unwrap();
    let builder = builder(&sandbox).token_timeout(Duration::from_secs(3)).token_provider(provider);
    let error = tokens(&builder).token(None).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Authentication, "{error}");
    error
}

#[tokio::test]
async fn whatever_it_does_wrong_is_said() {
    let hangs = failing(std::future::pending).await;
    assert!(hangs.to_string().contains("did not answer within 3s"), "{hangs}");

    let fails = failing(|| async { Err(Error::network("the vault\nis sealed")) }).await;
    assert!(fails.to_string().contains("the vault is sealed"), "{fails}");

    let panics = failing(|| async { panic!("secret-in-a-panic") }).await;
    assert!(panics.to_string().contains("panic") && !panics.to_string().contains("secret"), "{panics}");

    let early = failing(|| -> std::future::Ready<Result<String>> { panic!("before it is a future") }).await;
    assert!(early.to_string().contains("panic"), "{early}");

    for (token, why) in [
        ("", "empty"),
        (" \n", "empty"),
        ("Bearer abc", "`Bearer`"),
        ("two words", "invalid characters"),
        ("line\r\nbreak: x", "invalid characters"),
        ("ümlaut", "invalid characters"),
        ("{\"access_token\": \"x\"}", "invalid characters"),
    ] {
        let error = failing(move || async move { Ok(token.to_owned()) }).await;
        assert!(error.to_string().contains(why), "{token:?}: {error}");
    }
}
