//! The tokens of one token response.

use crate::model::Secret;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime};

/// The lifetime of an access token when the response names none: 30 minutes.
// API 2.7
pub(super) const LIFE: Duration = Duration::from_secs(30 * 60);

/// The prefix of an identity that the library makes from a subject named by the server.
pub(super) const PERSON: &str = "sub:";

/// The maximum length of an identity. A longer one comes neither from a person nor from a server.
const LONGEST_NAME: usize = 255;

/// An access token and what came with it. It can be saved and used again:
/// [`Credentials::Session`](super::Credentials).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TokenSet {
    /// The access token.
    pub access_token: Secret,
    /// The refresh token, if the response had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<Secret>,
    /// The id token, if the response had one: a signed statement of who has logged in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id_token: Option<Secret>,
    /// When it was issued: seconds since 1970.
    pub issued_at: u64,
    /// When the access token expires: seconds since 1970.
    pub expires_at: u64,
    /// The redirect address of the login, which a refresh must repeat.
    // API 2.7
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_uri: Option<String>,
    /// Whose login it is: the name given by the setting `identity`; else `sub:` and the subject of the id token; else
    /// `session:` and a random name. A client uses no tokens of another identity from a store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// The subject of the id token, if there was one: the person behind the identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// A sequence number within the identity: the set with the largest number is the newest. Each renewal adds one to the
    /// number in the store, because clocks may be set back; a login starts with the current time, so that it is newer than a
    /// login that was logged out.
    #[serde(default)]
    pub generation: u64,
}

impl TokenSet {
    /// An access token alone, issued at `now` with the lifetime `life`.
    pub fn new(access_token: impl Into<Secret>, now: SystemTime, life: Duration) -> Self {
        let issued_at = seconds(now);
        Self {
            access_token: access_token.into(),
            refresh_token: None,
            id_token: None,
            issued_at,
            expires_at: issued_at.saturating_add(life.as_secs()),
            redirect_uri: None,
            identity: None,
            subject: None,
            generation: 0,
        }
    }

    /// Its remaining lifetime from `now` on, and its total lifetime. A set that claims to come from the future, or to
    /// live longer than a year, was not written by this library or by a trustworthy clock: it counts as expired.
    pub(super) fn lifetime(&self, now: SystemTime) -> Option<(Duration, Duration)> {
        let now = seconds(now);
        let whole = self.expires_at.checked_sub(self.issued_at)?;
        let remaining = self.expires_at.checked_sub(now).filter(|left| *left > 0)?;
        let believable = self.issued_at <= now.saturating_add(60) && whole <= 366 * 86_400;
        believable.then_some((Duration::from_secs(remaining), Duration::from_secs(whole)))
    }
}

/// The subject of an id token (`OpenID` Connect Core, 2). The signature is not checked: the token came directly from the
/// authentication server, over TLS (3.1.3.7, 6).
pub(super) fn subject(id_token: &Secret) -> Option<String> {
    #[derive(Deserialize)]
    struct TokenClaims {
        sub: String,
    }
    let claims = URL_SAFE_NO_PAD.decode(id_token.reveal().split('.').nth(1)?).ok()?;
    let TokenClaims { sub } = serde_json::from_slice(&claims).ok()?;
    let name = !sub.is_empty() && sub.len() <= LONGEST_NAME && !sub.contains(char::is_control);
    name.then_some(sub)
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_id_token_with_a_subject_names_a_person() {
        let token = |claims: &str| Secret::from(format!("head.{}.signature", URL_SAFE_NO_PAD.encode(claims)));
        assert_eq!(subject(&token(r#"{"sub":"ada","aud":"x"}"#)).as_deref(), Some("ada"));
        for claims in ["", "{}", r#"{"sub":""}"#, r#"{"sub":5}"#, r#"{"sub":"a\nb"}"#] {
            assert_eq!(subject(&token(claims)), None, "{claims}");
        }
        assert_eq!(subject(&token(&format!(r#"{{"sub":"{}"}}"#, "x".repeat(300)))), None);
        for text in ["", "no token", "a.%%%.c"] {
            assert_eq!(subject(&text.into()), None, "{text}");
        }
    }
}
