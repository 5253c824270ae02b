//! Outputs of an event: the terminal, a file, another address.

use sondage::config::HttpSettings;
use sondage::internals::transport::failure::Failure;
use sondage::internals::transport::http::{Http, Outgoing};
use sondage::webhook::Event;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use url::Url;

/// Timeout of a forwarded event.
const TIMEOUT: Duration = Duration::from_secs(30);

pub struct EventSink {
    file: Option<Mutex<File>>,
    forward: Option<(Url, Http)>,
}

impl EventSink {
    pub fn open(jsonl: Option<&Path>, forward: Option<Url>) -> io::Result<Self> {
        let open = |path: &Path| {
            let file = sondage::files::append(path);
            file.map(Mutex::new)
                .map_err(|why| io::Error::new(why.kind(), format!("{}: {why}", path.display())))
        };
        let forward = forward.map(|url| (url, Http::new(HttpSettings::default())));
        Ok(Self { file: jsonl.map(open).transpose()?, forward })
    }

    /// Forwards, writes and prints, in this order: an event is written only after it was forwarded.
    pub async fn take(&self, event: &Event) -> io::Result<()> {
        if let Some((url, http)) = &self.forward {
            forward(url, http, event).await?;
        }
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        if let Some(file) = &self.file {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            // One write, so that a line is complete or absent, and synced to disk before the event is confirmed to the
            // service.
            file.write_all(&line)?;
            file.sync_data()?;
        }
        let mut out = io::stdout().lock();
        out.write_all(&line)?;
        out.flush()
    }
}

/// Forwards the body unchanged, without the credentials of the request.
async fn forward(url: &Url, http: &Http, event: &Event) -> io::Result<()> {
    let mut headers = http::HeaderMap::new();
    headers.insert("content-type", http::HeaderValue::from_static("application/json; charset=utf-8"));
    let body = event.raw.as_str().as_bytes().to_vec().into();
    let deadline = Instant::now() + TIMEOUT;
    let request = Outgoing { url: url.clone(), headers, body, fresh: true, deadline };
    let unsent =
        |failure: Failure| io::Error::other(format!("the event could not be forwarded: {}", failure.what));
    let turn = http.turn(deadline).await.map_err(unsent)?;
    let status = http.post(request, turn).await.map_err(unsent)?.status;
    if (200..300).contains(&status) {
        return Ok(());
    }
    Err(io::Error::other(format!("the event was forwarded and refused with {status}")))
}
