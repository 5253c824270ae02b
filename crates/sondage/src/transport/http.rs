//! A single exchange: one request, one response, never retried, within limits.

use super::address::{self, AddressFilter, Inside};
use super::body::{EndOnDrop, Proof, ProvenBody};
use super::failure::{Failure, FailureCause};
use super::gunzip::{self, Gunzip};
use super::settings::{HttpSettings, is_loopback};
use super::tls;
use crate::cassette::{Cassette, RecordedAnswer, failure};
use crate::error::{Delivery, Error, Result, Text};
use crate::per_process;
use crate::readable::Readable;
use crate::text;
use crate::trace::Arrivals;
use arc_swap::ArcSwapOption;
use bytes::Bytes;
use http::HeaderMap;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

/// The size limit of a response.
#[derive(Clone, Copy, Debug)]
pub struct BodyLimit {
    /// Bytes after decompression.
    pub bytes: u64,
    /// The name of the limit in an error, with the setting that raises it.
    pub name: &'static str,
}

/// A request that is ready to be sent.
#[derive(Clone)]
pub struct Outgoing {
    /// Where to.
    pub url: Url,
    /// Headers, including the token. Secret values are marked sensitive.
    pub headers: HeaderMap,
    /// The body. A `Content-Length` is always sent.
    pub body: Bytes,
    /// Opens a new connection, and meters the body. A pooled connection may be closing at this moment, which would make
    /// the outcome of a write unknown.
    pub fresh: bool,
    /// The deadline.
    pub deadline: Instant,
}

/// Prints neither the body nor the query: they contain secrets and personal data.
impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outgoing")
            .field("path", &self.url.path())
            .field("headers", &self.headers)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish_non_exhaustive()
    }
}

/// The head of a response whose body is still arriving.
pub struct Incoming {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// The service responded before it had the whole request, and will never have it: the rest is withheld.
    pub not_received: bool,
    answer: reqwest::Response,
    _end: Option<EndOnDrop>,
    gunzip: Option<Gunzip>,
    /// The last chunk of a response that is not compressed.
    piece: Bytes,
    deadline: Instant,
    _turn: ExchangePermit,
    meter: ByteMeter,
    arrivals: Option<Arrivals>,
    recorded: Option<RecordedAnswer>,
}

/// Counts the bytes of a response, and reports them when reading ends, for whatever reason.
#[derive(Default)]
struct ByteMeter {
    bytes: u64,
    tell: Option<Box<dyn FnOnce(u64) + Send>>,
}

impl Drop for ByteMeter {
    fn drop(&mut self) {
        if let Some(tell) = self.tell.take() {
            tell(self.bytes);
        }
    }
}

/// The permit for one exchange, until its response has been read. It is taken before a write counts as sent.
pub struct ExchangePermit {
    pools: Arc<Pools>,
    _permit: Option<OwnedSemaphorePermit>,
}

/// The maximum number of concurrent exchanges. Further callers wait: ten thousand callers must not open ten thousand
/// connections, which neither this machine nor the service would bear.
const AT_ONCE: usize = 256;

/// Connections to the service.
pub struct Http {
    settings: HttpSettings,
    pools: ArcSwapOption<Pools>,
}

/// The HTTP clients of one process, created on first use.
struct Pools {
    process: u32,
    turns: Arc<Semaphore>,
    clients: [OnceLock<reqwest::Client>; 6],
    /// For links to hosts outside the service.
    links: OnceLock<reqwest::Client>,
}

/// The route to the service.
#[derive(Clone, Copy, PartialEq)]
enum NetworkRoute {
    /// Plain http, which is allowed for this machine only: no certificates, no proxy.
    Plain,
    /// This machine. A proxy from the environment is not meant for it, and could not reach it.
    Direct,
    /// The network, possibly through a proxy.
    Outside,
}

impl Http {
    /// Stores the settings. No connection is made before the first exchange.
    pub fn new(settings: HttpSettings) -> Self {
        Self { settings, pools: ArcSwapOption::empty() }
    }

    /// Waits for a permit for an exchange.
    pub async fn turn(&self, deadline: Instant) -> std::result::Result<ExchangePermit, Failure> {
        let pools = self.pools();
        if let Ok(permit) = pools.turns.clone().try_acquire_owned() {
            return Ok(ExchangePermit { pools, _permit: Some(permit) });
        }
        match tokio::time::timeout_at(deadline.into(), pools.turns.clone().acquire_owned()).await {
            // The semaphore is never closed.
            Ok(permit) => Ok(ExchangePermit { pools, _permit: permit.ok() }),
            Err(_) => Err(Failure::new(
                Delivery::No,
                "the deadline passed while other calls of this client were under way",
                FailureCause::Timeout,
            )),
        }
    }

    /// Sends a POST and waits for the head of the response. A recording may answer instead.
    pub async fn post(
        &self,
        request: Outgoing,
        turn: ExchangePermit,
    ) -> std::result::Result<Incoming, Failure> {
        match &self.settings.cassette {
            None => self.send(request, turn).await,
            Some(Cassette::Record(recorder)) => {
                let answer = recorder.begin(&request.url, &request.headers, &request.body)?;
                let mut incoming = self.send(request, turn).await?;
                incoming.recorded = answer.map(|answer| answer.head(incoming.status, &incoming.headers));
                Ok(incoming)
            }
            Some(Cassette::Replay(player)) => {
                let answer = player.answer(&request.url, &request.headers, &request.body)?;
                Ok(Incoming::new(answer.into(), false, None, request.deadline, turn))
            }
        }
    }

    async fn send(&self, request: Outgoing, turn: ExchangePermit) -> std::result::Result<Incoming, Failure> {
        let route = NetworkRoute::to(&request.url).ok_or_else(in_the_clear)?;
        let client =
            self.client(&turn.pools, request.fresh, route).map_err(|e| not_sent(e.happened().clone()))?;
        let proxy = self.settings.proxy_to(&request.url);
        let (body, proof) = ProvenBody::new(request.body, request.fresh);
        let call = client.post(request.url).headers(request.headers).body(reqwest::Body::wrap(body)).send();
        match tokio::time::timeout_at(request.deadline.into(), call).await {
            Ok(Ok(answer)) => {
                // A success may arrive before the whole body has been sent. Any other response is relied upon, so the
                // rest is withheld before anything is concluded from it.
                let not_received = !answer.status().is_success() && proof.revoke();
                Ok(Incoming::new(answer, not_received, Some(EndOnDrop(proof)), request.deadline, turn))
            }
            Ok(Err(error)) => Err(Failure::of(&error, !proof.end()).through(proxy)),
            Err(_) => Err(out_of_time(&proof)),
        }
    }

    /// Downloads from a link. Neither the token nor other headers of a call are sent along. `own`: the host is the
    /// service's. Any other host must not resolve to a private address.
    pub(crate) async fn get(
        &self,
        url: Url,
        own: bool,
        deadline: Instant,
    ) -> std::result::Result<std::result::Result<Incoming, Inside>, Failure> {
        if let Some(Cassette::Replay(_)) = &self.settings.cassette {
            return Err(failure("documents behind links are not recorded".into()));
        }
        let route = NetworkRoute::to(&url).ok_or_else(in_the_clear)?;
        let proxy = self.settings.proxy_to(&url);
        let turn = self.turn(deadline).await?;
        let client = if own || route != NetworkRoute::Outside {
            self.client(&turn.pools, false, route)
        } else {
            self.link_client(&turn.pools)
        };
        let client = client.map_err(|e| not_sent(e.happened().clone()))?;
        match tokio::time::timeout_at(deadline.into(), client.get(url).send()).await {
            Ok(Ok(answer)) => Ok(Ok(Incoming::new(answer, false, None, deadline, turn))),
            Ok(Err(error)) => Inside::or_failure(&error).map(Err).map_err(|failure| failure.through(proxy)),
            Err(_) => Err(Failure::new(
                Delivery::Unknown,
                "the document did not arrive in time",
                FailureCause::Timeout,
            )),
        }
    }

    fn client<'pools>(
        &self,
        pools: &'pools Pools,
        fresh: bool,
        way: NetworkRoute,
    ) -> Result<&'pools reqwest::Client> {
        let slot = &pools.clients[way as usize * 2 + usize::from(fresh)];
        if let Some(client) = slot.get() {
            return Ok(client);
        }
        let client = finished(self.build(fresh, way)?)?;
        Ok(slot.get_or_init(|| client))
    }

    fn link_client<'pools>(&self, pools: &'pools Pools) -> Result<&'pools reqwest::Client> {
        if let Some(client) = pools.links.get() {
            return Ok(client);
        }
        let judge = AddressFilter { trusted: self.proxies(), lookup: address::system };
        let client = finished(self.build(false, NetworkRoute::Outside)?.dns_resolver(Arc::new(judge)))?;
        Ok(pools.links.get_or_init(|| client))
    }

    /// Whether the proxy is used on this route.
    fn is_proxied(&self, way: NetworkRoute) -> bool {
        self.settings.proxy.is_some() && (way == NetworkRoute::Outside || self.settings.proxy_here)
    }

    /// The hosts of the proxies that may be used. Proxies resolve target names themselves, so theirs are the only names
    /// that are resolved here.
    fn proxies(&self) -> Vec<String> {
        let host = |url: &Url| url.host_str().map(str::to_owned);
        if let Some(proxy) = &self.settings.proxy {
            return host(proxy).into_iter().collect();
        }
        if !self.settings.system_proxy {
            return Vec::new();
        }
        let named =
            ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].map(|name| std::env::var(name).ok());
        let parsed = |text: String| Url::parse(&text).or_else(|_| Url::parse(&format!("http://{text}"))).ok();
        named.into_iter().flatten().filter_map(parsed).filter_map(|url| host(&url)).collect()
    }

    fn pools(&self) -> Arc<Pools> {
        let process = per_process::id();
        if let Some(pools) = self.pools.load_full()
            && pools.process == process
        {
            return pools;
        }
        let pools = Arc::new(Pools {
            process,
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            clients: Default::default(),
            links: OnceLock::new(),
        });
        // The pool of a parent process belongs to tasks that do not exist in a forked child: it is leaked, never closed
        // here.
        std::mem::forget(self.pools.swap(Some(pools.clone())));
        pools
    }

    fn build(&self, fresh: bool, way: NetworkRoute) -> Result<reqwest::ClientBuilder> {
        let settings = &self.settings;
        let tls = if way == NetworkRoute::Plain { tls::nobody()? } else { tls::config(settings)? };
        let mut builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .connect_timeout(settings.connect_timeout)
            .read_timeout(settings.read_timeout)
            .user_agent(&settings.user_agent)
            .default_headers(gunzip::accept())
            // Retries and redirects are decided in this library and nowhere else.
            .retry(reqwest::retry::never())
            .redirect(reqwest::redirect::Policy::none())
            .referer(false);
        if fresh {
            builder = builder.http1_only().pool_max_idle_per_host(0);
        }
        match &settings.proxy {
            Some(proxy) if self.is_proxied(way) => {
                let proxy = reqwest::Proxy::all(proxy.clone())
                    .map_err(|_| Error::configuration("the proxy's address is not usable"))?;
                let direct = settings.no_proxy.as_deref().and_then(reqwest::NoProxy::from_string);
                builder = builder.proxy(proxy.no_proxy(direct));
            }
            None if way == NetworkRoute::Outside && settings.system_proxy => {}
            _ => builder = builder.no_proxy(),
        }
        Ok(builder)
    }
}

fn finished(builder: reqwest::ClientBuilder) -> Result<reqwest::Client> {
    builder.build().map_err(|e| Error::internal(format!("the HTTP client cannot be made ({e})")))
}

impl NetworkRoute {
    /// The route to an address; none if a call could be read by others on the way.
    fn to(url: &Url) -> Option<Self> {
        match (is_loopback(url), url.scheme()) {
            (true, "http") => Some(Self::Plain),
            (true, _) => Some(Self::Direct),
            (false, "https") => Some(Self::Outside),
            (false, _) => None,
        }
    }
}

fn in_the_clear() -> Failure {
    not_sent("plain http is allowed to this machine only")
}

fn not_sent(what: impl Into<Text>) -> Failure {
    Failure::new(Delivery::No, what, FailureCause::Connect)
}

impl Incoming {
    fn new(
        mut answer: reqwest::Response,
        not_received: bool,
        end: Option<EndOnDrop>,
        deadline: Instant,
        turn: ExchangePermit,
    ) -> Self {
        let mut headers = std::mem::take(answer.headers_mut());
        Self {
            status: answer.status().as_u16(),
            gunzip: Gunzip::of(&mut headers),
            headers,
            not_received,
            answer,
            _end: end,
            piece: Bytes::new(),
            deadline,
            _turn: turn,
            meter: ByteMeter::default(),
            recorded: None,
            arrivals: None,
        }
    }

    /// Reports how many bytes were read, after decompression, when the reading ends.
    #[must_use]
    pub fn metered(mut self, tell: impl FnOnce(u64) + Send + 'static) -> Self {
        self.meter.tell = Some(Box::new(tell));
        self
    }

    /// Notes when bytes arrive.
    #[must_use]
    pub(crate) fn observed(mut self, arrivals: Arrivals) -> Self {
        arrivals.note();
        self.arrivals = Some(arrivals);
        self
    }

    /// Limits how long to wait for the rest of the response.
    #[must_use]
    pub fn within(mut self, wait: Duration) -> Self {
        self.deadline = self.deadline.min(Instant::now() + wait);
        self
    }

    /// The next chunk of the body, decompressed; `None` at its end.
    pub async fn chunk(&mut self) -> std::result::Result<Option<&[u8]>, Failure> {
        match tokio::time::timeout_at(self.deadline.into(), self.arrive()).await {
            Ok(Ok(true)) => {
                let piece: &[u8] = self.gunzip.as_ref().map_or(&self.piece, Gunzip::piece);
                self.meter.bytes += piece.len() as u64;
                self.recorded.iter_mut().for_each(|recorded| recorded.feed(piece));
                Ok(Some(piece))
            }
            Ok(Ok(false)) => {
                self.recorded.iter_mut().for_each(RecordedAnswer::finish);
                Ok(None)
            }
            Ok(Err(failure)) => Err(failure),
            Err(_) => Err(out_of_time_reading()),
        }
    }

    /// The deadline.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Whether there is time left. This is checked even if chunks arrive faster than they are read and so are never
    /// waited for.
    pub fn in_time(&self) -> std::result::Result<(), Failure> {
        if Instant::now() < self.deadline { Ok(()) } else { Err(out_of_time_reading()) }
    }

    /// The number of compressed bytes consumed so far, if the response is compressed.
    pub fn compressed(&self) -> Option<u64> {
        self.gunzip.as_ref().map(Gunzip::taken)
    }

    /// Waits for the next chunk; `false` at the end.
    async fn arrive(&mut self) -> std::result::Result<bool, Failure> {
        // The connection reuses the memory once the last chunk has been released.
        self.piece = Bytes::new();
        loop {
            if let Some(gunzip) = &mut self.gunzip {
                // One network chunk may decompress to a thousand times as much text: other tasks run in between.
                tokio::task::consume_budget().await;
                if gunzip.step()? {
                    return Ok(true);
                }
            }
            let arrived = self.answer.chunk().await.map_err(|error| Failure::of(&error, true))?;
            self.arrivals.iter().for_each(Arrivals::note);
            match (arrived, &mut self.gunzip) {
                (Some(arrived), Some(gunzip)) => gunzip.feed(arrived),
                (Some(arrived), None) => {
                    self.piece = arrived;
                    return Ok(true);
                }
                (None, gunzip) => return gunzip.as_ref().map_or(Ok(()), Gunzip::end).map(|()| false),
            }
        }
    }

    /// The whole body, up to the size limit: a JSON text, or what a server says instead.
    pub async fn bytes(mut self, ceiling: BodyLimit) -> std::result::Result<Bytes, Failure> {
        let mut body = bytes::BytesMut::new();
        while let Some(chunk) = self.chunk().await? {
            if (body.len() + chunk.len()) as u64 > ceiling.bytes {
                let what = text!(
                    "the response is larger than the ceiling `{}` of {} bytes",
                    ceiling.name,
                    ceiling.bytes
                );
                return Err(Failure::new(Delivery::Answered, what, FailureCause::Unreadable));
            }
            body.extend_from_slice(chunk);
        }
        Ok(Readable::body(&body.freeze()).0)
    }
}

/// The deadline has passed while a response was being read.
pub(crate) fn out_of_time_reading() -> Failure {
    Failure::new(Delivery::Unknown, "the response was not complete in time", FailureCause::Timeout)
}

fn out_of_time(proof: &Proof) -> Failure {
    let delivery = if proof.end() { Delivery::No } else { Delivery::Unknown };
    Failure::new(delivery, "the service did not answer in time", FailureCause::Timeout)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The host of another party may resolve to any address, so its client checks resolved addresses.
    #[tokio::test]
    async fn links_to_strangers_have_a_client_that_judges_addresses() {
        for (link, own, judged) in [
            ("https://stranger.invalid/a", false, true),
            ("https://service.invalid/a", true, false),
            ("https://127.0.0.1:1/a", false, false),
        ] {
            let http = Http::new(HttpSettings::default());
            let _ = http.get(Url::parse(link).unwrap(), own, Instant::now()).await;
            let pools = http.pools();
            let others = pools.clients.iter().filter(|client| client.get().is_some()).count();
            assert_eq!((pools.links.get().is_some(), others == 0), (judged, judged), "{link}");
        }
    }
}
