//! A web server that receives webhooks.

use sondage::webhook::{Event, Hook};
use sondage_testserver::{Reply, Request, Server, closed_address};
use std::sync::{Arc, Mutex};

/// What arrived: path and query, headers, body.
pub struct Arrived {
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Arrived {
    pub fn event(&self, hook: &Hook) -> Result<Event, sondage::webhook::Refusal> {
        let headers = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        hook.verify(&self.url, headers, &self.body)
    }
}

/// A receiver on a free port.
pub struct Receiver {
    pub address: String,
}

impl Receiver {
    /// Responds to each request with the status that the handler returns.
    pub fn start(handler: impl Fn(Arrived) -> u16 + Send + Sync + 'static) -> Self {
        let server = Server::http(move |request| {
            let Request { path, headers, body, .. } = request.clone();
            Reply::new(handler(Arrived { url: path, headers, body }), "")
        });
        Self { address: format!("{}/hooks", server.url()) }
    }

    /// One at which nothing listens.
    pub fn closed() -> Self {
        Self::at(format!("http://{}/hooks", closed_address()))
    }

    /// One that this process is not.
    pub fn at(address: impl Into<String>) -> Self {
        Self { address: address.into() }
    }

    /// Accepts everything that the hook verifies, and keeps the events.
    pub fn keeping(hook: Hook) -> (Self, Arc<Mutex<Vec<Event>>>) {
        let kept: Arc<Mutex<Vec<Event>>> = Arc::default();
        let events = Arc::clone(&kept);
        let receiver = Self::start(move |arrived| match arrived.event(&hook) {
            Ok(event) => {
                events.lock().unwrap().push(event);
                204
            }
            Err(_) => sondage::webhook::Refusal::STATUS,
        });
        (receiver, kept)
    }
}
