//! `sondage webhooks listen`: a receiver on the loopback interface.

use super::sink::EventSink;
use crate::output::refused;
use crate::sandbox::Signals;
use bytes::Bytes;
use clap::Args;
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use sondage::error::Text;
use sondage::internals::transport::connections::{Busy, Connections};
use sondage::webhook::{Claim, Guard, Hook, Refusal, Strategy};
use std::convert::Infallible;
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use url::Url;

/// The maximum number of connections. When it is reached, the oldest one without a complete request is closed.
const AT_ONCE: usize = 256;
/// How long to wait before checking again whether there is room.
const PAUSE: Duration = Duration::from_millis(20);
/// How long a request may take to arrive.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The secret is read from a file or the environment, never from the command line, which other users can see.
#[derive(Args)]
#[command(after_help = "Example: sondage webhooks listen --hook hook.json --jsonl events.jsonl")]
pub struct ListenArgs {
    /// A file with the webhook as JSON: {"strategy": {"strategy": "basic", "user": "..", "password": ".."}}. Default: the
    /// environment variable `SONDAGE_WEBHOOK` with the same content, or else a new unguessable address.
    #[arg(long)]
    hook: Option<PathBuf>,
    /// The port. Default: a free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Appends each event to this file as a line of JSON.
    #[arg(long)]
    jsonl: Option<PathBuf>,
    /// Forwards each event to this address: https, or http on this machine.
    #[arg(long)]
    forward: Option<Url>,
}

pub fn run(arguments: &ListenArgs) -> io::Result<()> {
    let new = || Strategy::obscure_url().and_then(Hook::new).map_err(io::Error::other);
    let hook = hook_of(arguments.hook.as_deref())?.map_or_else(new, Ok)?;
    let sink = EventSink::open(arguments.jsonl.as_deref(), arguments.forward.clone())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let end = Signals::listen()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, arguments.port)).await.map_err(|why| {
            let port = arguments.port;
            io::Error::new(
                why.kind(),
                format!("cannot listen on 127.0.0.1:{port}: {why}; choose another --port"),
            )
        })?;
        announce(&hook, listener.local_addr()?.port())?;
        let receiver = Arc::new(Receiver { hook, guard: Guard::default(), sink });
        tokio::select! {
            _ = end.wait() => Ok(()),
            result = accept(listener, receiver) => result,
        }
    })
}

/// The webhook from a file or the environment; `None` if neither is set.
pub fn hook_of(file: Option<&Path>) -> io::Result<Option<Hook>> {
    // The text holds a secret, which a parser's message may repeat: report only the position.
    let read = |text: &str, from: &str| {
        serde_json::from_str::<Hook>(text).map_err(|why| {
            let position = format!("line {}, column {}", why.line(), why.column());
            refused(&format!("{from} is not a webhook with a safe secret ({position})"))
        })
    };
    if let Some(path) = file {
        let from = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|why| io::Error::new(why.kind(), format!("{from}: {why}")))?;
        return read(&text, &from).map(Some);
    }
    std::env::var("SONDAGE_WEBHOOK").ok().map(|text| read(&text, "SONDAGE_WEBHOOK")).transpose()
}

/// Prints the address to stderr, because stdout is for events. The address may contain the secret, which the user needs
/// to register it.
fn announce(hook: &Hook, port: u16) -> io::Result<()> {
    let url = hook.url(&format!("http://127.0.0.1:{port}")).map_err(io::Error::other)?;
    eprintln!("listening at {url}");
    if !hook.security_token().is_empty() {
        eprintln!("the registration needs the security token of the strategy `{}`", hook.strategy().name());
    }
    Ok(())
}

struct Receiver {
    hook: Hook,
    guard: Guard,
    sink: EventSink,
}

async fn accept(listener: TcpListener, receiver: Arc<Receiver>) -> io::Result<()> {
    let mut connections = Connections::new(AT_ONCE);
    loop {
        if connections.full() {
            tokio::time::sleep(PAUSE).await;
            continue;
        }
        match listener.accept().await {
            Ok((stream, _)) => {
                let receiver = Arc::clone(&receiver);
                connections.take(|busy| serve(stream, receiver, busy));
            }
            // For example, out of file descriptors: others will be released.
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

async fn serve(stream: TcpStream, receiver: Arc<Receiver>, busy: Busy) {
    let service = service_fn(move |request| {
        let (receiver, busy) = (Arc::clone(&receiver), busy.clone());
        async move {
            let status = tokio::time::timeout(TIMEOUT * 2, receiver.take(request, busy)).await.unwrap_or(503);
            let mut answer = Response::new(Empty::<Bytes>::new());
            *answer.status_mut() = http::StatusCode::from_u16(status).unwrap_or_default();
            Ok::<_, Infallible>(answer)
        }
    });
    // An error is a closed connection.
    let _ = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(TIMEOUT)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

impl Receiver {
    /// The status of the response. A stranger gets no more detail.
    async fn take(&self, request: Request<Incoming>, busy: Busy) -> u16 {
        let (head, body) = request.into_parts();
        let limit = self.hook.largest_body().saturating_add(1);
        let body = match tokio::time::timeout(TIMEOUT, Limited::new(body, limit).collect()).await {
            Ok(Ok(body)) => body.to_bytes(),
            _ => return Refusal::STATUS,
        };
        let _answering = busy.answering();
        let event = match self.hook.verify(&head.uri.to_string(), &head.headers, &body) {
            Ok(event) => event,
            Err(refusal) => {
                eprintln!("{refusal}");
                return Refusal::STATUS;
            }
        };
        let ticket = match self.guard.claim(&event) {
            Ok(Claim::New(ticket)) => ticket,
            Ok(Claim::Done) => return 204,
            Ok(Claim::Busy) => return 503,
            Err(why) => return failed(503, &why),
        };
        match self.sink.take(&event).await {
            Ok(()) => ticket.done().map_or_else(|why| failed(503, &why), |()| 204),
            Err(why) => failed(500, &why),
        }
    }
}

/// Shows why an event was not handled. The service is told only the status, and sends the event again.
fn failed(status: u16, why: &dyn std::error::Error) -> u16 {
    eprintln!("{}", Text::from(why.to_string()));
    status
}
