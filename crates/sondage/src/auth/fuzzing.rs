//! Entry points of this folder for the fuzzer. They are compiled for the fuzzer only.

use super::endpoint::Endpoint;
use super::refusal::{Problem, TokenGrantKind};
use crate::config::{ClientBuilder, Environment};
use crate::transport::http::Http;
use http::HeaderMap;
use std::sync::{Arc, LazyLock};

/// The secrets of the request to which the input is the response.
pub const SECRETS: [&str; 2] = ["fuzz-client-secret-17", "fuzz pass&word 23"];

static ENDPOINT: LazyLock<Endpoint> = LazyLock::new(|| {
    let builder =
        ClientBuilder::new().environment(Environment::empty()).tenant("acme").base_url("http://127.0.0.1:9");
    let builder = builder.auth_url("http://127.0.0.1:9").client_secret(SECRETS[0]);
    let config = builder.username("ada").password(SECRETS[1]).resolve().expect("complete settings");
    let http = Arc::new(Http::new(config.http.clone()));
    Endpoint { config, http }
});

/// Reads a response of the token endpoint: the text of its error, or `None` when it contains a token.
pub fn token_answer(status: u16, body: &[u8]) -> Option<String> {
    let redactor = ENDPOINT.redactor(&[]);
    let problem = Problem { step: TokenGrantKind::Password, config: &ENDPOINT.config };
    match ENDPOINT.understand(&problem, (status, &HeaderMap::new(), body), &redactor) {
        Ok(tokens) => {
            assert!(!tokens.access_token.is_empty(), "a token that is none");
            None
        }
        Err(failed) => Some(format!("{} {:?}", failed.error, failed.error)),
    }
}

/// Reads a request to the program that waits for a login, from a browser or a stranger. Returns the code if the request
/// was accepted.
pub fn login_request(bytes: &[u8], state: &str) -> Option<String> {
    let read = async { super::login::fuzzing::judged(bytes, &state.into()).await };
    crate::runtime::handle().block_on(read)
}
