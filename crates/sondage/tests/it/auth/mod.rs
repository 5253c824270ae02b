//! Tokens over HTTP, against the sandbox: every grant, a single renewal for all callers, logins, stores, and error
//! messages.

mod clock;
mod fallback;
mod grants;
mod identity;
mod login;
mod messages;
mod provider;
mod secrets;
pub mod sharing;
mod single_flight;

use sondage::auth::Tokens;
use sondage::config::ClientBuilder;
use sondage::internals::transport::http::Http;
use sondage_sandbox::Sandbox;
use std::sync::Arc;

/// Tokens without a client around them.
fn tokens(builder: &ClientBuilder) -> Tokens {
    let config = builder.resolve().expect("settings");
    let http = Arc::new(Http::new(config.http.clone()));
    Tokens::new(&config, http).expect("tokens")
}

/// The grants that the sandbox received.
fn shown(sandbox: &Sandbox) -> Vec<String> {
    sandbox.ledger().token_requests().into_iter().map(|request| request.grant).collect()
}

/// How many token requests arrived, including those that a fault prevented from being read.
fn arrived(sandbox: &Sandbox) -> usize {
    sandbox.ledger().requests("token").len()
}
