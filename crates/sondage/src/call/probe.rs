//! A request without a token and without an effect: it shows whether a server responds at an address, and which kind.

use super::engine::Engine;
use crate::error::{Error, Result};
use crate::text;
use crate::trace::{CallPurpose, TraceEntry};
use crate::transport::failure::FailureCause;
use http::header::CONTENT_TYPE;
use std::time::{Duration, Instant};

/// How long to wait for a response.
const WAIT: Duration = Duration::from_secs(30);

/// What responded.
pub(crate) struct Probed {
    /// HTTP status.
    pub status: u16,
    /// The body is a web page.
    pub is_page: bool,
}

impl Engine {
    /// Sends a GET to a path of the API, which has no effect, without a token. Its `Date` is measured and the request is
    /// recorded in the trace, like those of any call.
    pub(crate) async fn probe(&self, path: &str) -> Result<Probed> {
        // Waiting for a pause to end is not worth it here, so a pause that the service requested, perhaps from another
        // process, is an error.
        let pause = match self.gate.rest() {
            Some(wait) => Some(wait),
            None => self.ledger.depart(0).await?,
        };
        if let Some(wait) = pause {
            let paused = Error::rate_limited("the service asked for a pause, and nothing was sent");
            return Err(paused.with_retry_after(Some(wait)));
        }
        let mut url = self.config.base_url.clone();
        url.set_path(path);
        let host = url.host_str().unwrap_or_default().to_owned();
        let begun = Instant::now();
        let path = path.to_owned().into();
        let active = self.tracer.pending_calls().begin(path, String::new(), CallPurpose::Result, 1);
        active.sends(1, WAIT);
        let answer = self.http.get(url, true, begun + WAIT).await;
        let status =
            answer.as_ref().ok().and_then(|incoming| incoming.as_ref().ok()).map(|incoming| incoming.status);
        self.tracer.record(TraceEntry::probe(status, begun));
        let incoming = answer.map_err(|failure| {
            let error = Error::network(text!("{host} did not respond: {}", failure.what));
            let place = self.config.place("base_url");
            error.with_hint(match failure.cause {
                FailureCause::Tls => {
                    "Check the address, the clock of this computer, and whether a proxy needs its own certificate (`ca_file`)."
                        .into()
                }
                _ => text!("Check the connection and the address, {place}."),
            })
        })?;
        let Ok(incoming) = incoming else {
            return Err(Error::network(text!("{host} is an address of a private network")));
        };
        self.service_clock.observe(&incoming.headers, self.config.clock.wall());
        let kind = incoming.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        Ok(Probed { status: incoming.status, is_page: kind.trim_start().starts_with("text/html") })
    }
}
