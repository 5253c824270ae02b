//! What one token answer brought.

use crate::model::Secret;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime};

/// Access tokens live 30 minutes where nothing else is said (spec 5.4).
pub(super) const LIFE: Duration = Duration::from_secs(30 * 60);

/// An access token and what came with it. It can be kept and used again: [`Credentials::Session`](super::Credentials).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenSet {
    /// The access token.
    pub access_token: Secret,
    /// The refresh token, where one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<Secret>,
    /// The id token, where one was given: who has logged in, as a signed statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id_token: Option<Secret>,
    /// When it was given: seconds since 1970.
    pub issued_at: u64,
    /// When the access token ends: seconds since 1970.
    pub expires_at: u64,
    /// The redirect address of the login that it comes from; a refresh repeats it (spec 5.4).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_uri: Option<String>,
}

impl TokenSet {
    /// A lone access token, given at `now` for `life`.
    pub(super) fn new(access_token: Secret, now: SystemTime, life: Duration) -> Self {
        let issued_at = seconds(now);
        Self {
            access_token,
            refresh_token: None,
            id_token: None,
            issued_at,
            expires_at: issued_at.saturating_add(life.as_secs()),
            redirect_uri: None,
        }
    }

    /// How long it lives from `now` on, and how long it lives in all. A set that claims to come from the future, or that
    /// lives longer than a year, was not written by this library or by a clock that can be trusted: it counts as ended.
    pub(super) fn lives(&self, now: SystemTime) -> Option<(Duration, Duration)> {
        let now = seconds(now);
        let whole = self.expires_at.checked_sub(self.issued_at)?;
        let left = self.expires_at.checked_sub(now).filter(|left| *left > 0)?;
        let believable = self.issued_at <= now + 60 && whole <= 366 * 86_400;
        believable.then_some((Duration::from_secs(left), Duration::from_secs(whole)))
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
