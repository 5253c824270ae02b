//! A web server that receives webhooks.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use sondage::webhook::{Event, Hook};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

/// What arrived: path and query, headers, body.
pub struct Arrived {
    pub url: String,
    pub headers: http::HeaderMap,
    pub body: Bytes,
}

impl Arrived {
    pub fn event(&self, hook: &Hook) -> Result<Event, sondage::webhook::Refusal> {
        hook.verify(&self.url, &self.headers, &self.body)
    }
}

/// A receiver on a free port. It ends with the process.
pub struct Receiver {
    pub address: String,
}

impl Receiver {
    /// Responds to each request with the status that the handler returns.
    pub fn start(handler: impl Fn(Arrived) -> u16 + Send + Sync + 'static) -> Self {
        let handler = Arc::new(handler);
        let runtime = sondage::internals::runtime::handle();
        let _inside = runtime.enter();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = format!("http://{}/hooks", listener.local_addr().unwrap());
        let listener = TcpListener::from_std(listener).unwrap();
        runtime.spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let handler = Arc::clone(&handler);
                tokio::spawn(async move {
                    let service = service_fn(move |request| serve(Arc::clone(&handler), request));
                    let _ = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), service)
                        .await;
                });
            }
        });
        Self { address }
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

async fn serve<F: Fn(Arrived) -> u16>(
    handler: Arc<F>,
    request: Request<Incoming>,
) -> Result<Response<Empty<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let status = handler(Arrived { url: head.uri.to_string(), headers: head.headers, body });
    Ok(Response::builder().status(status).body(Empty::new()).unwrap())
}
