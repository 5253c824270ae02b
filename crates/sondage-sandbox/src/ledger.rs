//! The requests that arrived, and the effects that they had.
//!
//! The two are recorded separately because after a cut connection the question is whether the request that arrived also
//! created the members. Nothing secret is recorded: no token, no password, and no body unless the profile asks for
//! bodies.

use crate::account::DataCenter;
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

thread_local! {
    /// The request that this thread carries out, to which effects belong.
    static CURRENT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// A request that reached the sandbox.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Arrival {
    /// By the sandbox's clock.
    pub at: DateTime<Utc>,
    /// The data center of the address.
    pub data_center: DataCenter,
    /// The operation's name; `"token"`, `"authorize"` or `"jwks"` for the authentication server; otherwise the path.
    pub operation: String,
    /// The path of the request.
    pub path: String,
    /// What the client says that the request is for, if not for its own result: `"check of the end"` shows that a list is whole, and
    /// may ask for a page that does not exist.
    pub purpose: Option<String>,
    /// The tenant of the bearer token, once it has been verified.
    pub tenant: Option<String>,
    /// The number of bytes of the body that arrived.
    pub bytes: u64,
    /// Whether the whole body arrived. Only then can the request have had an effect.
    pub whole: bool,
    /// The status of the response; none if the connection was cut instead.
    pub status: Option<u16>,
    /// The first eight digits of a digest of the bearer token: shows whether two requests carried the same token.
    pub bearer: Option<String>,
    /// The body as text, if the profile sets `keep_bodies`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// Something that a request changed on the platform.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Effect {
    /// By the sandbox's clock.
    pub at: DateTime<Utc>,
    /// The operation that did it.
    pub operation: String,
    /// The tenant in which it happened.
    pub tenant: String,
    /// What happened.
    pub kind: EffectKind,
    /// The number of objects: members created, mails sent, ...
    pub count: u64,
    /// The ids of the members, interviews, ..., as text because some are numbers and some are GUIDs.
    pub ids: Vec<String>,
}

/// The kinds of effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum EffectKind {
    /// Members were created; `ids` are theirs.
    MembersCreated,
    /// Members were invited, now or for later: `ids` are the new interviews.
    MembersInvited,
    /// Messages were sent; `ids` are the members.
    MessagesSent,
    /// Members were changed.
    MembersUpdated,
    /// Members were deleted.
    MembersDeleted,
    /// A panel was created.
    PanelCreated,
    /// The fields of a panel were changed.
    PanelUpdated,
    /// A panel was deleted with its members.
    PanelDeleted,
    /// A reminder was scheduled; `ids` is the reminder.
    ReminderCreated,
    /// A distributor was deleted.
    DistributorDeleted,
    /// A sampling project was deleted.
    SamplingProjectDeleted,
    /// An opt-out list was changed; `ids` is the panel or workspace.
    OptOutsChanged,
    /// A webhook was registered.
    WebHookCreated,
    /// A webhook was changed.
    WebHookUpdated,
    /// A webhook was removed.
    WebHookDeleted,
    /// A survey was created.
    SurveyCreated,
    /// The questionnaire of a survey was changed.
    SurveyUpdated,
    /// A survey was deleted with its interviews.
    SurveyDeleted,
    /// A survey, distributor or similar changed its state; `ids` is its id.
    TransitionMade,
    /// An interview was deleted.
    InterviewDeleted,
    /// An interview was reset.
    InterviewReset,
    /// A voucher was bought; `ids` is the incentive, not the code.
    IncentiveRedeemed,
    /// An artifact was created; `ids` is its path.
    ArtifactCreated,
    /// An artifact was deleted.
    ArtifactDeleted,
}

/// A request for a token.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TokenRequest {
    /// By the sandbox's clock.
    pub at: DateTime<Utc>,
    /// `"authorization_code"`, `"client_credentials"`, `"password"`, `"refresh_token"`, `"GetApiToken"`, or the unknown grant that
    /// was sent.
    pub grant: String,
    /// The client that sent it.
    pub client_id: String,
    /// Why it was refused, for example `"invalid_grant"`; none when a token was issued.
    pub error: Option<String>,
}

/// What the console shows of a request in addition.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestDetails {
    /// Its number, which is never used again.
    pub(crate) number: usize,
    /// From the arrival of its head until the response was ready.
    pub(crate) duration: Option<Duration>,
    /// The id that the client gave the call: the same in each of its attempts.
    pub(crate) call: Option<String>,
    /// The beginning of the response, if bodies are kept.
    pub(crate) response: Option<String>,
}

/// The record of a sandbox. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<Mutex<LedgerPages>>);

#[derive(Debug, Default)]
struct LedgerPages {
    arrivals: Vec<Arrival>,
    /// One for each arrival.
    details: Vec<RequestDetails>,
    effects: Vec<Effect>,
    /// The request of each effect.
    causes: Vec<Option<usize>>,
    tokens: Vec<TokenRequest>,
    /// The number of arrivals removed by `clear`, so that a request in progress does not update the entry of another.
    forgotten: usize,
}

impl Ledger {
    /// The requests for one operation, in order of arrival; `*` for all.
    pub fn requests(&self, operation: &str) -> Vec<Arrival> {
        self.pages()
            .arrivals
            .iter()
            .filter(|a| operation == "*" || a.operation == operation)
            .cloned()
            .collect()
    }

    /// What one operation changed, in order; `*` for all.
    pub fn effects(&self, operation: &str) -> Vec<Effect> {
        self.pages()
            .effects
            .iter()
            .filter(|e| operation == "*" || e.operation == operation)
            .cloned()
            .collect()
    }

    /// The number of effects of one kind through one operation (`*` for any), for example the mails sent.
    pub fn count(&self, operation: &str, kind: EffectKind) -> u64 {
        self.effects(operation).iter().filter(|e| e.kind == kind).map(|e| e.count).sum()
    }

    /// The token requests, in order.
    pub fn token_requests(&self) -> Vec<TokenRequest> {
        self.pages().tokens.clone()
    }

    /// How many requests have arrived.
    pub(crate) fn count_of_requests(&self) -> usize {
        self.pages().arrivals.len()
    }

    /// The last arrivals, with what else is known of them.
    pub(crate) fn recent(&self, most: usize) -> Vec<(Arrival, RequestDetails)> {
        let pages = self.pages();
        let from = pages.arrivals.len().saturating_sub(most);
        pages.arrivals[from..].iter().cloned().zip(pages.details[from..].iter().cloned()).collect()
    }

    /// One arrival, with the number of its attempt, and what it changed.
    pub(crate) fn request(&self, number: usize) -> Option<(Arrival, RequestDetails, usize, Vec<Effect>)> {
        let pages = self.pages();
        let at = number.checked_sub(pages.forgotten)?;
        let (arrival, details) = (pages.arrivals.get(at)?.clone(), pages.details.get(at)?.clone());
        let earlier =
            pages.details[..at].iter().filter(|other| other.call.is_some() && other.call == details.call);
        let attempt = earlier.count() + 1;
        let effects = pages.effects.iter().zip(&pages.causes).filter(|(_, cause)| **cause == Some(number));
        let effects = effects.map(|(effect, _)| effect.clone()).collect();
        Some((arrival, details, attempt, effects))
    }

    /// The last effects, with the requests that had them.
    pub(crate) fn recent_effects(&self, most: usize) -> Vec<(Effect, Option<usize>)> {
        let pages = self.pages();
        let from = pages.effects.len().saturating_sub(most);
        pages.effects[from..].iter().cloned().zip(pages.causes[from..].iter().copied()).collect()
    }

    /// Clears the ledger.
    pub fn clear(&self) {
        let mut pages = self.pages();
        let forgotten = pages.forgotten + pages.arrivals.len();
        *pages = LedgerPages { forgotten, ..LedgerPages::default() };
    }

    /// Records an arrival and returns its number.
    pub(crate) fn arrive(&self, arrival: Arrival, call: Option<String>) -> usize {
        let mut pages = self.pages();
        let number = pages.forgotten + pages.arrivals.len();
        pages.arrivals.push(arrival);
        pages.details.push(RequestDetails { number, call, ..RequestDetails::default() });
        number
    }

    /// Adds what is known after a response.
    pub(crate) fn answered(&self, number: usize, duration: Duration, response: Option<String>) {
        let mut pages = self.pages();
        let index = number.checked_sub(pages.forgotten);
        if let Some(details) = index.and_then(|index| pages.details.get_mut(index)) {
            (details.duration, details.response) = (Some(duration), response);
        }
    }

    /// Runs a handler. What it changes belongs to this request.
    pub(crate) fn during<T>(number: usize, run: impl FnOnce() -> T) -> T {
        /// Ends with the handler, even if it panics.
        struct Ended;
        impl Drop for Ended {
            fn drop(&mut self) {
                CURRENT.set(None);
            }
        }
        CURRENT.set(Some(number));
        let _ended = Ended;
        run()
    }

    /// Adds details to an arrival.
    pub(crate) fn amend(&self, number: usize, change: impl FnOnce(&mut Arrival)) {
        let mut pages = self.pages();
        let index = number.checked_sub(pages.forgotten);
        if let Some(arrival) = index.and_then(|index| pages.arrivals.get_mut(index)) {
            change(arrival);
        }
    }

    pub(crate) fn note(&self, effect: Effect) {
        let mut pages = self.pages();
        pages.effects.push(effect);
        pages.causes.push(CURRENT.get());
    }

    pub(crate) fn note_token(&self, request: TokenRequest) {
        self.pages().tokens.push(request);
    }

    fn pages(&self) -> MutexGuard<'_, LedgerPages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
