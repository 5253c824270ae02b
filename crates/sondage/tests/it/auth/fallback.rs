//! What happens when a refresh fails.

use super::clock::FakeClock;
use super::{arrived, shown, tokens};
use crate::support::sandbox::builder;
use sondage::ErrorKind;
use sondage::auth::{Code, Credentials, TokenSet};
use sondage::config::ClientBuilder;
use sondage_sandbox::{Fault, Sandbox};
use std::time::{Duration, SystemTime};

fn session(refresh: &str, expires_in: u64) -> TokenSet {
    let issued = SystemTime::now() - Duration::from_secs(10);
    let mut set = TokenSet::new("an-old-token", issued, Duration::from_secs(expires_in));
    set.refresh_token = Some(refresh.into());
    set
}

fn password(sandbox: &Sandbox) -> ClientBuilder {
    builder(sandbox).username(sandbox.username()).password(sandbox.password())
}

#[tokio::test]
async fn a_login_that_has_ended_says_to_log_in_again() {
    let sandbox = Sandbox::demo().await.unwrap();
    let session = Credentials::Session(session("unknown", 5));
    for credentials in [session, Credentials::RefreshToken("unknown".into())] {
        sandbox.ledger().clear();
        let tokens = tokens(&builder(&sandbox).credentials(credentials));
        let error = tokens.token(None).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Authentication);
        assert!(error.to_string().contains("the refresh token was not accepted"), "{error}");
        assert!(error.hint().contains("Log in again"), "{error}");
        tokens.token(None).await.unwrap_err();
        assert_eq!(shown(&sandbox), ["refresh_token"], "once, and not again for a minute");
    }
}

#[tokio::test]
async fn a_refresh_without_an_answer_is_not_repeated() {
    let (sandbox, clock) = (Sandbox::demo().await.unwrap(), FakeClock::new());
    sandbox.change_profile(|profile| profile.rotate_refresh_tokens = true);
    let tokens = tokens(&password(&sandbox).clock(clock.clone()));
    tokens.token(None).await.unwrap();
    clock.advance(2000);
    sandbox.fault(Fault::on("token").cut_after_effect());
    let error = tokens.token(None).await.unwrap_err();
    assert_eq!((error.kind(), arrived(&sandbox)), (ErrorKind::Network, 2), "{error}");

    // The refresh token was replaced by a response that nobody read: the next attempt is rejected, and the password is
    // sent.
    clock.advance(10);
    tokens.token(None).await.unwrap();
    assert_eq!(shown(&sandbox), ["password", "refresh_token", "refresh_token", "password"]);
}

#[tokio::test]
async fn a_refresh_that_cannot_have_arrived_is_repeated() {
    let (sandbox, clock) = (Sandbox::demo().await.unwrap(), FakeClock::new());
    let tokens = tokens(&password(&sandbox).clock(clock.clone()));
    tokens.token(None).await.unwrap();
    clock.advance(2000);
    sandbox.fault(Fault::on("token").status(503));
    tokens.token(None).await.expect_err("a response ends the retries");
    clock.advance(10);
    tokens.token(None).await.unwrap();
    assert_eq!(shown(&sandbox).last().map(String::as_str), Some("refresh_token"));
}

#[tokio::test]
async fn a_wrong_client_secret_is_not_shown_twice() {
    let sandbox = Sandbox::demo().await.unwrap();
    let builder = password(&sandbox).client_secret("wrong");
    let tokens = tokens(&builder.credentials(Credentials::Session(session("unknown", 5))));
    tokens.token(None).await.unwrap_err();
    assert_eq!(arrived(&sandbox), 1);
}

#[tokio::test]
async fn a_code_is_never_exchanged_twice() {
    let sandbox = Sandbox::demo().await.unwrap();
    let code = Code::new("a-code", "http://127.0.0.1:1/", None);
    sandbox.fault(Fault::on("token").cut_after_effect());
    let lost = tokens(&builder(&sandbox).credentials(Credentials::AuthorizationCode(code.clone())));
    let error = lost.token(None).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Network);
    assert!(error.hint().contains("log in again"), "{error}");
    let again = tokens(&builder(&sandbox).credentials(Credentials::AuthorizationCode(code)));
    let error = again.token(None).await.unwrap_err();
    assert!(error.to_string().contains("used only once"), "{error}");
    assert_eq!(arrived(&sandbox), 1, "neither the same client nor another one sends it again");
}

#[tokio::test]
async fn a_login_is_used_as_long_as_it_is_good() {
    let sandbox = Sandbox::demo().await.unwrap();
    let tokens = tokens(&builder(&sandbox).credentials(Credentials::Session(session("unknown", 1800))));
    let token = tokens.token(None).await.unwrap();
    assert_eq!(token.header_value(), "Bearer an-old-token");
    assert_eq!(arrived(&sandbox), 0);
}
