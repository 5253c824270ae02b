//! Tokens from a provider of the application.

use super::failed::{PAUSE, SharedFailure};
use crate::error::{Error, Redactor, Result, Text, Untrusted};
use crate::model::Secret;
use crate::runtime;
use crate::text;
use futures_util::future::BoxFuture;
use std::sync::Arc;
use std::time::Duration;

/// Provides tokens: a backend that holds the client secret for an app, a vault, another library.
///
/// The provider is called for the first call, when a token is rejected, and before a token expires (tokens of the service
/// live 30 minutes); by one caller at a time, however many wait. It may return the token that it returned before if that
/// is still valid.
// API 2.7
pub trait TokenProvider: Send + Sync {
    /// An access token, without `Bearer`.
    fn token(&self) -> BoxFuture<'_, Result<String>>;
}

impl<F, A> TokenProvider for F
where
    F: Fn() -> A + Send + Sync,
    A: Future<Output = Result<String>> + Send + 'static,
{
    fn token(&self) -> BoxFuture<'_, Result<String>> {
        Box::pin(self())
    }
}

/// Calls the provider in a task of its own, so that a panic ends that task and nothing else.
pub(super) async fn ask(
    provider: Arc<dyn TokenProvider>,
    timeout: Duration,
    redactor: &Redactor,
) -> std::result::Result<Secret, SharedFailure> {
    let fail = |what: Text, hint: &'static str| {
        SharedFailure::new(Error::authentication(what).with_hint(hint), PAUSE)
    };
    let reply = runtime::spawn(async move { Ok(provider.token().await) });
    let answer = match tokio::time::timeout(timeout, reply).await {
        Ok(Ok(answer)) => answer,
        // A panic's message may contain anything, so it is not shown here.
        Ok(Err(_)) => {
            return Err(fail("the token provider failed with a panic".into(), "Look for its own message."));
        }
        Err(_) => {
            let what = text!("the token provider did not answer within {timeout:?}");
            return Err(fail(what, "Find out why it hangs, or raise `token_timeout`."));
        }
    };
    match answer {
        Ok(token) if token.trim().is_empty() => {
            Err(fail("the token provider returned an empty token".into(), "Return the access token as text."))
        }
        Ok(token) if token.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("bearer ")) => Err(fail(
            "the token provider returned `Bearer` with the token".into(),
            "Return the access token alone.",
        )),
        Ok(token) => Ok(token.into()),
        Err(error) => {
            let why = Untrusted::new(error.what()).sentence(redactor);
            let what = why.map_or_else(
                || "the token provider failed".into(),
                |why| text!("the token provider failed: {why}"),
            );
            let mut failure = fail(what, "The token provider's own error says why.");
            failure.error = failure.error.with_source(error.shared_source());
            Err(failure)
        }
    }
}
