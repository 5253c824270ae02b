//! A client of a sandbox.

use sondage::Client;
use sondage::config::{ClientBuilder, Config, Environment};
use sondage_sandbox::Sandbox;
use std::time::Duration;

/// A client of the account `demo`, with pages of this size.
pub fn client(sandbox: &Sandbox, page_size: i64) -> Client {
    Client::new(config(sandbox, page_size)).expect("a client")
}

/// Its settings.
pub fn config(sandbox: &Sandbox, page_size: i64) -> Config {
    builder(sandbox).client_secret(sandbox.client_secret()).page_size(page_size).resolve().expect("settings")
}

/// The settings without credentials.
pub fn builder(sandbox: &Sandbox) -> ClientBuilder {
    ClientBuilder::new()
        .environment(Environment::empty())
        .tenant(sandbox.tenant())
        .base_url(sandbox.base_url())
        .auth_url(sandbox.auth_url())
        .retry_base(Duration::from_millis(2))
        .retry_cap(Duration::from_millis(10))
        .retry_after_cap(Duration::from_secs(2))
        .deadline(Duration::from_secs(60))
}
