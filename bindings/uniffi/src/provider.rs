//! Tokens from an application, and where an application keeps them.

use futures_util::future::BoxFuture;
use sondage::auth::{self, StoreKey, StoredTokens};
use sondage::{Error, Json, Result};
use std::fmt;
use std::sync::Arc;

/// Why an application has no token.
#[derive(Debug, uniffi::Error)]
pub enum ProviderError {
    /// It could not be done.
    Failed {
        /// Why, for people. It must hold no secret.
        reason: String,
    },
}

impl fmt::Display for ProviderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Failed { reason } = self;
        f.write_str(reason)
    }
}

impl std::error::Error for ProviderError {}

impl From<uniffi::UnexpectedUniFFICallbackError> for ProviderError {
    fn from(error: uniffi::UnexpectedUniFFICallbackError) -> Self {
        Self::Failed { reason: error.reason }
    }
}

/// Gives access tokens. An application on a phone asks its own backend, which holds the secret of the account.
///
/// It is asked for the first call, when a token is refused, and before a token ends; by one call at a time, however many
/// wait. A token that it keeps itself and that is still good may be given again.
#[uniffi::export(callback_interface)]
#[async_trait::async_trait]
pub trait TokenProvider: Send + Sync {
    /// An access token, without `Bearer`.
    async fn token(&self) -> std::result::Result<String, ProviderError>;
}

/// Keeps tokens between runs of an application, in a keychain for example. Each key is somebody's: what was saved under one
/// must not be given for another.
///
/// A store that fails does not fail a call: the client goes on with what it has in memory.
#[uniffi::export(callback_interface)]
pub trait TokenStore: Send + Sync {
    /// What was saved under a key; nothing when nothing was.
    fn load(&self, key: String) -> std::result::Result<Option<String>, ProviderError>;

    /// Keeps tokens in place of those that the key had. They are secret.
    fn save(&self, key: String, tokens: String) -> std::result::Result<(), ProviderError>;

    /// Removes what was saved under a key, where anything was.
    fn forget(&self, key: String) -> std::result::Result<(), ProviderError>;
}

/// The application's provider, as the core asks it.
pub struct Provider(pub Box<dyn TokenProvider>);

impl auth::TokenProvider for Provider {
    fn token(&self) -> BoxFuture<'_, Result<String>> {
        Box::pin(async { self.0.token().await.map_err(|error| Error::authentication(error.to_string())) })
    }
}

/// The application's store, as the core asks it. It may block, so it is asked on threads that may be blocked.
pub struct Keeper(pub Arc<dyn TokenStore>);

impl Keeper {
    async fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn TokenStore) -> std::result::Result<T, ProviderError> + Send + 'static,
    ) -> Result<T> {
        let store = self.0.clone();
        let asked = tokio::task::spawn_blocking(move || ask(store.as_ref())).await;
        let answer = asked.map_err(|_| Error::authentication("the token store failed with a panic"))?;
        answer.map_err(|error| Error::authentication(error.to_string()))
    }
}

impl auth::TokenStore for Keeper {
    fn load<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Option<StoredTokens>>> {
        Box::pin(async {
            let key = key.as_str().to_owned();
            let Some(text) = self.ask(|store| store.load(key)).await? else { return Ok(None) };
            let read = Json::parse(text).and_then(|json| json.read());
            read.map(Some).map_err(|_| Error::authentication("the token store gave back what is not its own"))
        })
    }

    fn save<'a>(&'a self, key: &'a StoreKey, tokens: &'a StoredTokens) -> BoxFuture<'a, Result<()>> {
        Box::pin(async {
            let text = Json::of(tokens).map_err(|_| Error::internal("tokens cannot be written as JSON"))?;
            let (key, text) = (key.as_str().to_owned(), text.as_str().to_owned());
            self.ask(|store| store.save(key, text)).await
        })
    }

    fn forget<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<()>> {
        let key = key.as_str().to_owned();
        Box::pin(self.ask(|store| store.forget(key)))
    }
}
