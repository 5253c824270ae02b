//! A call from request to response: the token, the exchanges, the retries, the deadline.

use super::advice::named_deadline;
use super::any_reader::{AnyReader, AnyValue, NewReader};
use super::envelope::ResponseEnvelope;
use super::gate::{Closed, Gate, Probe, WaitLimit};
use super::gone::{already_gone, is_gone};
use super::prepared::Call;
use super::reader::Verdict;
use super::reading;
use super::retry::{self, ErrorResponse, ExchangeOutcome, RetryDecision};
use super::retry_budget::RetryBudget;
use super::sent;
use super::sent_writes::next_id;
use super::service_clock::ServiceClock;
use super::state::CallState;
use super::writes::Writes;
use crate::auth::{AccessToken, Tokens};
use crate::budget::{self, Ledger};
use crate::cassette::Cassette;
use crate::config::Config;
use crate::error::{Delivery, Error, ErrorKind, Redacted, Redactor, Result, Untrusted};
use crate::facts::ServiceFacts;
use crate::operation::Effect;
use crate::response::Response;
use crate::trace::{CallTrace, TracedServers, Tracer};
use crate::transport::failure::{Failure, FailureCause};
use crate::transport::http::{BodyLimit, ExchangePermit, Http, Incoming, Outgoing};
use crate::transport::settings::is_loopback;
use crate::{runtime, text};
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use url::Url;

/// How long a write that has been sent may continue after its caller's deadline: the service may compute for
/// up to 180 s.
const GRACE: Duration = Duration::from_secs(200);

/// How long to wait for the body of an error response. The status is already known, and decides what happens next.
const WORDS: Duration = Duration::from_secs(30);
/// The same while the last byte of the request is withheld: the connection is kept open only for this error
/// message.
const WORDS_TO_A_REVOKED: Duration = Duration::from_secs(2);

/// A header value shorter than this cannot be a secret: the service's messages are not searched for it.
const SHORTEST_HEADER: usize = 8;

/// The header with the id of a call, which is the same for all its attempts.
const CORRELATION_ID: HeaderName = HeaderName::from_static("x-correlation-id");

/// State that all clones of a client share.
pub struct Engine {
    /// The settings.
    pub config: Config,
    /// The tokens.
    pub tokens: Tokens,
    /// The writes in progress.
    pub writes: Writes,
    /// What is known about the service.
    pub(crate) facts: Arc<ServiceFacts>,
    /// The service's clock relative to the computer's.
    pub(crate) service_clock: ServiceClock,
    /// New calls are rejected.
    pub closed: AtomicBool,
    pub(super) http: Arc<Http>,
    /// The calls and bytes of the tenant that were used today.
    pub(crate) ledger: Arc<Ledger>,
    /// Records the trace.
    pub(crate) tracer: Tracer,
    retry_budget: RetryBudget,
    pub(super) gate: Arc<Gate>,
}

impl Engine {
    /// Builds the shared state. Nothing is sent.
    pub fn new(config: Config) -> Result<Self> {
        config.http.cassette.as_ref().map_or(Ok(()), Cassette::check)?;
        config.check_secrets()?;
        let http = Arc::new(Http::new(config.http.clone()));
        let host = |url: &Url| url.host_str().unwrap_or_default().to_owned();
        let servers = TracedServers { api: host(&config.base_url), auth: host(&config.auth_url) };
        let tracer = Tracer::new(config.trace_entries, config.trace_observer.clone(), servers);
        let tokens = Tokens::traced(&config, http.clone(), tracer.clone());
        let clock = config.clock.clone();
        let now = clock.clone();
        let account = budget::account(&config.base_url, &config.tenant);
        let facts = ServiceFacts::of(&config.facts, &account, Arc::new(move || now.wall()));
        let ledger = Ledger::new(
            &config.budget,
            &config.base_url,
            &config.tenant,
            is_loopback(&config.base_url),
            Arc::new(move || clock.wall()),
        );
        Ok(Self {
            ledger: Arc::new(ledger),
            tracer,
            retry_budget: RetryBudget::new(config.retry.budget),
            gate: Gate::of(&config.base_url, &config.tenant),
            facts: Arc::new(facts),
            config,
            tokens,
            writes: Writes::default(),
            service_clock: ServiceClock::default(),
            closed: AtomicBool::new(false),
            http,
        })
    }

    /// Makes a call. `state` is shared between the call and its caller.
    pub async fn call(
        &self,
        call: &Call,
        state: &CallState,
        reader: &NewReader,
    ) -> Result<Response<AnyValue>> {
        let mut readings = Vec::new();
        let limit = call.deadline.saturating_duration_since(Instant::now());
        let attempts = call.attempts.unwrap_or(self.config.retry.attempts);
        let (name, parent) = (call.name.clone(), call.parent.clone());
        let mut trace = CallTrace::begin(&self.tracer, name, call.purpose, attempts, parent, next_id());
        let result = self.attempt(call, state, reader, &mut readings, &mut trace).await;
        trace.ended(&result);
        let result = result.map_err(|error| named_deadline(call, error, limit));
        result.map_err(|error| conclude(call, error.without(&self.redactor(call, &readings)), state))
    }

    async fn attempt(
        &self,
        call: &Call,
        state: &CallState,
        reader: &NewReader,
        shown: &mut Vec<AccessToken>,
        trace: &mut CallTrace,
    ) -> Result<Response<AnyValue>> {
        let policy = &self.config.retry;
        let (mut route, mut routes) = (self.route(call), 1);
        // The token that the service has rejected. It is reported once: a later failure says nothing about
        // the token that replaced it.
        let mut rejected: Option<AccessToken> = None;
        let (mut renewed, mut unreadable) = (false, false);
        self.retry_budget.call();
        loop {
            let doubt_before = state.begin();
            let token = self.token(call, rejected.take().as_ref()).await?;
            shown.extend(token.clone());
            let (outcome, request_id) =
                match self.exchange(call, route, token.as_ref(), state, reader(), trace).await {
                    Ok(mut answer) => {
                        trace.attempt(call.body.len(), None);
                        self.remember(call, route);
                        answer.attempts = state.so_far().attempts;
                        return Ok(answer);
                    }
                    Err(ExchangeEnd::Closed(wait)) => return Err(closed(wait)),
                    Err(ExchangeEnd::OverBudget(error)) => return Err(error),
                    Err(ExchangeEnd::Outcome(outcome, request_id)) => (outcome, request_id),
                };
            state.note(&outcome);
            // With an envelope the API itself has answered, for example that there is no such survey: a write may have been
            // carried out there, and is not sent to another path.
            if let ExchangeOutcome::Status(ErrorResponse { status: 404 | 405, words, .. }) = &outcome
                && (words.is_none() && routes < call.paths.len()
                    || call.effect == Effect::Read && route + 1 < call.paths.len())
            {
                // What answered before, perhaps another process, may be gone: then the first path is next.
                route = (route + 1) % call.paths.len();
                routes += 1;
                trace.attempt(call.body.len(), Some(ErrorKind::Api));
                continue;
            }
            let first_unreadable =
                !std::mem::replace(&mut unreadable, matches!(outcome, ExchangeOutcome::Unreadable(_)));
            let decision = retry::decide(call.effect, outcome, policy);
            trace.attempt(call.body.len(), Some(decision.error().kind()));
            let (wait, error) = match decision {
                RetryDecision::Renew(error) if renewed || call.effect == Effect::Token => {
                    return Err(self.advise(call, error, request_id));
                }
                RetryDecision::Renew(_) => {
                    renewed = true;
                    rejected = token;
                    continue;
                }
                RetryDecision::Stop(error) if doubt_before && is_gone(call, &error) => {
                    return already_gone(reader(), &error, state.so_far().attempts);
                }
                RetryDecision::Stop(error) => return Err(self.advise(call, error, request_id)),
                RetryDecision::Repeat { wait, otherwise } => (wait, self.advise(call, otherwise, request_id)),
            };
            let attempts = state.so_far().attempts;
            let wait = wait.unwrap_or_else(|| retry::backoff(policy, attempts));
            let in_time = runtime::after(wait) < call.deadline;
            if attempts >= call.attempts.unwrap_or(policy.attempts)
                || !in_time
                || (unreadable && !first_unreadable)
                || !self.retry_budget.repeat()
            {
                return Err(error);
            }
            trace.waits(wait, error.kind());
            tokio::time::sleep(wait).await;
        }
    }

    async fn token(&self, call: &Call, rejected: Option<&AccessToken>) -> Result<Option<AccessToken>> {
        if call.effect == Effect::Token {
            return Ok(None);
        }
        match tokio::time::timeout_at(call.deadline.into(), self.tokens.token(rejected)).await {
            // The failed response belongs to the token request: the call itself has not been sent.
            Ok(token) => token.map(Some).map_err(|error| error.with_delivery(Delivery::No)),
            Err(_) => Err(Error::network("the deadline passed while a token was being fetched")
                .with_timed_out(true)
                .with_safe_to_retry(true)),
        }
    }

    /// Waits for permission to send: a free slot among the concurrent exchanges, no pause requested by the service, and a call
    /// left in the day's budget, which is counted here.
    async fn admit(
        &self,
        call: &Call,
        trace: &CallTrace,
    ) -> std::result::Result<(ExchangePermit, Option<Probe>), ExchangeEnd> {
        let longest = match call.effect {
            // A message to people is never sent automatically at a later time than the caller asked for.
            Effect::Send => Duration::ZERO,
            _ => self.config.retry.retry_after_cap,
        };
        let limit = WaitLimit { deadline: call.deadline, longest };
        loop {
            // The service counts token requests separately.
            let probe = if call.effect == Effect::Token {
                None
            } else {
                let passed = self.gate.pass(limit, |wait| trace.waits(wait, ErrorKind::RateLimited)).await;
                passed.map_err(|Closed(wait)| ExchangeEnd::Closed(wait))?
            };
            let turn = self
                .http
                .turn(call.deadline)
                .await
                .map_err(|failure| ExchangeEnd::Outcome(ExchangeOutcome::Failed(failure), None))?;
            if call.effect == Effect::Token {
                return Ok((turn, probe));
            }
            if self.gate.rest().is_some() {
                continue;
            }
            match self.ledger.depart(call.body.len()).await.map_err(ExchangeEnd::OverBudget)? {
                None => return Ok((turn, probe)),
                // Another process received a 429.
                Some(wait) => self.close_gate(wait),
            }
        }
    }

    /// One exchange.
    async fn exchange(
        &self,
        call: &Call,
        route: usize,
        token: Option<&AccessToken>,
        state: &CallState,
        reader: AnyReader,
        trace: &mut CallTrace,
    ) -> std::result::Result<Response<AnyValue>, ExchangeEnd> {
        let (turn, probe) = self.admit(call, trace).await?;
        let outgoing = self.outgoing(call, route, token, &trace.id);
        if !state.send() {
            self.give_back(call);
            let what = "the call was cancelled before it was sent";
            let failure = Failure::new(Delivery::No, what, FailureCause::Timeout);
            return Err(ExchangeEnd::Outcome(ExchangeOutcome::Failed(failure), None));
        }
        let silence = self.config.http.read_timeout;
        let remaining = outgoing.deadline.saturating_duration_since(Instant::now());
        trace.sends(call.body.len(), silence.min(remaining));
        let arrived = self.http.post(outgoing, turn).await;
        self.inform_gate(arrived.as_ref().ok(), probe);
        let mut incoming = arrived.map_err(|failure| {
            if matches!(failure.cause, FailureCause::Connect | FailureCause::Tls | FailureCause::Recording)
                && failure.delivery == Delivery::No
            {
                self.give_back(call);
            }
            ExchangeEnd::Outcome(ExchangeOutcome::Failed(failure), None)
        })?;
        self.service_clock.observe(&incoming.headers, self.config.clock.wall());
        let ledger = (call.effect != Effect::Token).then(|| self.ledger.clone());
        let meter = trace.meter();
        incoming = incoming.observed(trace.arrivals()).metered(move |bytes| {
            ledger.inspect(|ledger| ledger.arrived(bytes));
            meter(bytes);
        });
        let redactor = || self.redactor(call, token);
        let request_id = request_id(&incoming.headers);
        let request_id = || request_id.as_ref().and_then(|id| id.word(&redactor()));
        trace.hears(incoming.status, || request_id().map(|id| id.as_str().to_owned()));
        if let Some(token) = token.filter(|_| incoming.status != 401) {
            token.accepted();
        }
        if !(200..300).contains(&incoming.status) {
            return Err(ExchangeEnd::Outcome(
                ExchangeOutcome::Status(self.refusal(incoming, &redactor()).await),
                request_id(),
            ));
        }
        let outcome = match reading::read(&mut incoming, reader, &self.config.limits).await {
            Ok(Verdict::Success(value)) => {
                return Ok(Response {
                    value,
                    status: incoming.status,
                    headers: incoming.headers,
                    // A reader that keeps the response returns it together with its value.
                    body: Bytes::new(),
                    attempts: 0,
                });
            }
            Ok(Verdict::Refused(envelope)) => {
                ExchangeOutcome::Refused(incoming.status, envelope.words(&redactor()))
            }
            Err(outcome) => outcome,
        };
        Err(ExchangeEnd::Outcome(outcome, request_id()))
    }

    /// A redactor that knows everything in a call that the service could echo.
    fn redactor<'a>(&'a self, call: &'a Call, shown: impl IntoIterator<Item = &'a AccessToken>) -> Redactor {
        let tokens = shown.into_iter().map(AccessToken::reveal);
        let headers = call.headers.values().filter_map(|value| value.to_str().ok());
        let headers = headers.filter(|value| value.len() >= SHORTEST_HEADER);
        sent::redactor(&call.body, call.query.as_deref(), tokens.chain(self.config.secrets()).chain(headers))
    }

    /// Nothing was sent: there was no connection, or the call was cancelled.
    fn give_back(&self, call: &Call) {
        if call.effect != Effect::Token {
            self.ledger.give_back(call.body.len());
        }
    }

    /// Closes the gate after a 429 with a `Retry-After`; any other response to a probe opens it. A probe without a response proves nothing: the next call becomes the probe.
    fn inform_gate(&self, incoming: Option<&Incoming>, probe: Option<Probe>) {
        let refused = incoming.filter(|incoming| incoming.status == 429);
        match refused.and_then(|incoming| retry::retry_after(&incoming.headers)) {
            Some(wait) => {
                self.close_gate(wait);
                self.ledger.pause(wait);
            }
            None if incoming.is_some() => probe.map(Probe::answered).unwrap_or_default(),
            None => drop(probe),
        }
    }

    fn close_gate(&self, wait: Duration) {
        if self.gate.close(wait) {
            Tracer::pause(wait);
        }
    }

    fn outgoing(&self, call: &Call, route: usize, token: Option<&AccessToken>, id: &str) -> Outgoing {
        let mut headers = call.headers.clone();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if self.config.correlation_id
            && let Ok(id) = HeaderValue::from_str(id)
        {
            headers.insert(CORRELATION_ID, id);
        }
        if let Some(token) = token {
            headers.insert(AUTHORIZATION, token.header_value());
        }
        let fresh = !matches!(call.effect, Effect::Read | Effect::Token);
        let deadline = if fresh { call.deadline.max(Instant::now() + GRACE) } else { call.deadline };
        // A write that is cut off while the service still computes would have an unknown outcome.
        let timeout = call.timeout.map(|timeout| if fresh { timeout.max(GRACE) } else { timeout });
        let deadline = timeout.map_or(deadline, |timeout| deadline.min(runtime::after(timeout)));
        Outgoing {
            url: address(&self.config.base_url, &call.paths[route], call.query.as_deref()),
            headers,
            body: call.body.clone(),
            fresh,
            deadline,
        }
    }

    async fn refusal(&self, incoming: Incoming, redactor: &Redactor) -> ErrorResponse {
        let (status, retry_after) = (incoming.status, retry::retry_after(&incoming.headers));
        let not_received = incoming.not_received;
        let ceiling = BodyLimit { bytes: self.config.limits.error_bytes, name: "error_bytes" };
        let wait = if not_received { WORDS_TO_A_REVOKED } else { WORDS };
        let body = incoming.within(wait).bytes(ceiling).await.unwrap_or_default();
        let body = String::from_utf8_lossy(&body);
        let refusal = serde_json::from_str::<ResponseEnvelope>(&body).ok().map(|said| said.words(redactor));
        ErrorResponse { status, not_received, retry_after, words: refusal }
    }

    /// Adds to an error what only the engine knows.
    fn advise(&self, call: &Call, error: Error, request_id: Option<Redacted>) -> Error {
        let error = error.with_request_id(request_id);
        match (error.kind(), error.status()) {
            (ErrorKind::PermissionDenied, _) => {
                let hint = text!(
                    "The grant in use is {}: client credentials carry the rights of the account, a password those of its user. \
                     Ask an administrator for the right, or use other credentials.",
                    self.tokens.grant_name()
                );
                error.with_hint(hint)
            }
            (ErrorKind::Api, _) if call.names_custom_variable() => error.with_hint(
                "If the variable exists, name it without its prefix: `bare()` on the variable. The service's pages write `custom.Name` in \
                 conditions, its own editor does not.",
            ),
            (ErrorKind::Authentication, Some(401)) => error.with_hint(self.tokens.refused_hint()),
            _ => error,
        }
    }

    fn route(&self, call: &Call) -> usize {
        if call.paths.len() < 2 {
            return 0;
        }
        let known =
            self.facts.path(&call.name).and_then(|path| call.paths.iter().position(|known| *known == path));
        known.unwrap_or(0)
    }

    fn remember(&self, call: &Call, route: usize) {
        if call.paths.len() > 1 {
            self.facts.prove_path(&call.name, &call.paths[route]);
        }
    }

    /// Rejects calls from now on.
    pub fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }
}

/// The token is sent only to the configured origin: path and query cannot change it.
fn address(base: &Url, path: &str, query: Option<&str>) -> Url {
    let mut url = base.clone();
    url.set_path(path);
    url.set_query(query);
    url
}

/// Why an exchange got no response.
enum ExchangeEnd {
    /// The result of the exchange, with the id of the request.
    Outcome(ExchangeOutcome, Option<Redacted>),
    /// Not attempted: the service has asked all calls of the tenant to wait, for longer than this one can.
    Closed(Duration),
    /// Not made: the day's calls are used up, or cannot be counted.
    OverBudget(Error),
}

fn closed(wait: Duration) -> Error {
    let error = if wait.is_zero() {
        Error::rate_limited(
            "not sent: after the pause that the service requested, one call is sent first, and it was not answered in time",
        )
    } else {
        let what = "not sent, because the service refused an earlier call with 429 and asked for a pause";
        Error::rate_limited(what).with_retry_after(wait)
    };
    error.with_delivery(Delivery::No).with_safe_to_retry(true)
}

/// The only exit for a failed call: its error says what all attempts together may have done, not only the
/// last one.
fn conclude(call: &Call, error: Error, state: &CallState) -> Error {
    let so_far = state.so_far();
    let delivery = error.delivery().or_more(so_far.delivery);
    let status = error.status().or(so_far.status);
    let error = error.in_operation(call.name.as_ref()).with_attempts(so_far.attempts);
    let error = error.with_delivery(delivery).with_status(status);
    if !so_far.doubt || matches!(call.effect, Effect::Read | Effect::Token) {
        return error;
    }
    error
        .in_doubt(so_far.doubt_earlier)
        .with_safe_to_retry(call.effect.idempotent())
        .with_reconcile(call.advice())
}

fn request_id(headers: &HeaderMap) -> Option<Untrusted> {
    const NAMES: [&str; 4] = ["x-request-id", "request-id", "x-correlation-id", "traceparent"];
    let value = NAMES.iter().find_map(|name| headers.get(*name))?.to_str().ok()?;
    Some(Untrusted::new(value))
}
