//! A client of a sandbox.

use sondage::config::{ClientBuilder, Environment};
use sondage::{Client, Result, internals::runtime};
use sondage_sandbox::Sandbox;
use std::future::Future;
use std::time::Duration;

/// Waits for a call.
pub fn wait<T: Send + 'static>(call: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    runtime::block_on(call)
}

/// A client of the account `demo`, with pages of this size.
pub fn client(sandbox: &Sandbox, page_size: i64) -> Client {
    ClientBuilder::new()
        .environment(Environment::empty())
        .tenant(sandbox.tenant())
        .base_url(sandbox.base_url())
        .auth_url(sandbox.auth_url())
        .client_secret(sandbox.client_secret())
        .page_size(page_size)
        .retry_base(Duration::from_millis(2))
        .retry_cap(Duration::from_millis(10))
        .build()
        .expect("a client")
}
