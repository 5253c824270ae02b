//! Token providers and token stores of an application.

use futures_util::future::BoxFuture;
use sondage::auth::{self, StoreKey, StoredTokens};
use sondage::error::ErrorSource;
use sondage::{Error, Json, Result};
use std::fmt;
use std::sync::Arc;

/// Why an application has no token.
#[derive(Debug, uniffi::Error)]
pub enum ProviderError {
    /// The provider failed.
    Failed {
        /// The reason, for people. It must not contain a secret.
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

/// Provides access tokens. An app on a phone asks its own backend, which holds the secret of the account.
///
/// It is called for the first call, when a token is rejected, and before a token expires; by one call at a time, however
/// many wait. It may return a token that it stores itself and that is still valid.
#[uniffi::export(callback_interface)]
#[async_trait::async_trait]
pub trait TokenProvider: Send + Sync {
    /// An access token, without `Bearer`.
    async fn token(&self) -> std::result::Result<String, ProviderError>;
}

/// Stores tokens between runs of an application, for example in a keychain. Each key belongs to one identity: tokens saved
/// under one key must not be returned for another.
///
/// A store that fails does not fail a call: the client continues with the tokens that it has in memory.
#[uniffi::export(callback_interface)]
pub trait TokenStore: Send + Sync {
    /// The tokens saved under a key; nothing if there are none.
    ///
    /// - `key`: The key.
    fn load(&self, key: String) -> std::result::Result<Option<String>, ProviderError>;

    /// Saves tokens, replacing those of the key. They are secret.
    ///
    /// - `key`: The key.
    /// - `tokens`: The tokens, as text.
    fn save(&self, key: String, tokens: String) -> std::result::Result<(), ProviderError>;

    /// Removes the tokens of a key, if there are any.
    ///
    /// - `key`: The key.
    fn forget(&self, key: String) -> std::result::Result<(), ProviderError>;
}

/// The application's provider, as the core calls it.
pub struct Provider(pub Box<dyn TokenProvider>);

impl auth::TokenProvider for Provider {
    fn token(&self) -> BoxFuture<'_, Result<String>> {
        Box::pin(async { self.0.token().await.map_err(|error| Thrown::read(&error.to_string())) })
    }
}

/// The number under which the language finds the exception that the application threw.
#[derive(Clone, Copy, Debug)]
pub struct Thrown(pub i64);

impl Thrown {
    /// An error with the text of the exception. Kotlin and Swift prepend its number: `\u{1}7\u{1}the text`.
    fn read(reason: &str) -> Error {
        let parts = reason.strip_prefix('\u{1}').and_then(|rest| rest.split_once('\u{1}'));
        let read = parts.and_then(|(number, text)| Some((Self(number.parse().ok()?), text)));
        match read {
            Some((thrown, text)) => {
                let source: ErrorSource = Arc::new(thrown);
                Error::authentication(text.to_owned()).with_source(source)
            }
            None => Error::authentication(reason.to_owned()),
        }
    }
}

impl fmt::Display for Thrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an exception of the token provider")
    }
}

impl std::error::Error for Thrown {}

/// The application's store, as the core calls it. It may block, so it runs on threads that may be blocked.
pub struct Keeper(pub Arc<dyn TokenStore>);

impl Keeper {
    async fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn TokenStore) -> std::result::Result<T, ProviderError> + Send + 'static,
    ) -> Result<T> {
        let store = self.0.clone();
        let reply = tokio::task::spawn_blocking(move || ask(store.as_ref())).await;
        let answer = reply.map_err(|_| Error::authentication("the token store failed with a panic"))?;
        answer.map_err(|error| Error::authentication(error.to_string()))
    }
}

impl auth::TokenStore for Keeper {
    fn load<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Option<StoredTokens>>> {
        Box::pin(async {
            let key = key.as_str().to_owned();
            let Some(text) = self.ask(|store| store.load(key)).await? else { return Ok(None) };
            let read = Json::parse(text).and_then(|json| json.read());
            read.map(Some)
                .map_err(|_| Error::authentication("the token store returned something other than tokens"))
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
