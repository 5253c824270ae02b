//! Tokens from a JavaScript function, and a token store in JavaScript.

use futures_util::future::BoxFuture;
use napi::Status;
use napi::bindgen_prelude::{FnArgs, Function, Promise};
use napi::threadsafe_function::ThreadsafeFunction;
use sondage::auth::TokenProvider;
use sondage::{Error, Result};
use sondage_ffi::TextStore;

/// A JavaScript function that returns a promise of a token. It is unreferenced: an idle client does not keep the process
/// alive.
pub struct Provider(ThreadsafeFunction<(), Promise<String>, (), Status, false, true, 0>);

impl Provider {
    /// A provider that calls `function`, which `node/lib/client.js` has made: it never throws itself.
    pub fn new(function: &Function<'_, (), Promise<String>>) -> napi::Result<Self> {
        Ok(Self(function.build_threadsafe_function().weak::<true>().build()?))
    }
}

impl TokenProvider for Provider {
    fn token(&self) -> BoxFuture<'_, Result<String>> {
        Box::pin(async move {
            let answer = match self.0.call_async(()).await {
                Ok(promise) => promise.await,
                Err(error) => Err(error),
            };
            answer.map_err(|error| Error::authentication(error.reason.clone()))
        })
    }
}

/// The method of a store (`load`, `save` or `forget`), the key, and the tokens to save.
pub type StoreArgs = FnArgs<(String, String, Option<String>)>;

/// A store behind a JavaScript function, unreferenced as well.
pub struct Store(ThreadsafeFunction<StoreArgs, Promise<Option<String>>, StoreArgs, Status, false, true, 0>);

impl Store {
    /// A store that calls `function`, which `node/lib/tokens.js` has made: it never throws itself.
    pub fn new(function: &Function<'_, StoreArgs, Promise<Option<String>>>) -> napi::Result<Self> {
        Ok(Self(function.build_threadsafe_function().weak::<true>().build()?))
    }

    async fn ask(&self, what: &str, key: String, tokens: Option<String>) -> Result<Option<String>> {
        let answer = match self.0.call_async((what.to_owned(), key, tokens).into()).await {
            Ok(promise) => promise.await,
            Err(error) => Err(error),
        };
        answer.map_err(|error| Error::authentication(error.reason.clone()))
    }
}

impl TextStore for Store {
    fn load(&self, key: String) -> BoxFuture<'_, Result<Option<String>>> {
        Box::pin(self.ask("load", key, None))
    }

    fn save(&self, key: String, text: String) -> BoxFuture<'_, Result<()>> {
        Box::pin(async { self.ask("save", key, Some(text)).await.map(|_| ()) })
    }

    fn forget(&self, key: String) -> BoxFuture<'_, Result<()>> {
        Box::pin(async { self.ask("forget", key, None).await.map(|_| ()) })
    }
}
