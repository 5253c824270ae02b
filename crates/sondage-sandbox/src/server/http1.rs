//! One connection: requests in, replies out, faults in between.

use super::inject::{cut, inject};
use super::reply::{Ending, Reply, ReplyBody};
use super::wire::{Wire, WireControl};
use super::{ListenerRole, about, control, query};
use crate::api::{self, ApiCall, Route};
use crate::console;
use crate::fault::{self, CutPoint, Fault, FaultAction};
use crate::ledger::{Arrival, Ledger};
use crate::profile::Profile;
use crate::refusal::Refusal;
use crate::state::ServerState;
use crate::tokens::{InvalidToken, TokenGrant};
use crate::{oauth, random};
use bytes::{Bytes, BytesMut};
use http::header::{ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HOST};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use sondage::operation::RequestLocation;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;

/// The id of a call, which a client may send.
const CORRELATION_ID: &str = "x-correlation-id";

pub(super) async fn serve(stream: TcpStream, role: ListenerRole, shared: Arc<ServerState>) {
    let order = WireControl::default();
    let wire = TokioIo::new(Wire::new(stream, order.clone()));
    let service = hyper::service::service_fn(|request| answer(request, role, &shared, &order));
    // An error here is a closed connection: the client left, or a fault cut it.
    let _ = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .serve_connection(wire, service)
        .await;
}

/// A request whose body has arrived.
pub(crate) struct BufferedRequest {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Errors close the connection without a response.
async fn answer(
    request: Request<Incoming>,
    role: ListenerRole,
    shared: &Arc<ServerState>,
    order: &WireControl,
) -> io::Result<Response<ReplyBody>> {
    let (head, body) = request.into_parts();
    if !names_one_host(&head) {
        let why =
            "The request has several Host headers, or its target is of another host than its Host header.";
        let refusal = Refusal::new(StatusCode::BAD_REQUEST, "HostInvalid", why);
        return Ok(Reply::refused(&refusal).into_response(Ending::Whole));
    }
    let path = head.uri.path().to_owned();
    let query = head.uri.query().unwrap_or_default().to_owned();
    let mut received =
        BufferedRequest { method: head.method, path, query, headers: head.headers, body: Bytes::new() };
    let profile = shared.profile();
    let zip = accepts_gzip(&received.headers);
    if received.path.starts_with(control::PREFIX) {
        received.body = read(body, profile.max_body_bytes).await?.0;
        return Ok(control::answer(shared, &received).into_response(Ending::Whole));
    }
    if console::is_console(&received.path) {
        received.body = read(body, profile.max_body_bytes).await?.0;
        let reply = console::answer(shared, role.data_center, &received);
        return Ok(reply.into_response(Ending::Whole));
    }
    shared.catch_up();
    let route = role.api.then(|| Route::find(&received.path, &profile)).flatten();
    let operation = route.map_or_else(|| oauth::endpoint(role, &received.path), |route| route.info.name);
    let operation = match operation {
        "" if role.api && api::is_link(&received.path) => "link".to_owned(),
        "" => received.path.clone(),
        known => known.to_owned(),
    };
    let fault = shared.faults.take(&operation, &received.path);
    let arrived = Instant::now();
    let arrival = Arrival {
        at: shared.clock.now(),
        data_center: role.data_center,
        operation,
        path: received.path.clone(),
        purpose: purpose(&received.headers),
        tenant: None,
        bytes: 0,
        whole: false,
        status: None,
        bearer: bearer(&received.headers).map(fingerprint),
        body: None,
    };
    let call = received.headers.get(CORRELATION_ID).and_then(|id| id.to_str().ok()).map(str::to_owned);
    let entry = shared.ledger.arrive(arrival, call);
    if let Some(fault) = &fault {
        tokio::time::sleep(Duration::from_millis(fault.delay_ms)).await;
        if let FaultAction::Cut { at: CutPoint::BeforeRequest, reset } = fault.action {
            return Err(cut(order, reset));
        }
    }
    let (bytes, fits) = read(body, profile.max_body_bytes).await?;
    received.body = bytes;
    let keeps_body =
        profile.keep_bodies && route.is_some_and(|route| route.info.effect != sondage::Effect::Token);
    shared.ledger.amend(entry, |arrival| {
        arrival.bytes = received.body.len() as u64;
        arrival.whole = true;
        if keeps_body {
            arrival.body = Some(String::from_utf8_lossy(&received.body).into_owned());
        }
    });
    if matches!(fault.as_ref().map(|fault| &fault.action), Some(FaultAction::RepeatPage))
        && let Some(earlier) = fault::turn_back(&received.body, profile.first_page)
    {
        received.body = earlier.into();
    }
    let visit = Visit { shared, role, profile: &profile, entry, route };
    let takes_effect = fault.as_ref().is_none_or(Fault::takes_effect);
    let reply = match takes_effect {
        true if fits => visit.reply(&received),
        true => Reply::refused(&too_large(&profile)),
        false => Reply::json(StatusCode::OK, Bytes::new()),
    };
    let (mut reply, ending) = match fault {
        Some(fault) => inject(fault, reply, route, order)?,
        None => (reply, Ending::Whole),
    };
    let kept = keeps_body.then(|| beginning(&reply));
    shared.ledger.answered(entry, arrived.elapsed(), kept);
    if zip {
        reply.compress();
    }
    reply.set("x-request-id", &random::guid());
    reply.set("date", &shared.clock.now().format("%a, %d %b %Y %H:%M:%S GMT").to_string());
    shared.ledger.amend(entry, |arrival| arrival.status = Some(reply.status.as_u16()));
    Ok(reply.into_response(ending))
}

/// What is kept of a response.
fn beginning(reply: &Reply) -> String {
    /// The most bytes: an export may be larger than the memory for all others.
    const MOST: usize = 64 * 1024;
    String::from_utf8_lossy(&reply.body[..reply.body.len().min(MOST)]).into_owned()
}

/// The client's ids of calls end with what they are for.
fn purpose(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(CORRELATION_ID)?.to_str().ok()?;
    id.ends_with(sondage::internals::trace::CHECK_SUFFIX)
        .then(|| sondage::internals::trace::CHECK_OF_END.to_owned())
}

/// What is decided by the host must not depend on which of two hosts is read (RFC 9112, 3.2).
fn names_one_host(head: &http::request::Parts) -> bool {
    let mut hosts = head.headers.get_all(HOST).iter();
    let (host, second) = (hosts.next().map(http::HeaderValue::as_bytes).unwrap_or_default(), hosts.next());
    let target = head.uri.authority().map(|target| target.as_str().as_bytes());
    second.is_none() && target.is_none_or(|target| target.eq_ignore_ascii_case(host))
}

/// One request before it reaches its handler.
struct Visit<'a> {
    shared: &'a ServerState,
    role: ListenerRole,
    profile: &'a Profile,
    entry: usize,
    route: Option<&'static Route>,
}

impl Visit<'_> {
    fn reply(&self, received: &BufferedRequest) -> Reply {
        // A panic in a handler must not close the connection: the response says that it is a defect of the sandbox.
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.dispatch(received)));
        caught.unwrap_or_else(|_| {
            let why = "The sandbox itself failed. This is a bug of the sandbox.";
            Reply::refused(&Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "SandboxError", why))
        })
    }

    fn dispatch(&self, received: &BufferedRequest) -> Reply {
        if let Some(route) = self.route {
            return match self.call(route, received) {
                Ok(text) => Reply::json(StatusCode::OK, text),
                Err(refusal) => {
                    let mut reply = Reply::refused(&refusal);
                    if reply.status == StatusCode::METHOD_NOT_ALLOWED {
                        reply.set("allow", "POST");
                    }
                    reply
                }
            };
        }
        if self.role.auth
            && let Some(reply) = oauth::answer(self.shared, self.role.data_center, received)
        {
            return reply;
        }
        if self.role.api
            && let Some(reply) = about::answer(self.shared, self.role.data_center, received)
        {
            return reply;
        }
        if self.role.api
            && console::is_respondent(received)
            && let Some(reply) = console::respond(self.shared, received)
        {
            return reply;
        }
        if self.role.api && received.path == "/" && console::leads_here(&received.headers) {
            let mut reply = Reply::new(StatusCode::SEE_OTHER, "text/plain", Bytes::new());
            reply.set("location", "/console");
            return reply;
        }
        if self.role.api
            && received.method == Method::GET
            && let Some((content_type, body)) = api::follow(self.shared, &received.path)
        {
            return Reply::new(StatusCode::OK, content_type, body);
        }
        let why = format!("There is nothing at {}.", received.path);
        if received.path.starts_with("/publicapi/") {
            // No operation answers, so there is no envelope (assumed).
            return Reply::new(StatusCode::NOT_FOUND, "text/plain; charset=utf-8", why);
        }
        Reply::refused(&Refusal::new(StatusCode::NOT_FOUND, "UnknownPath", why))
    }

    fn call(&self, route: &'static Route, received: &BufferedRequest) -> Result<Vec<u8>, Refusal> {
        if received.method != Method::POST {
            let why = format!("{} is called with POST.", route.info.name);
            return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", why));
        }
        let pass = if route.needs_token() { Some(self.admit(received)?) } else { None };
        let in_query = route.info.location == RequestLocation::Query;
        if !in_query {
            check_content(&received.headers)?;
        }
        let call = ApiCall {
            shared: self.shared,
            profile: self.profile,
            info: route.info,
            data_center: self.role.data_center,
            pass,
            now: self.shared.clock.now(),
        };
        if in_query {
            let body = query::read(route.info.request, &received.query)?;
            return Ledger::during(self.entry, || route.run(&call, &body));
        }
        Ledger::during(self.entry, || route.run(&call, &received.body))
    }

    /// The user to whom this bearer token belongs.
    fn admit(&self, received: &BufferedRequest) -> Result<TokenGrant, Refusal> {
        let Some(token) = bearer(&received.headers) else {
            return Err(Refusal::unauthorized("TokenMissing", "This call needs a bearer token."));
        };
        let access = self.shared.tokens().access(token, self.shared.clock.now()).cloned();
        let pass = access.map_err(|why| match why {
            InvalidToken::Unknown => {
                Refusal::unauthorized("TokenUnknown", "The bearer is not a token of this service.")
            }
            InvalidToken::Expired => {
                Refusal::unauthorized("TokenExpired", "The token has expired; get a new one.")
            }
            InvalidToken::Spent => {
                Refusal::unauthorized("TokenRevoked", "The token was revoked; get a new one.")
            }
        })?;
        if pass.data_center != self.role.data_center {
            let (theirs, here) = (pass.data_center, self.role.data_center);
            let why = format!("The token is of the data center {theirs}; this is {here}.");
            return Err(Refusal::unauthorized("TokenForeign", why));
        }
        self.shared.ledger.amend(self.entry, |arrival| arrival.tenant = Some(pass.tenant.clone()));
        Ok(pass)
    }
}

/// The body, and whether it is within the limit. A body that is too long is read to its end and discarded, so that the
/// client can read the error response.
async fn read(mut body: Incoming, limit: usize) -> io::Result<(Bytes, bool)> {
    let mut buffer = BytesMut::new();
    let mut length = 0_usize;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(io::Error::other)?.into_data() else { continue };
        length = length.saturating_add(data.len());
        if length <= limit {
            buffer.extend_from_slice(&data);
        } else {
            buffer = BytesMut::new();
        }
    }
    Ok((buffer.freeze(), length <= limit))
}

fn too_large(profile: &Profile) -> Refusal {
    let why = format!("The body is longer than {} bytes.", profile.max_body_bytes);
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "RequestTooLarge", why)
}

fn check_content(headers: &HeaderMap) -> Result<(), Refusal> {
    let media = |why: &str| Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UnsupportedMediaType", why);
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(media("Requests are JSON: Content-Type must be application/json."));
    }
    if headers.get(CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity") {
        return Err(media("Requests are not compressed."));
    }
    Ok(())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim()).filter(|token| !token.is_empty())
}

/// A digest that distinguishes tokens without revealing them.
fn fingerprint(token: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, token.as_bytes());
    let start = digest.as_ref().first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes));
    format!("{start:08x}")
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip")) && !parts.any(|q| q == "q=0")
    })
}
