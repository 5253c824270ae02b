//! Errors for a failed token request: why no token was obtained, and what to do about it. All these sentences
//! are in this file.

use super::failed::{PAUSE, REFUSED, SharedFailure};
use super::oauth_error::{self, OAuthErrorBody};
use crate::config::Config;
use crate::error::{Delivery, Error, ErrorKind, Redactor, Text};
use crate::text;
use crate::transport::failure::{Failure, FailureCause};
use std::time::Duration;

/// What was sent to the authentication server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenGrantKind {
    ClientCredentials,
    Password,
    Code,
    Refresh,
}

impl TokenGrantKind {
    pub(super) fn grant_type(self) -> &'static str {
        match self {
            Self::ClientCredentials => "client_credentials",
            Self::Password => "password",
            Self::Code => "authorization_code",
            Self::Refresh => "refresh_token",
        }
    }

    /// Whether it is safe to send it twice. A code is valid for one exchange, and a server that rotates refresh
    /// tokens may take a second use of one for theft.
    pub(super) fn idempotent(self) -> bool {
        matches!(self, Self::ClientCredentials | Self::Password)
    }
}

/// Turns the outcome of one request into an error.
pub(super) struct Problem<'a> {
    pub step: TokenGrantKind,
    pub config: &'a Config,
}

/// Words with which servers say that something is unknown to them.
const UNKNOWN: &[&str] =
    &["unknown", "not known", "not found", "no such", "not exist", "not registered", "invalid tenant"];

impl Problem<'_> {
    /// The server refused the request.
    pub(super) fn refused(
        &self,
        status: u16,
        retry_after: Option<Duration>,
        said: &OAuthErrorBody,
    ) -> SharedFailure {
        let error = match status {
            429 => Error::rate_limited(text!(
                "the authentication server has had too many requests{}",
                said.quoted()
            ))
            .with_retry_after(retry_after)
            .with_safe_to_retry(true),
            408 | 500..=599 => {
                let quoted = said.quoted();
                Error::network(text!("the authentication server is not able to answer{quoted}"))
                    .with_safe_to_retry(true)
            }
            300..=399 => Error::unexpected_response(
                "the authentication server redirects the token request, which is not followed",
            )
            .with_hint(self.check_address()),
            404 | 405 if said.code.is_none() => Error::unexpected_response(text!(
                "the authentication server has no `{}`",
                self.config.token_path
            ))
            .with_hint(self.check_address()),
            _ => self.said_no(said, status),
        };
        let pause = match error.kind() {
            ErrorKind::RateLimited => retry_after.unwrap_or(PAUSE).max(PAUSE),
            ErrorKind::Network => PAUSE,
            _ => REFUSED,
        };
        let error = error
            .with_status(status)
            .with_delivery(Delivery::Answered)
            .with_error_code(said.code.clone())
            .with_error_message(said.text.clone());
        SharedFailure::new(error, pause)
    }

    fn said_no(&self, said: &OAuthErrorBody, status: u16) -> Error {
        let quoted = said.quoted();
        let client = &self.config.client_id;
        if said.is(&["unauthorized_client", "unsupported_grant_type"]) && !said.mentions(UNKNOWN, client) {
            let step = self.step.grant_type();
            return Error::authentication(text!(
                "the client `{client}` may not use the grant `{step}`{quoted}"
            ))
            .with_hint("Use another grant, or ask the operator of the service to allow this one.");
        }
        if said.is(&["invalid_client", "unauthorized_client", "invalid_tenant"])
            || (status == 401 && said.code.is_none())
        {
            return self.client_refused(said);
        }
        if said.is(&["invalid_grant", "invalid_token", "access_denied"]) {
            return self.grant_refused(said);
        }
        let step = self.step.grant_type();
        Error::authentication(text!("the authentication server refuses the grant `{step}`{quoted}"))
            .with_hint("See the server's message for what to change.")
    }

    fn client_refused(&self, said: &OAuthErrorBody) -> Error {
        let (quoted, client) = (said.quoted(), &self.config.client_id);
        if said.mentions(UNKNOWN, client) {
            return Error::authentication(text!(
                "the authentication server does not know the client `{client}`{quoted}"
            ))
            .with_hint(text!("{} {}", self.check_tenant(), self.check_center()));
        }
        if self.config.client_secret.is_none() {
            return Error::authentication(text!(
                "the client `{client}` must authenticate with a client secret{quoted}"
            ))
            .with_hint(
                "Set `client_secret` (SONDAGE_CLIENT_SECRET). The operator of the service issues it.",
            );
        }
        let setting = self.config.place("client_secret");
        if said.mentions(&["secret"], client) {
            return Error::authentication(text!("the client secret of `{client}` was not accepted{quoted}"))
                .with_hint(text!("Copy {setting} again from what the operator of the service issued."));
        }
        Error::authentication(text!("the client `{client}` and its client secret were not accepted{quoted}"))
            .with_hint(text!(
                "Copy {setting} again from what the operator of the service issued. If it is right: {} {}",
                self.check_tenant(),
                self.check_center()
            ))
    }

    fn grant_refused(&self, said: &OAuthErrorBody) -> Error {
        let quoted = said.quoted();
        match self.step {
            TokenGrantKind::Refresh => refresh_refused(&quoted),
            TokenGrantKind::Password => {
                Error::authentication(text!("the user name or the password was not accepted{quoted}"))
                    .with_hint(text!(
                        "Check {} and {}. An administrator of the account knows whether the user may log in.",
                        self.config.place("username"),
                        self.config.place("password")
                    ))
            }
            TokenGrantKind::Code => {
                Error::authentication(text!("the code of the login was not accepted{quoted}"))
                    .with_hint("A code can be used once, within a short time: log in again.")
            }
            TokenGrantKind::ClientCredentials => self.client_refused(said),
        }
    }

    /// The server returned a success status, but a body that cannot be understood.
    pub(super) fn unreadable(&self, body: &[u8], redactor: &Redactor) -> SharedFailure {
        let what = text!(
            "the authentication server answered {} instead of a token",
            oauth_error::kind(body, redactor)
        );
        let error = Error::unexpected_response(what).with_hint(self.check_address());
        SharedFailure::new(
            error.with_delivery(Delivery::Answered).with_safe_to_retry(self.step.idempotent()),
            PAUSE,
        )
    }

    /// No response arrived.
    pub(super) fn unreachable(&self, failure: &Failure) -> SharedFailure {
        let host = self.config.auth_url.host_str().unwrap_or_default();
        let what = text!("the authentication server {host} returned no token: {}", failure.what);
        let error = match failure.cause {
            FailureCause::Unreadable => Error::unexpected_response(what).with_hint(self.check_address()),
            FailureCause::Tls => Error::network(what).with_hint(
                "Check the address, the clock of this computer, and whether a proxy needs its own certificate (`ca_file`).",
            ),
            FailureCause::Connect if self.config.http.proxy_to(&self.config.auth_url).is_some() => {
                Error::network(what).with_hint("Check the address of the proxy, and that it lets the connection through.")
            }
            FailureCause::Connect => {
                Error::network(what).with_hint(text!("Check the connection. {}", self.check_center()))
            }
            FailureCause::Cut | FailureCause::Timeout if self.step == TokenGrantKind::Code => {
                Error::network(what).with_hint("The code may have been used: log in again.")
            }
            FailureCause::Recording => Error::configuration(what),
            FailureCause::Cut | FailureCause::Timeout => Error::network(what),
        };
        let error = error
            .with_delivery(failure.delivery)
            .with_source(failure.source.clone())
            .with_timed_out(failure.cause == FailureCause::Timeout);
        SharedFailure::new(error.with_safe_to_retry(self.step != TokenGrantKind::Code), PAUSE)
    }

    fn check_tenant(&self) -> Text {
        text!(
            "Check the tenant, {}: it is the first part of the account's address, and the client id is made from it ({}).",
            self.config.place("tenant"),
            self.config.place("client_id")
        )
    }

    fn check_center(&self) -> Text {
        check_center(self.config)
    }

    fn check_address(&self) -> Text {
        text!("Check {} and {}.", self.config.place("auth_url"), self.config.place("token_path"))
    }
}

/// A response of the right format with invalid content.
pub(super) fn unexpected(why: &str, config: &Config) -> SharedFailure {
    let error =
        Error::unexpected_response(text!("the response of the authentication server {why}")).with_hint(
            text!("Check that {} is the address of the authentication server.", config.place("auth_url")),
        );
    SharedFailure::new(error.with_delivery(Delivery::Answered), PAUSE)
}

/// An invalid refresh token, without credentials to fall back to.
pub(super) fn refresh_refused(quoted: &Text) -> Error {
    Error::authentication(text!(
        "the refresh token was not accepted, and the access token has expired{quoted}"
    ))
    .with_hint("The login has ended: a refresh token is valid for 24 hours. Log in again.")
}

/// A new token that the API rejects: the credentials are valid, but not for this service.
pub(super) fn fresh_refused(config: &Config) -> Error {
    Error::authentication("the service rejects tokens that the authentication server has just issued")
        .with_hint(fresh_hint(config))
        .with_status(401)
        .with_delivery(Delivery::Answered)
}

/// What to check when a new token is refused.
pub(super) fn fresh_hint(config: &Config) -> Text {
    text!(
        "The token is valid, but not here: {} and {} must belong to the same data center and to the account. {}",
        config.place("base_url"),
        config.place("auth_url"),
        check_center(config)
    )
}

fn check_center(config: &Config) -> Text {
    match config.data_center {
        Some(center) => text!("Check the data center, {} = `{center}`.", config.place("data_center")),
        None => text!("Check the address, {}.", config.place("auth_url")),
    }
}
