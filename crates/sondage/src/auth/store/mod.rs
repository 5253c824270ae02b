//! Where tokens are kept between clients and processes.

mod file;
mod keyring;
mod memory;

pub use file::FileStore;
pub(crate) use file::examine_token_file;
pub(crate) use keyring::KeyringStore;
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

/// Stores tokens. A client reads the store before it asks the service, and saves every token that it gets.
///
/// Several people may share a store: the key identifies whose tokens are meant, and a store must keep the entries of
/// different keys apart. A client does not use an entry that was saved under another key or obtained with another
/// password or client secret.
///
/// A store that fails does not fail a call: a warning is logged, and the client continues with the tokens
/// that it has in memory.
pub trait TokenStore: Send + Sync {
    /// The entry of a key.
    fn load<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Option<StoredTokens>>>;

    /// Saves an entry, replacing the key's previous one.
    fn save<'a>(&'a self, key: &'a StoreKey, tokens: &'a StoredTokens) -> BoxFuture<'a, Result<()>>;

    /// Removes the entry of a key. It is not an error if there is none.
    fn forget<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<()>>;

    /// Waits until no other client is renewing the tokens of a key, and locks them; dropping the guard unlocks them. A
    /// store that only one client uses does not need a lock.
    fn lock<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Guard>> {
        let _ = key;
        Box::pin(async { Ok(Box::new(()) as Guard) })
    }
}

/// The lock on the tokens of a key. Dropping it unlocks them.
pub type Guard = Box<dyn Any + Send>;

/// An entry of a store. It is secret, and is serialised as JSON by serde.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredTokens {
    /// The key under which it was saved.
    pub(super) key: String,
    /// A salted hash of the password and the client secret with which it was obtained, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) proof: Option<Secret>,
    /// A hash of the refresh token that the authentication server has refused: nobody sends it again, because a server may take
    /// that for theft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) refused: Option<String>,
    /// The tokens. The id token is not stored: it holds personal data and is never read again.
    pub tokens: TokenSet,
}

/// Identifies whose tokens are meant: the authentication server, the tenant, the client id, the grant and the
/// identity. It holds no secret.
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
        // Escaped, so that two different keys never have the same text.
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

    /// Whose tokens: the user name for a password, the identity for a login; empty for client credentials,
    /// which belong to the account.
    pub fn identity(&self) -> &str {
        &self.identity
    }
}

impl fmt::Display for StoreKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The identity of a token set. Tokens that name nobody get the identity of the settings, so that they match nobody
/// else's.
fn identity_of(config: &Config, tokens: &TokenSet) -> String {
    let named = tokens.identity.clone().or_else(|| config.identity.clone());
    let subject = || Some(format!("{PERSON}{}", tokens.id_token.as_ref().and_then(subject)?));
    let own =
        || format!("session:{}", fingerprint(tokens.refresh_token.as_ref().unwrap_or(&tokens.access_token)));
    named.or_else(subject).unwrap_or_else(own)
}

/// A hash that distinguishes two logins without naming them.
pub(super) fn fingerprint(secret: &Secret) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, secret.reveal().as_bytes());
    URL_SAFE_NO_PAD.encode(&digest.as_ref()[..9])
}
