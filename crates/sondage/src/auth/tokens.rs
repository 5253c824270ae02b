//! The tokens of a client: every call uses the current one, and one renewal at a time gets the next.

use super::access::AccessToken;
use super::current::CurrentToken;
use super::failed::{PAUSE, REFUSED, SharedFailure};
use super::renew::Renewer;
use super::{Credentials, api_token, refusal};
use crate::config::Config;
use crate::error::{Error, Result, Text};
use crate::per_process::{Owned, PerProcess};
use crate::runtime;
use crate::trace::{TracedServers, Tracer};
use crate::transport::http::Http;
use arc_swap::ArcSwapOption;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The tokens of a client and its clones.
pub struct Tokens(Arc<TokensInner>);

struct TokensInner {
    tracer: Tracer,
    renewer: Renewer,
    state: PerProcess<ProcessTokens>,
}

/// State that a forked child must not inherit, because the tasks and threads behind it do not exist there.
#[derive(Default)]
struct ProcessTokens {
    current: ArcSwapOption<CurrentToken>,
    renewal: Mutex<Renewal>,
    /// The user has logged out. The tokens of the login are not used again.
    ended: AtomicBool,
}

#[derive(Default)]
struct Renewal {
    running: Option<watch::Receiver<Option<RenewalResult>>>,
    /// The last failure, and the time on the monotonic clock until which all callers get it instead of a new
    /// attempt.
    failed: Option<(Error, Duration)>,
}

/// The result of a renewal, shared by all callers that wait for it.
type RenewalResult = std::result::Result<AccessToken, Error>;

impl Tokens {
    /// Nothing is requested before the first call needs a token.
    pub fn new(config: &Config, http: Arc<Http>) -> Result<Self> {
        Ok(Self::traced(config, http, Tracer::new(0, None, TracedServers::default())))
    }

    /// The same, with requests recorded in a trace.
    pub(crate) fn traced(config: &Config, http: Arc<Http>, tracer: Tracer) -> Self {
        let credentials = config.credentials.clone();
        if matches!(credentials, Credentials::ApiToken { .. }) {
            api_token::warn();
        }
        let renewer = Renewer::new(config, http, credentials);
        Self(Arc::new(TokensInner { renewer, tracer, state: PerProcess::default() }))
    }

    /// Returns a token for a call. A caller whose token was rejected passes it: if it is still the current one, it is
    /// replaced, with one request however many callers were rejected.
    pub async fn token(&self, rejected: Option<&AccessToken>) -> Result<AccessToken> {
        let state = self.0.state();
        let clock = &*self.0.renewer.endpoint.config.clock;
        if let Some(current) = state.current.load().as_ref()
            && current.is_valid(clock)
            && rejected.is_none_or(|token| *token != current.access)
        {
            if current.is_due(clock) {
                self.0.renew_early(&state);
            }
            return Ok(current.access.clone());
        }
        let mut renewal = match self.0.join(&state, rejected) {
            Join::Done(outcome) => return outcome,
            Join::Wait(renewal) => renewal,
        };
        let ended = renewal.wait_for(Option::is_some).await;
        let outcome = ended.ok().and_then(|outcome| outcome.clone());
        outcome.unwrap_or_else(|| Err(Error::internal("the renewal of the token ended unexpectedly")))
    }

    /// Forgets the tokens, in memory and in the store. This ends the login of a person.
    pub async fn forget(&self) -> Result<()> {
        let shared = self.0.clone();
        // Runs in a task of its own, so that a caller who gives up does not leave it half done.
        runtime::spawn(async move { shared.forget().await }).await
    }

    /// The grant in use, as a noun phrase for a sentence.
    pub fn grant_name(&self) -> &'static str {
        self.0.renewer.credentials.described()
    }

    /// What to check when the service rejects a token that is new.
    pub fn refused_hint(&self) -> Text {
        refusal::fresh_hint(&self.0.renewer.endpoint.config)
    }
}

enum Join {
    Done(RenewalResult),
    Wait(watch::Receiver<Option<RenewalResult>>),
}

impl TokensInner {
    fn state(&self) -> Arc<Owned<ProcessTokens>> {
        self.state.get(|parent| {
            let keep_refresh = !self.renewer.credentials.reusable();
            let current = parent.and_then(|parent| parent.current.load_full());
            let current = current.map(|current| Arc::new(current.in_child(keep_refresh)));
            let ended = AtomicBool::new(parent.is_some_and(|parent| parent.ended.load(Ordering::SeqCst)));
            ProcessTokens { current: ArcSwapOption::new(current), renewal: Mutex::default(), ended }
        })
    }

    /// Waits for the renewal in progress, or starts one. A caller that arrives just after a renewal uses its
    /// result.
    fn join(self: &Arc<Self>, state: &Arc<Owned<ProcessTokens>>, rejected: Option<&AccessToken>) -> Join {
        let clock = &*self.renewer.endpoint.config.clock;
        let mut renewal = state.renewal.lock().unwrap_or_else(PoisonError::into_inner);
        // A task that was cancelled from outside has left no result, and never will.
        if let Some(running) = renewal.running.as_ref().filter(|running| running.has_changed().is_ok()) {
            return Join::Wait(running.clone());
        }
        let current = state.current.load_full();
        let refused = current.as_ref().is_some_and(|current| rejected == Some(&current.access));
        if let Some(current) = &current
            && current.is_valid(clock)
        {
            if !refused {
                return Join::Done(Ok(current.access.clone()));
            }
            // This token was obtained after a rejection and was rejected as well: another one would be no
            // better.
            let young = clock.monotonic() < current.since + REFUSED;
            if current.after_refusal && young && !current.access.has_worked() {
                return Join::Done(Err(refusal::fresh_refused(&self.renewer.endpoint.config)));
            }
        }
        if let Some(error) = still_failed(&renewal, clock.monotonic()) {
            return Join::Done(Err(error));
        }
        Join::Wait(self.start(&mut renewal, state, current, refused))
    }

    /// Occupies the slot of a renewal, so that no renewal brings the tokens back meanwhile.
    async fn forget(self: Arc<Self>) -> Result<()> {
        let state = self.state();
        let outcome = loop {
            let mut running = {
                let mut renewal = state.renewal.lock().unwrap_or_else(PoisonError::into_inner);
                let running = renewal.running.as_ref().filter(|running| running.has_changed().is_ok());
                let Some(running) = running.cloned() else {
                    let (done, running) = watch::channel(None);
                    renewal.running = Some(running);
                    break done;
                };
                running
            };
            let _ = running.wait_for(Option::is_some).await;
        };
        state.ended.store(true, Ordering::SeqCst);
        state.current.store(None);
        let forgotten = self.renewer.forget().await;
        let mut renewal = state.renewal.lock().unwrap_or_else(PoisonError::into_inner);
        *renewal = Renewal::default();
        outcome.send_replace(Some(Err(Error::authentication("the client was logged out meanwhile"))));
        forgotten
    }

    /// Starts a renewal in the background, unless one is in progress or has just failed.
    fn renew_early(self: &Arc<Self>, state: &Arc<Owned<ProcessTokens>>) {
        let now = self.renewer.endpoint.config.clock.monotonic();
        if let Ok(mut renewal) = state.renewal.try_lock()
            && renewal.running.is_none()
            && still_failed(&renewal, now).is_none()
        {
            let current = state.current.load_full();
            self.start(&mut renewal, state, current, false);
        }
    }

    /// A renewal runs in a task of its own: a caller who gives up or panics does not affect the others.
    fn start(
        self: &Arc<Self>,
        renewal: &mut Renewal,
        state: &Arc<Owned<ProcessTokens>>,
        old: Option<Arc<CurrentToken>>,
        refused: bool,
    ) -> watch::Receiver<Option<RenewalResult>> {
        let (done, running) = watch::channel(None);
        renewal.running = Some(running.clone());
        let (shared, state) = (self.clone(), state.clone());
        runtime::spawn(async move {
            let inner = shared.clone();
            let ended = state.ended.load(Ordering::SeqCst);
            let begun = Instant::now();
            let work = runtime::spawn(async move { Ok(inner.renew(old.as_deref(), refused, ended).await) });
            let result = work.await.unwrap_or_else(|error| Err(SharedFailure::new(error, PAUSE)));
            // A fixed token is not requested.
            if !matches!(shared.renewer.credentials, Credentials::Token(_)) {
                let error = result.as_ref().err().map(|failure| failure.error.kind().as_str().to_owned());
                shared.tracer.token(error, begun);
            }
            done.send_replace(Some(shared.conclude(&state, result)));
            Ok(())
        })
        .detach();
        running
    }

    async fn renew(
        &self,
        old: Option<&CurrentToken>,
        refused: bool,
        ended: bool,
    ) -> std::result::Result<CurrentToken, SharedFailure> {
        let fixed = matches!(self.renewer.credentials, Credentials::Token(_));
        let tokens = self.renewer.renew(old.map(|old| &old.tokens), ended).await?;
        let clock = &*self.renewer.endpoint.config.clock;
        CurrentToken::new(tokens, clock, fixed, refused).map_err(|error| SharedFailure::new(error, REFUSED))
    }

    fn conclude(
        &self,
        state: &ProcessTokens,
        result: std::result::Result<CurrentToken, SharedFailure>,
    ) -> RenewalResult {
        let mut renewal = state.renewal.lock().unwrap_or_else(PoisonError::into_inner);
        renewal.running = None;
        match result {
            Ok(current) => {
                let access = current.access.clone();
                state.current.store(Some(Arc::new(current)));
                renewal.failed = None;
                log::debug!("a token was obtained by {}", self.renewer.credentials.described());
                Ok(access)
            }
            Err(SharedFailure { error, pause }) => {
                // Every caller who needs the token gets this as an error, so it is not logged as well.
                log::debug!("no token: {error}");
                renewal.failed =
                    Some((error.clone(), self.renewer.endpoint.config.clock.monotonic() + pause));
                Err(error)
            }
        }
    }
}

fn still_failed(renewal: &Renewal, now: Duration) -> Option<Error> {
    let (error, until) = renewal.failed.as_ref().filter(|(_, until)| now < *until)?;
    let rest = error.retry_after().map(|_| (*until).checked_sub(now).unwrap());
    Some(error.clone().with_retry_after(rest))
}
