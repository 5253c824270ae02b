//! One request to a receiver.

use super::queue::QueuedDelivery;
use crate::state::ServerState;
use bytes::Bytes;
use reqwest::redirect::Policy;
use reqwest::{Client, Method};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use url::Url;

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
    /// The status of the response; none if there was no response. The body is ignored.
    pub(super) async fn send(&self, to: Target, method: &str, body: Bytes, timeout: Duration) -> Option<u16> {
        let client = self.0.get_or_init(client).as_ref()?;
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
        Some(request.send().await.ok()?.status().as_u16())
    }
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
