//! Tokens and codes: to whom they were issued, and when they expire.

use crate::account::DataCenter;
use crate::random;
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::HashMap;

/// Access tokens live 30 minutes.
// API 2.7
pub(crate) const ACCESS_SECONDS: i64 = 30 * 60;
/// Refresh tokens live 24 hours.
// API 2.7
pub(crate) const REFRESH_SECONDS: i64 = 24 * 60 * 60;
/// Tokens of `GetApiToken` live 12 hours.
// API 2.7
pub(crate) const API_TOKEN_SECONDS: i64 = 12 * 60 * 60;
/// Authorization codes live 5 minutes (assumed).
const CODE_SECONDS: i64 = 5 * 60;

/// What a token stands for.
#[derive(Clone, Debug)]
pub(crate) struct TokenGrant {
    pub(crate) data_center: DataCenter,
    pub(crate) tenant: String,
    pub(crate) client_id: String,
    /// The user, for grants that have one. A client alone has the permissions of the account.
    // API 2.9, published
    pub(crate) user: Option<String>,
    pub(crate) may_write: bool,
    /// The only panel for which the token is valid.
    // API 2.5
    pub(crate) panel_id: Option<i64>,
    /// Tokens from one grant; they are revoked together.
    pub(crate) family: u64,
}

#[derive(Debug)]
struct Issued {
    pass: TokenGrant,
    expires: DateTime<Utc>,
    /// A refresh token that was replaced, or a token whose family was revoked.
    dead: bool,
}

/// A code of the authorization code flow.
#[derive(Debug)]
pub(crate) struct AuthorizationCode {
    pub(crate) pass: TokenGrant,
    pub(crate) redirect_uri: String,
    /// S256 challenge of PKCE.
    pub(crate) challenge: Option<String>,
    pub(crate) nonce: Option<String>,
    expires: DateTime<Utc>,
    used: bool,
}

/// Why a token or code is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InvalidToken {
    Unknown,
    Expired,
    /// Used, replaced or revoked.
    Spent,
}

#[derive(Debug, Default)]
pub(crate) struct TokenRegistry {
    access: HashMap<String, Issued>,
    refresh: HashMap<String, Issued>,
    codes: HashMap<String, AuthorizationCode>,
    last_family: u64,
}

impl TokenRegistry {
    pub(crate) fn new_family(&mut self) -> u64 {
        self.last_family += 1;
        self.last_family
    }

    pub(crate) fn issue_access(&mut self, pass: TokenGrant, now: DateTime<Utc>, seconds: i64) -> String {
        self.sweep(now);
        issue(&mut self.access, pass, now, seconds)
    }

    pub(crate) fn issue_refresh(&mut self, pass: TokenGrant, now: DateTime<Utc>) -> String {
        issue(&mut self.refresh, pass, now, REFRESH_SECONDS)
    }

    pub(crate) fn issue_code(
        &mut self,
        pass: TokenGrant,
        redirect_uri: String,
        challenge: Option<String>,
        nonce: Option<String>,
        now: DateTime<Utc>,
    ) -> String {
        let code = random::secret();
        let expires = now + TimeDelta::seconds(CODE_SECONDS);
        self.codes.insert(
            code.clone(),
            AuthorizationCode { pass, redirect_uri, challenge, nonce, expires, used: false },
        );
        code
    }

    pub(crate) fn access(&self, token: &str, now: DateTime<Utc>) -> Result<&TokenGrant, InvalidToken> {
        look_up(&self.access, token, now)
    }

    pub(crate) fn refresh(&self, token: &str, now: DateTime<Utc>) -> Result<&TokenGrant, InvalidToken> {
        look_up(&self.refresh, token, now)
    }

    /// The data of an invalid refresh token, so that its family can be revoked.
    pub(crate) fn refresh_family(&self, token: &str) -> Option<u64> {
        self.refresh.get(token).map(|issued| issued.pass.family)
    }

    /// A code, if it has not been used.
    pub(crate) fn code(&self, code: &str, now: DateTime<Utc>) -> Result<&AuthorizationCode, InvalidToken> {
        let grant = self.codes.get(code).ok_or(InvalidToken::Unknown)?;
        match grant {
            _ if grant.used => Err(InvalidToken::Spent),
            _ if now >= grant.expires => Err(InvalidToken::Expired),
            _ => Ok(grant),
        }
    }

    /// Marks a code as used. If a used code is presented again, it may have been stolen, so the tokens issued for it are
    /// revoked as well (RFC 6749, 4.1.2).
    pub(crate) fn spend_code(&mut self, code: &str) {
        let Some(found) = self.codes.get_mut(code) else { return };
        if found.used {
            let family = found.pass.family;
            self.end_family(family);
        } else {
            found.used = true;
        }
    }

    pub(crate) fn spend_refresh(&mut self, token: &str) {
        if let Some(issued) = self.refresh.get_mut(token) {
            issued.dead = true;
        }
    }

    pub(crate) fn end_family(&mut self, family: u64) {
        for issued in self.access.values_mut().chain(self.refresh.values_mut()) {
            issued.dead |= issued.pass.family == family;
        }
    }

    /// Revokes every token, to test what a client does when a valid token is rejected.
    pub(crate) fn end_all(&mut self) {
        for issued in self.access.values_mut().chain(self.refresh.values_mut()) {
            issued.dead = true;
        }
    }

    /// Removes tokens that expired long ago. Recently expired ones are kept, so that the error can say that they expired.
    fn sweep(&mut self, now: DateTime<Utc>) {
        if self.access.len() % 1024 == 1023 {
            let long_ago = now - TimeDelta::days(7);
            self.access.retain(|_, issued| issued.expires > long_ago);
            self.refresh.retain(|_, issued| issued.expires > long_ago);
            self.codes.retain(|_, code| code.expires > long_ago);
        }
    }
}

fn issue(into: &mut HashMap<String, Issued>, pass: TokenGrant, now: DateTime<Utc>, seconds: i64) -> String {
    let token = random::secret();
    into.insert(token.clone(), Issued { pass, expires: now + TimeDelta::seconds(seconds), dead: false });
    token
}

fn look_up<'a>(
    from: &'a HashMap<String, Issued>,
    token: &str,
    now: DateTime<Utc>,
) -> Result<&'a TokenGrant, InvalidToken> {
    let issued = from.get(token).ok_or(InvalidToken::Unknown)?;
    match issued {
        _ if issued.dead => Err(InvalidToken::Spent),
        _ if now >= issued.expires => Err(InvalidToken::Expired),
        _ => Ok(&issued.pass),
    }
}
