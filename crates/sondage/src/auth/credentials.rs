//! The credentials of a client.

use super::{TokenProvider, TokenSet};
use crate::model::Secret;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A way to tokens. The client id and secret that go with it are settings of the client.
#[derive(Clone)]
#[non_exhaustive]
pub enum Credentials {
    /// The client id and secret alone. The rights are the account's.
    // API 2.4; API 2.9, published
    ClientCredentials,
    /// A dedicated user. The rights are that user's.
    // API 2.5; API 2.9, published
    Password {
        /// The user.
        username: String,
        /// The user's password.
        password: Secret,
        /// The only panel for which the token is valid.
        panel_id: Option<i64>,
    },
    /// A code that a person's login has brought back. It is exchanged once, with the first call.
    // API 2.3
    AuthorizationCode(Code),
    /// A refresh token from an earlier login.
    // API 2.6
    RefreshToken(Secret),
    /// The tokens that a [`Login`](super::Login) has brought.
    Session(TokenSet),
    /// The tokens that an earlier login has left in the token store.
    Stored,
    /// An access token that something else renews. When the service refuses it, the client cannot get another.
    Token(Secret),
    /// The deprecated call `GetApiToken`. The service's support for it has ended: a warning is logged.
    // API 2.8
    ApiToken {
        /// The user.
        username: String,
        /// The user's password.
        password: Secret,
    },
    /// Somebody else's tokens, asked for when they are needed.
    Provider(Arc<dyn TokenProvider>),
}

impl Credentials {
    /// The word for it in settings and explanations.
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

    /// What it is, in a sentence.
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

    /// The parts that must not be shown.
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

    /// Whether they can get new tokens after a logout; then a logout does not end a person's login.
    pub(super) fn lasting(&self) -> bool {
        self.reusable() || matches!(self, Self::Stored | Self::Provider(_))
    }

    /// Whether they can be shown to the service as often as one likes.
    pub(super) fn reusable(&self) -> bool {
        matches!(self, Self::ClientCredentials | Self::Password { .. } | Self::ApiToken { .. })
    }
}

/// Names, and nothing that is secret.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credentials({})", self.name())
    }
}

/// An authorization code. It can be exchanged once; clones share that state.
#[derive(Clone)]
pub struct Code {
    pub(super) text: Secret,
    pub(super) redirect_uri: String,
    pub(super) verifier: Option<Secret>,
    spent: Arc<AtomicBool>,
}

impl Code {
    /// The code, the redirect address that was named when it was asked for, and the verifier of PKCE where a challenge was
    /// sent.
    pub fn new(code: impl Into<Secret>, redirect_uri: impl Into<String>, verifier: Option<Secret>) -> Self {
        Self { text: code.into(), redirect_uri: redirect_uri.into(), verifier, spent: Arc::default() }
    }

    /// `true` the first time and never again.
    pub(super) fn spend(&self) -> bool {
        !self.spent.swap(true, Ordering::SeqCst)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(***)")
    }
}
