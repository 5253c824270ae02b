//! The credentials of a client.

use super::{TokenProvider, TokenSet};
use crate::model::Secret;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A way to get tokens. The client id and secret that go with it are settings of the client.
#[derive(Clone)]
#[non_exhaustive]
pub enum Credentials {
    /// The client id and secret alone. Calls have the permissions of the account.
    // API 2.4; API 2.9, published
    ClientCredentials,
    /// A dedicated user. Calls have the permissions of that user.
    // API 2.5; API 2.9, published
    Password {
        /// The user.
        username: String,
        /// The user's password.
        password: Secret,
        /// The only panel for which the token is valid.
        panel_id: Option<i64>,
    },
    /// The authorization code that a login returned. It is exchanged once, by the first call.
    // API 2.3
    AuthorizationCode(Code),
    /// A refresh token from an earlier login.
    // API 2.6
    RefreshToken(Secret),
    /// The tokens that a [`Login`](super::Login) returned.
    Session(TokenSet),
    /// The tokens of an earlier login, read from the token store.
    Stored,
    /// An access token that is renewed elsewhere. When the service rejects it, the client cannot get another.
    Token(Secret),
    /// The deprecated call `GetApiToken`. The service no longer supports it: a warning is logged.
    // API 2.8
    ApiToken {
        /// The user.
        username: String,
        /// The user's password.
        password: Secret,
    },
    /// Tokens from the application, requested when they are needed.
    Provider(Arc<dyn TokenProvider>),
}

impl Credentials {
    /// Its name in settings and explanations.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ClientCredentials => "client_credentials",
            Self::Password { .. } => "password",
            Self::AuthorizationCode(_) => "authorization_code",
            Self::RefreshToken(_) => "refresh_token",
            Self::Session(_) | Self::Stored => "login",
            Self::Token(_) => "token",
            Self::ApiToken { .. } => "api_token",
            Self::Provider(_) => "token_provider",
        }
    }

    /// What it is, as a noun phrase for a sentence.
    pub(super) fn described(&self) -> &'static str {
        match self {
            Self::ClientCredentials => "client credentials",
            Self::Password { .. } => "a password",
            Self::AuthorizationCode(_) | Self::Session(_) | Self::Stored => "a person's login",
            Self::RefreshToken(_) => "a refresh token",
            Self::Token(_) => "a fixed token",
            Self::ApiToken { .. } => "the deprecated GetApiToken",
            Self::Provider(_) => "a token provider",
        }
    }

    /// Its secrets, for redaction.
    pub(crate) fn secrets(&self) -> Vec<&str> {
        match self {
            Self::Password { password, .. } | Self::ApiToken { password, .. } => vec![password.reveal()],
            Self::AuthorizationCode(code) => {
                [Some(&code.text), code.verifier.as_ref()].into_iter().flatten().map(Secret::reveal).collect()
            }
            Self::RefreshToken(token) | Self::Token(token) => vec![token.reveal()],
            Self::Session(tokens) => {
                [Some(&tokens.access_token), tokens.refresh_token.as_ref(), tokens.id_token.as_ref()]
                    .into_iter()
                    .flatten()
                    .map(Secret::reveal)
                    .collect()
            }
            Self::ClientCredentials | Self::Stored | Self::Provider(_) => Vec::new(),
        }
    }

    /// Whether they can get new tokens after a logout. If so, a logout does not end the login of a person.
    pub(super) fn lasting(&self) -> bool {
        self.reusable() || matches!(self, Self::Stored | Self::Provider(_))
    }

    /// Whether they can be sent to the service any number of times.
    pub(super) fn reusable(&self) -> bool {
        matches!(self, Self::ClientCredentials | Self::Password { .. } | Self::ApiToken { .. })
    }
}

/// Prints names only, no secrets.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credentials({})", self.name())
    }
}

/// An authorization code. It can be exchanged once; clones share whether it was.
#[derive(Clone)]
pub struct Code {
    pub(super) text: Secret,
    pub(super) redirect_uri: String,
    pub(super) verifier: Option<Secret>,
    spent: Arc<AtomicBool>,
}

impl Code {
    /// The code, the redirect address of the authorization request, and the PKCE verifier where a challenge was sent.
    pub fn new(code: impl Into<Secret>, redirect_uri: impl Into<String>, verifier: Option<Secret>) -> Self {
        Self { text: code.into(), redirect_uri: redirect_uri.into(), verifier, spent: Arc::default() }
    }

    /// Returns `true` the first time and `false` afterwards.
    pub(super) fn spend(&self) -> bool {
        !self.spent.swap(true, Ordering::SeqCst)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(***)")
    }
}
