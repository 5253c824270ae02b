//! The requests that arrived, and which took effect.
//!
//! The two are kept apart because that is the question after a cut: the request arrived, but were the members created?
//! Nothing secret is written down: no token, no password, and no body unless the profile asks for bodies.

use crate::account::DataCenter;
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A request that reached the sandbox.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Arrival {
    /// By the sandbox's clock.
    pub at: DateTime<Utc>,
    /// The data center that was addressed.
    pub data_center: DataCenter,
    /// The operation's name; `token`, `authorize` or `jwks` for the authentication server; the path if it is neither.
    pub operation: String,
    /// The path that was addressed.
    pub path: String,
    /// The tenant of the bearer, once it is known to be good.
    pub tenant: Option<String>,
    /// Bytes of the body that arrived.
    pub bytes: u64,
    /// Whether the body arrived whole. Only then can the request have had an effect.
    pub whole: bool,
    /// The status of the answer; none when the connection was cut instead.
    pub status: Option<u16>,
    /// The first eight digits of a digest of the bearer: tells whether two requests carried the same token.
    pub bearer: Option<String>,
    /// The body as text, when the profile says `keep_bodies`.
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
    /// How many: members created, mails sent, ...
    pub count: u64,
    /// The members, interviews, ... by their ids, as text because some are numbers and some are GUIDs.
    pub ids: Vec<String>,
}

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum EffectKind {
    /// Members were created; `ids` are theirs.
    MembersCreated,
    /// Members were invited, now or for later: `ids` are the new interviews.
    MembersInvited,
    /// Messages left the platform; `ids` are the members.
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
    /// Members will be reminded; `ids` is the reminder.
    ReminderCreated,
    /// A distributor was deleted.
    DistributorDeleted,
    /// A sampling project was deleted.
    SamplingProjectDeleted,
    /// The list of those who want no messages was changed; `ids` is the panel or workspace.
    OptOutsChanged,
    /// A webhook was registered.
    WebHookCreated,
    /// A webhook was changed.
    WebHookUpdated,
    /// A webhook was removed.
    WebHookDeleted,
    /// A survey was created.
    SurveyCreated,
    /// What a survey asks was changed.
    SurveyUpdated,
    /// A survey was deleted with its interviews.
    SurveyDeleted,
    /// A survey, distributor or the like went to another state; `ids` is its own.
    TransitionMade,
    /// An interview was deleted.
    InterviewDeleted,
    /// An interview was emptied.
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
    /// `authorization_code`, `client_credentials`, `password`, `refresh_token`, `GetApiToken`, or what was sent.
    pub grant: String,
    /// The client that asked.
    pub client_id: String,
    /// Why it was refused, for example `invalid_grant`; none when a token was issued.
    pub error: Option<String>,
}

/// The record of a sandbox. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<Mutex<LedgerPages>>);

#[derive(Debug, Default)]
struct LedgerPages {
    arrivals: Vec<Arrival>,
    effects: Vec<Effect>,
    tokens: Vec<TokenRequest>,
    /// Arrivals forgotten by `clear`, so that a request under way does not write into another's line.
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

    /// How much of one kind happened through one operation (`*` for any), for example the mails sent.
    pub fn count(&self, operation: &str, kind: EffectKind) -> u64 {
        self.effects(operation).iter().filter(|e| e.kind == kind).map(|e| e.count).sum()
    }

    /// The token requests, in order.
    pub fn token_requests(&self) -> Vec<TokenRequest> {
        self.pages().tokens.clone()
    }

    /// Forgets everything so far.
    pub fn clear(&self) {
        let mut pages = self.pages();
        let forgotten = pages.forgotten + pages.arrivals.len();
        *pages = LedgerPages { forgotten, ..LedgerPages::default() };
    }

    /// Notes an arrival and returns its number.
    pub(crate) fn arrive(&self, arrival: Arrival) -> usize {
        let mut pages = self.pages();
        pages.arrivals.push(arrival);
        pages.forgotten + pages.arrivals.len() - 1
    }

    /// Adds what has become known of an arrival.
    pub(crate) fn amend(&self, number: usize, change: impl FnOnce(&mut Arrival)) {
        let mut pages = self.pages();
        let index = number.checked_sub(pages.forgotten);
        if let Some(arrival) = index.and_then(|index| pages.arrivals.get_mut(index)) {
            change(arrival);
        }
    }

    pub(crate) fn note(&self, effect: Effect) {
        self.pages().effects.push(effect);
    }

    pub(crate) fn note_token(&self, request: TokenRequest) {
        self.pages().tokens.push(request);
    }

    fn pages(&self) -> MutexGuard<'_, LedgerPages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
