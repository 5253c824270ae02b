//! The token in use, and when it must be replaced.

use super::access::AccessToken;
use super::clock::Clock;
use super::token_set::TokenSet;
use crate::error::Result;
use std::time::{Duration, SystemTime};

/// A token is replaced at least this long before it expires.
const EARLY: Duration = Duration::from_secs(120);
/// A request takes time to arrive: in the last seconds of its lifetime a token is no longer used.
const LAST: Duration = Duration::from_secs(5);

/// The token in use.
pub(super) struct CurrentToken {
    pub access: AccessToken,
    pub tokens: TokenSet,
    /// Whether the tokens were obtained because the previous token was rejected.
    pub after_refusal: bool,
    /// When it was obtained, on the monotonic clock.
    pub since: Duration,
    /// When its renewal starts; `None` for a token that cannot be renewed.
    due: Option<Duration>,
    /// When it expires, on both clocks.
    end: Option<(Duration, SystemTime)>,
}

impl CurrentToken {
    /// `fixed`: nothing can replace the token, so it is used until the service rejects it.
    pub(super) fn new(tokens: TokenSet, clock: &dyn Clock, fixed: bool, after_refusal: bool) -> Result<Self> {
        let access = AccessToken::new(tokens.access_token.reveal())?;
        let (since, wall) = (clock.monotonic(), clock.wall());
        let (left, whole) = tokens.lifetime(wall).unwrap_or_default();
        let usable = left.saturating_sub(LAST.min(whole / 10));
        // At 80 % of its lifetime or 120 s before it expires, whichever is earlier, but not in the first half
        // of its lifetime.
        let early = (whole / 5).max(EARLY).min(whole / 2);
        let due = left.saturating_sub(early + jitter(whole / 20));
        Ok(Self {
            access,
            tokens,
            after_refusal,
            since,
            due: (!fixed).then_some(since + due),
            end: (!fixed).then_some((since + usable, wall + usable)),
        })
    }

    /// Whether it is still valid.
    pub(super) fn is_valid(&self, clock: &dyn Clock) -> bool {
        self.end.is_none_or(|(monotonic, wall)| clock.monotonic() < monotonic && clock.wall() < wall)
    }

    /// Whether the next token should be requested now.
    pub(super) fn is_due(&self, clock: &dyn Clock) -> bool {
        self.due.is_some_and(|due| clock.monotonic() >= due)
    }

    /// The same token in a forked child. If the child can get tokens in another way, only the parent keeps the refresh
    /// token: a server that rotates refresh tokens treats a second use of one as theft.
    pub(super) fn in_child(&self, keep_refresh: bool) -> Self {
        let mut tokens = self.tokens.clone();
        tokens.refresh_token = tokens.refresh_token.filter(|_| keep_refresh);
        Self { access: self.access.clone(), tokens, ..*self }
    }
}

/// A random fraction of a duration, so that many processes do not renew at the same moment.
fn jitter(most: Duration) -> Duration {
    most.mul_f64(f64::from(getrandom::u32().unwrap_or_default()) / f64::from(u32::MAX))
}
