//! The deprecated token call. The service no longer supports it: it is used only when the settings name it.
// API 2.8

use super::access::AccessToken;
use super::endpoint::{Endpoint, overwritten};
use super::failed::{PAUSE, REFUSED, SharedFailure};
use super::oauth_error::OAuthErrorBody;
use super::refusal;
use super::token_set::TokenSet;
use crate::call::envelope::ResponseEnvelope;
use crate::error::{Delivery, Error};
use crate::model::{GetApiTokenRequest, GetApiTokenResponse, Secret};
use crate::operation::Operation;
use crate::operations::GetApiToken;
use crate::text;
use http::header::HeaderValue;
use std::time::Duration;

/// The lifetime of its tokens.
// API 2.8
const LIFE: Duration = Duration::from_secs(12 * 3600);

pub(super) fn warn() {
    log::warn!(
        "the service has deprecated GetApiToken and ended its support: use client credentials or a password"
    );
}

pub(super) async fn ask(
    endpoint: &Endpoint,
    username: &str,
    password: &Secret,
) -> Result<TokenSet, SharedFailure> {
    let config = &endpoint.config;
    let request = GetApiTokenRequest {
        tenant: Some(config.tenant.clone()),
        username: username.to_owned(),
        password: password.clone(),
    };
    let body = serde_json::to_vec(&request)
        .map_err(|_| SharedFailure::new(Error::internal("the token request cannot be written"), PAUSE))?;
    let mut url = config.base_url.clone();
    url.set_path(GetApiToken::INFO.path);
    let json = HeaderValue::from_static("application/json");
    let (status, _, body) = endpoint.send(true, &url, json, overwritten(body)).await.map_err(|failure| {
        let error = Error::network(text!("the service returned no token: {}", failure.what));
        SharedFailure::new(
            error.with_delivery(failure.delivery).with_safe_to_retry(true).with_source(failure.source),
            PAUSE,
        )
    })?;
    let error_body = OAuthErrorBody::read(&body, &endpoint.redactor(std::slice::from_ref(password)));
    let quoted = error_body.quoted();
    let refuse = |error: Error, pause| {
        let error = error.with_status(status).with_delivery(Delivery::Answered);
        Err(SharedFailure::new(
            error.with_error_code(error_body.code.clone()).with_error_message(error_body.text.clone()),
            pause,
        ))
    };
    match (status, serde_json::from_slice::<ResponseEnvelope>(&body)) {
        (408 | 500..=599, _) => {
            refuse(Error::network(text!("the service cannot issue a token{quoted}")), PAUSE)
        }
        (404 | 405 | 410, _) => refuse(
            Error::authentication(text!("the service no longer has GetApiToken{quoted}"))
                .with_hint("Its support has ended. Use client credentials or a password."),
            REFUSED,
        ),
        (200..=299, Ok(envelope)) if envelope.is_success => {
            let token =
                serde_json::from_slice::<GetApiTokenResponse>(&body).ok().map(|answer| answer.access_token);
            match token.filter(|token| AccessToken::new(token.reveal()).is_ok()) {
                Some(token) => Ok(TokenSet::new(token, config.clock.wall(), LIFE)),
                None => Err(refusal::unexpected("has no `accessToken`", config)),
            }
        }
        (200..=299, Err(_)) => Err(refusal::unexpected("is not a response of GetApiToken", config)),
        _ => refuse(
            Error::authentication(text!("GetApiToken did not accept the user name or the password{quoted}"))
                .with_hint(text!(
                    "Check {}, {} and {}.",
                    config.place("tenant"),
                    config.place("username"),
                    config.place("password")
                )),
            REFUSED,
        ),
    }
}
