//! A call from its request to its answer: the token, the exchanges, the repeats, the deadline.

use super::budget::Budget;
use super::failure::{Cause, Failure};
use super::http::{Ceiling, Http, Incoming, Outgoing};
use super::reader::{Reader, Unreadable, Verdict};
use super::retry::{self, Next, Outcome, Refusal};
use super::writes::{Departure, Writes};
use crate::answer::Answer;
use crate::auth::{AccessToken, Tokens};
use crate::config::Config;
use crate::error::{Delivery, Error, ErrorKind, Result};
use crate::operation::Effect;
use crate::paging::FirstPage;
use crate::runtime;
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use url::Url;

/// A call, ready to be made.
#[derive(Clone, Debug)]
pub struct Call {
    /// The API's name of the operation.
    pub name: Cow<'static, str>,
    /// The paths at which it may be, the likeliest first.
    pub paths: Vec<Cow<'static, str>>,
    /// What it may do.
    pub effect: Effect,
    /// How to find out what happened, when that is unknown.
    pub reconcile: Option<&'static str>,
    /// The query of the address, where the request travels there.
    pub query: Option<String>,
    /// The body.
    pub body: Bytes,
    /// When the caller stops waiting.
    pub deadline: Instant,
}

/// How long a write that has been sent may take after its caller's deadline: the service computes up to 180 s.
const GRACE: Duration = Duration::from_secs(200);

/// What all clones of a client share.
pub struct Engine {
    /// The settings.
    pub config: Config,
    /// The tokens.
    pub tokens: Tokens,
    /// The writes under way.
    pub writes: Arc<Writes>,
    /// The number of the first page of a list.
    pub first_page: FirstPage,
    /// No more calls are taken.
    pub closed: AtomicBool,
    pub(super) http: Arc<Http>,
    budget: Budget,
    /// For operations with several paths: the one that answered.
    routes: Mutex<HashMap<Cow<'static, str>, usize>>,
}

impl Engine {
    /// Makes the parts. Nothing is sent.
    pub fn new(config: Config) -> Result<Self> {
        let http = Arc::new(Http::new(config.http.clone()));
        let tokens = Tokens::new(&config, http.clone())?;
        let budget = Budget::new(config.retry.budget);
        Ok(Self {
            first_page: FirstPage::assumed(config.first_page),
            config,
            tokens,
            writes: Arc::default(),
            closed: AtomicBool::new(false),
            http,
            budget,
            routes: Mutex::default(),
        })
    }

    /// Makes a call. `departure` is where caller and call agree whether it has left.
    pub async fn call<R: Reader>(
        &self,
        call: &Call,
        departure: &Departure,
        reader: impl Fn() -> R,
    ) -> Result<Answer<R::Output>> {
        let mut attempts = 0;
        let result = self.attempt(call, departure, reader, &mut attempts).await;
        result.map_err(|error| {
            let error = error.in_operation(call.name.as_ref()).with_attempts(attempts);
            if error.kind() == ErrorKind::OutcomeUnknown {
                return error.with_reconcile(call.reconcile.map(str::to_owned));
            }
            error
        })
    }

    async fn attempt<R: Reader>(
        &self,
        call: &Call,
        departure: &Departure,
        reader: impl Fn() -> R,
        attempts: &mut u32,
    ) -> Result<Answer<R::Output>> {
        let policy = &self.config.retry;
        let mut route = self.route(call);
        // The token that the service has refused. It is named once: a later failure says nothing against its successor.
        let mut rejected: Option<AccessToken> = None;
        let (mut renewed, mut unreadable, mut uncertain) = (false, false, false);
        self.budget.call();
        loop {
            let token = self.token(call, rejected.take().as_ref()).await?;
            *attempts += 1;
            let (outcome, request_id) =
                match self.exchange(call, route, token.as_ref(), departure, reader()).await {
                    Ok(mut answer) => {
                        self.remember(call, route);
                        answer.attempts = *attempts;
                        return Ok(answer);
                    }
                    Err(end) => end,
                };
            if let Outcome::Status(Refusal { status: 404 | 405, .. }) = outcome
                && route + 1 < call.paths.len()
            {
                route += 1;
                continue;
            }
            let first_unreadable =
                !std::mem::replace(&mut unreadable, matches!(outcome, Outcome::Unreadable(_)));
            let was_uncertain = uncertain;
            uncertain |= leaves_doubt(&outcome);
            let (wait, error) = match retry::decide(call.effect, outcome, policy) {
                Next::Renew(error) if renewed || call.effect == Effect::Token => {
                    return Err(self.advise(error, request_id));
                }
                Next::Renew(_) => {
                    renewed = true;
                    rejected = token;
                    continue;
                }
                Next::Stop(error) if was_uncertain && gone(call, &error) => {
                    return already_gone(reader(), *attempts);
                }
                Next::Stop(error) => return Err(self.advise(error, request_id)),
                Next::Repeat { wait, otherwise } => {
                    (wait, self.advise(honest(call, otherwise, uncertain), request_id))
                }
            };
            let wait = wait.unwrap_or_else(|| retry::backoff(policy, *attempts));
            let in_time = runtime::after(wait) < call.deadline;
            if *attempts >= policy.attempts
                || !in_time
                || (unreadable && !first_unreadable)
                || !self.budget.repeat()
            {
                return Err(error);
            }
            log::debug!("{}: attempt {attempts} failed ({}); again in {wait:.1?}", call.name, error.kind());
            tokio::time::sleep(wait).await;
        }
    }

    async fn token(&self, call: &Call, rejected: Option<&AccessToken>) -> Result<Option<AccessToken>> {
        if call.effect == Effect::Token {
            return Ok(None);
        }
        match tokio::time::timeout_at(call.deadline.into(), self.tokens.token(rejected)).await {
            Ok(token) => token.map(Some),
            Err(_) => Err(Error::network("the deadline passed while a token was being fetched")
                .with_safe_to_repeat(true)),
        }
    }

    /// One exchange. The error is how it went, with the request's id.
    async fn exchange<R: Reader>(
        &self,
        call: &Call,
        route: usize,
        token: Option<&AccessToken>,
        departure: &Departure,
        mut reader: R,
    ) -> std::result::Result<Answer<R::Output>, (Outcome, Option<String>)> {
        let turn = self.http.turn(call.deadline).await.map_err(|failure| (Outcome::Failed(failure), None))?;
        let outgoing = self.outgoing(call, route, token);
        if !departure.send() {
            let what = "the call was called off before it was sent".to_owned();
            return Err((
                Outcome::Failed(Failure { delivery: Delivery::No, what, cause: Cause::Timeout }),
                None,
            ));
        }
        let mut incoming = self.http.post(outgoing, turn).await.map_err(|failure| {
            if failure.delivery == Delivery::No {
                departure.came_back();
            }
            (Outcome::Failed(failure), None)
        })?;
        let request_id = request_id(&incoming.headers);
        if let Some(token) = token.filter(|_| incoming.status != 401) {
            token.accepted();
        }
        if !(200..300).contains(&incoming.status) {
            return Err((Outcome::Status(self.refusal(incoming).await), request_id));
        }
        let outcome = match self.read(&mut incoming, &mut reader).await {
            Ok(()) => {
                let body = reader.body();
                match reader.finish() {
                    Ok(Verdict::Success(value)) => {
                        return Ok(Answer {
                            value,
                            status: incoming.status,
                            headers: incoming.headers,
                            body,
                            attempts: 0,
                        });
                    }
                    Ok(Verdict::Refused(envelope)) => Outcome::Refused(incoming.status, envelope),
                    Err(Unreadable(what)) => Outcome::Unreadable(what),
                }
            }
            Err(outcome) => outcome,
        };
        Err((outcome, request_id))
    }

    fn outgoing(&self, call: &Call, route: usize, token: Option<&AccessToken>) -> Outgoing {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(token) = token {
            headers.insert(AUTHORIZATION, token.header_value());
        }
        let fresh = !matches!(call.effect, Effect::Read | Effect::Token);
        let deadline = if fresh { call.deadline.max(Instant::now() + GRACE) } else { call.deadline };
        Outgoing {
            url: address(&self.config.base_url, &call.paths[route], call.query.as_deref()),
            headers,
            body: call.body.clone(),
            fresh,
            deadline,
        }
    }

    /// Hands the body to the reader, piece by piece and within the ceiling.
    async fn read<R: Reader>(
        &self,
        incoming: &mut Incoming,
        reader: &mut R,
    ) -> std::result::Result<(), Outcome> {
        let most = self.config.limits.answer_bytes;
        let mut bytes = 0;
        while let Some(piece) = incoming.chunk().await.map_err(undecodable)? {
            bytes += piece.len() as u64;
            if bytes > most {
                let what = format!("the answer is larger than the ceiling `answer_bytes` of {most} bytes");
                return Err(Outcome::Failed(Failure {
                    delivery: Delivery::Answered,
                    what,
                    cause: Cause::Unreadable,
                }));
            }
            reader.feed(piece).map_err(|Unreadable(what)| Outcome::Unreadable(what))?;
        }
        Ok(())
    }

    async fn refusal(&self, incoming: Incoming) -> Refusal {
        let (status, retry_after) = (incoming.status, retry::retry_after(&incoming.headers));
        let not_received = incoming.not_received;
        let ceiling = Ceiling { bytes: self.config.limits.error_bytes, name: "error_bytes" };
        let body = incoming.bytes(ceiling).await.unwrap_or_default();
        Refusal { status, not_received, retry_after, envelope: serde_json::from_slice(&body).ok() }
    }

    /// Adds what only the engine knows to an error.
    fn advise(&self, error: Error, request_id: Option<String>) -> Error {
        let error = error.with_request_id(request_id);
        match (error.kind(), error.status()) {
            (ErrorKind::PermissionDenied, _) => {
                let hint = format!(
                    "The grant in use is {}: client credentials carry the rights of the account, a password those of its user. \
                     Ask an administrator for the right, or use other credentials.",
                    self.tokens.grant_name()
                );
                error.with_hint(hint)
            }
            (ErrorKind::Authentication, Some(401)) => error.with_hint(self.tokens.refused_hint()),
            _ => error,
        }
    }

    fn route(&self, call: &Call) -> usize {
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        routes.get(&call.name).copied().filter(|route| *route < call.paths.len()).unwrap_or(0)
    }

    fn remember(&self, call: &Call, route: usize) {
        if call.paths.len() > 1 {
            self.routes.lock().unwrap_or_else(PoisonError::into_inner).insert(call.name.clone(), route);
        }
    }

    /// No more calls from now on.
    pub fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }
}

/// The token never goes anywhere but to the configured origin: path and query can only ever replace theirs.
fn address(base: &Url, path: &str, query: Option<&str>) -> Url {
    let mut url = base.clone();
    url.set_path(path);
    url.set_query(query);
    url
}

/// A body that is not what its encoding promises is an answer that cannot be understood, not a cut.
fn undecodable(failure: Failure) -> Outcome {
    if failure.cause == Cause::Unreadable {
        Outcome::Unreadable(failure.what)
    } else {
        Outcome::Failed(failure)
    }
}

/// Whether the service may have done what was asked, although it did not say so.
fn leaves_doubt(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Failed(failure) => failure.delivery != Delivery::No,
        Outcome::Status(refusal) => matches!(refusal.status, 408 | 500..=599) && !refusal.not_received,
        Outcome::Unreadable(_) => true,
        Outcome::Refused(..) => false,
    }
}

/// The last attempt may not have arrived and an earlier one may: then it is not true that nothing was changed.
fn honest(call: &Call, error: Error, uncertain: bool) -> Error {
    if uncertain && call.effect != Effect::Read && error.kind() == ErrorKind::Network {
        return Error::outcome_unknown(error.what())
            .with_status(error.status())
            .with_safe_to_repeat(error.safe_to_repeat());
    }
    error
}

/// A deletion that is repeated after an unknown outcome finds nothing: it had happened.
fn gone(call: &Call, error: &Error) -> bool {
    let missing =
        error.status() == Some(404) || error.error_code().is_some_and(|code| code.contains("NotFound"));
    call.name.starts_with("Delete") && error.kind() == ErrorKind::Api && missing
}

fn already_gone<R: Reader>(mut reader: R, attempts: u32) -> Result<Answer<R::Output>> {
    let body = Bytes::from_static(b"{\"isSuccess\":true}");
    let unreadable = |Unreadable(what)| Error::internal(what);
    reader.feed(&body).map_err(unreadable)?;
    match reader.finish().map_err(unreadable)? {
        Verdict::Success(value) => {
            Ok(Answer { value, status: 404, headers: HeaderMap::new(), body, attempts })
        }
        Verdict::Refused(_) => Err(Error::internal("a success was read as a refusal")),
    }
}

fn request_id(headers: &HeaderMap) -> Option<String> {
    const NAMES: [&str; 4] = ["x-request-id", "request-id", "x-correlation-id", "traceparent"];
    let value = NAMES.iter().find_map(|name| headers.get(*name))?.to_str().ok()?;
    Some(value.chars().take(128).collect())
}
