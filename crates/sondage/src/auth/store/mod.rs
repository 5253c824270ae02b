//! Where tokens are kept between clients and processes.

mod file;
mod memory;

pub use file::FileStore;
pub use memory::MemoryStore;

use super::token_set::{PERSON, subject};
use super::{Credentials, TokenSet};
use crate::config::Config;
use crate::error::Result;
use crate::model::Secret;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::fmt;
use url::form_urlencoded::byte_serialize;

/// Keeps tokens. A client asks it before it asks the service, and tells it of every token that it gets.
///
/// Several people may share a store: the key says whose tokens are meant, and a store must keep the entries of two keys
/// apart. A client does not use an entry that was saved under another key, and it does not serve one that was got with
/// another password or client secret.
///
/// A store that fails does not fail a call: a warning is logged, and the client goes on with what it has in memory.
pub trait TokenStore: Send + Sync {
    /// The entry of a key.
    fn load<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Option<StoredTokens>>>;

    /// Keeps an entry in place of the one that the key had.
    fn save<'a>(&'a self, key: &'a StoreKey, tokens: &'a StoredTokens) -> BoxFuture<'a, Result<()>>;

    /// Removes the entry of a key. It is no error when there is none.
    fn forget<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<()>>;

    /// Waits until nobody else renews the tokens of a key; the right to do so ends when the guard is dropped. A store that
    /// is used by one client only needs none.
    fn lock<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Guard>> {
        let _ = key;
        Box::pin(async { Ok(Box::new(()) as Guard) })
    }
}

/// The right to renew the tokens of a key, until it is dropped.
pub type Guard = Box<dyn Any + Send>;

/// An entry of a store. It is secret, and is written as JSON by serde.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredTokens {
    /// The key that it was saved under.
    pub(super) key: String,
    /// A salted hash of the password and the client secret that it was got with, where there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) proof: Option<Secret>,
    /// The tokens. The id token is not kept: it holds personal data, and nothing reads it again.
    pub tokens: TokenSet,
}

/// Whose tokens: the authentication server, the tenant, the client id, the grant and the identity. It holds no secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StoreKey {
    text: String,
    identity: String,
}

impl StoreKey {
    pub(super) fn of(config: &Config, credentials: &Credentials) -> Self {
        let (identity, panel) = match credentials {
            Credentials::Password { username, panel_id, .. } => (username.clone(), *panel_id),
            Credentials::ApiToken { username, .. } => (username.clone(), None),
            Credentials::RefreshToken(token) => (fingerprint(token), None),
            Credentials::AuthorizationCode(code) => (fingerprint(&code.text), None),
            Credentials::Session(tokens) => (identity_of(config, tokens), None),
            Credentials::Stored => (config.identity.clone().unwrap_or_default(), None),
            Credentials::ClientCredentials | Credentials::Token(_) | Credentials::Provider(_) => {
                (String::new(), None)
            }
        };
        let server = config.auth_url.as_str().trim_end_matches('/');
        let mut text = server.to_owned();
        // Escaped, so that no name can be read as two parts of a key.
        for part in [&config.tenant, &config.client_id, credentials.name(), &identity] {
            text.push(' ');
            text.extend(byte_serialize(part.as_bytes()));
        }
        if let Some(panel) = panel {
            text.push_str(" panel=");
            text.push_str(&panel.to_string());
        }
        Self { text: text.trim_end().to_owned(), identity }
    }

    /// The key as text: one line, without secrets.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whose tokens: the user of a password, the identity of a login; empty for client credentials, which are the account's.
    pub fn identity(&self) -> &str {
        &self.identity
    }
}

impl fmt::Display for StoreKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Tokens that name nobody are nobody else's either.
fn identity_of(config: &Config, tokens: &TokenSet) -> String {
    let named = tokens.identity.clone().or_else(|| config.identity.clone());
    let subject = || Some(format!("{PERSON}{}", tokens.id_token.as_ref().and_then(subject)?));
    let own =
        || format!("session:{}", fingerprint(tokens.refresh_token.as_ref().unwrap_or(&tokens.access_token)));
    named.or_else(subject).unwrap_or_else(own)
}

/// Tells two logins apart without naming them.
fn fingerprint(secret: &Secret) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, secret.reveal().as_bytes());
    URL_SAFE_NO_PAD.encode(&digest.as_ref()[..9])
}
