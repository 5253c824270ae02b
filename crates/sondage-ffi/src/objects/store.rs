//! Token stores that a program provides, which store texts.

use futures_util::future::BoxFuture;
use sondage::auth::{StoreKey, StoredTokens, TokenStore};
use sondage::{Error, Json, Result};

/// A text store in a language: its content is secret.
pub trait TextStore: Send + Sync {
    /// The text of a key, if there is one.
    fn load(&self, key: String) -> BoxFuture<'_, Result<Option<String>>>;

    /// Keeps the text of a key, replacing an earlier one.
    fn save(&self, key: String, text: String) -> BoxFuture<'_, Result<()>>;

    /// Removes the text of a key, if there is one.
    fn forget(&self, key: String) -> BoxFuture<'_, Result<()>>;
}

/// Such a store, as the core calls it.
pub struct Keeper<S>(pub S);

impl<S: TextStore> TokenStore for Keeper<S> {
    fn load<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Option<StoredTokens>>> {
        Box::pin(async {
            let Some(text) = self.0.load(key.as_str().to_owned()).await? else { return Ok(None) };
            let read = Json::parse(text).and_then(|json| json.read());
            read.map(Some)
                .map_err(|_| Error::authentication("the token store returned something other than tokens"))
        })
    }

    fn save<'a>(&'a self, key: &'a StoreKey, tokens: &'a StoredTokens) -> BoxFuture<'a, Result<()>> {
        Box::pin(async {
            let text = Json::of(tokens).map_err(|_| Error::internal("tokens cannot be written as JSON"))?;
            self.0.save(key.as_str().to_owned(), text.as_str().to_owned()).await
        })
    }

    fn forget<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<()>> {
        self.0.forget(key.as_str().to_owned())
    }
}
