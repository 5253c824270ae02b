//! Requests to the token endpoint.
// API 2.2

use super::failed::SharedFailure;
use super::oauth_error::OAuthErrorBody;
use super::refusal::{self, Problem, TokenGrantKind};
use super::token_set::{LIFE, TokenSet};
use crate::call::retry;
use crate::config::{Config, is_secret_length};
use crate::error::{Delivery, Redactor};
use crate::model::{FieldValue, Secret};
use crate::runtime;
use crate::transport::failure::Failure;
use crate::transport::http::{BodyLimit, Http, Outgoing};
use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use url::Url;
use url::form_urlencoded::Serializer;
use zeroize::Zeroizing;

/// The initial capacity of a token request's body.
const LARGE: usize = 8 << 10;

/// The body of a token request, form-encoded.
pub(super) struct TokenForm {
    step: TokenGrantKind,
    fields: Vec<(&'static str, Zeroizing<String>)>,
    secrets: Vec<Secret>,
}

impl TokenForm {
    pub(super) fn new(step: TokenGrantKind) -> Self {
        let grant = ("grant_type", Zeroizing::new(step.grant_type().to_owned()));
        Self { step, fields: vec![grant], secrets: Vec::new() }
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.fields.push((name, Zeroizing::new(value.into())));
        self
    }

    pub(super) fn with_secret(mut self, name: &'static str, value: &Secret) -> Self {
        self.secrets.push(value.clone());
        self.with(name, value.reveal())
    }

    pub(super) fn with_some(self, name: &'static str, value: Option<impl Into<String>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }
}

/// The response. Only the access token is certain to be present.
// API 2.2
#[derive(Deserialize)]
struct TokenResponse {
    access_token: Option<Secret>,
    token_type: Option<String>,
    expires_in: Option<FieldValue>,
    refresh_token: Option<Secret>,
    id_token: Option<Secret>,
}

/// A client of the authentication server, for one client id.
pub(super) struct Endpoint {
    pub(super) config: Config,
    pub(super) http: Arc<Http>,
}

impl Endpoint {
    /// Requests tokens. A request that may have arrived is retried only for grants that can be sent any number of times; a
    /// request that cannot have arrived is always retried. Once a response has arrived, whatever it says, the request is
    /// not sent again.
    pub(super) async fn ask(&self, form: TokenForm) -> Result<TokenSet, SharedFailure> {
        let form = form.with("client_id", &self.config.client_id);
        let form = match &self.config.client_secret {
            Some(secret) => form.with_secret("client_secret", secret),
            None => form,
        };
        let redactor = self.redactor(&form.secrets);
        let fields = form.fields.iter().map(|(name, value)| (name, value.as_str()));
        // Large enough to avoid growing: a buffer that grows leaves a copy of its contents in freed memory.
        let body = Serializer::new(String::with_capacity(LARGE)).extend_pairs(fields).finish();
        let body = overwritten(body.into_bytes());
        let problem = Problem { step: form.step, config: &self.config };
        let url = self.address(&self.config.token_path);
        let type_of = HeaderValue::from_static("application/x-www-form-urlencoded");
        let (status, headers, body) = self
            .send(form.step.idempotent(), &url, type_of, body)
            .await
            .map_err(|f| problem.unreachable(&f))?;
        self.understand(&problem, (status, &headers, &body), &redactor)
    }

    /// Interprets a response of any kind.
    pub(super) fn understand(
        &self,
        problem: &Problem<'_>,
        (status, headers, body): (u16, &HeaderMap, &[u8]),
        redactor: &Redactor,
    ) -> Result<TokenSet, SharedFailure> {
        let read_error = || OAuthErrorBody::read(body, redactor);
        if !(200..300).contains(&status) {
            return Err(problem.refused(status, retry::retry_after(headers), &read_error()));
        }
        let Ok(answer) = serde_json::from_slice::<TokenResponse>(body) else {
            return Err(problem.unreadable(body, redactor));
        };
        let oauth_error = read_error();
        if answer.access_token.is_none() && oauth_error != OAuthErrorBody::default() {
            return Err(problem.refused(status, None, &oauth_error));
        }
        self.read(answer).map_err(|why| refusal::unexpected(why, &self.config))
    }

    fn read(&self, answer: TokenResponse) -> Result<TokenSet, &'static str> {
        let full = |text: Option<Secret>| text.filter(|text| !text.is_empty());
        let token = full(answer.access_token).ok_or("has no `access_token`")?;
        super::access::AccessToken::new(token.reveal())
            .map_err(|_| "has an `access_token` that is not a token")?;
        if !answer.refresh_token.iter().chain(&answer.id_token).all(|token| is_secret_length(token.reveal()))
        {
            return Err("has a token that is longer than 64 KiB");
        }
        if answer.token_type.is_some_and(|kind| !kind.eq_ignore_ascii_case("bearer")) {
            return Err("has a `token_type` that is not `bearer`");
        }
        let life = answer
            .expires_in
            .map_or(Some(LIFE), life)
            .ok_or("has an `expires_in` that is not a number of seconds")?;
        Ok(TokenSet {
            refresh_token: full(answer.refresh_token),
            id_token: full(answer.id_token),
            ..TokenSet::new(token, self.config.clock.wall(), life)
        })
    }

    /// A POST, with its retries.
    pub(super) async fn send(
        &self,
        idempotent: bool,
        url: &Url,
        type_of: HeaderValue,
        body: Bytes,
    ) -> Result<(u16, HeaderMap, Bytes), Failure> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, type_of);
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let policy = &self.config.retry;
        let mut attempt = 1;
        loop {
            let request = Outgoing {
                url: url.clone(),
                headers: headers.clone(),
                body: body.clone(),
                fresh: true,
                deadline: runtime::after(self.config.token_timeout),
            };
            match self.once(request).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => {
                    let harmless = failure.delivery == Delivery::No || idempotent;
                    if !harmless || failure.delivery == Delivery::Answered || attempt >= policy.attempts {
                        return Err(failure);
                    }
                    log::debug!("a token request failed ({}), attempt {attempt}", failure.what);
                }
            }
            tokio::time::sleep(retry::backoff(policy, attempt)).await;
            attempt += 1;
        }
    }

    async fn once(&self, request: Outgoing) -> Result<(u16, HeaderMap, Bytes), Failure> {
        let turn = self.http.turn(request.deadline).await?;
        let incoming = self.http.post(request, turn).await?;
        let (status, headers) = (incoming.status, incoming.headers.clone());
        let limits = &self.config.limits;
        if (200..300).contains(&status) {
            let ceiling = BodyLimit { bytes: limits.token_bytes, name: "token_bytes" };
            return Ok((status, headers, incoming.bytes(ceiling).await?));
        }
        let ceiling = BodyLimit { bytes: limits.error_bytes, name: "error_bytes" };
        // An error status counts as a refusal even when the body is too large or truncated.
        Ok((status, headers, incoming.bytes(ceiling).await.unwrap_or_default()))
    }

    /// A redactor that knows the secrets of this request and of earlier ones.
    pub(super) fn redactor(&self, shown: &[Secret]) -> Redactor {
        Redactor::new(self.config.secrets().chain(shown.iter().map(Secret::reveal)))
    }

    /// The URL of a path at the authentication server.
    pub(super) fn address(&self, path: &str) -> Url {
        let mut url = self.config.auth_url.clone();
        url.set_path(path);
        url
    }
}

/// A body whose memory is overwritten when its last owner drops it.
pub(super) fn overwritten(body: Vec<u8>) -> Bytes {
    Bytes::from_owner(Zeroizing::new(body))
}

/// Seconds, which some servers send as a quoted string. With 0 the token is valid for one call; a lifetime of more
/// than a year is cut to a year.
fn life(value: FieldValue) -> Option<Duration> {
    let seconds = match value {
        FieldValue::Null => return Some(LIFE),
        FieldValue::Int(seconds) => u64::try_from(seconds).ok()?,
        // The cast saturates, which is harmless: lifetimes are cut to a year anyway.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        FieldValue::Float(seconds) if seconds >= 0.0 => seconds as u64,
        FieldValue::Text(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    Some(Duration::from_secs(seconds.min(366 * 86_400)))
}
