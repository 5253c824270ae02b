//! The client: every operation of the table, and what they share.

mod raw;
pub mod typeless;

use crate::budget::BudgetReport;
use crate::call::any_reader::{AnyReader, AnyValue, NewReader};
use crate::call::engine::Engine;
use crate::call::once::{Before, SharedPermit, read_again};
use crate::call::prepared::Call;
use crate::call::query;
use crate::call::reader::{Reader, TypedReader};
use crate::call::sent_writes::{self, SentWrite, WriteEnd};
use crate::call::state::{CallState, History};
use crate::call::writes::{PendingWrite, WriteHandle, WriteOutcomes};
use crate::config::{ClientBuilder, Config};
use crate::error::{Delivery, Error, ErrorKind, Result};
use crate::facts::{FactsReport, ListFacts};
use crate::model;
use crate::operation::{Effect, Operation, OperationInfo};
use crate::operations;
use crate::options::CallOptions;
use crate::response::Response;
use crate::schedule;
use crate::schema::ModelSchema;
use crate::selection;
use crate::trace::{CallPurpose, PendingCall, Tracer};
use crate::{runtime, text};
use bytes::Bytes;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use typeless::TypelessCall;

/// A client of one account. Cloning is cheap, and clones share tokens and connections. It can be used from any thread
/// and any executor.
#[derive(Clone)]
pub struct Client {
    engine: Arc<Engine>,
    options: Arc<CallOptions>,
}

impl Client {
    /// Reads settings from the environment and the profile file; settings made on the builder take
    /// precedence.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// A client with complete settings. Nothing is sent before the first call.
    pub fn new(config: Config) -> Result<Self> {
        Ok(Self { engine: Arc::new(Engine::new(config)?), options: Arc::default() })
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.engine.config
    }

    /// What all clones share.
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// What is known about the lists of an operation.
    pub(crate) fn list_facts(&self, operation: &'static str) -> ListFacts {
        self.engine.facts.list(operation, self.engine.config.first_page)
    }

    /// What this client has learned about the service, so that it need not ask again: the first page of lists, what their counts
    /// count, and the like. Nothing is sent.
    pub fn service_facts(&self) -> FactsReport {
        self.engine.facts.report()
    }

    /// The workspace of a survey, if it was learned lately: the survey itself does not name it.
    #[doc(hidden)] // for sondage-jobs
    pub fn known_workspace(&self, survey_id: i64) -> Option<i64> {
        self.engine.facts.workspace(survey_id)
    }

    /// A list has shown the workspace of a survey.
    #[doc(hidden)] // for sondage-jobs
    pub fn learn_workspace(&self, survey_id: i64, workspace_id: i64) {
        self.engine.facts.prove_workspace(survey_id, workspace_id);
    }

    /// How long a call may take in total.
    #[doc(hidden)] // for sondage-jobs
    pub fn timeout(&self) -> Duration {
        self.options.deadline.unwrap_or(self.engine.config.deadline)
    }

    /// The same client with options for the calls that are made through it.
    #[must_use]
    pub fn with(&self, options: CallOptions) -> Self {
        Self { engine: self.engine.clone(), options: Arc::new(options) }
    }

    /// The options of the calls that are made through it.
    #[doc(hidden)] // for sondage-ffi
    pub fn call_options(&self) -> &CallOptions {
        &self.options
    }

    /// Makes a call to an operation of the table.
    pub async fn call<O: Operation>(&self, request: O::Request) -> Result<O::Response> {
        self.with_response::<O>(request).await.map(|answer| answer.value)
    }

    /// Makes a call and returns its response with status, headers and text.
    pub async fn with_response<O: Operation>(&self, request: O::Request) -> Result<Response<O::Response>> {
        self.answer(TypelessCall::of::<O>(request)).await?.typed()
    }

    /// Makes a call whose response is decoded while it arrives. Each attempt gets a new reader.
    pub async fn send_with<O: Operation, R: Reader>(
        &self,
        request: O::Request,
        reader: impl Fn() -> R + Send + Sync + 'static,
    ) -> Result<Response<R::Output>> {
        let call = self.prepare::<O>(request).map_err(|error| error.in_operation(O::INFO.name))?;
        let answer = self.run_any(call, Box::new(move || AnyReader::of(reader()))).await?;
        let Response { value, status, headers, body, attempts } = answer;
        Ok(Response { value: value.into_value()?, status, headers, body, attempts })
    }

    /// Makes a call whose body is JSON text written by the caller, for many rows that need no object each. It replaces the
    /// whole request, including the tenant where the operation has one.
    pub async fn with_response_written<O: Operation>(&self, body: Vec<u8>) -> Result<Response<O::Response>> {
        let call = self.call_of(O::INFO, body).map_err(|error| error.in_operation(O::INFO.name))?;
        let reader = || AnyReader::of(TypedReader::<O::Response>::default());
        self.run_any(call, Box::new(reader)).await?.typed()
    }

    /// Downloads the document behind a link that the service returned. The token is not sent along.
    #[doc(hidden)] // for sondage-jobs
    pub async fn follow(&self, link: &str) -> Result<Bytes> {
        let (engine, link, deadline) = (self.engine.clone(), link.to_owned(), self.deadline());
        runtime::spawn(async move { engine.follow(&link, deadline).await }).await
    }

    /// The calls that have not ended yet, each with what it waits for: for a person who waits, too. Nothing is sent.
    pub fn pending_calls(&self) -> Vec<PendingCall> {
        self.engine.tracer.pending_calls().list()
    }

    /// Writes that have been sent and have no response yet, including those whose callers gave up. A write that waits for
    /// a token, or for a retry, is not included.
    pub fn pending_writes(&self) -> Vec<PendingWrite> {
        self.engine.writes.sent()
    }

    /// Waits until the writes whose callers gave up have ended, and returns the outcomes of the last 100 of them. It sends
    /// nothing, and cannot fail: each write ends by its deadline.
    pub async fn write_outcomes(&self) -> Result<WriteOutcomes> {
        Ok(self.engine.writes.outcomes().await)
    }

    /// The calls and bytes of the day, used and left, across all processes that share the count. Nothing is sent.
    pub fn budget(&self) -> BudgetReport {
        self.engine.ledger.report()
    }

    /// An error if a job takes more calls than the day's budget has left, in a mode in which calls beyond it are not sent.
    #[doc(hidden)] // for sondage-jobs
    pub async fn ensure_calls_left(&self, calls: u64) -> Result<()> {
        let ledger = Arc::clone(&self.engine.ledger);
        let checked = runtime::handle().spawn_blocking(move || ledger.ensure_left(calls)).await;
        checked.unwrap_or_else(|error| Err(Error::internal(error.to_string())))
    }

    /// Discards the tokens of this client and its clones, in memory and in the token store. This ends the login of a
    /// person: later calls fail until somebody logs in again. With a client secret, a password or a token provider, the
    /// next call gets a new token. If this returns an error, the entry may still be in the store.
    ///
    /// The service has no known way to revoke a token: a copied token stays valid until it expires, an access token
    /// for 30 minutes and a refresh token for 24 hours. Other clients that are already running keep their tokens.
    // API 2.7
    pub async fn logout(&self) -> Result<()> {
        self.engine.tokens.forget().await
    }

    /// Rejects new calls, and waits up to `timeout` for writes in progress, including those that wait to be sent.
    /// Writes that are still in progress afterwards continue, and are returned.
    pub async fn close(&self, timeout: Duration) -> Vec<PendingWrite> {
        self.engine.close();
        let engine = self.engine.clone();
        let settled = runtime::spawn(async move {
            let _ = tokio::time::timeout(timeout, engine.writes.settle()).await;
            Ok(())
        });
        let _ = settled.await;
        self.engine.writes.under_way()
    }

    fn prepare<O: Operation>(&self, request: O::Request) -> Result<Call> {
        self.call_of(O::INFO, typeless::written::<O>(request, &self.engine.config.tenant)?)
    }

    fn call_of(&self, info: &'static OperationInfo, body: Vec<u8>) -> Result<Call> {
        self.options.check()?;
        let paths = info.paths(self.engine.config.published_paths).into_iter().map(Cow::Borrowed).collect();
        let body = self.merge(body, Some(info.request))?;
        selection::check(info, &body)?;
        // A write under a key may be asked for again when its time has passed.
        if self.options.once.is_none() {
            schedule::check(info, &body, self.service_ahead())?;
        }
        let (query, body) = query::place(info.location, body)?;
        Ok(Call {
            name: Cow::Borrowed(info.name),
            permitted_as: Cow::Borrowed(info.name),
            paths,
            effect: info.effect,
            reconcile: info.reconcile,
            evidence: info.evidence,
            gone: info.gone,
            query,
            body,
            deadline: self.deadline(),
            attempts: self.options.attempts,
            timeout: self.options.timeout,
            headers: self.options.header_map()?,
            purpose: CallPurpose::current(),
            parent: self.options.parent.clone(),
        })
    }

    fn deadline(&self) -> Instant {
        runtime::after(self.timeout())
    }

    /// Adds the extra fields of the options to the body. A field that the request defines is an argument even when it was left
    /// out: extra fields must not bypass the checks of arguments.
    fn merge(&self, mut body: Vec<u8>, request: Option<&ModelSchema>) -> Result<Bytes> {
        if self.options.extra.is_empty() {
            return Ok(body.into());
        }
        let fields: indexmap::IndexMap<String, &serde_json::value::RawValue> = serde_json::from_slice(&body)
            .map_err(|_| {
                Error::invalid_argument("extra fields can be added only to a body that is a JSON object")
            })?;
        let is_argument = |name: &str| {
            fields.contains_key(name)
                || request.is_some_and(|request| request.fields.iter().any(|field| field.wire == name))
        };
        if let Some(name) = self.options.extra.keys().find(|name| is_argument(name)) {
            return Err(Error::invalid_argument(text!(
                "the field `{name}` is an argument of this call and cannot be extra"
            )));
        }
        let mut empty = fields.is_empty();
        body.truncate(body.iter().rposition(|b| *b == b'}').unwrap_or(0));
        for (name, value) in &self.options.extra {
            if !std::mem::take(&mut empty) {
                body.push(b',');
            }
            body.extend(serde_json::to_vec(name).map_err(|e| Error::invalid_argument(e.to_string()))?);
            body.push(b':');
            body.extend(value.as_str().as_bytes());
        }
        body.push(b'}');
        Ok(body.into())
    }

    /// Runs the call on the runtime. A read ends with its caller; a write that has been sent continues in a
    /// task of its own.
    async fn run_any(&self, call: Call, reader: NewReader) -> Result<Response<AnyValue>> {
        self.engine.config.permitted.check(&call.permitted_as, call.effect)?;
        if self.options.once.is_some() && call.evidence.is_none() {
            let what = "`send_once` is only for operations that are never retried, and this one is retried";
            let error = Error::invalid_argument(what).in_operation(call.name.as_ref());
            return Err(error.with_hint("Nothing was sent. Call it through the client itself."));
        }
        if matches!(call.effect, Effect::Read | Effect::Token) {
            let (engine, state) = (self.engine.clone(), CallState::default());
            self.check_open(&call.name)?;
            return runtime::here(async move { engine.call(&call, &state, &reader).await }).await;
        }
        let Some(fields) = call.evidence else { return self.write(call, reader, Box::new(|_| {})).await };
        if self.options.once.is_none() {
            let write = self.remembered(&call, fields);
            return self.write_remembered(call, reader, write, None).await;
        }
        self.write_once(call, reader, fields).await
    }

    /// Makes a write under a key, unless it was made before.
    async fn write_once(
        &self,
        mut call: Call,
        reader: NewReader,
        fields: &'static [&'static str],
    ) -> Result<Response<AnyValue>> {
        let Some(once) = self.options.once.clone() else {
            return Err(Error::internal("a write without a key"));
        };
        self.check_open(&call.name)?;
        let (client, asked) = (self.clone(), call.clone());
        let make = Box::new(move || client.remembered(&asked, fields));
        let before = runtime::here(once.0.before(make)).await;
        let (write, permit) = match before.map_err(|error| error.in_operation(call.name.as_ref()))? {
            Before::Answered(answer) => {
                return read_again(reader(), &answer).map_err(|error| error.in_operation(call.name.as_ref()));
            }
            Before::Send(write, permit) => (write, permit),
        };
        // Resolving the outcome of an earlier write may have taken minutes.
        call.deadline = self.deadline();
        let (permit, noted) = SharedPermit::new(permit);
        let result = self.write_remembered(call, reader, *write, Some(Arc::clone(&permit))).await;
        match &result {
            Err(error) if error.changed_nothing() => permit.ended(WriteEnd::Refused),
            _ => {}
        }
        // A write that continues without its caller records its own end.
        if permit.is_told() {
            let _ = noted.await;
        }
        result.map_err(|error| match error.kind() {
            ErrorKind::OutcomeUnknown => error.with_reconcile(Some(
                "Make the same call with the same key again: `send_once` finds out first, and sends only what did not happen."
                    .into(),
            )),
            _ => error,
        })
    }

    /// Makes a write that must never be retried, and records what is needed to determine its outcome later.
    async fn write_remembered(
        &self,
        call: Call,
        reader: NewReader,
        write: SentWrite,
        permit: Option<Arc<SharedPermit>>,
    ) -> Result<Response<AnyValue>> {
        let write = Arc::new(write);
        let ended: WriteEnded = {
            let write = Arc::clone(&write);
            Box::new(move |result| {
                match result {
                    Ok(answer) => {
                        write.ended(WriteEnd::Answered(answer.value.kept.clone()));
                        sent_writes::record(&write);
                    }
                    Err(error) if error.changed_nothing() => write.ended(WriteEnd::Refused),
                    Err(_) => write.ended_unknown(),
                }
                if let Some(permit) = permit {
                    permit.ended(match result {
                        // The whole response is recorded, whatever its size.
                        Ok(answer) => WriteEnd::Answered(answer.value.kept.clone()),
                        Err(_) => write.end(),
                    });
                }
            })
        };
        match self.write(call, reader, ended).await {
            Err(error) if error.kind() == ErrorKind::OutcomeUnknown => {
                sent_writes::record(&write);
                Err(error.with_write_id(write.id.clone()))
            }
            result => result,
        }
    }

    /// Makes a write. `ended` is called with its outcome, even if the caller has given up.
    async fn write(&self, call: Call, reader: NewReader, ended: WriteEnded) -> Result<Response<AnyValue>> {
        let (engine, state) = (self.engine.clone(), CallState::default());
        // Registered before the client is checked: a `close` that happens in between sees the write and waits
        // for it.
        let mut noted = engine.writes.note(&call.name, state.clone());
        let caller = noted.caller();
        // A later call under the same key gets the response unchanged.
        let reader: NewReader = Box::new(move || reader().keeping());
        self.check_open(&call.name)?;
        let (name, deadline, reconcile) = (call.name.clone(), call.deadline, call.advice());
        let safe = call.effect.idempotent();
        let theirs = state.clone();
        let task = runtime::spawn(async move {
            let result = engine.call(&call, &theirs, &reader).await;
            noted.ended(&result);
            ended(&result);
            if let Err(error) = &result {
                log::debug!("a write ended with {}", error.kind());
            }
            result
        });
        let mut handle = WriteHandle::new(task, state.clone(), caller);
        match runtime::timeout_at(deadline, &mut handle).await {
            Some(result) => result,
            None => Err(out_of_time(handle.release(), safe, &state.so_far())
                .in_operation(name.as_ref())
                .with_reconcile(reconcile)),
        }
    }

    /// The record of a write that must never be retried.
    fn remembered(&self, call: &Call, fields: &'static [&'static str]) -> SentWrite {
        let Config { clock, .. } = self.config();
        let ahead = self.engine.service_clock.ahead();
        let (name, body) = (call.name.clone(), call.body.clone());
        let write = SentWrite::new(name, self.account(), body, fields, Arc::clone(clock), ahead);
        match &self.options.write_id {
            Some(id) => write.known_as(id.clone()),
            None => write,
        }
    }

    /// The record of a call with this request, to look for an earlier call like it.
    #[doc(hidden)] // for sondage-jobs
    pub fn as_sent<O: Operation>(&self, request: O::Request) -> Result<SentWrite> {
        let call = self.prepare::<O>(request).map_err(|error| error.in_operation(O::INFO.name))?;
        Ok(self.remembered(&call, call.evidence.unwrap_or_default()))
    }

    /// The same client; its next write is recorded under this number.
    #[doc(hidden)] // for sondage-jobs
    #[must_use]
    pub fn noting(&self, id: String) -> Self {
        let options = CallOptions { write_id: Some(id), ..CallOptions::clone(&self.options) };
        self.with(options)
    }

    /// Records the trace.
    #[doc(hidden)] // for sondage-jobs
    pub fn tracer(&self) -> &Tracer {
        &self.engine.tracer
    }

    /// The address of the service, and the tenant.
    #[doc(hidden)] // for sondage-jobs
    pub fn account(&self) -> (String, String) {
        let Config { base_url, tenant, .. } = self.config();
        (base_url.origin().ascii_serialization(), tenant.clone())
    }

    /// How far the service's clock is ahead of the computer's, if a response has shown it.
    #[doc(hidden)] // for sondage-jobs
    pub fn service_ahead(&self) -> Option<chrono::TimeDelta> {
        self.engine.service_clock.ahead()
    }

    #[doc(hidden)] // for sondage-jobs
    pub fn check_open(&self, operation: &str) -> Result<()> {
        if !self.engine.closed.load(Ordering::SeqCst) {
            return Ok(());
        }
        let error = Error::invalid_argument("the client is closed").in_operation(operation);
        Err(error.with_hint("Make a new client."))
    }
}

/// Called with the outcome of a write.
type WriteEnded = Box<dyn FnOnce(&Result<Response<AnyValue>>) + Send>;

/// The caller's deadline has passed: the error says what the call has done until then. `unsent`: nothing that was sent can
/// have had an effect, and nothing more will be sent.
fn out_of_time(unsent: bool, safe: bool, so_far: &History) -> Error {
    let error = match (unsent, so_far.attempts) {
        (true, 0) => Error::network("the deadline passed before the request was sent"),
        (true, _) => Error::network("the deadline passed before the request could be sent again"),
        (false, _) => Error::outcome_unknown(
            "the deadline passed while the request was under way; the request was not cancelled",
        ),
    };
    error
        .with_attempts(so_far.attempts)
        .with_delivery(if unsent { so_far.delivery } else { so_far.delivery.or_more(Delivery::Unknown) })
        .with_status(so_far.status)
        .with_retry_after(so_far.retry_after)
        .with_safe_to_retry(unsent || safe)
        .with_timed_out(true)
}

impl ClientBuilder {
    /// Makes the client. Nothing is sent before its first call.
    pub fn build(&self) -> Result<Client> {
        Client::new(self.resolve()?)
    }
}

macro_rules! methods {
    ($(
        $(#[doc = $doc:literal])*
        $area:ident $Name:ident $method:ident($Request:ident) -> $Response:ident { $($row:tt)* }
    )*) => {
        impl Client {
            $(
                $(#[doc = $doc])*
                pub async fn $method(&self, request: model::$Request) -> Result<model::$Response> {
                    self.call::<operations::$Name>(request).await
                }
            )*
        }
    };
}
crate::operations!(methods);
