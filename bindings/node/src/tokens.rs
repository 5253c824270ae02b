//! Tokens from a JavaScript function.

use futures_util::future::BoxFuture;
use napi::Status;
use napi::bindgen_prelude::{Function, Promise};
use napi::threadsafe_function::ThreadsafeFunction;
use sondage::auth::TokenProvider;
use sondage::{Error, Result};

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
