//! Where tokens are kept between clients and processes.

mod file;
mod memory;

pub use file::FileStore;
pub use memory::MemoryStore;

use super::{Credentials, TokenSet};
use crate::config::Config;
use crate::error::Result;
use crate::model::Secret;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::future::BoxFuture;
use std::any::Any;
use std::fmt;

/// Keeps tokens. A client asks it before it asks the service, and tells it of every token that it gets.
///
/// A store that fails does not fail the call: a warning is logged, and the client goes on with what it has in memory.
pub trait TokenStore: Send + Sync {
    /// The tokens of a key.
    fn load<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Option<TokenSet>>>;

    /// Keeps tokens in place of those that the key had.
    fn save<'a>(&'a self, key: &'a StoreKey, tokens: &'a TokenSet) -> BoxFuture<'a, Result<()>>;

    /// Waits until nobody else renews the tokens of a key; the right to do so ends when the guard is dropped. A store that
    /// is used by one client only needs none.
    fn lock<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Guard>> {
        let _ = key;
        Box::pin(async { Ok(Box::new(()) as Guard) })
    }
}

/// The right to renew the tokens of a key, until it is dropped.
pub type Guard = Box<dyn Any + Send>;

/// Whose tokens: the authentication server, the client id, the grant and the user. It holds no secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StoreKey(String);

impl StoreKey {
    pub(super) fn of(config: &Config, credentials: &Credentials) -> Self {
        let who = match credentials {
            Credentials::Password { username, panel_id, .. } => match panel_id {
                Some(panel_id) => format!("{username} panel={panel_id}"),
                None => username.clone(),
            },
            Credentials::ApiToken { username, .. } => username.clone(),
            Credentials::RefreshToken(token) => fingerprint(token),
            Credentials::AuthorizationCode(code) => fingerprint(&code.text),
            _ => String::new(),
        };
        let server = config.auth_url.as_str().trim_end_matches('/');
        Self(format!("{server} {} {} {who}", config.client_id, credentials.name()).trim_end().to_owned())
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StoreKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Tells two logins apart without naming them.
fn fingerprint(secret: &Secret) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, secret.reveal().as_bytes());
    URL_SAFE_NO_PAD.encode(&digest.as_ref()[..9])
}
