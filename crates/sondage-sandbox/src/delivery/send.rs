//! One request to a receiver.

use super::queue::QueuedDelivery;
use crate::state::ServerState;
use bytes::Bytes;
use reqwest::redirect::Policy;
use reqwest::{Client, Method};
use std::io::ErrorKind;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use url::Url;

/// How much of a response is kept, in bytes.
const ANSWER: usize = 4096;

/// The subscriber as registered at the time of the attempt.
pub(super) struct Target {
    url: Url,
    security_token: String,
}

impl Target {
    pub(super) fn find(shared: &ServerState, job: &QueuedDelivery) -> Option<Self> {
        let world = shared.world();
        let hook = world.tenant(&job.tenant)?.web_hooks.get(&job.web_hook_id)?;
        Some(Self { url: Url::parse(&hook.url).ok()?, security_token: hook.security_token.clone() })
    }

    pub(super) fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        self.url.port_or_known_default().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// A sandbox that was left running must not call other machines.
    pub(super) fn is_allowed(&self, shared: &ServerState) -> bool {
        shared.calls_anywhere || self.url.host_str().is_some_and(crate::text::is_loopback)
    }
}

/// The HTTP client, created when the first event happens.
#[derive(Default)]
pub(super) struct Sender(OnceLock<Option<Client>>);

impl Sender {
    /// The status of the response with the beginning of its body, or why there is none.
    pub(super) async fn send(
        &self,
        to: Target,
        method: &str,
        body: Bytes,
        timeout: Duration,
    ) -> Result<(u16, String), String> {
        let client = self.0.get_or_init(client).as_ref().ok_or("the client cannot be created")?;
        let method = Method::from_bytes(method.as_bytes()).unwrap_or(Method::POST);
        let mut request = client
            .request(method, to.url)
            .header("content-type", "application/json; charset=utf-8")
            .timeout(timeout)
            .body(body);
        if !to.security_token.is_empty() {
            // The header has exactly the registered value (API 10.1).
            request = request.header("authorization", to.security_token);
        }
        let mut response = request.send().await.map_err(|error| reason(&error, timeout))?;
        let status = response.status().as_u16();
        let mut text = Vec::new();
        // The status counts even if the body does not arrive.
        while let Ok(Some(piece)) = response.chunk().await {
            text.extend_from_slice(&piece);
            if text.len() >= ANSWER {
                text.truncate(ANSWER);
                break;
            }
        }
        Ok((status, String::from_utf8_lossy(&text).into_owned()))
    }
}

/// Why there was no response. It names no address, which may be secret.
fn reason(error: &reqwest::Error, timeout: Duration) -> String {
    if error.is_timeout() {
        return format!("There was no response within {} s.", timeout.as_secs_f64());
    }
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        if let Some(io) = cause.downcast_ref::<std::io::Error>() {
            return match io.kind() {
                ErrorKind::ConnectionRefused => {
                    "The connection was refused: no program listens there.".to_owned()
                }
                ErrorKind::ConnectionReset => {
                    "The receiver closed the connection before it responded.".to_owned()
                }
                kind => format!("The connection failed: {kind}."),
            };
        }
        source = cause.source();
    }
    let what = if error.is_connect() { "There was no connection." } else { "The response was not HTTP." };
    what.to_owned()
}

fn client() -> Option<Client> {
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .ok()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Client::builder()
        .tls_backend_preconfigured(tls)
        .no_proxy()
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        // No pooled connection: one that the receiver has just closed would count as a failed attempt.
        .pool_max_idle_per_host(0)
        .user_agent("sondage-sandbox")
        .build()
        .ok()
}
